import { fileText } from '../chart/file-text.ts';
import { placedCharts } from '../chart/paths.ts';
import { shownValue } from '../chart/shown-value.ts';
import { valueAtKeys } from '../chart/tables.ts';
import type { Chart } from '../chart/types.ts';
import { chartValuePlace } from '../chart/value-place.ts';
import type { GoMap, Value } from '../go/value.ts';
import type { TemplatePlace } from '../problem/place.ts';
import { type Problem, problemOf } from '../problem/problem.ts';
import type { Remedy } from '../problem/remedy.ts';
import { nearest } from '../support/near.ts';
import type { ParsedSources } from '../template/template-set.ts';
import { chartReads } from './reads/chart-reads.ts';
import { knownReads } from './reads/known-reads.ts';
import { anyKey, isValuesPart, type Part, type Shape } from './reads/part.ts';

export interface UnreadValuesOptions {
  /** What the chart's templates were parsed into: they are then not parsed again. */
  readonly parsed?: ParsedSources | undefined;
}

/**
 * What the user gave and nothing in the chart or in its subcharts can read, in whatever branch: each the outermost key that
 * nothing reads. The chart is the one that was loaded, with the subcharts that are switched off.
 */
export function unreadValues(chart: Chart, config: GoMap, options: UnreadValuesOptions = {}): readonly Problem[] {
  if (config.size === 0) return [];
  const reads = [knownReads(chart, { ...options, config })];
  return unreadBelow(config, reads, [])
    .filter((keys) => !isKnownOtherwise(chart, config, keys))
    .map((keys) => {
      const meant = nearKeys(reads, keys);
      const text = shownValue(config, keys);
      const isDefault = isSet(chart, keys) && meant !== undefined && !isSet(chart, meant);
      return problemOf({
        subject: { kind: 'value', keys },
        cause: { code: 'value-unread', keys, ...(meant !== undefined && { meant }), ...(isDefault && { isDefault }) },
        places: [{ kind: 'value', keys, isGiven: true, ...(text !== undefined && { text }) }],
        remedies: meant === undefined ? [] : [nameOfMeant(meant, keys, isDefault)],
      });
    });
}

const nameOfMeant = (meant: readonly string[], keys: readonly string[], isDefault: boolean): Remedy => ({
  kind: 'use-name',
  name: meant.join('.'),
  instead: keys.join('.'),
  isGuess: true,
  ...(isDefault && { isEither: true }),
});

/**
 * Defaults of the chart that nothing in it can read, where it reads a value of nearly the same name beside them that has no
 * default: one of the two was renamed, and the other was left.
 */
export function renamedValues(chart: Chart, options: UnreadValuesOptions = {}): readonly Problem[] {
  const known = renamedIn.get(chart) ?? findRenamed(chart, options);
  renamedIn.set(chart, known);
  return known;
}

/** Whatever values a chart is checked with, its own are the same. */
const renamedIn = new WeakMap<Chart, readonly Problem[]>();

function findRenamed(chart: Chart, { parsed }: UnreadValuesOptions): readonly Problem[] {
  if (chart.templates.reduce((sum, { data }) => sum + data.length, 0) > mostFollowed) return [];
  const { own, isOwn } = withoutSubcharts(chart);
  const reads = [knownReads(own, { parsed })];
  const renamed = unreadBelow(chart.values, reads, [])
    .filter(isOwn)
    .flatMap((keys) => renamedValue(chart, reads, keys) ?? []);
  if (renamed.length === 0) return [];
  const readers = new Map<string, TemplatePlace>();
  chartReads(own, {
    parsed,
    onRead: ({ source, at, found }) => {
      const all = found.filter(isValuesPart).map(({ keys = [] }) => keys.join('.'));
      const line = source.text.slice(0, at).split('\n').length;
      for (const one of all) if (!readers.has(one)) readers.set(one, { kind: 'template', file: source.name, line });
    },
  });
  return renamed.map(({ keys, meant, place }) => {
    const reader = readers.get(meant.join('.'));
    return problemOf({
      subject: { kind: 'value', keys },
      cause: { code: 'value-unread', keys, meant, isDefault: true },
      places: [{ kind: 'value', keys, file: place.file, line: place.line }, ...(reader === undefined ? [] : [reader])],
      remedies: [nameOfMeant(meant, keys, true)],
    });
  });
}

/** Templates of more bytes take longer to follow than all other checks. */
const mostFollowed = 100_000;

