import { fileText } from '../chart/file-text.ts';
import { shownValue } from '../chart/shown-value.ts';
import { isTable, nameOfKeys, valueAtKeys } from '../chart/tables.ts';
import type { Chart } from '../chart/types.ts';
import { commentsAbove, valueComments } from '../chart/value-comments.ts';
import { chartValuePlace, type ValuePlace } from '../chart/value-place.ts';
import { writeJson } from '../go/json/json.ts';
import type { GoMap, Value } from '../go/value.ts';
import { prepareChart } from '../render/release.ts';
import { unreadValues } from '../render/unread-values.ts';
import { type MovedReading, movedReadings } from './comparison/moved-readings.ts';

/** A chart whose values are compared: one that was loaded, or what a release has recorded. */
export type ComparedChart = Pick<Chart, 'metadata' | 'values' | 'templates'> & Partial<Pick<Chart, 'raw'>>;

/** A line of a values.yaml: `shop/charts/db/values.yaml`. */
type Place = Pick<ValuePlace, 'file' | 'line'>;

interface ValueChangeParts {
  readonly keys: readonly string[];
  /** `image.tag` */
  readonly name: string;
  /** What the values.yaml of the new chart, or else of the old one, says above the key. */
  readonly comment?: string | undefined;
  /** In the old chart; a record keeps no lines. */
  readonly oldPlace?: Place | undefined;
  readonly newPlace?: Place | undefined;
  /** Whether the user sets it, so that the default does not count. */
  readonly isSet: boolean;
  /** What the user sets, where that can be no secret. */
  readonly given?: string | undefined;
}

/** What becomes of a value of a chart. Of a map that is new or gone, the outermost key is reported. */
export type ValueChange =
  | (ValueChangeParts & { readonly kind: 'added'; readonly after: unknown })
  | (ValueChangeParts & {
      readonly kind: 'removed';
      readonly before: unknown;
      /** The user sets it, and nothing in the new chart reads it. */
      readonly isWithoutEffect: boolean;
    })
  | (ValueChangeParts & { readonly kind: 'changed'; readonly before: unknown; readonly after: unknown })
  | (ValueChangeParts & {
      readonly kind: 'renamed';
      readonly to: readonly string[];
      readonly newName: string;
      readonly before: unknown;
      readonly after: unknown;
      /** Default and comment are the same. */
      readonly isSameText: boolean;
      /** A line of a template that is the same but for the name. */
      readonly reading?: MovedReading | undefined;
    });

export interface ValuesDiff {
  readonly from: Pick<Chart['metadata'], 'name' | 'version'>;
  readonly to: Pick<Chart['metadata'], 'name' | 'version'>;
  /** In the order of the new values.yaml; what is gone, and what is renamed, last. */
  readonly changes: readonly ValueChange[];
}

/**
 * How the default values of two versions of a chart differ, and which of them a user has set. A value counts as renamed if
 * its default and its comment are the same under both names, or a line of a template that reads it is the same but for the
 * name. Values of subcharts are part of those of a chart that declares them.
 */
export function diffValues(old: ComparedChart, chart: Chart, config: GoMap): ValuesDiff {
  const next = { ...chart, values: prepareChart(chart, config).chart.values };
  const comments = [commentsIn(old), commentsIn(next)] as const;
  const differences = differencesIn([], old.values, next.values);
  const renames = renamesAmong(differences, { old, next, comments });
  const unread = unreadOf(chart, config, differences);
  const partsOf = (keys: readonly string[], target = keys): ValueChangeParts => ({
    keys,
    name: nameOfKeys(keys),
    comment: comments[1](target) ?? comments[0](keys),
    oldPlace: chartValuePlace(old, keys),
    newPlace: chartValuePlace(next, target),
    isSet: valueAtKeys(config, keys) !== undefined,
    given: shownValue(config, keys),
  });
  const others = differences
    .filter((difference) => !isExplained(difference, renames))
    .map(({ keys, before, after }): ValueChange => {
      const parts = partsOf(keys);
      if (before === undefined) return { kind: 'added', ...parts, after: plain(after) };
      if (after !== undefined) return { kind: 'changed', ...parts, before: plain(before), after: plain(after) };
      return { kind: 'removed', ...parts, before: plain(before), isWithoutEffect: parts.isSet && unread(keys) };
    });
  const renamed = renames.map(
    ({ from, ...rename }): ValueChange => ({
      kind: 'renamed',
      ...partsOf(from, rename.to),
      ...rename,
      newName: nameOfKeys(rename.to),
      before: plain(rename.before),
      after: plain(rename.after),
    }),
  );
  return { from: named(old), to: named(chart), changes: [...others, ...renamed] };
}

/** Whether all that a new or gone value holds has only another name. */
function isExplained({ keys, before, after }: Difference, renames: readonly Rename[]): boolean {
  if (before !== undefined && after !== undefined) return false;
  const paths = renames.map(({ from, to }) => pathOf(after === undefined ? from : to));
  return leavesOf(keys, before ?? after).every((leaf) => paths.some((path) => isAtOrBelow(pathOf(leaf), path)));
}

