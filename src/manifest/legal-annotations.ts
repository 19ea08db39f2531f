import { equalJson, type Fields, isObject } from '../support/json.ts';
import { readPlainYaml, writePlainYaml } from '../yaml/index.ts';
import { annotations, legalKeys } from './annotations.ts';
import { readNameList } from './name-list.ts';

const listKeys: readonly string[] = [
  annotations.dependsOnResourceGroups,
  annotations.dependsOnLayer,
  annotations.dependsOnChart,
  annotations.needs,
];
const textKeys: readonly string[] = [
  annotations.resourceGroup,
  annotations.layer,
  annotations.weight,
  annotations.readinessSuccess,
  annotations.readinessFailure,
  annotations.readiness,
];
const inputKeys = [...Object.keys(legalKeys), ...listKeys, ...textKeys];
const mentionsKey = new RegExp(inputKeys.map((key) => key.replaceAll('.', '\\.')).join('|'));

/**
 * A document whose ordering annotations the API server takes: keys with two slashes become their legal spelling, lists
 * become JSON arrays as text, numbers become text. The rest of the text stays as it is where YAML allows; a document
 * that needs no change, or cannot be read, comes back unchanged.
 */
export function legalDocument(text: string): string {
  if (!mentionsKey.test(text)) return text;
  const value = readOrNothing(text);
  if (value === undefined) return text;
  const legal = legalValue(value);
  if (equalJson(value, legal)) return text;
  const edited = editText(text, value, legal);
  return equalJson(readOrNothing(edited), legal) ? edited : writePlainYaml(legal);
}

function readOrNothing(text: string): unknown {
  try {
    return readPlainYaml(text);
  } catch {
    // Whoever parses the document next reports what is wrong with it.
    return undefined;
  }
}

/** The object with legal annotations; in a List, those of its items. */
function legalValue(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { metadata, items } = value;
  const legal = { ...value };
  if (isObject(metadata) && isObject(metadata['annotations'])) {
    legal['metadata'] = { ...metadata, annotations: legalAnnotations(metadata['annotations']) };
  }
  if (Array.isArray(items)) legal['items'] = items.map(legalValue);
  return legal;
}

function legalAnnotations(given: Fields): Fields {
  const legal: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const name = legalKeys[key] ?? key;
    if (value === null) continue;
    if (listKeys.includes(name)) legal[name] = listText(legal[name], value);
    else legal[name] = textKeys.includes(name) ? textOf(value) : value;
  }
  return legal;
}

/** The names of both spellings; what is malformed stays as it is, for whoever plans to tell. */
function listText(before: unknown, value: unknown): string {
  const [first, second] = [readNameList(before), readNameList(value)];
  if (first.mistake !== undefined) return textOf(before);
  if (second.mistake !== undefined) return textOf(value);
  return JSON.stringify([...new Set([...first.names, ...second.names])]);
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** The text with the changed annotations' lines replaced. Whether that came out right is for the caller to see. */
function editText(text: string, value: unknown, legal: unknown): string {
  const before = annotationsOf(value);
  const after = annotationsOf(legal);
  const changed = Object.keys(before).filter((key) => !equalJson(before[key], after[key]));
  return changed.reduce((edited, key) => replaceEntry(edited, key, legalKeys[key] ?? key, after), text);
}

const annotationsOf = (value: unknown): Fields => {
  const metadata = isObject(value) ? value['metadata'] : undefined;
  const given = isObject(metadata) ? metadata['annotations'] : undefined;
  return isObject(given) ? given : {};
};

/** Replaces the block `key: value`, with the lines that belong to the value, by one line. */
function replaceEntry(text: string, key: string, name: string, after: Fields): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => entryPattern(key).test(line));
  if (start === -1) return text;
  const indent = /^[ \t]*/.exec(lines[start] as string)?.[0] ?? '';
  const rest = lines.slice(start + 1);
  const length = rest.findIndex((line) => !belongsToValue(line, indent));
  const following = length === -1 ? [] : rest.slice(length);
  const value = String(after[name] ?? '').replaceAll("'", "''");
  return [...lines.slice(0, start), `${indent}${name}: '${value}'`, ...following].join('\n');
}

const entryPattern = (key: string): RegExp =>
  new RegExp(`^[ \\t]*(["']?)${key.replaceAll('.', '\\.')}\\1[ \\t]*:(?:[ \\t]|$)`);

const belongsToValue = (line: string, indent: string): boolean =>
  line.startsWith(`${indent} `) || line.startsWith(`${indent}- `);
