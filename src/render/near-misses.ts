import { valueAtKeys } from '../chart/tables.ts';
import type { GoMap } from '../go/value.ts';
import { type Problem, problemOf } from '../problem/problem.ts';
import { isShortFor, nearest } from '../support/near.ts';
import type { TemplateFact } from '../template/error.ts';

/** What a template may name. */
export interface KnownNames {
  readonly functions: readonly string[];
  /** Every template that is defined. */
  readonly templates: readonly string[];
}

/** What was probably meant where a template names a function or a template that there is not. */
export function meantName(fact: TemplateFact | undefined, known: () => KnownNames): string | undefined {
  if (fact?.kind === 'unknown-function') return nearest(fact.name, known().functions);
  return fact?.kind === 'unknown-template' ? nearest(fact.name, known().templates) : undefined;
}

/** The keys of the value that was probably meant: beside the first key that is not there, the one of nearly its name. */
export function meantKeys(keys: readonly string[], values: GoMap): readonly string[] | undefined {
  let at: unknown = values;
  for (const [index, key] of keys.entries()) {
    if (!(at instanceof Map)) return undefined;
    if (!at.has(key)) {
      const meant = nearest(key, at.keys() as Iterable<string>) ?? inFull(keys.slice(index), at as GoMap);
      return meant === undefined ? undefined : [...keys.slice(0, index), meant];
    }
    at = at.get(key);
  }
  return undefined;
}

/** The one key that a short one may stand for, and that holds what is looked for in it: `service` for `svc.port`. */
function inFull([key = '', ...rest]: readonly string[], at: GoMap): string | undefined {
  const fitting = ([...at] as readonly (readonly [string, unknown])[]).filter(
    ([name, value]) =>
      rest.length > 0 &&
      (isShortFor(key, name) || isShortFor(name, key)) &&
      valueAtKeys(value, rest.slice(0, 1)) !== undefined,
  );
  return fitting.length === 1 ? fitting[0]?.[0] : undefined;
}

/** What the user may name in the values of a chart: maps where the chart has maps, and anything else. */
export interface ValuesOf {
  readonly values: GoMap;
  /** The names of its subcharts. */
  readonly subcharts: readonly string[];
}

/** The user's keys that a chart does not have beside one that has nearly their name, which the user did not set. */
export function strayValues(user: GoMap, { values, subcharts }: ValuesOf): readonly Problem[] {
  return strayKeys(user, { keys: [...(values.keys() as Iterable<string>), ...subcharts, 'global'], values }, []);
}

interface Owner {
  readonly keys: readonly string[];
  readonly values: GoMap;
}

function strayKeys(user: GoMap, { keys, values }: Owner, path: readonly string[]): readonly Problem[] {
  return [...(user as Map<string, unknown>)].flatMap(([key, value]) => {
    const whole = [...path, key];
    if (!keys.includes(key)) {
      const meant = nearest(key, keys);
      return meant === undefined || user.has(meant) ? [] : [strayProblem(whole, [...path, meant])];
    }
    const known = values.get(key);
    if (!(value instanceof Map && known instanceof Map)) return [];
    const inside = known as GoMap;
    return strayKeys(value as GoMap, { keys: [...(inside.keys() as Iterable<string>)], values: inside }, whole);
  });
}

const strayProblem = (keys: readonly string[], near: readonly string[]): Problem =>
  problemOf({
    subject: { kind: 'value', keys },
    cause: { code: 'value-unknown', keys, near },
    certainty: 'likely',
    places: [{ kind: 'value', keys, isGiven: true }],
    remedies: [{ kind: 'use-name', name: near.join('.'), instead: keys.join('.'), isGuess: true }],
  });
