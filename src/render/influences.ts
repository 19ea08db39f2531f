import { deepCopy, valueIn } from '../chart/tables.ts';
import type { Chart } from '../chart/types.ts';
import { GoInt, type GoMap, type Value } from '../go/value.ts';

/** What a rendered field says with some values: undefined where its object, or the field, is not there. */
export type ReadField = (values: GoMap) => string | undefined;

/** Whose values are tried. */
export interface Scope {
  readonly chart: Chart;
  readonly values: GoMap;
  /** The subcharts around the template, the outermost first. */
  readonly subcharts: readonly string[];
}

/** A value that is no map and no list, and the keys that lead to it from the outermost chart; of lists the item's number. */
export interface Leaf {
  readonly keys: readonly string[];
  readonly value: Value;
}

/** So many values of each kind are tried at most. */
const maxTried = 100;
/** So many words of a message are tried at most, the last ones: a list of what is allowed ends it. */
const maxChoices = 12;

/**
 * The values that a field was made of, by experiment: those that change it when they alone are changed. Where some stand in
 * the field's text (or in `word`, the part of it that is asked about) only they count; otherwise those that decide about it.
 * `read` may throw; what cannot be rendered tells nothing.
 */
export function influencesOn(read: ReadField, scope: Scope, word?: string): readonly (readonly string[])[] {
  const before = attempt(read, scope.values);
  if (before === undefined) return [];
  const text = word ?? before;
  const leaves = leavesInScope(scope);
  const [likely, others] = partition(leaves, ({ value }) => mayBeIn(text, value));
  const lines = before.split('\n').filter((line) => word === undefined || line.includes(word));
  /** Another text; where a word is asked about, in one of its lines. */
  const differs = (after: string): boolean => {
    const now = new Set(after.split('\n'));
    return lines.some((line) => !now.has(line));
  };
  const isGone = (after: string): boolean => word !== undefined && !after.includes(word);
  const decidesBy = (isOther: (after: string) => boolean, values: GoMap): boolean => {
    const after = attempt(read, values);
    return after !== undefined && isOther(after);
  };
  const made = likely
    .slice(0, maxTried)
    .filter(({ keys, value }) => variantsOf(value).some((other) => decidesBy(differs, withValue(scope, keys, other))));
  if (made.length > 0) return made.map(({ keys }) => keys);
  const ofKeys = keysInScope(scope)
    .filter((keys) => text.includes(keys.at(-1) as string))
    .slice(0, maxTried)
    .filter((keys) => decidesBy(differs, withOtherKey(scope, keys)));
  if (ofKeys.length > 0) return ofKeys.slice(-1);
  return others
    .slice(0, maxTried)
    .filter(({ keys, value }) =>
      [...variantsOf(value), ...choicesFor(read, scope, { keys, value })].some((other) =>
        decidesBy(word === undefined ? differs : isGone, withValue(scope, keys, other)),
      ),
    )
    .map(({ keys }) => keys);
}

/** Texts that the chart takes in place of one: where it fails with another one, the words of its message (`Allowed values are …`). */
function choicesFor(read: ReadField, scope: Scope, { keys, value }: Leaf): readonly string[] {
  if (typeof value !== 'string' || value === '') return [];
  const wrong = `${value}x`;
  try {
    read(withValue(scope, keys, wrong));
    return [];
  } catch (error) {
    const { message } = error as Error;
    if (!message.includes(wrong)) return [];
    const words = message.match(/[\w.-]*\w/g) ?? [];
    return [...new Set(words)].filter((word) => word !== value && word !== wrong).slice(-maxChoices);
  }
}

/** The switches that are on and without which an object is not rendered. */
export const switchesOf = (read: ReadField, scope: Scope): readonly (readonly string[])[] =>
  leavesInScope(scope)
    .filter(({ value }) => value === true)
    .slice(0, maxTried)
    .filter(({ keys }) => isLeftOut(read, withValue(scope, keys, false)))
    .map(({ keys }) => keys);

function isLeftOut(read: ReadField, values: GoMap): boolean {
  try {
    return read(values) === undefined;
  } catch {
    // With another value the chart may fail to render: then the value does not leave the field out.
    return false;
  }
}

