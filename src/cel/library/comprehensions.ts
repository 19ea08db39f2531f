import { isObject } from '../../support/json.ts';
import { CelError, noSuchOverload } from '../error.ts';
import { compare } from './equality.ts';
import type { Library } from './library.ts';
import { type Evaluate, macro } from './macro.ts';

/** Index and item of a list, key and value of a map. */
function pairsOf(value: unknown): [unknown, unknown][] {
  if (Array.isArray(value)) return value.map((item, at) => [BigInt(at), item]);
  if (isObject(value)) return Object.entries(value);
  throw noSuchOverload();
}

/** Whether the condition has an outcome for some pair; an error counts only where no pair has it. */
function anyIs(outcome: boolean, value: unknown, condition: Evaluate): boolean {
  let failure: unknown;
  for (const pair of pairsOf(value)) {
    try {
      if (condition(...pair) === outcome) return true;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return false;
}

/** `(k, v, result)` and `(k, v, filter, result)` */
function results(value: unknown, expressions: readonly Evaluate[]): [unknown, unknown][] {
  const result = expressions.at(-1) as Evaluate;
  const filter = expressions.length > 1 ? expressions[0] : undefined;
  return pairsOf(value)
    .filter((pair) => filter === undefined || filter(...pair) === true)
    .map((pair) => [pair[0], result(...pair)]);
}

function mapOf(pairs: readonly (readonly [unknown, unknown])[]): Readonly<Record<string, unknown>> {
  const map: Record<string, unknown> = {};
  for (const [key, value] of pairs) {
    if (Object.hasOwn(map, String(key))) throw new CelError(`insert failed: key ${String(key)} already exists`);
    map[String(key)] = value;
  }
  return map;
}

const condition = (run: (value: unknown, condition: Evaluate) => boolean) =>
  macro(2, 'bool', (value, [expression]) => run(value, expression as Evaluate));
const transformList = macro(2, 'list', (value, expressions) => results(value, expressions).map(([, result]) => result));
const transformMap = macro(2, 'map', (value, expressions) => mapOf(results(value, expressions)));
const transformMapEntry = macro(2, 'map', (value, expressions) =>
  mapOf(results(value, expressions).flatMap(([, entry]) => Object.entries(entry as object))),
);

/** The values in the order of what the expression says of them. */
function sortBy(list: unknown, [key]: readonly Evaluate[]): unknown {
  if (!Array.isArray(list)) throw noSuchOverload();
  const keyed = list.map((item) => ({ item: item as unknown, key: (key as Evaluate)(item) }));
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ item }) => item);
}

/** cel-go's TwoVarComprehensions, and `sortBy`. */
export const comprehensions: Library = {
  functions: {
    'list.all(ast, ast, ast): bool': condition((value, expression) => !anyIs(false, value, expression)),
    'list.exists(ast, ast, ast): bool': condition((value, expression) => anyIs(true, value, expression)),
    'list.existsOne(ast, ast, ast): bool': condition(
      (value, expression) => pairsOf(value).filter((pair) => expression(...pair) === true).length === 1,
    ),
    'list.transformList(ast, ast, ast): list': transformList,
    'list.transformList(ast, ast, ast, ast): list': transformList,
    'list.transformMap(ast, ast, ast): map': transformMap,
    'list.transformMap(ast, ast, ast, ast): map': transformMap,
    'list.transformMapEntry(ast, ast, ast): map': transformMapEntry,
    'list.transformMapEntry(ast, ast, ast, ast): map': transformMapEntry,
    'list.sortBy(ast, ast): list': macro(1, 'list', sortBy),
  },
};
