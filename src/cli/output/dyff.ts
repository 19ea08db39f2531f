import type { ManifestChange } from '../../actions/manifest-diff/compare.ts';
import { type Fields, isObject } from '../../support/json.ts';
import { hangingIndent } from '../../support/text.ts';
import { readPlainYaml, writePlainYaml } from '../../yaml/index.ts';
import type { ManifestDiffSettings } from './manifest-diff-flags.ts';

/**
 * Changes field by field in the layout of dyff: a path with its object, what happened, the old and the new value. Items of
 * lists are the same by their names, or by what they are.
 */
export const dyffText = (changes: readonly ManifestChange[], { suppressedKinds }: ManifestDiffSettings): string =>
  changes.map((change) => (suppressedKinds.includes(change.kind) ? '' : objectText(change))).join('') || '\n';

function objectText({ key, before, after }: ManifestChange): string {
  const [old, next] = [before, after].map((entry) =>
    entry === undefined ? undefined : (readPlainYaml(entry.content) as Fields),
  );
  const place = placeOf((next ?? old) as Fields | undefined, key);
  if (old !== undefined && next !== undefined) return valueText([], old, next, place);
  const content = (after ?? before)?.content;
  if (content === undefined) return block([], place, `${key} changes its owner\n`);
  return block([], place, `${after === undefined ? '- one document removed' : '+ one document added'}:\n${content}\n`);
}

/** `apps/v1/Deployment/web`, with the namespace where the manifest names one. */
function placeOf(object: Fields | undefined, key: string): string {
  if (object === undefined) return key;
  const { namespace, name } = (object['metadata'] ?? {}) as { readonly namespace?: string; readonly name?: string };
  return [object['apiVersion'], object['kind'], namespace, name].filter((part) => part !== undefined).join('/');
}

const block = (path: readonly string[], place: string, text: string): string =>
  `\n${path.length === 0 ? '(root level)' : path.join('.')}  (${place})\n${text}`;

function valueText(path: readonly string[], old: unknown, next: unknown, place: string): string {
  if (isObject(old) && isObject(next)) return mapText(path, old, next, place);
  if (Array.isArray(old) && Array.isArray(next)) return listText(path, old, next, place);
  if (isSame(old, next)) return '';
  return block(path, place, `± value change\n${signed('-', scalarText(old))}${signed('+', scalarText(next))}`);
}

function mapText(path: readonly string[], old: Fields, next: Fields, place: string): string {
  const missing = (from: Fields, other: Fields): Fields =>
    Object.fromEntries(Object.entries(from).filter(([name]) => !(name in other)));
  const common = Object.keys(old).filter((name) => name in next);
  return [
    entriesText(path, missing(old, next), 'removed', place),
    entriesText(path, missing(next, old), 'added', place),
    ...common.map((name) => valueText([...path, name], old[name], next[name], place)),
  ].join('');
}

function entriesText(path: readonly string[], entries: Fields, what: 'added' | 'removed', place: string): string {
  const count = Object.keys(entries).length;
  if (count === 0) return '';
  return block(path, place, `${signOf(what)} ${counted(count, 'map')} ${what}:\n${writePlainYaml(entries)}`);
}

function listText(path: readonly string[], old: readonly unknown[], next: readonly unknown[], place: string): string {
  const missing = (from: readonly unknown[], other: readonly unknown[]): readonly unknown[] =>
    from.filter((item) => !other.some((one) => isSameItem(item, one)));
  const common = old.flatMap((item) => {
    const other = next.find((one) => isSameItem(item, one));
    return other === undefined ? '' : valueText([...path, nameOf(item)], item, other, place);
  });
  return [
    itemsText(path, missing(old, next), 'removed', place),
    itemsText(path, missing(next, old), 'added', place),
    ...common,
  ].join('');
}

function itemsText(
  path: readonly string[],
  items: readonly unknown[],
  what: 'added' | 'removed',
  place: string,
): string {
  if (items.length === 0) return '';
  const text = items.every(isObject)
    ? writePlainYaml(items)
    : items.map((item) => signed('-', scalarText(item))).join('');
  return block(path, place, `${signOf(what)} ${counted(items.length, 'list')} ${what}:\n${text}`);
}

const signOf = (what: 'added' | 'removed'): string => (what === 'added' ? '+' : '-');
const signed = (sign: string, text: string): string => `${sign} ${hangingIndent(text, 2)}\n`;
const scalarText = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '<nil>' : writePlainYaml(value).trimEnd();

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const counted = (count: number, what: string): string =>
  `${words[count] ?? count} ${what} ${count === 1 ? 'entry' : 'entries'}`;

const nameOf = (item: unknown): string => (isObject(item) ? String(item['name'] ?? '') : '');
const isSame = (a: unknown, b: unknown): boolean => writePlainYaml(a) === writePlainYaml(b);
const isSameItem = (a: unknown, b: unknown): boolean => (nameOf(a) !== '' ? nameOf(a) === nameOf(b) : isSame(a, b));
