import { GoComplex } from '../go/complex.ts';
import { sprintf } from '../go/fmt/format.ts';
import {
  GoError,
  GoInt,
  GoObject,
  goKindOf,
  goTypeOf,
  isGoFunction,
  isNil,
  isNilList,
  isNilMap,
  type Value,
} from '../go/value.ts';
import { compareText } from '../support/order.ts';
import { underlying } from './type.ts';

/** arg1 == arg2 || arg1 == arg3 || …: Go's `eq`. Fails with GoError where the types cannot be compared. */
export function equalsAny(first: Value, others: readonly Value[]): boolean {
  if (others.length === 0) throw new GoError('missing argument for comparison');
  return others.some((other) => equals(first, other));
}

function equals(first: Value, second: Value): boolean {
  const left = underlying(first);
  const right = underlying(second);
  const leftKind = basicKind(left);
  const rightKind = basicKind(right);
  if (isIntegerKind(leftKind) && isIntegerKind(rightKind)) return (left as GoInt).value === (right as GoInt).value;
  if (leftKind !== rightKind) {
    if (isNil(left) || isNil(right)) return false;
    throw incompatible(first, second);
  }
  if (leftKind === 'complex') return equalComplex(left as GoComplex, right as GoComplex);
  return leftKind === 'invalid' ? equalReferences(first, second) : left === right;
}

const equalComplex = (a: GoComplex, b: GoComplex): boolean => a.real === b.real && a.imaginary === b.imaginary;

function equalReferences(first: Value, second: Value): boolean {
  if (isNilReference(first) || isNilReference(second)) return isNilReference(first) === isNilReference(second);
  if (goKindOf(first) !== goKindOf(second)) {
    throw new GoError(
      `non-comparable types ${sprintf('%s', first)}: ${goTypeOf(first)}, ${goTypeOf(second)}: ${sprintf('%v', second)}`,
    );
  }
  if (!isComparable(second)) throw new GoError(`non-comparable type ${sprintf('%s', second)}: ${goTypeOf(second)}`);
  return areIdentical(first, second);
}

/** Lists, maps and functions have no equality in Go, nor have structs that hold one. */
function isComparable(value: Value): boolean {
  if (Array.isArray(value) || value instanceof Map || value instanceof Uint8Array || isGoFunction(value)) return false;
  if (!(value instanceof GoObject) || value.goKind === 'ptr') return true;
  if (value.goKind === 'map' || value.goKind === 'slice') return false;
  return value.fields().every(([, field]) => isComparable(field));
}

/** Go's == of values in interfaces: the same type and content; of pointers, the same object. */
function areIdentical(first: Value, second: Value): boolean {
  if (goTypeOf(first) !== goTypeOf(second)) return false;
  if (first instanceof GoInt) return first.value === (second as GoInt).value;
  if (!(first instanceof GoObject) || first.goKind === 'ptr') return first === second;
  const others = (second as GoObject).fields();
  return first === second || first.fields().every(([, field], index) => areIdentical(field, others[index]?.[1]));
}

/** Go's `lt`. Fails with GoError where the types have no order. */
export function isLess(first: Value, second: Value): boolean {
  const left = underlying(first);
  const right = underlying(second);
  const leftKind = orderedKind(left);
  const rightKind = orderedKind(right);
  if (isIntegerKind(leftKind) && isIntegerKind(rightKind)) return (left as GoInt).value < (right as GoInt).value;
  if (leftKind !== rightKind) throw incompatible(first, second);
  switch (leftKind) {
    case 'float':
      return (left as number) < (right as number);
    case 'string':
      return compareText(left as string, right as string) < 0;
    default:
      throw badComparisonType();
  }
}

/** Go's `le`. Fails with GoError where the types have no order. */
export const isLessOrEqual = (first: Value, second: Value): boolean => isLess(first, second) || equals(first, second);

type BasicKind = 'bool' | 'complex' | 'int' | 'uint' | 'float' | 'string' | 'invalid';

function basicKind(value: Value): BasicKind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return 'float';
    default:
  }
  if (value instanceof GoInt) return value.type.startsWith('u') ? 'uint' : 'int';
  return value instanceof GoComplex ? 'complex' : 'invalid';
}

function orderedKind(value: Value): BasicKind {
  const kind = basicKind(value);
  if (kind === 'invalid') throw badComparisonType();
  return kind;
}

const isIntegerKind = (kind: BasicKind): boolean => kind === 'int' || kind === 'uint';
/** nil itself, and the nil maps and lists. */
const isNilReference = (value: Value): boolean => isNil(value) || isNilMap(value) || isNilList(value);
const badComparisonType = (): GoError => new GoError('invalid type for comparison');
const incompatible = (first: Value, second: Value): GoError =>
  new GoError(`incompatible types for comparison: ${goTypeOf(first)} and ${goTypeOf(second)}`);
