import { valueAtKeys } from '../chart/tables.ts';
import { subchartsOfFile, type Templates, templateText } from '../chart/template-text.ts';
import { chartValuePlace } from '../chart/value-place.ts';
import type { FaultField, ObjectFault, ObjectOrigin, ValuePlace } from '../execute/faults.ts';
import type { FieldPath } from '../execute/refused-fields.ts';
import { documentLine } from '../manifest/document-line.ts';
import { lineOfPath } from '../manifest/line-of.ts';
import { parseManifest } from '../manifest/parse.ts';
import { guardsOf } from '../manifest/template-guards.ts';
import { templateLine } from '../manifest/template-line.ts';
import type { Manifest } from '../manifest/types.ts';
import { addedDetail, hasCode, TshelmError } from '../support/errors.ts';
import type { Rendered } from './phases.ts';

/** What objects were made of. */
export interface Origins {
  readonly chart: Templates;
  /** What it rendered. */
  readonly manifests?: readonly Manifest[] | undefined;
  /** The user's values. */
  readonly config?: ReadonlyMap<string, unknown> | undefined;
}

/** Of hooks too: they fail as well. */
export const originsOf =
  ({ release, manifests, hooks }: Rendered) =>
  (): Origins => ({
    chart: release.chart,
    manifests: [...manifests, ...hooks.map((hook) => parseManifest(hook.manifest, hook.path))],
    config: release.config,
  });

/**
 * The same failure; its faults say at which line of their templates the objects begin, and which lines made the fields
 * that have to be changed, where the chart tells.
 */
export function withTemplateLines(failure: unknown, origins: () => Origins): unknown {
  const faults = addedDetail(failure, 'objectFaults') ?? [];
  if (!(failure instanceof TshelmError) || faults.length === 0) return failure;
  try {
    const known = origins();
    const located = locatedFaults(faults, known);
    const isUnserved = hasCode(failure, 'no-matches-for-kind');
    const objectFaults = isUnserved ? located.map((fault) => withGuard(fault, known)) : located;
    return failure.wrapped({ message: failure.message, details: { objectFaults } });
  } catch {
    // What failed is told in any case.
    return failure;
  }
}

const locatedFaults = (faults: readonly ObjectFault[], origins: Origins): readonly ObjectFault[] =>
  faults.map((fault) => {
    const text = templateText(origins.chart, fault.file);
    const fields = fault.fields?.map((field) => locatedField(field, field.of ?? fault, origins));
    return { ...fault, ...(text !== undefined && { line: documentLine(text, fault.id) }), ...(fields && { fields }) };
  });

/** An object that the cluster cannot hold, with the value that switches it off. */
function withGuard(fault: ObjectFault, origins: Origins): ObjectFault {
  const { file, line, id, fixes = [] } = fault;
  const text = templateText(origins.chart, file);
  if (text === undefined || line === undefined) return fault;
  for (const guard of guardsOf(text, line)) {
    const name = /^\(*\$?\.Values\.([\w.]*\w)\)*$/.exec(guard.condition)?.[1];
    if (name === undefined) continue;
    const lines = text.split('\n');
    const maker = { file, path: [], name: id.name, lines, line: guard.line, rendered: '', word: undefined };
    const values = valuePlace(name.split('.'), maker, origins);
    const [value = `.Values.${name}`] = values === undefined ? [] : [values.name];
    const written = lines[guard.line - 1]?.trim();
    return {
      ...fault,
      fields: [
        { path: ['apiVersion'], line, written: lines[line - 1]?.trim() },
        { path: [], line: guard.line, written, values: values && [values] },
      ],
      fixes: [...fixes, `or leave it out: set ${value} to false`],
    };
  }
  return fault;
}

function locatedField(field: FaultField, { id, file }: ObjectOrigin, origins: Origins): FaultField {
  const text = templateText(origins.chart, file);
  const manifest = origins.manifests?.find(
    ({ source, object }) => source === file && object.kind === id.kind && object.metadata.name === id.name,
  );
  if (text === undefined || manifest === undefined) return field;
  const at = lineOfPath(manifest.text, field.path);
  const line = templateLine(text, manifest.text, at);
  if (line === undefined) return field;
  const lines = text.split('\n');
  const written = lines[line - 1]?.trim() ?? '';
  const rendered = manifest.text.split('\n')[at - 1] ?? '';
  const values = valuePlaces(
    { file, path: field.path, name: id.name, lines, line, rendered, word: field.word },
    origins,
  );
  return { ...field, line, ...(isShown(written, id.kind, field.path) && { written }), values };
}

