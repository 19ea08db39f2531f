import { GoInt, GoObject, type Value } from '../go/value.ts';

/** Go's template truth: everything but false, 0, nil and what is empty; structs are always true. */
export function isTrue(value: Value): boolean {
  switch (typeof value) {
    case 'string':
      return value !== '';
    case 'boolean':
      return value;
    case 'number':
      return value !== 0;
    case 'undefined':
      return false;
    default:
  }
  if (value === null) return false;
  if (value instanceof Map) return value.size > 0;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length > 0;
  if (value instanceof GoInt) return value.value !== 0n;
  return value instanceof GoObject ? value.isTrue() : true;
}
