import { valueIn } from '../chart/tables.ts';
import { GoInt, type GoMap, type Value } from '../go/value.ts';
import { type FieldPath, valueAtPath } from '../manifest/field-path.ts';
import { lineOfPath } from '../manifest/line-of.ts';
import { indentOf } from '../support/text.ts';
import { isContainer, noOrigin, readsOf } from '../template/origin.ts';
import type { Origin, Piece } from '../template/trace.ts';
import type { DocumentTrace } from './document-trace.ts';
import { branchesAround, extentOfLine, readsBetween } from './template-place.ts';

type Keys = readonly string[];

/**
 * The values that a field of a printed object was made of, as the templates read them: those that it shows (of a text that
 * `word` is asked about, those that the word shows), or else those that decided about it.
 */
export function valuesOfField(document: DocumentTrace, path: FieldPath, values: GoMap, word?: string): readonly Keys[] {
  const { made, decided } = readsOfField(document, path, values, word);
  const text = word ?? textAt(document, path);
  const shown = made.flatMap((read) => shownParts(read, { path, values, text }));
  if (shown.length > 0) return distinct(shown);
  const keyNames = made.filter(({ isKey, keys = [] }) => isKey === true && text.includes(keys.at(-1) as string));
  if (keyNames.length > 0) return [keyNames[0]?.keys as Keys];
  return distinct([...made, ...decided].flatMap(({ keys, isKey }) => (keys === undefined || isKey ? [] : [keys])));
}

/** The value that is empty, or not set, and leaves a field empty, or out; undefined where none is, or the field says something. */
export function emptyValueKeys(document: DocumentTrace, path: FieldPath, values: GoMap): Keys | undefined {
  const text = valueAtPath(document.object, path);
  if (text !== undefined && text !== null && String(text).trim() !== '') return undefined;
  const { made, decided } = readsOfField(document, path, values);
  const skipped = text === undefined ? skippedFor(document, String(path.at(-1))) : [];
  return [...made, ...decided, ...skipped.map((read) => withGlobals(read, values))].find(
    ({ keys, isKey }) => keys !== undefined && isKey === undefined && isUnset(valueIn(values, keys)),
  )?.keys;
}

/** The empty values that were read for what a field shows all the same: `.Values.image.tag | default .Chart.AppVersion`. */
export function unsetValuesOf(document: DocumentTrace, path: FieldPath, values: GoMap): readonly Keys[] {
  const { made, decided } = readsOfField(document, path, values);
  return [...made, ...decided].flatMap(({ keys, isKey }) =>
    keys !== undefined && isKey !== true && isUnset(valueIn(values, keys)) ? [keys] : [],
  );
}

