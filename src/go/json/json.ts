import { base64Text } from '../../support/bytes.ts';
import { compareText } from '../../support/order.ts';
import { cyclesFrom, refuseCycle, VisitCount } from '../limits.ts';
import { formatFloat } from '../strconv/format-float.ts';
import { isWellFormed, toWellFormed } from '../text.ts';
import {
  GoError,
  GoInt,
  type GoList,
  type GoMap,
  GoObject,
  goTypeOf,
  isNilList,
  isNilMap,
  type Value,
} from '../value.ts';
import { jsonSyntaxError } from './syntax.ts';

export interface JsonLayout {
  /** What one level of nesting is indented by, as in json.MarshalIndent; nothing for one line. */
  readonly indent?: string;
  /** Whether `<`, `>` and `&` are written as `\u003c` and so on; true unless said otherwise, as in Go. */
  readonly escapeHtml?: boolean;
}

/**
 * JSON as encoding/json.Marshal writes it: keys by code point, floats in Go's layout, bytes as base64.
 * Throws GoError with Go's message (`json: unsupported value: NaN`).
 */
export function writeJson(value: Value, layout: JsonLayout = {}): string {
  const quote = layout.escapeHtml === false ? quotePlain : quoteForHtml;
  const indent = layout.indent ?? '';
  return write(value, { quote, indent, colon: indent === '' ? ':' : ': ', visits: new VisitCount() }, '', 0);
}

interface Style {
  readonly indent: string;
  readonly colon: string;
  readonly quote: (text: string) => string;
  readonly visits: VisitCount;
}

function write(value: Value, style: Style, margin: string, depth: number): string {
  if (value === null || value === undefined) return 'null';
  switch (typeof value) {
    case 'string':
      return style.quote(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      return floatText(value);
    default:
  }
  if (value instanceof GoInt) return String(value.value);
  if (value instanceof Uint8Array) return `"${base64Text(value)}"`;
  if (depth === cyclesFrom) refuseCycle(value);
  if (value instanceof GoObject) return writeObject(value, style, margin, depth);
  const inner = margin + style.indent;
  if (Array.isArray(value)) {
    if (isNilList(value)) return 'null';
    style.visits.add(value.length);
    const items = value.map((item) => write(item, style, inner, depth + 1));
    return bracket('[]', items, style, margin);
  }
  if (isNilMap(value)) return 'null';
  if (value instanceof Map) return writeMembers(sortedEntries(value), style, margin, depth);
  throw new GoError(`json: unsupported type: ${goTypeOf(value)}`);
}

/** A struct's fields keep their order; the keys of a map are sorted. */
function writeObject(object: GoObject, style: Style, margin: string, depth: number): string {
  const value = object.encoded();
  const isStruct = object.goKind === 'struct' || object.goKind === 'ptr';
  if (isStruct && value instanceof Map) return writeMembers([...value], style, margin, depth);
  return write(value, style, margin, depth + 1);
}

type Entry = readonly [string, Value];

const sortedEntries = (map: GoMap): readonly Entry[] => [...map].sort(([a], [b]) => compareText(a, b));

function writeMembers(entries: readonly Entry[], style: Style, margin: string, depth: number): string {
  style.visits.add(entries.length);
  const inner = margin + style.indent;
  const members = entries.map(([key, value]) => style.quote(key) + style.colon + write(value, style, inner, depth + 1));
  return bracket('{}', members, style, margin);
}

function bracket(kind: '[]' | '{}', parts: readonly string[], style: Style, margin: string): string {
  if (parts.length === 0) return kind;
  const [open, close] = kind;
  if (style.indent === '') return open + parts.join(',') + close;
  const inner = margin + style.indent;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}

/** An exponent below 1e-6 and from 1e21, as JavaScript writes numbers too. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) throw new GoError(`json: unsupported value: ${formatFloat(value, 'g', -1)}`);
  return Object.is(value, -0) ? '-0' : String(value);
}

const unescaped = /^[ !#-%'-;=?-[\]-~]*$/;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const quoteForHtml = (text: string): string =>
  unescaped.test(text) ? `"${text}"` : quotePlain(text).replace(/[<>&]/g, escapeCode);

/** JSON.stringify, but with bytes that are not UTF-8 as \ufffd and the line separators of JavaScript escaped. */
function quotePlain(text: string): string {
  const quoted = isWellFormed(text) ? quoteBody(text) : text.split(loneSurrogate).map(quoteBody).join('\\ufffd');
  return `"${quoted}"`;
}

const quoteBody = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u2028\u2029]/g, escapeCode);

const escapeCode = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The value of a JSON text, as encoding/json reads it into `any`: maps, lists, float64 numbers.
 * Throws GoError with Go's message (`invalid character '}' looking for beginning of value`).
 */
export function readJson(text: string): Value {
  return toValue(parse(text));
}

/** The same where the caller needs an object. A JSON null gives an empty map. */
export function readJsonMap(text: string): GoMap {
  const value = readJson(text);
  if (value === null) return new Map();
  if (value instanceof Map) return value;
  throw cannotUnmarshal(value, 'map[string]interface {}');
}

/** The same where the caller needs a list. A JSON null gives an empty list. */
export function readJsonList(text: string): GoList {
  const value = readJson(text);
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  throw cannotUnmarshal(value, '[]interface {}');
}

/** Go's error for a JSON value of another kind than the Go type wants. */
export const cannotUnmarshal = (value: Value, goType: string): GoError =>
  new GoError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${goType}`);

function jsonKind(value: Value): string {
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function parse(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    // JSON.parse knows no depth that is too much.
    if (!mayBeTooDeep(text)) return value;
  } catch (cause) {
    throw new GoError(jsonSyntaxError(text), { cause });
  }
  const problem = jsonSyntaxError(text);
  if (problem !== '') throw new GoError(problem);
  return JSON.parse(text) as unknown;
}

/** What encoding/json reads. */
const mostNested = 10_000;
const mayBeTooDeep = (text: string): boolean =>
  text.length > 2 * mostNested && (text.match(/[[{]/g)?.length ?? 0) > mostNested;

function toValue(json: unknown): Value {
  if (typeof json === 'string') return toWellFormed(json);
  if (typeof json === 'number' && !Number.isFinite(json))
    throw new GoError('json: cannot unmarshal number into Go value of type float64');
  if (typeof json !== 'object' || json === null) return json as Value;
  if (Array.isArray(json)) return json.map(toValue);
  const map: GoMap = new Map();
  for (const key of Object.keys(json)) map.set(toWellFormed(key), toValue((json as Record<string, unknown>)[key]));
  return map;
}
