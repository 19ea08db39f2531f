import type { Value } from '../../go/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { deepCopy } from './deep-copy.ts';
import { isEmpty } from './empty.ts';

export const defaultFunctions: FunctionTable = {
  default: goFunction('func(any, ...any) any', (otherwise: Value, given: readonly Value[]) =>
    given.length === 0 || isEmpty(given[0]) ? otherwise : given[0],
  ),
  empty: goFunction('func(any) bool', isEmpty),
  coalesce: goFunction('func(...any) any', (values: readonly Value[]) => values.find((one) => !isEmpty(one)) ?? null),
  all: goFunction('func(...any) bool', (values: readonly Value[]) => !values.some(isEmpty)),
  any: goFunction('func(...any) bool', (values: readonly Value[]) => values.some((value) => !isEmpty(value))),
  ternary: goFunction('func(any, any, bool) any', (yes: Value, no: Value, isTrue: boolean) => (isTrue ? yes : no)),
  deepCopy: goFunction('func(any) any', deepCopy),
  mustDeepCopy: goFunction('func(any) (any, error)', deepCopy),
};
