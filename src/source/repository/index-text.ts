import { metadataFields } from '../../chart/metadata-json.ts';
import { metadataValue, withoutOwnFields } from '../../chart/metadata-value.ts';
import { writeJson } from '../../go/json/json.ts';
import { jsonList, jsonObject, jsonText, omitEmpty } from '../../go/json/struct-text.ts';
import type { GoMap, Value } from '../../go/value.ts';
import { sortedEntries } from '../../support/order.ts';
import { writeYaml } from '../../yaml/index.ts';
import type { IndexEntry } from './index-entry.ts';

/** An index as it is written. */
export interface WrittenIndex {
  readonly generated: string;
  readonly publicKeys: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly entries: ReadonlyMap<string, readonly IndexEntry[]>;
}

/** index.yaml, as Helm writes it. Go: IndexFile.WriteFile. */
export function indexYaml({ generated, publicKeys, annotations, entries }: WrittenIndex): string {
  const charts = [...entries].map(([name, versions]): [string, Value] => [name, versions.map(entryValue)]);
  const index: [string, Value][] = [
    ['apiVersion', 'v1'],
    ['entries', new Map(charts)],
    ['generated', generated],
  ];
  if (publicKeys.length > 0) index.push(['publicKeys', [...publicKeys]]);
  if (Object.keys(annotations).length > 0) index.push(['annotations', new Map(Object.entries(annotations))]);
  return writeYaml(new Map(index));
}

function entryValue({ metadata, urls, created, removed, digest, outdated }: IndexEntry): GoMap {
  // Helm refuses a whole index for one field that it does not know.
  const entry = metadataValue(withoutOwnFields(metadata));
  for (const [name, value] of Object.entries(outdated)) entry.set(name, value);
  entry.set('urls', [...urls]).set('created', created);
  if (removed) entry.set('removed', true);
  if (digest !== '') entry.set('digest', digest);
  return entry;
}

/** The same as JSON, which is YAML too. Go: IndexFile.WriteJSONFile. */
export function indexJson({ generated, publicKeys, annotations, entries }: WrittenIndex): string {
  const charts = sortedEntries(new Map(entries)).map(([name, versions]): [string, string] => [
    name,
    jsonList(versions.map(entryJson)),
  ]);
  const text = jsonObject([
    ['apiVersion', jsonText('v1')],
    ['generated', jsonText(generated)],
    ['entries', `{${charts.map(([name, list]) => `${jsonText(name)}:${list}`).join(',')}}`],
    ['publicKeys', omitEmpty(publicKeys)],
    ['annotations', omitEmpty(annotations)],
  ]);
  return indented(text);
}

const entryJson = ({ metadata, urls, created, removed, digest, outdated }: IndexEntry): string =>
  jsonObject([
    ...metadataFields(metadata),
    ['urls', writeJson([...urls])],
    ['created', jsonText(created)],
    ['removed', omitEmpty(removed)],
    ['digest', omitEmpty(digest)],
    ...['checksum', 'engine', 'tillerVersion', 'url'].map((name) => [name, omitEmpty(outdated[name])] as const),
  ]);

/** json.MarshalIndent with two spaces: the same tokens, each in its line. */
function indented(json: string): string {
  let text = '';
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]|[^"{}[\],:]+/g)) {
    if (token === '{' || token === '[') {
      depth += 1;
      text += token + line();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      text += line() + token;
    } else if (token === ',') text += token + line();
    else text += token === ':' ? ': ' : token;
  }
  return text;
}
