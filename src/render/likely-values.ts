import { valueIn } from '../chart/tables.ts';
import { GoInt, type GoMap, type Value } from '../go/value.ts';
import type { Problem } from '../problem/problem.ts';
import { causesOf } from '../support/errors.ts';
import { nearest } from '../support/near.ts';
import { isContainer, readsOf } from '../template/origin.ts';
import type { Origin, RunTrace } from '../template/trace.ts';
import { type Rendering, valueProblem } from './chart-problems.ts';
import { Refusal } from './engine-functions.ts';
import { distinct, isNothing, type Keys, withGlobals } from './field-values.ts';

/** The longest that other values are tried for one failure, in milliseconds. */
const longestMs = 1_000;
/** So many values are tried at most. */
const maxTried = 60;

/**
 * The values that may be behind what `required` and `fail` say: of those that were read for it, the ones with which, were
 * they others, the whole chart would render. That makes them likely and proves nothing. Called where they are printed: it
 * renders the chart again and again.
 */
export function likelyValues(error: unknown, rendering: Rendering): readonly Problem[] {
  const { again } = rendering;
  const refusal = causesOf(error).findLast((cause) => cause instanceof Refusal);
  const failure = refusal && again.failure(error);
  if (refusal === undefined || failure === undefined) return [];
  const { values } = again;
  const likely = (fact: Parameters<typeof valueProblem>[0], meant?: string): Problem =>
    valueProblem(fact, rendering, 'likely', meant);
  const untilMs = performance.now() + longestMs;
  const succeedsWith = (keys: Keys, value: Value): boolean =>
    performance.now() < untilMs && again.renders(withValueAt(values, keys, value));
  const read = (origins: readonly Origin[]): readonly Keys[] =>
    distinct(origins.flatMap((origin) => keysRead(origin, values))).slice(0, maxTried);
  if (refusal.by !== 'fail') {
    const required = read(failure.given.slice(-1).map(({ origin }) => origin));
    const found = required.find((keys) => isNothing(valueIn(values, keys)) && succeedsWith(keys, 'x'));
    return found === undefined ? [] : [likely({ code: 'value-missing', keys: found })];
  }
  const [condition, ...around] = failure.conditions;
  const named = read([...(condition ? [condition] : []), ...failure.given.map(({ origin }) => origin), ...around]);
  const misspelt = named.flatMap((keys) => misspeltAt(keys, values, refusal.said));
  const meant = misspelt.find((one) => succeedsWith(one.keys, one.meant));
  if (meant !== undefined) return [likely({ code: 'value-refused', keys: meant.keys }, meant.meant)];
  const decisive = named.filter((keys) => others(valueIn(values, keys)).some((other) => succeedsWith(keys, other)));
  // What is not set comes first: that is mostly what was forgotten.
  const isSet = (keys: Keys): boolean => !isNothing(valueIn(values, keys));
  return [
    ...decisive.filter((keys) => !isSet(keys)).map((keys) => likely({ code: 'value-missing', keys })),
    ...decisive.filter(isSet).map((keys) => likely({ code: 'value-refused', keys })),
  ];
}

/** Everything that was read for it, in the runs that it was made of too. */
function keysRead(origin: Origin, values: GoMap): readonly Keys[] {
  const seen = new Set<RunTrace>();
  const visit = (one: Origin): readonly Origin[] => {
    const { all, runs } = readsOf(one);
    const inside = runs.flatMap((run) => {
      if (seen.has(run)) return [];
      seen.add(run);
      return [...run.branches, ...run.pieces].flatMap((piece) => (piece.origin ? visit(piece.origin) : []));
    });
    return [...all, ...inside];
  };
  return visit(origin).flatMap((read) =>
    read.isKey || !read.keys?.length ? [] : [withGlobals(read, values).keys ?? []],
  );
}

const leastSaid = 3;

/** A value that the message repeats beside a nearly equal word: `Preset key 'mediun' invalid. Allowed values are …`. */
function misspeltAt(
  keys: Keys,
  values: GoMap,
  said: string,
): readonly { readonly keys: Keys; readonly meant: string }[] {
  const value = valueIn(values, keys);
  const words: readonly string[] = said.match(/[\w.-]*\w/g) ?? [];
  if (typeof value !== 'string' || value.length < leastSaid || !words.includes(value)) return [];
  const meant = nearest(value, words);
  return meant === undefined ? [] : [{ keys, meant }];
}

/** Other values that may be taken in place of one; what switches a whole template off would end every failure. */
function others(value: Value): readonly Value[] {
  if (value === undefined || value === null) return ['x', true];
  if (value instanceof GoInt) return [new GoInt(value.type, value.value + 1n)];
  if (isContainer(value)) return [undefined];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1];
  return value === '' ? ['x'] : [`${String(value)}x`, ''];
}

/** A copy with a value there; maps on the way are copied, or made where they are missing. Undefined takes the key away. */
function withValueAt(values: GoMap, [key, ...rest]: Keys, value: Value): GoMap {
  const changed = new Map(values);
  if (key === undefined) return changed;
  const below = changed.get(key);
  if (rest.length > 0) changed.set(key, withValueIn(below, rest, value));
  else if (value === undefined) changed.delete(key);
  else changed.set(key, value);
  return changed;
}

function withValueIn(holder: Value, keys: Keys, value: Value): Value {
  if (!Array.isArray(holder)) return withValueAt(holder instanceof Map ? holder : new Map(), keys, value);
  const [index, ...rest] = keys;
  return holder.map((item, at) =>
    String(at) !== index ? item : rest.length > 0 ? withValueIn(item, rest, value) : value,
  );
}
