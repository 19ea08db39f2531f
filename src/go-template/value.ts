import { formatValue } from '../go/fmt/format.ts';
import { GoStruct } from '../go/struct.ts';
import {
  GoError,
  type GoFunction,
  GoInt,
  type GoMap,
  GoObject,
  goInt,
  goInt64,
  goTypeOf,
  type IntType,
  isGoFunction,
  type Value,
  withGoType,
} from '../go/value.ts';
import { isStackOverflow } from '../support/stack-overflow.ts';
import { goFunction, signatureOf } from '../template/function.ts';
import { anyType, type GoType, parseType, zeroOf } from '../template/type.ts';

/** What an integer of JavaScript is in a template: an `int`, or a `float64` as after Go's json.Unmarshal. */
export type IntegerType = 'int' | 'float64';

/** A value with a type of Go. It goes wherever data goes: into templates, lists, maps, and the results of functions. */
export class TypedValue {
  /** @internal */
  readonly value: Value;

  /** @internal */
  constructor(value: Value) {
    this.value = value;
  }

  /** As `%T` prints it: `uint8`, `map[string]int`. */
  get goType(): string {
    return goTypeOf(this.value);
  }

  /** As `%v` prints it. */
  toString(): string {
    return formatValue(this.value);
  }
}

/**
 * A value of a type of Go, written as in Go: `typed('float64', 1)`, `typed('[]string', ['a'])`,
 * `typed('map[string]int', { a: 1 })`, `typed('func(string, ...int) (string, error)', (text, numbers) => …)`.
 * Throws TypeError where the value is none of the type.
 */
export const typed = (type: string, value: unknown): TypedValue =>
  new TypedValue(new ToGo('int').typed(parseType(type), value, 'the value'));

/**
 * A struct: `struct('main.User', { Name: 'Ann' }, { Greet: typed('func(string) string', …) })`. A template reads no other
 * fields than these, and prints `{Ann}`. The methods `String` and `Error` are used for printing, as in Go. A type that
 * begins with `*` is a pointer.
 */
export function struct(
  goType: string,
  fields: Readonly<Record<string, unknown>>,
  methods: Readonly<Record<string, TypedValue>> = {},
): TypedValue {
  const toGo = new ToGo('int');
  const values = Object.entries(fields).map(([name, value]) => [name, toGo.value(value, `${goType}.${name}`)] as const);
  const functions = Object.entries(methods).map(([name, method]) => {
    if (!isGoFunction(method.value)) throw new TypeError(`${goType}.${name} is not a function: make it with typed()`);
    return [name, method.value] as const;
  });
  return new TypedValue(new Struct(goType, values, Object.fromEntries(functions)));
}

class Struct extends GoStruct {
  override readonly goKind: 'struct' | 'ptr';

  constructor(
    goType: string,
    fields: readonly (readonly [string, Value])[],
    methods: Readonly<Record<string, GoFunction>>,
  ) {
    super(goType, fields, methods);
    this.goKind = goType.startsWith('*') ? 'ptr' : 'struct';
  }

  override stringer(): string | undefined {
    const printing = this.method('Error') ?? this.method('String');
    return printing === undefined ? undefined : (printing.call([]) as string);
  }
}

/** JavaScript's data as Go's, by the rules of docs/go-template.md. Throws TypeError, which names the place in the data. */
export function goOf(data: unknown, integers: IntegerType = 'int'): Value {
  try {
    return new ToGo(integers).value(data, 'data');
  } catch (error) {
    if (isStackOverflow(error)) throw new TypeError('data is nested too deeply', { cause: error });
    throw error;
  }
}

class ToGo {
  readonly #integers: IntegerType;
  /** What was met before: shared and circular data stays so. */
  readonly #known = new Map<object, Value>();

  constructor(integers: IntegerType) {
    this.#integers = integers;
  }

