import {
  GoError,
  type GoFunction,
  GoInt,
  type GoList,
  type GoMap,
  goInt,
  type IntType,
  type Value,
  withGoType,
} from '../go/value.ts';
import { type GoType, parseType, underlying } from './type.ts';

/**
 * Makes a template function from its Go signature, as in
 * `goFunction('func(int, string) string', (count: number, text: string) => …)`.
 *
 * The signature decides what is accepted and what the implementation gets:
 *
 * | parameter type                   | accepted                               | the implementation gets    |
 * |----------------------------------|----------------------------------------|----------------------------|
 * | `any` (= `interface {}`)         | anything; a missing value is nil       | Value (`null` for nil)     |
 * | `reflect.Value`                  | anything                               | Value (`undefined` for no value) |
 * | `string`, `bool`, `float64`      | exactly that kind                      | string, boolean, number    |
 * | `int`, `int64`, `uint8`, …       | that type, or an untyped constant      | bigint for 64 bit types other than `int`, else number |
 * | `[]any`, `[]string`              | a list of that type; nil is empty      | Value[], string[]          |
 * | `map[string]any`                 | a map (named map types too); nil is empty | GoMap                   |
 * | any other name                   | a GoObject of that goType              | the object                 |
 * | `...T` (last)                    | the rest                               | T[] as last argument       |
 *
 * Results: `int` and friends may be returned as number or bigint and become a GoInt of that type; `[]string` and
 * `map[string]string` get their Go type; `any` is passed on as it is; `error` beside it means that the implementation may throw GoError.
 * Wrong counts and types fail with text/template's wording ("wrong number of args for trunc: want 2 got 1").
 */
export function goFunction(signature: string, implementation: Implementation): GoFunction {
  return new TypedFunction(signature, implementation);
}

export type Implementation = (...args: never[]) => unknown;
export type FunctionTable = Readonly<Record<string, GoFunction>>;
export type { GoError, GoList, GoMap, Value };

/** What a signature says. */
export interface Signature {
  /** Of a variadic function, the last is the type of each further argument. */
  readonly parameters: readonly GoType[];
  readonly isVariadic: boolean;
  readonly result: GoType;
}

const parsedSignatures = new Map<string, Signature>();

/** The parameters and the result of `func(string, ...any) (string, error)`. */
export function signatureOf(callee: GoFunction): Signature {
  if (callee instanceof TypedFunction) return callee.parsedSignature;
  return cachedSignature(callee.signature);
}

function cachedSignature(text: string): Signature {
  let signature = parsedSignatures.get(text);
  if (signature === undefined) {
    signature = parseSignature(text);
    parsedSignatures.set(text, signature);
  }
  return signature;
}

function parseSignature(text: string): Signature {
  const close = closingParen(text, text.indexOf('('));
  const types = splitTypes(text.slice(text.indexOf('(') + 1, close));
  const isVariadic = types.at(-1)?.startsWith('...') ?? false;
  const parameters = types.map((type) => parseType(type.replace(/^\.\.\./, '')));
  const results = text.slice(close + 1).trim();
  const [result = 'any'] = splitTypes(results.startsWith('(') ? results.slice(1, -1) : results);
  return { parameters, isVariadic, result: parseType(result) };
}

function closingParen(text: string, open: number): number {
  let depth = 0;
  for (let index = open; index < text.length; index++) {
    if (text[index] === '(') depth += 1;
    if (text[index] === ')') depth -= 1;
    if (depth === 0) return index;
  }
  throw new TypeError(`${text} is not a signature of Go`);
}

/** The types of a parameter list; a name before a type is dropped, and `a, b string` gives both the type. */
function splitTypes(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= list.length; index++) {
    const character = list[index] ?? ',';
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(list.slice(start, index).trim());
      start = index + 1;
    }
  }
  return withoutNames(parts.filter((part) => part !== ''));
}

const namedParameter = /^\w+ +(?=\S)(?!\{\})/;

