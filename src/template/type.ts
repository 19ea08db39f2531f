import {
  GoInt,
  GoObject,
  goInt,
  goTypeOf,
  type IntType,
  isGoFunction,
  nilList,
  nilMap,
  underlyingTypeOf,
  unnamedMap,
  type Value,
  withGoType,
} from '../go/value.ts';

/** A Go type as a template meets it: of a parameter, a result, or the elements of a list or map. */
export interface GoType {
  readonly kind: 'any' | 'reflect' | 'string' | 'bool' | 'float64' | 'int' | 'list' | 'map' | 'func' | 'object';
  /** As Go prints it: `map[string]interface {}`, `*chart.Metadata`. */
  readonly name: string;
  /** Of an integer: its exact type. */
  readonly intType?: IntType;
  /** Of a list or map. */
  readonly element?: GoType;
}

const parsedTypes = new Map<string, GoType>();

/** Reads a type as Go source or as `%T` spells it; `any`, `byte` and `rune` are other names for what they are. */
export function parseType(text: string): GoType {
  let type = parsedTypes.get(text);
  if (type === undefined) {
    type = readType(text.trim());
    parsedTypes.set(text, type);
  }
  return type;
}

const intTypes = /^(?:int|uint)(?:8|16|32|64)?$/;

function readType(text: string): GoType {
  switch (text) {
    case 'any':
    case 'interface{}':
    case 'interface {}':
      return { kind: 'any', name: 'interface {}' };
    case 'reflect.Value':
      return { kind: 'reflect', name: text };
    case 'string':
    case 'bool':
    case 'float64':
      return { kind: text, name: text };
    case 'byte':
      return parseType('uint8');
    case 'rune':
      return parseType('int32');
    default:
  }
  if (intTypes.test(text)) return { kind: 'int', name: text, intType: text as IntType };
  if (text.startsWith('func(')) return { kind: 'func', name: text };
  const list = /^\[\d*\](.+)$/.exec(text);
  if (list?.[1] !== undefined) return collection('list', text.slice(0, text.indexOf(']') + 1), list[1]);
  const map = /^map\[\w+\](.+)$/.exec(text);
  if (map?.[1] !== undefined) return collection('map', text.slice(0, text.indexOf(']') + 1), map[1]);
  return { kind: 'object', name: text };
}

function collection(kind: 'list' | 'map', prefix: string, elementText: string): GoType {
  const element = parseType(elementText);
  return { kind, name: prefix + element.name, element };
}

/** Whether Go has a nil of this type. */
export const canBeNil = (type: GoType): boolean =>
  type.kind === 'any' ||
  type.kind === 'reflect' ||
  type.kind === 'list' ||
  type.kind === 'map' ||
  type.kind === 'func' ||
  type.name.startsWith('*');

/** Go's zero value of a type. */
export function zeroOf(type: GoType): Value {
  switch (type.kind) {
    case 'any':
    case 'object':
    case 'func':
      return null;
    case 'reflect':
      return undefined;
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'float64':
      return 0;
    case 'int':
      return type.intType === 'int' ? goInt(0) : new GoInt(type.intType as IntType, 0n);
    case 'list':
      return type.name === '[]uint8' ? new Uint8Array() : nilList(type.name);
    case 'map':
      return typed(nilMap(), type, 'map[string]interface {}');
  }
}

const typed = <T extends object>(value: T, type: GoType, defaultName: string): T =>
  type.name === defaultName ? value : withGoType(value, type.name);

/** What a named map, list, string or number is made of; any other value is returned as it is. */
export function underlying(value: Value): Value {
  if (value instanceof Map) return unnamedMap(value);
  if (!(value instanceof GoObject)) return value;
  switch (value.goKind) {
    case 'map':
    case 'slice':
    case 'string':
    case 'int':
    case 'int64':
      return value.encoded();
    default:
      return value;
  }
}

/** The type of what a pointer points to; of any other value, its own. */
export const indirectTypeOf = (value: Value): string =>
  value instanceof GoObject && value.goKind === 'ptr' ? value.goType.replace(/^\*/, '') : goTypeOf(value);

/** The type of the elements of a list or map. */
export function elementType(collectionValue: Value): GoType {
  return parseType(underlyingTypeOf(underlying(collectionValue))).element ?? anyType;
}
export const anyType = parseType('any');

/** Whether Go's reflection assigns the value to a variable of the type. */
export function isAssignable(value: Value, type: GoType): boolean {
  switch (type.kind) {
    case 'any':
    case 'reflect':
      return true;
    case 'string':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'float64':
      return typeof value === 'number';
    case 'int':
      return value instanceof GoInt && value.type === type.intType;
    case 'func':
      return isGoFunction(value);
    case 'list':
      if (!Array.isArray(value) && !(value instanceof Uint8Array))
        return isNamed(value) && isAssignable(underlying(value), type);
      return isIdentical(value, type);
    case 'map':
      if (!(value instanceof Map)) return isNamed(value) && isAssignable(underlying(value), type);
      return isIdentical(value, type);
    case 'object':
      return isObjectOf(value, type.name);
  }
}

const isNamed = (value: Value): boolean => value instanceof GoObject && underlying(value) !== value;

/** A named map or list type is assignable to its unnamed one. */
const isIdentical = (value: Value, type: GoType): boolean => parseType(underlyingTypeOf(value)).name === type.name;

function isObjectOf(value: Value, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const actual = goTypeOf(value);
  return actual === name || actual === `*${name}`;
}
