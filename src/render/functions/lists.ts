import { checkListLength } from '../../go/limits.ts';
import {
  GoError,
  type GoFunction,
  GoInt,
  type GoList,
  goKindOf,
  isNil,
  nilList,
  type Value,
  withTypeOf,
} from '../../go/value.ts';
import { compareText } from '../../support/order.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { textOf, textsOf, toInt64 } from './conversion.ts';
import { deepEqual } from './deep-equal.ts';
import { isEmpty } from './empty.ts';

type Work = (...args: never[]) => Value;

/** A function and its must variant: the same, because a panic and an error look alike in a template. */
const withMust = (name: string, parameters: string, result: string, work: Work): Record<string, GoFunction> => ({
  [name]: goFunction(`func(${parameters}) ${result}`, work),
  [`must${name.charAt(0).toUpperCase()}${name.slice(1)}`]: goFunction(`func(${parameters}) (${result}, error)`, work),
});

const list = goFunction('func(...any) []any', (values: readonly Value[]) => [...values]);

const append = (onto: Value, item: Value): GoList => [...itemsOf(onto, 'Cannot push on type'), item];

export const listFunctions: FunctionTable = {
  list,
  tuple: list,
  ...withMust('append', 'any, any', '[]any', append),
  ...withMust('push', 'any, any', '[]any', append),
  ...withMust('prepend', 'any, any', '[]any', (onto: Value, item: Value) => [
    item,
    ...itemsOf(onto, 'Cannot prepend on type'),
  ]),
  ...withMust('first', 'any', 'any', (from: Value) => itemsOf(from, 'Cannot find first on type')[0] ?? null),
  ...withMust('last', 'any', 'any', (from: Value) => itemsOf(from, 'Cannot find last on type').at(-1) ?? null),
  ...withMust('rest', 'any', '[]any', (from: Value) => withoutOne(from, 'rest', (items) => items.slice(1))),
  ...withMust('initial', 'any', '[]any', (from: Value) => withoutOne(from, 'initial', (items) => items.slice(0, -1))),
  ...withMust('reverse', 'any', '[]any', (from: Value) => itemsOf(from, 'Cannot find reverse on type').toReversed()),
  ...withMust('compact', 'any', '[]any', (from: Value) =>
    itemsOf(from, 'Cannot compact on type').filter((item) => !isEmpty(item)),
  ),
  ...withMust('uniq', 'any', '[]any', uniq),
  ...withMust('without', 'any, ...any', '[]any', (from: Value, omitted: readonly Value[]) =>
    itemsOf(from, 'Cannot find without on type').filter((item) => !includes(omitted, item)),
  ),
  ...withMust(
    'has',
    'any, any',
    'bool',
    (item: Value, within: Value) => !isNil(within) && includes(itemsOf(within, 'Cannot find has on type'), item),
  ),
  ...withMust('slice', 'any, ...any', 'any', slice),
  ...withMust('chunk', 'int, any', '[][]any', chunk),
  concat: goFunction('func(...any) any', concat),
  sortAlpha: goFunction('func(any) []string', sortAlpha),
};

/** The items of a list of any type. Fails with sprig's words and the kind of what is no list. */
function itemsOf(value: Value, failure: string, ending = ''): readonly Value[] {
  if (isNil(value)) throw new GoError('runtime error: invalid memory address or nil pointer dereference');
  if (Array.isArray(value)) return value;
  if (value instanceof Uint8Array) return Array.from(value, (byte) => new GoInt('uint8', BigInt(byte)));
  throw new GoError(`${failure} ${goKindOf(value)}${ending}`);
}

const withoutOne = (from: Value, name: string, cut: (items: readonly Value[]) => GoList): GoList => {
  const items = itemsOf(from, `Cannot find ${name} on type`);
  return items.length === 0 ? nilList() : cut(items);
};

const includes = (items: readonly Value[], wanted: Value): boolean => items.some((item) => deepEqual(wanted, item));

function uniq(from: Value): GoList {
  const seen = new Set<Value>();
  const kept: GoList = [];
  for (const item of itemsOf(from, 'Cannot find uniq on type')) {
    const isText = typeof item === 'string';
    if (isText ? seen.has(item) : includes(kept, item)) continue;
    if (isText) seen.add(item);
    kept.push(item);
  }
  return kept;
}

/** list[start:end]; nil for an empty list. */
function slice(from: Value, bounds: readonly Value[]): Value {
  const items = itemsOf(from, 'list should be type of slice or array but');
  if (items.length === 0) return null;
  const start = bounds.length > 0 ? toInt64(bounds[0]) : 0n;
  const end = bounds.length > 1 ? toInt64(bounds[1]) : BigInt(items.length);
  if (start < 0n || end < start || end > items.length) {
    throw new GoError('reflect.Value.Slice: slice index out of bounds');
  }
  const part = items.slice(Number(start), Number(end));
  return from instanceof Uint8Array ? from.slice(Number(start), Number(end)) : withTypeOf(from as GoList, part);
}

/** Lists of `size` items each, the last one shorter. */
function chunk(size: number, from: Value): GoList {
  const items = itemsOf(from, 'Cannot chunk type');
  const count = Math.floor((items.length - 1) / size) + 1;
  if (count < 0 || !Number.isFinite(count) || (count > 0 && size < 0)) {
    throw new GoError('runtime error: makeslice: len out of range');
  }
  checkListLength(count);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

function concat(lists: readonly Value[]): Value {
  const parts = lists.map((one) => itemsOf(one, 'Cannot concat type', ' as list'));
  checkListLength(parts.reduce((length, part) => length + part.length, 0));
  const all = parts.flat();
  return all.length === 0 ? nilList() : all;
}

/** The texts of a list in order. A `[]string` is sorted in place, as in sprig. */
function sortAlpha(from: Value): string[] {
  const isList = Array.isArray(from) || from instanceof Uint8Array;
  return isList ? textsOf(from).sort(compareText) : [textOf(from)];
}
