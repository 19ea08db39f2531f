import { goKindOf, goTypeOf, type Value } from '../../go/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { deepEqual } from './deep-equal.ts';

export const reflectionFunctions: FunctionTable = {
  typeOf: goFunction('func(any) string', goTypeOf),
  typeIs: goFunction('func(string, any) bool', (type: string, value: Value) => goTypeOf(value) === type),
  typeIsLike: goFunction('func(string, any) bool', (type: string, value: Value) =>
    [type, `*${type}`].includes(goTypeOf(value)),
  ),
  kindOf: goFunction('func(any) string', goKindOf),
  kindIs: goFunction('func(string, any) bool', (kind: string, value: Value) => goKindOf(value) === kind),
  deepEqual: goFunction('func(any, any) bool', deepEqual),
};
