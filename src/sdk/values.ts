import { GoInt, type GoMap, type Value as GoValue, goInt64 } from '../go/value.ts';
import { TshelmError } from '../support/errors.ts';

/**
 * A value of a chart as plain JavaScript. A `number` is what a number in a values file is to Helm (a float64); a `bigint`
 * is an int64, and stays exact: what comes out of a chart beyond the safe integers is a `bigint` too.
 */
export type Value = null | boolean | string | number | bigint | readonly Value[] | Values;

/**
 * Values of a chart: plain objects. A key that is `undefined` is ignored; `null` removes a chart's default.
 * TypeScript takes an object of a `type` for this, and none of an `interface`: see {@link ValuesOf}.
 */
export interface Values {
  readonly [key: string]: Value | undefined;
}

/**
 * An interface as values: `const values: ValuesOf<ShopValues> = shop;`. It has the same properties, and what is no data in
 * them (a date, a function, a map) does not compile.
 */
export type ValuesOf<T> = T extends object
  ? T extends NoData
    ? never
    : { readonly [Key in keyof T]: ValuesOf<T[Key]> }
  : T;

/** What is no data: none of it can appear in values. */
export type NoData =
  | Date
  | RegExp
  | Uint8Array
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | ((...parameters: never) => unknown);

/** Errors: `value-unsupported`. */
export function goValues(values: Values): GoMap {
  return goTable(values, 'values', []);
}

/** `around`: what holds it, outermost first. */
function goTable(table: object, path: string, around: readonly object[]): GoMap {
  const entries = Object.entries(table).filter(([, value]) => value !== undefined);
  return new Map(entries.map(([key, value]) => [key, goValue(value, `${path}.${key}`, [...around, table])]));
}

function goValue(value: unknown, path: string, around: readonly object[]): GoValue {
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw unsupported(path, `${value}`);
      return value;
    case 'bigint':
      if (value !== BigInt.asIntN(64, value)) throw unsupported(path, 'an integer with more than 64 bits');
      return goInt64(value);
    case 'object':
      if (value === null) return null;
      if (around.includes(value)) throw unsupported(path, 'an object that contains itself');
      if (Array.isArray(value)) {
        const inside = [...around, value];
        return value.map((item: unknown, index) => goValue(item ?? null, `${path}[${index}]`, inside));
      }
      if (isPlain(value)) return goTable(value, path, around);
      throw unsupported(path, `a ${value.constructor.name}`);
    default:
      throw unsupported(path, `a ${typeof value}`);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

const unsupported = (path: string, what: string): TshelmError =>
  new TshelmError('value-unsupported', {
    message: `${path} is ${what}; values are null, booleans, strings, numbers, bigints, arrays and plain objects`,
    details: { path },
  });

/** A map of Go as a plain object. */
export const plainValues = (values: GoMap): Values =>
  // Not by assignment: a key may be `__proto__`.
  Object.fromEntries([...values].map(([key, value]) => [key, plainValue(value)]));

function plainValue(value: GoValue): Value {
  if (value === null || value === undefined) return null;
  if (value instanceof GoInt) return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : value.value;
  if (value instanceof Map) return plainValues(value);
  if (Array.isArray(value)) return value.map(plainValue);
  switch (typeof value) {
    case 'number':
      return isLongInteger(value) ? BigInt(String(value)) : value;
    case 'boolean':
    case 'string':
      return value;
    default:
      throw new Error('internal: a chart value is not plain data');
  }
}

/** A float64 that is written as an integer with more digits than a number holds: as a record holds it. */
const isLongInteger = (value: number): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 63;
