import { isObject } from '../../support/json.ts';
import { noSuchOverload } from '../error.ts';

/** CEL's equality of values without a type of their own: numbers by their size, the rest by their content. */
export function equals(a: unknown, b: unknown): boolean {
  if (isNumber(a) && isNumber(b)) return Number(a) === Number(b) && (typeof a !== typeof b || a === b);
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, at) => equals(item, b[at]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && equals(a[key], b[key]));
}

const isNumber = (value: unknown): boolean => typeof value === 'bigint' || typeof value === 'number';

/** Negative, zero or positive. Throws CelError where values have no order. */
export function compare(a: unknown, b: unknown): number {
  const [one, other] = [orderedOf(a), orderedOf(b)];
  if (typeof a !== typeof b && !(isNumber(a) && isNumber(b))) throw noSuchOverload();
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Durations and timestamps of cel-js have a number. */
function orderedOf(value: unknown): bigint | number | string {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string') return value;
  const number: unknown = isObject(value) ? value.valueOf() : undefined;
  if (typeof number === 'number') return number;
  throw noSuchOverload();
}
