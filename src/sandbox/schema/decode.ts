import {
  fieldType,
  type ListType,
  type MapType,
  resolveType,
  type ScalarType,
  type Type,
} from '../../kinds/field-types.ts';
import { isJsonObject, type Json, type JsonObject, plain } from '../../support/json.ts';
import { itemElement, pathText } from './path.ts';
import { isPlainSchema } from './plain-schema.ts';

export interface Decoded {
  readonly value: Json;
  /** Paths of fields that the type does not have: `spec.template.foo`. They are dropped. */
  readonly unknown: readonly string[];
}

/** A value has the wrong type; the message is encoding/json's. */
export class DecodeError extends Error {}

/** Reads a built-in kind's object as its Go type would: unknown fields, nulls and empty collections fall away. */
export function decodeTyped(type: Type, value: Json, isConversion = false): Decoded {
  const unknown: string[] = [];
  const decoded = decodeValue(type, value, { unknown, isConversion });
  return { value: decoded ?? {}, unknown };
}

/** Where a value is; its paths are put together only when something is wrong with it. */
interface Place {
  readonly unknown: string[];
  /** Numbers come from an applied object: what no integer of Go holds was a fraction there, and is cut without a word. */
  readonly isConversion: boolean;
  /** What holds it; absent at the root. */
  readonly holder?: Place;
  readonly key?: string | number;
  /** Of a field: the Go struct that has it. */
  readonly struct?: string;
}

function pathOf(place: Place): string {
  const steps: string[] = [];
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.holder) {
    steps.push(typeof at.key === 'number' ? `[${at.key}]` : `.${at.key}`);
  }
  return steps.reverse().join('').replace(/^\./, '');
}

/** `ObjectMeta.metadata.labels`: the struct that holds the field, then the fields from the root. */
function goPathOf(place: Place): string {
  const fields: Place[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.holder)
    if (at.struct !== undefined) fields.unshift(at);
  return [fields.at(-1)?.struct ?? '', ...fields.map(({ key }) => key)].join('.');
}

function decodeValue(type: Type, value: Json, place: Place): Json | undefined {
  if (value === null) return undefined;
  switch (type.kind) {
    case 'any':
      return value;
    case 'scalar':
      return decodeScalar(type, value, place);
    case 'list':
      return decodeList(type, value, place);
    case 'map':
      return decodeMap(type, value, place);
  }
}

const goTypes: Readonly<Record<ScalarType['of'], string>> = {
  string: 'string',
  base64: '[]uint8',
  int32: 'int32',
  int64: 'int64',
  number: 'float64',
  boolean: 'bool',
  'int-or-string': 'intstr.IntOrString',
  quantity: 'resource.Quantity',
};

const jsonTypeOf = (value: Json): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

function decodeScalar(type: ScalarType, value: Json, place: Place): Json {
  const isBeyond = place.isConversion && Math.abs(Number(value)) >= 2 ** 63;
  const fits = fitsScalar(type.of, value, isBeyond);
  if (!fits) throw mismatch(value, place, goTypes[type.of]);
  if (isBeyond && type.of === 'int32') return 0;
  if (isBeyond && type.of === 'int64') return -(2 ** 63);
  if (type.of === 'base64') checkBase64(value as string);
  if (type.of !== 'quantity') return value;
  const text = plain(value).trim();
  checkQuantity(text);
  return text;
}

function fitsScalar(of: ScalarType['of'], value: Json, isBeyond: boolean): boolean {
  switch (of) {
    case 'string':
    case 'base64':
      return typeof value === 'string';
    case 'int32':
      return Number.isInteger(value) && (Math.abs(value as number) < 2 ** 31 || isBeyond);
    case 'int64':
      return Number.isInteger(value) && (Math.abs(value as number) < 2 ** 63 || isBeyond);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'int-or-string':
      return typeof value === 'string' || (Number.isInteger(value) && Math.abs(value as number) < 2 ** 31);
    case 'quantity':
      return typeof value === 'string' || typeof value === 'number';
  }
}

/** resource.ParseQuantity: a number, and a suffix that is one of its own. A sign alone is 0. */
function checkQuantity(text: string): void {
  if (text === '-' || text === '+') return;
  const parts = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))([eEinumkKMGTP]*[-+]?\d*)$/.exec(text);
  if (parts === null) {
    throw new DecodeError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  }
  if (!/^(?:[numkMGTPE]|[KMGTPE]i|[eE][-+]?\d+)?$/.test(parts[2] as string)) {
    throw new DecodeError("unable to parse quantity's suffix");
  }
}

