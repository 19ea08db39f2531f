import { GoInt, GoObject, isGoFunction, type Value } from '../../go/value.ts';

/** sprig's empty: nil, false, 0, and texts, lists and maps without content. Structs are never empty. */
export function isEmpty(value: Value): boolean {
  switch (typeof value) {
    case 'string':
      return value === '';
    case 'number':
      return value === 0;
    case 'boolean':
      return !value;
    default:
  }
  if (value === null || value === undefined) return true;
  if (value instanceof GoInt) return value.value === 0n;
  if (value instanceof Map) return value.size === 0;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  return value instanceof GoObject ? !value.isTrue() : !isGoFunction(value);
}
