import { GoInt, GoObject, goTypeOf, isNilList, type Value } from '../../go/value.ts';

/** reflect.DeepEqual: the same Go type and the same content; an int64 never equals an int. */
export function deepEqual(a: Value, b: Value): boolean {
  const left = a ?? null;
  const right = b ?? null;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  if (left instanceof GoInt) return right instanceof GoInt && left.type === right.type && left.value === right.value;
  if (goTypeOf(left) !== goTypeOf(right)) return false;
  if (left === right) return true;
  if (left instanceof Map) return right instanceof Map && mapsEqual(left, right);
  if (left instanceof Uint8Array) return right instanceof Uint8Array && bytesEqual(left, right);
  if (Array.isArray(left)) {
    return Array.isArray(right) && isNilList(left) === isNilList(right) && listsEqual(left, right);
  }
  return left instanceof GoObject && right instanceof GoObject && listsEqual(left.comparedBy(), right.comparedBy());
}

const bytesEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

const listsEqual = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));

const mapsEqual = (a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): boolean =>
  a.size === b.size && [...a].every(([key, item]) => b.has(key) && deepEqual(item, b.get(key)));