function withoutNames(parts: readonly string[]): string[] {
  if (!parts.some((part) => namedParameter.test(part) && !part.startsWith('interface {'))) return [...parts];
  let type = '';
  return parts.reduceRight<string[]>((types, part) => {
    if (namedParameter.test(part)) type = part.replace(namedParameter, '');
    return [type, ...types];
  }, []);
}

class TypedFunction implements GoFunction {
  readonly goKind = 'func';
  readonly signature: string;
  private readonly implementation: (...args: readonly unknown[]) => unknown;
  private parsed: Signature | undefined;
  private conversions: Conversions | undefined;

  constructor(signature: string, implementation: Implementation) {
    this.signature = signature;
    this.implementation = implementation as (...args: readonly unknown[]) => unknown;
  }

  get parsedSignature(): Signature {
    this.parsed ??= cachedSignature(this.signature);
    return this.parsed;
  }

  /** Calls the implementation with arguments whose types were checked against the signature. */
  call(args: readonly Value[]): Value {
    this.conversions ??= conversionsOf(this.parsedSignature);
    const { convertArguments, convertResult } = this.conversions;
    const result = this.implementation(...(convertArguments === undefined ? args : convertArguments(args)));
    return convertResult === undefined ? (result as Value) : convertResult(result);
  }
}

interface Conversions {
  /** Undefined where the implementation takes the values as they are. */
  readonly convertArguments: ((args: readonly Value[]) => readonly unknown[]) | undefined;
  readonly convertResult: ((result: unknown) => Value) | undefined;
}

function conversionsOf({ parameters, isVariadic, result }: Signature): Conversions {
  const converters = parameters.map(argumentConverter);
  const isPlain = !isVariadic && converters.every((converter) => converter === undefined);
  return {
    convertArguments: isPlain ? undefined : (args) => convertArguments(args, converters, isVariadic),
    convertResult: resultConverter(result),
  };
}

type Converter = ((value: Value) => unknown) | undefined;

function argumentConverter(type: GoType): Converter {
  switch (type.kind) {
    case 'int':
      return isBig(type.intType as IntType)
        ? (value) => (value as GoInt).value
        : (value) => Number((value as GoInt).value);
    case 'list':
    case 'map':
      return underlying;
    default:
      return undefined;
  }
}

const isBig = (type: IntType): boolean => type === 'int64' || type === 'uint64' || type === 'uint';

function convertArguments(args: readonly Value[], converters: readonly Converter[], isVariadic: boolean): unknown[] {
  const fixed = isVariadic ? converters.length - 1 : converters.length;
  const passed: unknown[] = [];
  for (let index = 0; index < fixed; index++) {
    const convert = converters[index];
    passed.push(convert === undefined ? args[index] : convert(args[index]));
  }
  if (isVariadic) {
    const convert = converters[fixed];
    const rest = args.slice(fixed);
    passed.push(convert === undefined ? rest : rest.map(convert));
  }
  return passed;
}

function resultConverter(type: GoType): ((result: unknown) => Value) | undefined {
  switch (type.kind) {
    case 'int':
      return (result) => toGoInt(result, type.intType as IntType);
    case 'list':
    case 'map':
      return isDefaultType(type) ? undefined : (result) => withType(result, type.name);
    default:
      return undefined;
  }
}

const isDefaultType = ({ name }: GoType): boolean =>
  name === '[]interface {}' || name === 'map[string]interface {}' || name === '[]uint8';

const withType = (result: unknown, type: string): Value =>
  Array.isArray(result) || result instanceof Map ? withGoType(result, type) : (result as Value);

function toGoInt(result: unknown, type: IntType): Value {
  if (result instanceof GoInt) return result;
  const value = result as number | bigint;
  return type === 'int' ? goInt(value) : new GoInt(type, wrapped(BigInt(value), type));
}

function wrapped(value: bigint, type: IntType): bigint {
  const bits = Number(/\d+$/.exec(type)?.[0] ?? 64);
  return type.startsWith('u') ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
}