/** What conditions ask, of an object's template, that leave out a key which the object lacks. */
function skippedFor({ text, trace }: DocumentTrace, key: string): readonly Origin[] {
  const from = trace.text.indexOf(text);
  const isSkipped = (branch: Piece): boolean =>
    from <= branch.from &&
    branch.until <= from + text.length &&
    branch.source.text
      .slice(branch.start)
      .split(/\{\{-?\s*end\b/, 1)[0]
      ?.includes(`${key}:`) === true;
  return trace.branches.filter(isSkipped).flatMap(({ origin = noOrigin }) => readsOf(origin).made);
}

export const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (value instanceof Map && value.size === 0);

/** The switches that are on and without which an object is not rendered, the outermost first. */
export function switchesOf({ text, trace }: DocumentTrace, values: GoMap): readonly Keys[] {
  const from = trace.text.indexOf(text);
  const around = branchesAround(trace, from, from + text.trimEnd().length);
  const made = around.flatMap(({ origin = noOrigin }) => readsOf(origin).made);
  const named = made.map((read) => withGlobals(read, values).keys ?? []);
  return distinct(named.filter((keys) => valueIn(values, keys) === true));
}

/** The values that were read for a field, made it, and decided about it, by their names from the outermost chart. */
export function readsOfField(document: DocumentTrace, path: FieldPath, values: GoMap, word?: string) {
  const { from, until } = extentOfField(document, path, word);
  const { made, whole, decided } = readsBetween(document.trace, from, until);
  const named = (reads: readonly Origin[]): readonly FieldRead[] =>
    reads
      .filter(({ keys = [] }) => keys.length > 0)
      .map((read) => ({ ...withGlobals(read, values), isWhole: whole.has(read) }));
  return { made: named(made), decided: named(decided) };
}

/** What a subchart has of the globals is set where all charts have them. */
export function withGlobals(read: Origin, values: GoMap): Origin {
  const { keys = [] } = read;
  const at = keys.indexOf('global');
  const shared = keys.slice(at);
  return at > 0 && valueIn(values, shared) !== undefined ? { ...read, keys: shared } : read;
}

interface FieldRead extends Origin {
  /** It was printed as a whole in the field. */
  readonly isWhole: boolean;
}

interface Shown {
  readonly path: FieldPath;
  readonly values: GoMap;
  readonly text: string;
}

/** Those of the leaves below a read value that the field shows: the value itself, or in a map what the field's path leads to. */
function shownParts({ keys, isKey, isWhole }: FieldRead, { path, values, text }: Shown): readonly Keys[] {
  if (keys === undefined || isKey === true) return [];
  const value = valueIn(values, keys);
  if (!isContainer(value)) return isShownIn(text, value) ? [keys] : [];
  const tails = path.map((_, index) => path.slice(index).map(String));
  const tail = tails.find((one) => valueIn(value, one) !== undefined);
  if (tail === undefined && !isWhole) return [];
  const below = [...keys, ...(tail ?? [])];
  const leaves = leavesOf(valueIn(values, below), below).filter((leaf) => isShownIn(text, valueIn(values, leaf)));
  return leaves.length > maxLeaves ? [below] : leaves;
}

/** Of a map that is shown as a whole its items are not listed. */
const maxLeaves = 3;

function leavesOf(value: Value, keys: Keys): readonly Keys[] {
  if (value instanceof Map) return [...value].flatMap(([key, item]) => leavesOf(item, [...keys, key]));
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...keys, String(index)]));
  return [keys];
}

/** Values with templates in them (`tpl`) are shown as other texts. */
export function isShownIn(text: string, value: Value): boolean {
  const own = value instanceof GoInt ? String(value.value) : String(value ?? '');
  return own !== '' && (text.includes(own) || own.includes(text) || own.includes('{{'));
}

/** What a field says, as a text. */
export function textAt({ object }: DocumentTrace, path: FieldPath): string {
  const value = valueAtPath(object, path);
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

/** Where the printed text has what a field says, or the line of it that has a word. */
function extentOfField({ text, line: begin, trace }: DocumentTrace, path: FieldPath, word: string | undefined) {
  const lines = text.split('\n');
  const key = path.at(-1);
  const first = lineOfPath(text, path);
  const found = word === undefined ? -1 : lines.findIndex((line, index) => index >= first - 1 && line.includes(word));
  if (found >= 0) return extentOfLine(trace.text, begin + found);
  const written = lines[first - 1] ?? '';
  const column = written.search(typeof key === 'number' ? /\S|$/ : /[^\s-]|-\S|$/);
  const isInside = (line: string): boolean => line.trim() === '' || indentOf(line) > column;
  const isItem = (line: string): boolean => indentOf(line) === column && line.trimStart().startsWith('- ');
  const hasItems = typeof key === 'string' && written.trimEnd().endsWith(`${key}:`);
  let last = first;
  while (last < lines.length && (isInside(lines[last] as string) || (hasItems && isItem(lines[last] as string))))
    last++;
  const { from, until } = extentOfLine(trace.text, begin + first - 1);
  const keyAt = typeof key === 'string' ? trace.text.slice(from, until).indexOf(`${key}:`) : -1;
  return {
    from: keyAt < 0 ? from : from + keyAt + String(key).length + 1,
    until: extentOfLine(trace.text, begin + last - 1).until,
  };
}

const distinct = (all: readonly Keys[]): readonly Keys[] => [
  ...new Map(all.map((keys) => [keys.join('\0'), keys])).values(),
];
