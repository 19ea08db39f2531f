/**
 * What a Go template computes with, in JavaScript:
 *
 * | Go                         | here                                             |
 * |----------------------------|--------------------------------------------------|
 * | nil                        | `null`                                           |
 * | no value (a missing key)   | `undefined`                                      |
 * | bool, string               | `boolean`, `string` (support/text.ts for bytes)  |
 * | float64                    | `number`                                         |
 * | int, int64, uint8, …       | {@link GoInt}                                    |
 * | []byte                     | `Uint8Array`                                     |
 * | []any, []string, …         | array ({@link withGoType} for all but []any)     |
 * | map[string]any, …          | `Map` with string keys ({@link withGoType})      |
 * | named lists and maps       | {@link withNamedType}, {@link asNamedMap}        |
 * | structs, other named types | {@link GoObject}                                 |
 * | func                       | {@link GoFunction}                               |
 *
 * Lists and maps are mutable and shared, as in Go: sprig's `set` changes what everyone sees.
 */
export type Value =
  | null
  | undefined
  | boolean
  | string
  | number
  | GoInt
  | Uint8Array
  | GoList
  | GoMap
  | GoObject
  | GoFunction;

export type GoList = Value[];
export type GoMap = Map<string, Value>;

export type IntType = 'int' | 'int8' | 'int16' | 'int32' | 'int64' | 'uint' | 'uint8' | 'uint16' | 'uint32' | 'uint64';

/** A Go integer: its type and its value, already wrapped to the type's width. */
export class GoInt {
  readonly type: IntType;
  readonly value: bigint;

  constructor(type: IntType, value: bigint) {
    this.type = type;
    this.value = value;
  }
}

const smallInts: readonly GoInt[] = Array.from({ length: 257 }, (_, n) => new GoInt('int', BigInt(n)));

/** A Go `int`. A number must be an integer in the safe range. */
export const goInt = (value: number | bigint): GoInt =>
  value >= 0 && value <= 256 ? (smallInts[Number(value)] as GoInt) : new GoInt('int', BigInt.asIntN(64, BigInt(value)));

/** A Go `int64`. */
export const goInt64 = (value: number | bigint): GoInt => new GoInt('int64', BigInt.asIntN(64, BigInt(value)));

/**
 * A Go struct or named type: fields and methods by name, as a template sees them.
 * `goType` is what `%T` prints (`*chart.Metadata`, `time.Time`, `common.Values`).
 */
export abstract class GoObject {
  abstract readonly goType: string;
  /** Go's reflect kind: what `kindOf` prints. */
  readonly goKind: 'struct' | 'ptr' | 'map' | 'slice' | 'string' | 'int' | 'int64' | 'interface' | 'complex128' =
    'struct';
  /** Whether an exported field of this name exists. What is no struct has none. */
  hasField(_name: string): boolean {
    return false;
  }
  field(_name: string): Value {
    return undefined;
  }
  /** The method bound to this object; undefined where there is none. */
  method(_name: string): GoFunction | undefined {
    return undefined;
  }
  /** Exported fields in declaration order, for `%v` and for encoders. */
  fields(): readonly (readonly [string, Value])[] {
    return [];
  }
  /** The fields that encoders see; `fields` may have unexported ones too. */
  exportedFields(): readonly (readonly [string, Value])[] {
    return this.fields();
  }
  /** What `String()` gives, where the type is a fmt.Stringer or an error. */
  stringer(): string | undefined {
    return undefined;
  }
  /** What `String()` gives where only a pointer has it: a template prints that, fmt does not see it. */
  pointerStringer(): string | undefined {
    return undefined;
  }
  /** What `GoString()` gives, where the type is a fmt.GoStringer: `%#v` prints that. */
  goSyntax(): string | undefined {
    return undefined;
  }
  /** What encoders (JSON, YAML) see; by default a map of the fields. */
  encoded(): Value {
    return new Map(this.exportedFields());
  }
  /**
   * The object as a function gets it that takes `any`. A struct that is reached through a pointer has the methods of its
   * pointer; its copy in an interface has not.
   */
  passed(): GoObject {
    return this;
  }
  /** Of a named integer: another number of the same type. */
  numbered(_value: bigint): GoObject {
    return this;
  }
  /** What reflect.DeepEqual compares beside the type: all fields, unexported ones too. */
  comparedBy(): readonly Value[] {
    return this.fields().map(([, value]) => value);
  }
  /** Go's template truth; structs are always true. */
  isTrue(): boolean {
    return true;
  }
}

/**
 * A function that templates call. Made by `goFunction` (template/function.ts) from a Go signature, which checks and
 * converts the arguments; `call` gets checked arguments and throws {@link GoError} for Go's error result.
 */
export interface GoFunction {
  readonly goKind: 'func';
  readonly signature: string;
  readonly call: (args: readonly Value[]) => Value;
}

/** An error value as a Go function returns it; the template engine words the rest of the message. */
export class GoError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GoError';
  }
}

/** A named type of lists or maps, as in `type files map[string][]byte`. */
export interface NamedType {
  /** As `%T` prints it: `engine.files`. */
  readonly name: string;
  /** What it is made of: `map[string][]uint8`. */
  readonly underlying: string;
  /** The method of a value of this type; undefined where there is none. */
  readonly method: (value: Value, name: string) => GoFunction | undefined;
}

const goTypes = new WeakMap<object, string | NamedType>();

/** Gives a list, map or function a Go type other than the default one: `withGoType(['a'], '[]string')`. */
export function withGoType<T extends object>(value: T, goType: string): T {
  goTypes.set(value, goType);
  return value;
}