  value(data: unknown, place: string): Value {
    switch (typeof data) {
      case 'undefined':
        return null;
      case 'string':
      case 'boolean':
        return data;
      case 'number':
        return this.#integers === 'int' && isIntegral(data) ? goInt(data) : data;
      case 'bigint':
        return integerOf(data, place);
      case 'function':
        return plainFunction(data as (...args: unknown[]) => unknown);
      case 'object':
        return data === null ? null : this.#object(data, place);
      default:
        throw new TypeError(`${place} is a ${typeof data}, which Go has not`);
    }
  }

  #object(data: object, place: string): Value {
    if (data instanceof TypedValue) return data.value;
    if (data instanceof Uint8Array) return data;
    const known = this.#known.get(data);
    if (known !== undefined) return known;
    if (Array.isArray(data)) return this.#list(data, anyType, place);
    return this.#map(entriesOf(data, place), { owner: data, element: anyType, place });
  }

  #list(items: readonly unknown[], element: GoType, place: string): Value[] {
    const list: Value[] = [];
    this.#known.set(items, list);
    items.forEach((item, index) => list.push(this.typed(element, item, `${place}[${index}]`)));
    return list;
  }

  #map(
    entries: Iterable<readonly [unknown, unknown]>,
    { owner, element, place }: { readonly owner: object; readonly element: GoType; readonly place: string },
  ): GoMap {
    const map: GoMap = new Map();
    this.#known.set(owner, map);
    for (const [key, value] of entries) {
      if (typeof key !== 'string') throw new TypeError(`${place} has a key of type ${typeof key}: keys are strings`);
      if (value !== undefined) map.set(key, this.typed(element, value, `${place}.${key}`));
    }
    return map;
  }

  typed(type: GoType, data: unknown, place: string): Value {
    if (type.kind === 'any' || type.kind === 'reflect') return this.value(data, place);
    if (data instanceof TypedValue) return sameType(type, data, place);
    if (data === null || data === undefined) {
      const zero = zeroOf(type);
      if (type.kind === 'list' || type.kind === 'map' || zero === null) return zero;
    }
    switch (type.kind) {
      case 'string':
      case 'bool':
        if (typeof data === (type.kind === 'bool' ? 'boolean' : 'string')) return data as string | boolean;
        break;
      case 'float64':
        if (typeof data === 'number' || typeof data === 'bigint') return Number(data);
        break;
      case 'int':
        if (typeof data === 'bigint' || (typeof data === 'number' && Number.isInteger(data)))
          return inRange(type.intType as IntType, BigInt(data), place);
        break;
      case 'list':
        if (data instanceof Uint8Array && type.name === '[]uint8') return data;
        if (Array.isArray(data)) return this.#typedList(type, data, place);
        break;
      case 'map':
        return this.#typedMap(type, data, place);
      case 'func':
        if (typeof data === 'function') return typedFunction(type.name, data as (...args: unknown[]) => unknown);
        break;
      default:
        throw new TypeError(`${place} is to be ${type.name}: make it with struct()`);
    }
    throw new TypeError(`${place} is no ${type.name}: ${shown(data)}`);
  }

  #typedList(type: GoType, items: readonly unknown[], place: string): Value {
    if (type.name === '[]uint8') return Uint8Array.from(items as readonly number[]);
    return withGoType(this.#list(items, type.element as GoType, place), type.name);
  }

  #typedMap(type: GoType, data: unknown, place: string): Value {
    if (!type.name.startsWith('map[string]')) throw new TypeError(`${type.name}: keys of maps are strings here`);
    if (typeof data !== 'object' || data === null) throw new TypeError(`${place} is no ${type.name}: ${shown(data)}`);
    const map = this.#map(entriesOf(data, place), { owner: data, element: type.element as GoType, place });
    return type.name === 'map[string]interface {}' ? map : withGoType(map, type.name);
  }
}

/** A minus zero is no integer: Go's int has none. */
const isIntegral = (number: number): boolean => Number.isSafeInteger(number) && !Object.is(number, -0);

function sameType(type: GoType, { value, goType }: TypedValue, place: string): Value {
  if (value === null || goType === type.name || type.name === `*${goType}` || goType === `*${type.name}`) return value;
  if (type.kind === 'func' && isGoFunction(value)) return value;
  throw new TypeError(`${place} is no ${type.name}, but ${goType}`);
}

