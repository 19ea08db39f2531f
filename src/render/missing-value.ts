import { deepCopy } from '../chart/tables.ts';
import type { GoMap, Value } from '../go/value.ts';
import { hasCode } from '../support/errors.ts';
import { leavesInScope, withValue } from './influences.ts';
import type { Trial } from './trial.ts';
import { ownerOf, type ValueMistake } from './value-mistake.ts';

/**
 * The value that a failing template has missed where its words do not name one, as `.probes.readiness.path` of a map that a
 * helper was called with: found by setting it in each map of the values that may be meant, until the chart renders.
 */
export function missingValue(error: unknown, { values, succeedsWith }: Trial): ValueMistake | undefined {
  if (!hasCode(error, 'template-error')) return undefined;
  const field = /nil pointer evaluating (?:interface \{\}|\S+)\.(\w+)\s*$/.exec(error.message)?.[1];
  if (field === undefined) return undefined;
  const names = ownerOf(error.details.context ?? '', field)
    .replace(/^\(*\$?\w*(?=\.)/, '')
    .split('.')
    .filter((name) => name !== '');
  const missing = names.at(-1);
  if (missing === undefined) return undefined;
  const found = candidates(values, names).find((keys) => succeedsWith(withMap(values, [...keys, missing], field)));
  return found && { keys: [...found, missing], field, problem: 'is missing' };
}

/**
 * The value that is no map or no list where the failure names it by its last key alone, as `.paths` of an item: the one of
 * that key with which, were it a map or a list, the chart would render.
 */
export function strangeValue(error: unknown, { chart, values, succeedsWith }: Trial): ValueMistake | undefined {
  if (!hasCode(error, 'template-error')) return undefined;
  const { message, details } = error;
  const field = /can't evaluate field (\w+) in type (?:interface \{\}|string|bool|float64|int64)\s*$/.exec(
    message,
  )?.[1];
  if (field === undefined && !/range can't iterate over/.test(message)) return undefined;
  const context = details.context ?? '';
  const name = (field === undefined ? context : ownerOf(context, field)).split('.').at(-1);
  const scope = { chart, values, subcharts: [] };
  const found = leavesInScope(scope)
    .filter(({ keys, value }) => keys.at(-1) === name && typeof value === 'string')
    .find(({ keys }) => succeedsWith(withValue(scope, keys, field === undefined ? [] : new Map())));
  if (found === undefined) return undefined;
  return field === undefined
    ? { keys: found.keys, problem: 'is no list' }
    : { keys: found.keys, field, problem: 'is no map' };
}

/** The maps without that key: those of the name before it, and those beside a map that has it. */
function candidates(values: GoMap, names: readonly string[]): readonly (readonly string[])[] {
  const missing = names.at(-1) as string;
  const owner = names.at(-2);
  const lacking = mapsIn(values, [], undefined).filter(({ map }) => (map.get(missing) ?? undefined) === undefined);
  const named = lacking.filter(({ keys }) => keys.at(-1) === owner);
  const beside = lacking.filter(({ beside }) => beside.some((one) => one instanceof Map && one.has(missing)));
  return [...new Set([...named, ...beside])].map(({ keys }) => keys);
}

interface MapAt {
  readonly keys: readonly string[];
  readonly map: GoMap;
  /** What stands in the same map. */
  readonly beside: readonly Value[];
}

const mapsIn = (value: Value, keys: readonly string[], parent: GoMap | undefined): readonly MapAt[] =>
  value instanceof Map
    ? [
        { keys, map: value, beside: [...(parent?.values() ?? [])] },
        ...[...value].flatMap(([key, item]) => mapsIn(item, [...keys, String(key)], value)),
      ]
    : [];

function withMap(values: GoMap, keys: readonly string[], field: string): GoMap {
  const changed = deepCopy(values);
  const holder = keys.slice(0, -1).reduce<Value>((at, key) => (at instanceof Map ? at.get(key) : undefined), changed);
  if (holder instanceof Map) holder.set(keys.at(-1) as string, new Map<string, Value>([[field, 'x']]));
  return changed;
}
