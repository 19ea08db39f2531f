import { costLimitExceeded, limitOfKubernetes } from '../cost.ts';
import { CelError, noSuchOverload } from '../error.ts';
import { compare, equals } from './equality.ts';
import type { Library } from './library.ts';

type List = readonly unknown[];

/** `lists.range(…)` */
class ListFunctions {}

const isSorted = (list: List): boolean => list.every((item, at) => at === 0 || compare(list[at - 1], item) <= 0);

function best(list: List, name: 'min' | 'max'): unknown {
  if (list.length === 0) throw new CelError(`${name} called on empty list`);
  const sign = name === 'min' ? 1 : -1;
  return list.reduce((found, item) => (compare(found, item) * sign > 0 ? item : found));
}

/** Of whole numbers, of doubles, or of durations. */
function sum(list: List): unknown {
  return list.reduce((total, item) => {
    if (typeof total === 'bigint' && typeof item === 'bigint') return total + item;
    if (typeof item === 'number' && (typeof total === 'number' || total === 0n)) return Number(total) + item;
    const durations = [total, item] as { addDuration?(other: unknown): unknown }[];
    if (total === 0n && durations[1]?.addDuration !== undefined) return item;
    return durations[0]?.addDuration?.(item) ?? fail();
  }, 0n);
}

const fail = (): never => {
  throw noSuchOverload();
};

const indexOf = (list: List, sought: unknown): bigint => BigInt(list.findIndex((item) => equals(item, sought)));
const lastIndexOf = (list: List, sought: unknown): bigint => BigInt(list.findLastIndex((item) => equals(item, sought)));

const distinct = (list: List): List => list.filter((item, at) => list.findIndex((one) => equals(one, item)) === at);

function slice(list: List, start: bigint, end: bigint): List {
  const refuse = (why: string): CelError => new CelError(`cannot slice(${start}, ${end}), ${why}`);
  if (start < 0n || end < 0n) throw refuse('negative indexes not supported');
  if (start > end) throw refuse('start index must be less than or equal to end index');
  if (end > list.length) throw refuse(`list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

function flatten(list: List, depth = 1n): List {
  if (depth < 0n) throw new CelError('level must be non-negative');
  return list.flat(Number(depth));
}

function range(length: number): List {
  if (length > limitOfKubernetes) throw costLimitExceeded();
  return Array.from({ length }, (_item, at) => BigInt(at));
}

export const lists: Library = {
  namespaces: { lists: { ListFunctions } },
  functions: {
    'list.isSorted(): bool': isSorted,
    'list.sum(): dyn': sum,
    'list.min(): dyn': (list: List) => best(list, 'min'),
    'list.max(): dyn': (list: List) => best(list, 'max'),
    'list.indexOf(dyn): int': indexOf,
    'list.lastIndexOf(dyn): int': lastIndexOf,
    'list.slice(int, int): list': slice,
    'list.flatten(): list': (list: List) => flatten(list),
    'list.flatten(int): list': flatten,
    'list.distinct(): list': distinct,
    'list.reverse(): list': (list: List) => list.toReversed(),
    'list.sort(): list': (list: List) => list.toSorted(compare),
    'ListFunctions.range(int): list<int>': (_namespace: ListFunctions, length: bigint) => range(Number(length)),
  },
};