function integerOf(value: bigint, place: string): GoInt {
  if (BigInt.asIntN(64, value) === value) return goInt64(value);
  return inRange('uint64', value, place);
}

function inRange(type: IntType, value: bigint, place: string): GoInt {
  const bits = Number(/\d+$/.exec(type)?.[0] ?? 64);
  const wrapped = type.startsWith('u') ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  if (wrapped !== value) throw new TypeError(`${place} is no ${type}: ${value} is out of range`);
  return type === 'int' ? goInt(value) : new GoInt(type, value);
}

function entriesOf(data: object, place: string): Iterable<readonly [unknown, unknown]> {
  if (data instanceof Map) return data;
  const prototype = Object.getPrototypeOf(data);
  // The prototype of plain objects, of whatever window or context.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return Object.entries(data);
  const name = prototype.constructor?.name ?? 'a class';
  throw new TypeError(`${place} is an object of ${name}: give a plain object, a text, or a struct()`);
}

const shown = (data: unknown): string => (typeof data === 'string' ? JSON.stringify(data) : String(data));

/** A function of the options `functions`: one of JavaScript, or one that typed() has made. Throws TypeError. */
export function functionOf(name: string, given: unknown): GoFunction {
  const value = given instanceof TypedValue ? given.value : given;
  if (typeof value === 'function') return plainFunction(value as (...args: unknown[]) => unknown);
  if (isGoFunction(value as Value)) return value as GoFunction;
  throw new TypeError(`value for ${name} not a function`);
}

const plainFunction = (implementation: (...args: unknown[]) => unknown): GoFunction =>
  goFunction('func(...any) (any, error)', (args: Value[]) =>
    calling(() => goResult(anyType, implementation(...args.map((arg) => jsOf(arg))))),
  );

/** A function with a signature of Go: what it gets is JavaScript's, and what it gives becomes Go's. */
function typedFunction(signature: string, implementation: (...args: unknown[]) => unknown): GoFunction {
  const { parameters, isVariadic, result } = signatureOf(goFunction(signature, () => undefined));
  const last = parameters.length - 1;
  const isRaw = (index: number): boolean => parameters[Math.min(index, last)]?.kind === 'reflect';
  const passed = (arg: unknown, index: number): unknown =>
    isRaw(index)
      ? isVariadic && index === last
        ? (arg as Value[]).map(asTyped)
        : asTyped(arg as Value)
      : jsOf(arg as Value);
  return goFunction(signature, (...args: never[]) =>
    calling(() => goResult(result, implementation(...args.map(passed)))),
  );
}

const asTyped = (value: Value): TypedValue => new TypedValue(value);

const goResult = (type: GoType, result: unknown): Value => new ToGo('int').typed(type, result, 'the result');

/** Whatever a function throws is its error result, as Go's functions return one. */
function calling(call: () => Value): Value {
  try {
    return call();
  } catch (error) {
    if (error instanceof GoError) throw error;
    throw new GoError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/**
 * Go's data as JavaScript's: maps as plain objects, integers as numbers, and as bigints beyond the safe range. What
 * JavaScript has no word for, structs and functions, stays a {@link TypedValue}.
 */
export function jsOf(value: Value, known: Map<object, unknown> = new Map()): unknown {
  if (typeof value === 'bigint') return jsInteger(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof GoInt) return jsInteger(value.value);
  if (value instanceof Uint8Array) return value;
  if (value instanceof GoObject || isGoFunction(value)) return new TypedValue(value);
  if (known.has(value)) return known.get(value);
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    known.set(value, list);
    for (const item of value) list.push(jsOf(item, known));
    return list;
  }
  const object: Record<string, unknown> = {};
  known.set(value, object);
  for (const [key, member] of value) {
    // An assignment to __proto__ would not make a member.
    const property = { value: jsOf(member, known), enumerable: true, configurable: true, writable: true };
    Object.defineProperty(object, key, property);
  }
  return object;
}

const jsInteger = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);