/** What is written out may be a secret, unless a template computes it or the field holds no free text. */
const isShown = (written: string, kind: string, path: FieldPath): boolean =>
  written.includes('{{') || (kind !== 'Secret' && path.length > 0 && !path.some((part) => freeText.has(String(part))));
const freeText: ReadonlySet<string> = new Set(['data', 'stringData', 'annotations', 'value', 'args', 'command']);

/** A line of a template, and the field of the object of that name that it made. */
interface Maker {
  readonly file: string;
  readonly path: FieldPath;
  readonly name: string;
  readonly lines: readonly string[];
  readonly line: number;
  /** What the line became. */
  readonly rendered: string;
  /** The part of it that is wrong, where it is not the whole. */
  readonly word?: string | undefined;
}

const maxValues = 3;

/** Where the values that a line of a template names are set, or the field in them; those that cannot be told are left out. */
function valuePlaces(maker: Maker, origins: Origins): readonly ValuePlace[] {
  const written = maker.lines[maker.line - 1] ?? '';
  const named = [...written.matchAll(/(\$\w+|\.Values)\.([\w.]*\w)/g)].map(([, owner = '', name = '']) => {
    const keys = name.split('.');
    if (owner === '.Values') return keys;
    return owner === '$' || keys[0] === 'Values' ? keys.slice(1) : keysOfItem(owner, keys, maker, origins);
  });
  const all = new Map(named.flatMap((keys) => (keys && keys.length > 0 ? [[keys.join('.'), keys] as const] : [])));
  const guilty = [...all.values()].filter((keys) => isPartOf(keys, maker, origins));
  return guilty.slice(0, maxValues).flatMap((keys) => valuePlace(keys, maker, origins) ?? []);
}

/** Whether a value has to do with the word that is wrong: it has it, or is a part of it. */
function isPartOf(keys: readonly string[], { word }: Maker, { chart, config }: Origins): boolean {
  const value = valueAtKeys(config, keys) ?? valueAtKeys(chart.values, keys);
  if (word === undefined || typeof value !== 'string') return true;
  return value.includes(word) || word.includes(value);
}

function valuePlace(
  keys: readonly string[],
  { file, path }: Maker,
  { chart, config }: Origins,
): ValuePlace | undefined {
  if (config === undefined) return undefined;
  const charts = keys[0] === 'global' ? [] : subchartsOfFile(file);
  const tail = path.slice(path.findLastIndex((part) => typeof part === 'number') + 1).map(String);
  for (let from = 0; from <= tail.length; from++) {
    const inside = [...keys, ...tail.slice(from)];
    const name = [...charts, ...inside].join('.');
    if (hasKeys(config, [...charts, ...inside])) return { name, isGiven: true };
    const place = chartValuePlace(chart, [...charts, ...inside]);
    if (place !== undefined) return { name, file: place.file, line: place.line };
  }
  return undefined;
}

/**
 * What `$c.memory` names inside `range $name, $c := .Values.components`: the item whose key the object's name has, where its
 * value is in the line that was rendered.
 */
function keysOfItem(
  variable: string,
  keys: readonly string[],
  { lines, line, name, rendered }: Maker,
  { chart, config }: Origins,
): readonly string[] | undefined {
  const loop = new RegExp(`range\\s+(?:\\$\\w+\\s*,\\s*)?\\${variable}\\s*:=\\s*\\$?\\.Values\\.([\\w.]+)`);
  const owner = lines
    .slice(0, line)
    .flatMap((text) => loop.exec(text)?.[1] ?? [])
    .at(-1)
    ?.split('.');
  if (owner === undefined) return undefined;
  const items = [config, chart.values].map((values) => valueAtKeys(values, owner)).filter((map) => map instanceof Map);
  const fitting = new Set(
    items.flatMap((map) =>
      [...map.keys()].filter((key) => name.split('-').join(' ').includes(String(key)) || name.endsWith(String(key))),
    ),
  );
  const [item, another] = [...fitting].filter((key) =>
    items.some((map) => rendered.includes(String(valueAtKeys(map, [String(key), ...keys])))),
  );
  return item === undefined || another !== undefined ? undefined : [...owner, String(item), ...keys];
}

const hasKeys = (values: unknown, keys: readonly string[]): boolean => valueAtKeys(values, keys) !== undefined;
