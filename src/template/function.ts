import { GoError, type GoFunction, type GoList, type GoMap, type Value } from '../support/value.ts';

/**
 * Makes a template function from its Go signature, as in
 * `goFunction('func(int, string) string', (count: number, text: string) => …)`.
 *
 * The signature decides what is accepted and what the implementation gets:
 *
 * | parameter type                   | accepted                               | the implementation gets    |
 * |----------------------------------|----------------------------------------|----------------------------|
 * | `any` (= `interface {}`)         | anything; a missing argument is nil    | Value (`null` for nil)     |
 * | `string`, `bool`, `float64`      | exactly that kind                      | string, boolean, number    |
 * | `int`, `int64`, `uint8`, …       | that type, or an untyped constant      | bigint for 64 bit types other than `int`, else number |
 * | `[]any`, `[]string`              | a list of that type                    | Value[], string[]          |
 * | `map[string]any`                 | a map (named map types too)            | GoMap                      |
 * | any other name                   | a GoObject of that goType              | the object                 |
 * | `...T` (last)                    | the rest                               | T[] as last argument       |
 *
 * Results: `int` and friends may be returned as number or bigint and become a GoInt of that type; `[]string` and
 * `map[string]string` get their Go type; `any` is passed on as it is; `error` beside it means that the implementation may throw GoError.
 * Wrong counts and types fail with text/template's wording ("wrong number of args for trunc: want 2 got 1").
 */
export type Implementation = (...args: never[]) => unknown;

export declare function goFunction(signature: string, implementation: Implementation): GoFunction;
export type FunctionTable = Readonly<Record<string, GoFunction>>;
export type { GoError, GoList, GoMap, Value };