const leavesOf = (keys: readonly string[], value: Value): readonly (readonly string[])[] =>
  isTable(value) && value.size > 0 ? [...value].flatMap(([key, member]) => leavesOf([...keys, key], member)) : [keys];

const named = ({ metadata: { name, version } }: ComparedChart): ValuesDiff['from'] => ({ name, version });

interface Difference {
  readonly keys: readonly string[];
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

function differencesIn(keys: readonly string[], before: Value, after: Value): readonly Difference[] {
  if (!isTable(before) || !isTable(after)) return isSame(before, after) ? [] : [{ keys, before, after }];
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((key): readonly Difference[] => {
    // A default of null is there, and says nothing.
    const [was, is] = [before, after].map((map) => (map.has(key) ? (map.get(key) ?? null) : undefined));
    const path = [...keys, key];
    return was === undefined || is === undefined
      ? [{ keys: path, before: was, after: is }]
      : differencesIn(path, was, is);
  });
}

/** As JSON says it. */
const plain = (value: Value): unknown => JSON.parse(writeJson(value));

const isSame = (a: Value, b: Value): boolean => writeJson(a) === writeJson(b);

interface Rename extends Pick<Extract<ValueChange, { kind: 'renamed' }>, 'to' | 'isSameText' | 'reading'> {
  readonly from: readonly string[];
  readonly before: Value;
  readonly after: Value;
}

interface Compared {
  readonly old: ComparedChart;
  readonly next: ComparedChart;
  readonly comments: readonly [old: CommentOf, next: CommentOf];
}

/** The outermost values that have other names. A name that several could have is given to none. */
function renamesAmong(differences: readonly Difference[], { old, next, comments }: Compared): readonly Rename[] {
  const gone = differences.flatMap(({ keys, before, after }) => (after === undefined ? withMembers(keys, before) : []));
  const fresh = differences.flatMap(({ keys, before, after }) =>
    before === undefined ? withMembers(keys, after) : [],
  );
  if (gone.length === 0 || fresh.length === 0) return [];
  const readings = movedReadings(
    { chart: old, paths: gone.map(({ keys }) => keys) },
    { chart: next, paths: fresh.map(({ keys }) => keys) },
  );
  const found = gone.flatMap(({ keys: from, value: before }): readonly Rename[] => {
    const possible = fresh.flatMap(({ keys: to, value: after }): Rename[] => {
      const isSameText = isRenamedText({ keys: from, value: before }, { keys: to, value: after }, comments);
      const reading = readings(from, to);
      return isSameText || reading !== undefined ? [{ from, to, before, after, isSameText, reading }] : [];
    });
    const [best, ...others] = possible.sort((a, b) => strengthOf(b) - strengthOf(a));
    const isUnclear = best === undefined || others.some((other) => strengthOf(other) === strengthOf(best));
    return isUnclear ? [] : [best];
  });
  const clear = found.filter(({ to }) => found.filter((other) => pathOf(other.to) === pathOf(to)).length === 1);
  return clear.filter(
    ({ from }) => !clear.some((other) => other.from !== from && isAtOrBelow(pathOf(from), pathOf(other.from))),
  );
}

const strengthOf = ({ isSameText, reading }: Rename): number => (isSameText ? 1 : 0) + (reading === undefined ? 0 : 2);

interface NamedValue {
  readonly keys: readonly string[];
  readonly value: Value;
}

const withMembers = (keys: readonly string[], value: Value): readonly NamedValue[] => [
  { keys, value },
  ...(isTable(value) ? [...value].flatMap(([key, member]) => withMembers([...keys, key], member)) : []),
];

type CommentOf = (keys: readonly string[]) => string | undefined;

function isRenamedText(was: NamedValue, is: NamedValue, [oldComment, newComment]: Compared['comments']): boolean {
  const comment = oldComment(was.keys);
  return comment !== undefined && comment === newComment(is.keys) && isSame(was.value, is.value);
}

/** What the values.yaml says about a value: its description, or else the comment right above it. */
function commentsIn(chart: ComparedChart): CommentOf {
  const text = fileText(chart, 'values.yaml') ?? '';
  const [described, above] = [valueComments(text), commentsAbove(text)];
  return (keys) => described.get(pathOf(keys))?.description || above.get(pathOf(keys));
}

/** Whether nothing in the chart reads what the user sets at these keys. */
function unreadOf(
  chart: Chart,
  config: GoMap,
  differences: readonly Difference[],
): (keys: readonly string[]) => boolean {
  const isAsked = differences.some(({ keys, after }) => after === undefined && valueAtKeys(config, keys) !== undefined);
  if (!isAsked) return () => false;
  const unread = unreadValues(chart, config).flatMap(({ subject }) =>
    subject.kind === 'value' ? [pathOf(subject.keys)] : [],
  );
  return (keys) => unread.some((path) => isAtOrBelow(pathOf(keys), path));
}

const isAtOrBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}.`);

const pathOf = (keys: readonly string[]): string => keys.join('.');