/** encoding/base64's strictness. */
function checkBase64(text: string): void {
  const joined = text.replace(/[\r\n]/g, '');
  const found = /^(?:[A-Za-z0-9+/\r\n]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?/.exec(joined);
  const valid = found?.[0].length ?? 0;
  if (valid === joined.length) return;
  const wrong = /[^A-Za-z0-9+/=\r\n]/.exec(text)?.index ?? valid;
  throw new DecodeError(`illegal base64 data at input byte ${wrong}`);
}

function mismatch(value: Json, place: Place, goType: string): DecodeError {
  const shown = typeof value === 'number' && /^u?int|^float/.test(goType) ? `number ${value}` : jsonTypeOf(value);
  return new DecodeError(`json: cannot unmarshal ${shown} into Go struct field ${goPathOf(place)} of type ${goType}`);
}

const within = (holder: Place, key: string | number): Place => ({
  unknown: holder.unknown,
  isConversion: holder.isConversion,
  holder,
  key,
});

function decodeList(type: ListType, value: Json, place: Place): Json | undefined {
  const element = resolveType(type.element);
  if (!Array.isArray(value)) throw mismatch(value, place, `[]${goTypeName(element)}`);
  if (value.length === 0) return undefined;
  return value.map(
    (item, index) => decodeValue(element, item, within(place, index)) ?? (element.kind === 'map' ? {} : null),
  );
}

function decodeMap(type: MapType, value: Json, place: Place): Json | undefined {
  if (!isJsonObject(value)) throw mismatch(value, place, goTypeName(type));
  if (type.fields === undefined) return decodeStringMap(type, value, place);
  if (type.name === 'JSONSchemaProps' && isPlainSchema(value)) return value;
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const reference = fieldType(type, key);
    if (reference === undefined) place.unknown.push(pathOf(within(place, key)));
    if (reference === undefined || item === undefined) continue;
    const isInner = type.name === 'JSONSchemaProps' && innerSchemas.has(key) && isJsonObject(item);
    if (type.name === 'ObjectMeta' && key.endsWith('Timestamp') && typeof item === 'string') checkTime(item);
    const isSchema = type.name === 'JSONSchemaProps' && key.startsWith('additional');
    if (isSchema && !isInner && typeof item !== 'boolean' && item !== null) {
      throw new DecodeError('boolean or JSON schema expected');
    }
    // Go looks for unknown fields in what it reads at once, not in what may be a schema or something else.
    const unknown = isInner ? [] : place.unknown;
    const inner = { unknown, isConversion: place.isConversion, holder: place, key, struct: type.name ?? '' };
    const decoded = decodeValue(isInner ? type : resolveType(reference), item, inner);
    if (decoded !== undefined) result[key] = decoded;
  }
  return result;
}

/** metav1.Time. */
function checkTime(text: string): void {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)$/.test(text)) return;
  const shown = JSON.stringify(text);
  throw new DecodeError(`parsing time ${shown} as "2006-01-02T15:04:05Z07:00": cannot parse ${shown} as "2006"`);
}

/** Fields of JSONSchemaProps that hold a schema, a boolean or a list of schemas. */
const innerSchemas = new Set(['items', 'additionalItems', 'additionalProperties']);

function decodeStringMap(type: MapType, value: JsonObject, place: Place): Json | undefined {
  const element = resolveType(type.element ?? 'x');
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const decoded = decodeValue(element, item ?? null, within(place, key));
    result[key] = decoded ?? (element.kind === 'scalar' ? zeroOf(element) : {});
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

const zeroOf = ({ of }: ScalarType): Json => (of === 'string' ? '' : of === 'quantity' ? '0' : {});

function goTypeName(type: Type): string {
  switch (type.kind) {
    case 'scalar':
      return goTypes[type.of];
    case 'any':
      return 'interface {}';
    case 'list':
      return `[]${goTypeName(resolveType(type.element))}`;
    case 'map':
      if (type.fields === undefined) return `map[string]${goTypeName(resolveType(type.element ?? 'x'))}`;
      return `v1.${type.name ?? ''}`;
  }
}

/** A custom resource keeps what its schema knows; metadata is read as ObjectMeta. */
export function pruneCustom(type: Type, value: JsonObject): Decoded {
  const unknown: string[] = [];
  return { value: pruneValue(type, value, '', unknown), unknown };
}

function pruneValue(type: Type, value: Json, path: string, unknown: string[]): Json {
  if (type.kind === 'any') return value;
  if (Array.isArray(value)) {
    // What is where its schema has something else has no known fields.
    const element = type.kind === 'list' ? resolveType(type.element) : resolveType('s');
    return value.map((item, index) => pruneValue(element, item, `${path}[${index}]`, unknown));
  }
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const reference = type.kind === 'map' ? fieldType(type, key) : undefined;
    const itemPath = path === '' ? key : `${path}.${key}`;
    if (reference === undefined) unknown.push(itemPath);
    else if (item !== undefined) result[key] = pruneValue(resolveType(reference), item, itemPath, unknown);
  }
  return result;
}