function attempt(read: ReadField, values: GoMap): string | undefined {
  try {
    return read(values);
  } catch {
    // With another value the chart may fail to render: then nothing is known of the field.
    return undefined;
  }
}

/** Values with templates in them (`tpl`) become other texts. */
function mayBeIn(text: string, value: Value): boolean {
  const own = textOf(value);
  return own !== '' && (text.includes(own) || own.includes(text) || own.includes('{{'));
}

const textOf = (value: Value): string => (value instanceof GoInt ? String(value.value) : String(value ?? ''));

/** Other values of the same type, the one that templates will rather take first. */
export function variantsOf(value: Value): readonly Value[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1];
  if (value instanceof GoInt) return [new GoInt(value.type, value.value + 1n)];
  if (typeof value !== 'string') return [];
  if (value === 'true' || value === 'false') return [value === 'true' ? 'false' : 'true'];
  const counted = value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
  return counted === value ? [`${value}x`, `x${value}`] : [counted, `${value}x`];
}

/** The chart's own values before those of its subcharts, which it may read too. */
export function leavesInScope({ chart, values, subcharts }: Scope): readonly Leaf[] {
  const own = leavesOf(valueIn(values, subcharts), subcharts);
  const names = new Set(chartAt(chart, subcharts)?.dependencies.map(({ metadata }) => metadata.name));
  const [ofSubcharts, rest] = partition(own, ({ keys }) => names.has(keys[subcharts.length] as string));
  const isGlobal = ({ keys }: Leaf): boolean => keys[subcharts.length] === 'global';
  return [
    ...rest.filter((leaf) => !isGlobal(leaf)),
    ...leavesOf(values.get('global'), ['global']),
    ...ofSubcharts.filter(({ keys }) => !keys.includes('global')),
  ];
}

/** The keys of maps in maps: a template that walks through a map may write them. */
function keysInScope({ values, subcharts }: Scope): readonly (readonly string[])[] {
  const paths = (value: Value, above: readonly string[]): readonly (readonly string[])[] =>
    value instanceof Map
      ? [...value].flatMap(([key, item]) => [[...above, String(key)], ...paths(item, [...above, String(key)])])
      : [];
  return paths(valueIn(values, subcharts), subcharts).filter((keys) => keys.length > subcharts.length + 1);
}

function leavesOf(value: Value, keys: readonly string[]): readonly Leaf[] {
  if (value instanceof Map) return [...value].flatMap(([key, item]) => leavesOf(item, [...keys, String(key)]));
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...keys, String(index)]));
  return value === undefined || value === null ? [] : [{ keys, value }];
}

const chartAt = (chart: Chart, names: readonly string[]): Chart | undefined =>
  names.reduce<Chart | undefined>((at, name) => at?.dependencies.find(({ metadata }) => metadata.name === name), chart);

/** A copy with another value there; each subchart has its own copy of what is global. */
export function withValue({ chart, values }: Scope, keys: readonly string[], value: Value): GoMap {
  const changed = deepCopy(values);
  const owners = keys[0] === 'global' ? [[], ...subchartPaths(chart)] : [[]];
  for (const owner of owners) {
    const holder = valueIn(changed, [...owner, ...keys.slice(0, -1)]);
    const key = keys.at(-1) as string;
    if (holder instanceof Map && holder.has(key)) holder.set(key, value);
    else if (Array.isArray(holder)) holder[Number(key)] = value;
  }
  return changed;
}

function withOtherKey({ values }: Scope, keys: readonly string[]): GoMap {
  const changed = deepCopy(values);
  const holder = valueIn(changed, keys.slice(0, -1));
  const key = keys.at(-1) as string;
  if (!(holder instanceof Map)) return changed;
  const entries = [...holder].map(([name, item]) => [name === key ? `${name}x` : name, item] as const);
  holder.clear();
  for (const [name, item] of entries) holder.set(name, item);
  return changed;
}

const subchartPaths = ({ dependencies }: Chart): readonly (readonly string[])[] =>
  dependencies.flatMap((child) => [
    [child.metadata.name],
    ...subchartPaths(child).map((path) => [child.metadata.name, ...path]),
  ]);

function partition<T>(items: readonly T[], fits: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(fits), items.filter((item) => !fits(item))];
}
