import { Optional } from '../cel-js.ts';
import { noSuchOverload } from '../error.ts';
import type { Library } from './library.ts';
import { type Evaluate, macro } from './macro.ts';

/** An optional value; none for undefined. */
export const optionalOf = (value: unknown): unknown => (value === undefined ? Optional.none() : Optional.of(value));

/** `object.?a.optMap(x, x + 1)`; none where there is no value. */
const optionalMacro = (wrap: (value: unknown) => unknown) =>
  macro(1, 'optional', (optional: unknown, [expression]) => {
    if (!(optional instanceof Optional)) throw noSuchOverload();
    return optional.hasValue() ? wrap((expression as Evaluate)(optional.value())) : optional;
  });

function isZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === false || value === '' || Number(value) === 0;
}

export const optionals: Library = {
  functions: {
    'OptionalNamespace.ofNonZeroValue(dyn): optional<dyn>': (_namespace: object, value: unknown) =>
      optionalOf(isZero(value) ? undefined : value),
    'optional.optMap(ast, ast): dyn': optionalMacro(optionalOf),
    'optional.optFlatMap(ast, ast): dyn': optionalMacro((value) => value),
  },
};