/** What keeps a value from being a typed apply configuration (TypedValue.Validate); undefined when nothing does. */
export function typedProblem(type: Type, value: Json): string | undefined {
  return problemAt(type, value, []);
}

/** `path` is that of the value, and again when nothing is wrong with it: there is one list for all values. */
function problemAt(type: Type, value: Json, path: string[]): string | undefined {
  if (value === null || type.kind === 'any') return undefined;
  if (type.kind === 'scalar') return scalarProblem(type, value, path);
  if (type.kind === 'list') return listProblem(type, value, path);
  if (!isJsonObject(value)) return `${pathText(path)}: expected map, got &{${goText(value)}}`;
  if (type.name === 'JSONSchemaProps' && isPlainSchema(value)) return undefined;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    path.push(`f:${key}`);
    const reference = fieldType(type, key);
    const problem =
      reference === undefined
        ? `${pathText(path)}: field not declared in schema`
        : problemAt(resolveType(reference), item, path);
    if (problem !== undefined) return problem;
    path.pop();
  }
  return undefined;
}

function listProblem(type: ListType, value: Json, path: string[]): string | undefined {
  if (!Array.isArray(value)) return `${pathText(path)}: expected list, got &{${goText(value)}}`;
  const element = resolveType(type.element);
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const key = type.relation === 'atomic' ? undefined : itemElement(type, item);
    if (type.relation === 'map' && !isJsonObject(item))
      return `${pathText(path)}: element ${index}: associative list with keys may not have non-map elements`;
    if (type.relation !== 'atomic' && key === undefined) {
      const keys = type.keys.map((name) => JSON.stringify(name)).join(' ');
      return `${pathText(path)}: element ${index}: associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`;
    }
    if (key !== undefined && seen.has(key)) return `${pathText(path)}: duplicate entries for key ${pathText([key])}`;
    if (key !== undefined) seen.add(key);
    path.push(key ?? `i:${index}`);
    const problem = problemAt(element, item, path);
    if (problem !== undefined) return problem;
    path.pop();
  }
  return undefined;
}

function scalarProblem({ of }: ScalarType, value: Json, path: readonly string[]): string | undefined {
  switch (of) {
    case 'string':
    case 'base64':
      return typeof value === 'string' ? undefined : `${pathText(path)}: expected string, got ${goValue(value)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${pathText(path)}: expected boolean, got ${goValue(value)}`;
    case 'int32':
    case 'int64':
    case 'number':
      return typeof value === 'number'
        ? undefined
        : `${pathText(path)}: expected numeric (int or float), got ${goTypeOf(value)}`;
    default:
      return typeof value === 'object'
        ? `${pathText(path)}: expected untyped scalar, got ${goValue(value)}`
        : undefined;
  }
}

const goValue = (value: Json): string => `&value.valueUnstructured{Value:${goLiteral(value)}}`;

function goLiteral(value: Json): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goLiteral).join(', ')}}`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${goLiteral(item ?? null)}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}

/** Go's %v. */
function goText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isJsonObject(value)) return value === null ? '<nil>' : String(value);
  const entries = Object.entries(value).map(([key, item]) => `${key}:${goText(item ?? null)}`);
  return `map[${entries.sort().join(' ')}]`;
}

/** Go's %T. */
const goTypeOf = (value: Json): string =>
  Array.isArray(value) ? '[]interface {}' : isJsonObject(value) ? 'map[string]interface {}' : jsonTypeOf(value);
