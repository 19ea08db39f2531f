import { GoError, type GoMap, goTypeOf, isNilMap, type Value } from '../../go/value.ts';
import { sortedEntries } from '../../support/order.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { textOf } from './conversion.ts';
import { type MergeMode, mergeInto } from './merge.ts';

const dictType = 'map[string]any';

export const dictFunctions: FunctionTable = {
  dict: goFunction(`func(...any) ${dictType}`, dict),
  get: goFunction(`func(${dictType}, string) any`, (map: GoMap, key: string) => (map.has(key) ? map.get(key) : '')),
  set: goFunction(`func(${dictType}, string, any) ${dictType}`, (map: GoMap, key: string, value: Value) =>
    map.set(key, value),
  ),
  unset: goFunction(`func(${dictType}, string) ${dictType}`, (map: GoMap, key: string) => {
    map.delete(key);
    return map;
  }),
  hasKey: goFunction(`func(${dictType}, string) bool`, (map: GoMap, key: string) => map.has(key)),
  pluck: goFunction(`func(string, ...${dictType}) []any`, (key: string, maps: readonly GoMap[]) =>
    maps.filter((map) => map.has(key)).map((map) => map.get(key)),
  ),
  keys: goFunction(`func(...${dictType}) []string`, (maps: readonly GoMap[]) =>
    maps.flatMap((map) => sortedEntries(map).map(([key]) => key)),
  ),
  values: goFunction(`func(${dictType}) []any`, (map: GoMap) => sortedEntries(map).map(([, value]) => value)),
  pick: goFunction(
    `func(${dictType}, ...string) ${dictType}`,
    (map: GoMap, keys: readonly string[]) =>
      new Map(keys.filter((key) => map.has(key)).map((key) => [key, map.get(key)])),
  ),
  omit: goFunction(
    `func(${dictType}, ...string) ${dictType}`,
    (map: GoMap, keys: readonly string[]) => new Map([...map].filter(([key]) => !keys.includes(key))),
  ),
  dig: goFunction('func(...any) (any, error)', dig),
  merge: mergeFunction('keep', 'any'),
  mustMerge: mergeFunction('keep', '(any, error)'),
  mergeOverwrite: mergeFunction('overwrite', 'any'),
  mustMergeOverwrite: mergeFunction('overwrite', '(any, error)'),
};

/** Keys and values in turn; a last key without a value gets an empty text. */
function dict(pairs: readonly Value[]): GoMap {
  const map: GoMap = new Map();
  for (let index = 0; index < pairs.length; index += 2) {
    map.set(textOf(pairs[index]), index + 1 < pairs.length ? pairs[index + 1] : '');
  }
  return map;
}

/** dig KEY… DEFAULT DICT: the value at the end of the keys, or the default where one is missing. */
function dig(args: readonly Value[]): Value {
  if (args.length < 3) throw new GoError('dig needs at least three arguments');
  let value: Value = args.at(-1);
  const otherwise = args.at(-2);
  asDict(value);
  const keys = args.slice(0, -2).map(asKey);
  for (const key of keys) {
    const map = asDict(value);
    if (!map.has(key)) return otherwise;
    value = map.get(key);
  }
  return value;
}

function asDict(value: Value): GoMap {
  if (value instanceof Map && goTypeOf(value) === 'map[string]interface {}') return value;
  throw notConvertible(value, 'map[string]interface {}');
}

function asKey(value: Value): string {
  if (typeof value === 'string') return value;
  throw notConvertible(value, 'string');
}

const notConvertible = (value: Value, type: string): GoError =>
  new GoError(`interface conversion: interface {} is ${goTypeOf(value).replace('<nil>', 'nil')}, not ${type}`);

function mergeFunction(mode: MergeMode, result: string) {
  const isMust = result !== 'any';
  return goFunction(`func(${dictType}, ...${dictType}) ${result}`, (given: GoMap, sources: readonly GoMap[]) => {
    const target: GoMap = isNilMap(given) && !sources.every(isNilMap) ? new Map() : given;
    for (const source of sources) {
      const failure = mergeInto(target, source, mode);
      if (failure === undefined) continue;
      if (isMust) throw new GoError(failure);
      return '';
    }
    return target;
  });
}