/** Gives a list a named type, and the methods of that type. */
export function withNamedType<T extends GoList>(list: T, type: NamedType): T {
  goTypes.set(list, type);
  return list;
}

/** Gives a new list or map the Go type of another one. */
export function withTypeOf<T extends Value & object>(original: object, copy: T): T {
  if (original instanceof NamedMap && copy instanceof Map) {
    return asNamedMap(withTypeOf(original.entriesMap, copy), original.type) as T & GoMap;
  }
  const type = goTypes.get(original);
  if (type !== undefined) goTypes.set(copy, type);
  return copy;
}

/**
 * A map of a named type. In Go the type belongs to the reference and not to the map: `common.Values` and
 * `map[string]any` may be two references to one map, and what is written through one is seen through the other.
 */
class NamedMap extends Map<string, Value> {
  readonly entriesMap: GoMap;
  readonly type: NamedType;

  constructor(entriesMap: GoMap, type: NamedType) {
    super();
    this.entriesMap = entriesMap;
    this.type = type;
  }

  override get size(): number {
    return this.entriesMap.size;
  }
  override get(key: string): Value {
    return this.entriesMap.get(key);
  }
  override has(key: string): boolean {
    return this.entriesMap.has(key);
  }
  override set(key: string, value: Value): this {
    this.entriesMap.set(key, value);
    return this;
  }
  override delete(key: string): boolean {
    return this.entriesMap.delete(key);
  }
  override clear(): void {
    this.entriesMap.clear();
  }
  override keys(): MapIterator<string> {
    return this.entriesMap.keys();
  }
  override values(): MapIterator<Value> {
    return this.entriesMap.values();
  }
  override entries(): MapIterator<[string, Value]> {
    return this.entriesMap.entries();
  }
  override forEach(visit: (value: Value, key: string, map: GoMap) => void): void {
    for (const [key, value] of this.entriesMap) visit(value, key, this);
  }
  override [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entriesMap.entries();
  }
}

/** A reference of a named type to a map, which stays the same and shared. */
export const asNamedMap = (map: GoMap, type: NamedType): GoMap => new NamedMap(unnamedMap(map), type);

/** The reference to the same map by the type that the named one is made of. */
export const unnamedMap = (map: GoMap): GoMap => (map instanceof NamedMap ? map.entriesMap : map);

const basicTypes: Readonly<Record<string, string>> = { boolean: 'bool', string: 'string', number: 'float64' };
const basicTypeOf = (value: Value): string | undefined =>
  value instanceof GoInt ? value.type : basicTypes[typeof value];

/** The Go type as `%T` prints it: `int64`, `[]interface {}`, `map[string]interface {}`; `<nil>` for nil. */
export function goTypeOf(value: Value): string {
  if (value === null || value === undefined) return '<nil>';
  const basic = basicTypeOf(value);
  if (basic !== undefined) return basic;
  if (value instanceof GoObject) return value.goType;
  if (value instanceof Uint8Array) return '[]uint8';
  if (value instanceof NamedMap) return value.type.name;
  const given = goTypes.get(value as object);
  if (given !== undefined) return typeof given === 'string' ? given : given.name;
  if (Array.isArray(value)) return '[]interface {}';
  if (value instanceof Map) return 'map[string]interface {}';
  return (value as GoFunction).signature;
}

/** The Go type with a name that was given to it taken off: `map[string][]uint8` for `engine.files`. */
export function underlyingTypeOf(value: Value): string {
  if (value instanceof NamedMap) return value.type.underlying;
  const given = Array.isArray(value) ? goTypes.get(value) : undefined;
  return typeof given === 'object' ? given.underlying : goTypeOf(value);
}

/** The reflect kind as `kindOf` prints it; `invalid` for nil. */
export function goKindOf(value: Value): string {
  if (value === null || value === undefined) return 'invalid';
  const basic = basicTypeOf(value);
  if (basic !== undefined) return basic;
  if (value instanceof Map) return 'map';
  if (Array.isArray(value)) return !underlyingTypeOf(value).startsWith('[]') ? 'array' : 'slice';
  if (value instanceof Uint8Array) return 'slice';
  return (value as GoObject | GoFunction).goKind;
}

export const isGoFunction = (value: Value): value is GoFunction =>
  typeof value === 'object' && value !== null && (value as { goKind?: unknown }).goKind === 'func';

/** The method of a value, as `.Name` in a template finds it before any field or key; undefined where there is none. */
export function methodOf(value: Value, name: string): GoFunction | undefined {
  if (value instanceof GoObject) return value.method(name);
  if (value instanceof NamedMap) return value.type.method(value, name);
  const type = Array.isArray(value) ? goTypes.get(value) : undefined;
  return typeof type === 'object' ? type.method(value, name) : undefined;
}

const nilLists = new WeakSet<object>();

/** A nil slice of Go: an empty list that DeepEqual tells from `[]` and encoders write as null. */
export function nilList(goType = '[]interface {}'): GoList {
  const list: GoList = [];
  nilLists.add(list);
  return goType === '[]interface {}' ? list : withGoType(list, goType);
}

/** A nil map of Go: empty, closed to writing, and null to encoders. */
class NilMap extends Map<string, Value> {
  override set(): this {
    throw new GoError('assignment to entry in nil map');
  }
}

export const nilMap = (): GoMap => new NilMap();

export const isNil = (value: Value): value is null | undefined => value === null || value === undefined;

export const isNilMap = (value: Value): boolean => value instanceof NilMap;

export const isNilList = (value: Value): boolean => Array.isArray(value) && value.length === 0 && nilLists.has(value);
