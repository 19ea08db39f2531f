import { byteLength, decodeText, encodeText } from '../go/text.ts';
import { GoError, GoInt, GoObject, goTypeOf, isNil, type Value, withTypeOf } from '../go/value.ts';
import { elementType, indirectTypeOf, underlying, zeroOf } from './type.ts';

/** Go's `index`: `index x 1 "a"` is x[1]["a"]. Fails with GoError. */
export function indexed(item: Value, indexes: readonly Value[]): Value {
  if (isNil(item)) throw new GoError('index of untyped nil');
  let current: Value = item;
  for (const index of indexes) current = elementAt(current, index);
  return current;
}

function elementAt(item: Value, index: Value): Value {
  const value = underlying(item);
  if (isNil(value)) throw new GoError('index of nil pointer');
  if (value instanceof Map) {
    const key = mapKey(index);
    return value.has(key) ? (value.get(key) ?? null) : zeroOf(elementType(value));
  }
  if (typeof value === 'string') return byteAt(encodeText(value), index, 'string');
  if (value instanceof Uint8Array) return byteAt(value, index, 'slice');
  if (!Array.isArray(value)) throw new GoError(`can't index item of type ${indirectTypeOf(item)}`);
  const position = indexNumber(index, value.length);
  if (position === value.length) throw new GoError('reflect: slice index out of range');
  return value[position] ?? null;
}

function byteAt(bytes: Uint8Array, index: Value, kind: 'string' | 'slice'): Value {
  const byte = bytes[indexNumber(index, bytes.length)];
  if (byte === undefined) throw new GoError(`reflect: ${kind} index out of range`);
  return new GoInt('uint8', BigInt(byte));
}

function mapKey(index: Value): string {
  if (typeof index === 'string') return index;
  if (isNil(index)) throw new GoError('value is nil; should be of type string');
  throw new GoError(`value has type ${goTypeOf(index)}; should be string`);
}

function indexNumber(index: Value, length: number): number {
  if (isNil(index)) throw new GoError('cannot index slice/array with nil');
  const value = underlying(index);
  if (!(value instanceof GoInt)) throw new GoError(`cannot index slice/array with type ${goTypeOf(index)}`);
  const position = BigInt.asIntN(64, value.value);
  if (position < 0n || position > BigInt(length)) throw new GoError(`index out of range: ${position}`);
  return Number(position);
}

/** An index that Go holds in an interface. `slice` does not look into interfaces, and refuses it; `index` does. */
class InterfaceValue extends GoObject {
  override readonly goType = 'interface {}';
  override readonly goKind = 'interface';
}
export const indexInInterface: Value = new InterfaceValue();

/** Go's `slice`: `slice x 1 2` is x[1:2]; of a string, the bytes. Fails with GoError. */
export function sliced(item: Value, indexes: readonly Value[]): Value {
  if (isNil(item)) throw new GoError('slice of untyped nil');
  if (indexes.length > 3) throw new GoError(`too many slice indexes: ${indexes.length}`);
  const value = underlying(item);
  const isText = typeof value === 'string';
  if (isText && indexes.length === 3) throw new GoError('cannot 3-index slice a string');
  if (!isText && !Array.isArray(value) && !(value instanceof Uint8Array)) {
    throw new GoError(`can't slice item of type ${indirectTypeOf(item)}`);
  }
  if (indexes.length === 0) return item;
  const { from, to } = bounds(indexes, isText ? byteLength(value) : value.length);
  if (isText) return decodeText(encodeText(value).subarray(from, to));
  return value instanceof Uint8Array ? value.subarray(from, to) : withTypeOf(value, value.slice(from, to));
}

function bounds(indexes: readonly Value[], length: number): { from: number; to: number } {
  const [from = 0, to = length, capacity = length] = indexes.map((index) => indexNumber(index, length));
  if (from > to) throw new GoError(`invalid slice index: ${from} > ${to}`);
  if (to > capacity) throw new GoError(`invalid slice index: ${to} > ${capacity}`);
  return { from, to };
}

/** Go's `len`; of a string, its bytes. Fails with GoError. */
export function lengthOf(item: Value): number {
  // Go's reflection panics on a value that is not there, and text/template reports the panic.
  if (item === undefined) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  if (item === null) throw new GoError('len of nil pointer');
  const value = underlying(item);
  if (typeof value === 'string') return byteLength(value);
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof Map) return value.size;
  throw new GoError(`len of type ${indirectTypeOf(item)}`);
}