/** The chart without its subcharts, and the keys of its own values. */
function withoutSubcharts(chart: Chart) {
  const { dependencies: listed = [] } = chart.metadata;
  const dependencies = chart.dependencies.filter(({ metadata }) => metadata.type === 'library');
  const named = [
    ...chart.dependencies.map(({ metadata }) => metadata.name),
    ...listed.flatMap(({ name, alias }) => alias ?? name),
  ];
  const others = new Set<string>(['global', 'tags', ...named]);
  return { own: { ...chart, dependencies }, isOwn: ([key = '']: readonly string[]): boolean => !others.has(key) };
}

/** The value that is read in place of one that nothing reads, and where the chart sets that one. */
function renamedValue(chart: Chart, reads: Shape, keys: readonly string[]) {
  const above = keys.slice(0, -1);
  const defaults = valueAtKeys(chart.values, above);
  const known = defaults instanceof Map ? new Set<string>(defaults.keys()) : new Set<string>();
  const name = nearest(
    keys.at(-1) as string,
    readBeside(reads, above).filter((one) => !known.has(one)),
  );
  const place = chartValuePlace(chart, keys);
  // What a comment of values.yaml shows is known to be without a default.
  if (name === undefined || place === undefined || hasCommented(fileText(chart, 'values.yaml') ?? '', name))
    return undefined;
  return { keys, meant: [...above, name], place };
}

function unreadBelow(given: Value, reads: Shape, above: readonly string[]): readonly (readonly string[])[] {
  // Of what is only asked whether it is there, what is in it does not matter.
  if (reads.some(({ isWhole, members }) => isWhole || members.size === 0)) return [];
  return entriesOf(given).flatMap(([key, value]) => {
    const own = [...placesAt(reads, key), ...placesAt(reads, anyKey)];
    return own.length === 0 ? [[...above, key]] : unreadBelow(value, own, [...above, key]);
  });
}

const placesAt = (reads: Shape, key: string): Shape =>
  reads.flatMap(({ members }) => members.get(key)?.filter(isValuesPart) ?? []);

const entriesOf = (given: Value): readonly (readonly [string, Value])[] => {
  if (given instanceof Map) return [...given];
  return Array.isArray(given) ? given.map((item, index) => [String(index), item] as const) : [];
};

/** A null removes a default; what a comment of a values.yaml shows is known too. */
function isKnownOtherwise(chart: Chart, config: GoMap, keys: readonly string[]): boolean {
  const key = keys.at(-1) as string;
  const charts = placedCharts(chart);
  if (valueAtKeys(config, keys) === null && charts.some((one) => hasDefault(one.chart, keys))) return true;
  return charts.some((one) => hasCommented(fileText(one.chart, 'values.yaml') ?? '', key));
}

const isSet = ({ values }: Chart, keys: readonly string[]): boolean => valueAtKeys(values, keys) !== undefined;

const hasDefault = ({ values }: Chart, keys: readonly string[]): boolean =>
  keys.some((_, index) => valueAtKeys(values, keys.slice(index)) !== undefined);

const hasCommented = (text: string, key: string): boolean =>
  text.split('\n').some((line) => {
    const shown = line.trimStart().replace(/^#[#\s-]*/, '');
    return line.trimStart().startsWith('#') && shown.startsWith(`${key}:`);
  });

/** The key beside it, or the only one elsewhere, that was probably meant. */
function nearKeys(reads: Shape, keys: readonly string[]): readonly string[] | undefined {
  const above = keys.slice(0, -1);
  const key = keys.at(-1) as string;
  const near = nearest(key, readBeside(reads, above));
  if (near !== undefined) return [...above, near];
  const [only, another] = elsewhere(key, reads, []);
  return another === undefined ? only : undefined;
}

/** What is read of the value at these keys. */
const readBeside = (reads: Shape, above: readonly string[]): readonly string[] =>
  above
    .reduce<Shape>((at, one) => [...placesAt(at, one), ...placesAt(at, anyKey)], reads)
    .flatMap(({ members }) => [...members.keys()])
    .filter((one) => one !== anyKey);

const maxDepth = 8;

/** Where the chart reads a value of the same name. */
function elsewhere(key: string, reads: Shape, above: readonly string[]): readonly (readonly string[])[] {
  if (above.length > maxDepth) return [];
  return reads.flatMap(({ members }: Part) =>
    [...members].flatMap(([name, shape]) => {
      if (name === anyKey) return [];
      const at = [...above, name];
      return name === key ? [at] : elsewhere(key, shape, at);
    }),
  );
}
