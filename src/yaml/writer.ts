import { writeJson } from '../go/json/json.ts';
import { cyclesFrom, refuseCycle, VisitCount } from '../go/limits.ts';
import { formatFloat } from '../go/strconv/format-float.ts';
import { encodeText, isWellFormed, toWellFormed } from '../go/text.ts';
import { GoInt, type GoMap, GoObject, goTypeOf, isNilList, isNilMap, type Value } from '../go/value.ts';
import { base64Text } from '../support/bytes.ts';
import { Emitter, layoutV2, layoutV3, type ScalarStyle } from './emitter.ts';
import { YamlError } from './errors.ts';
import { compareKeys, compareKeysV3 } from './keys.ts';
import { needsQuotes, needsQuotesV3 } from './resolve.ts';

/** As deep as Go's YAML library reads back what it wrote. */
const maxDepth = 10_000;
/** So many members and items a template may write at a time: a manifest has a few thousand. */
const maxNodes = 500_000;

/**
 * YAML text as sigs.k8s.io/yaml.Marshal writes it, line break at the end included. That function writes JSON first
 * and reads it back with the YAML library, so what JSON or that reader change is changed here too.
 * Throws YamlError with Go's message (`error marshaling into JSON: json: unsupported value: NaN`).
 */
export function writeYaml(value: Value): string {
  const emitter = new Emitter(layoutV2, new VisitCount(maxNodes));
  writeNode(emitter, value, 0);
  return emitter.finish();
}

/**
 * The same for plain JavaScript data (manifests, Chart.yaml): objects, arrays, strings, numbers, bigints, booleans,
 * null; members that are undefined are left out.
 */
export function writePlainYaml(value: unknown): string {
  const emitter = new Emitter(layoutV2);
  writePlainNode(emitter, value, { depth: 0, inOrder: sortedKeys });
  return emitter.finish();
}

/** The same with members in their own order, as yaml.v2 writes a MapSlice. */
export function writePlainYamlInOrder(value: unknown): string {
  const emitter = new Emitter(layoutV2);
  writePlainNode(emitter, value, { depth: 0, inOrder: (keys) => keys });
  return emitter.finish();
}

interface PlainLayout {
  readonly depth: number;
  readonly inOrder: (keys: string[]) => string[];
}

const sortedKeys = (keys: string[]): string[] => (keys.length === 1 ? keys : keys.sort(compareKeys));

/** YAML text as go.yaml.in/yaml/v3 writes it with SetIndent(2): what toYamlPretty gives, with the last line break. */
export function writeYamlPretty(value: Value): string {
  const emitter = new Emitter(layoutV3, new VisitCount(maxNodes));
  writePrettyNode(emitter, value, 0);
  return emitter.finish();
}

/** Go's map[string]map[uint]string as the same library writes it: the numbers are no texts. */
export function writeNumberedTexts(groups: ReadonlyMap<string, ReadonlyMap<number, string>>): string {
  const emitter = new Emitter(layoutV3);
  const scalar = (text: string, style: ScalarStyle, tag?: string): void => emitter.scalar(text, style, tag);
  writePrettyMapping(emitter, sortedByKey(groups), (texts) => {
    emitter.beginMapping();
    for (const [number, text] of [...texts].sort(([a], [b]) => a - b)) {
      emitter.key(String(number), 'plain');
      writePrettyString(text, scalar);
    }
    emitter.end();
  });
  return emitter.finish();
}

function writeNode(emitter: Emitter, value: Value, depth: number): void {
  if (value === null || value === undefined) return emitter.scalar('null', 'plain');
  switch (typeof value) {
    case 'string':
      return writeString(emitter, value);
    case 'boolean':
      return emitter.scalar(value ? 'true' : 'false', 'plain');
    case 'number':
      return emitter.scalar(numberText(value), 'plain');
    default:
  }
  if (depth === cyclesFrom) refuseCycle(value, 'error marshaling into JSON: ');
  if (isNilMap(value)) return emitter.scalar('null', 'plain');
  if (value instanceof Map) {
    writeMapping(emitter, [...value.keys()], (key) => writeNode(emitter, value.get(key), checked(depth + 1)));
  } else if (Array.isArray(value)) {
    if (isNilList(value)) emitter.scalar('null', 'plain');
    else writeSequence(emitter, value, (item) => writeNode(emitter, item, checked(depth + 1)));
  } else if (value instanceof GoInt) {
    emitter.scalar(String(value.value), 'plain');
  } else if (value instanceof Uint8Array) {
    writeString(emitter, base64Text(value));
  } else if (value instanceof GoObject) {
    writeNode(emitter, value.encoded(), checked(depth + 1));
  } else {
    throw new YamlError(`error marshaling into JSON: json: unsupported type: ${goTypeOf(value)}`);
  }
}

function writePlainNode(emitter: Emitter, value: unknown, layout: PlainLayout): void {
  const { depth, inOrder } = layout;
  if (typeof value === 'bigint') return emitter.scalar(bigintText(value), 'plain');
  const writeInner = (inner: unknown): void => writePlainNode(emitter, inner, { depth: checked(depth + 1), inOrder });
  if (Array.isArray(value)) return writeSequence(emitter, value, writeInner);
  if (typeof value !== 'object' || value === null) return writeNode(emitter, value as Value, depth);
  const members = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members).filter((key) => members[key] !== undefined);
  writeMembers(emitter, inOrder(keys), (key) => writeInner(members[key]));
}

function checked(depth: number): number {
  if (depth > maxDepth) throw new YamlError(`exceeded max depth of ${maxDepth}`);
  return depth;
}

const writeMapping = (emitter: Emitter, keys: string[], writeValue: (key: string) => void): void =>
  writeMembers(emitter, sortedKeys(keys), writeValue);

function writeMembers(emitter: Emitter, names: readonly string[], writeValue: (key: string) => void): void {
  if (names.length === 0) return emitter.empty('{}');
  emitter.beginMapping();
  for (const name of names) {
    const text = keyThroughJson(name);
    emitter.key(text, styleOf(text));
    writeValue(name);
  }
  emitter.end();
}

function writeSequence<T>(emitter: Emitter, items: readonly T[], writeItem: (item: T) => void): void {
  if (items.length === 0) return emitter.empty('[]');
  emitter.beginSequence();
  for (const item of items) {
    emitter.item();
    writeItem(item);
  }
  emitter.end();
}

function writeString(emitter: Emitter, value: string): void {
  const text = throughJson(value);
  emitter.scalar(text, styleOf(text));
}

const styleOf = (text: string): ScalarStyle =>
  text.includes('\n') ? 'literal' : needsQuotes(text) ? 'double' : 'plain';

const plainAscii = /^[\t\n\r\x20-\x7e]*$/;
const refusedCharacters = /[\x7f\x80-\x84\x86-\x9f\ufffe\uffff]/;

/** A string after its way through JSON text and the YAML reader, as a double-quoted scalar. */
function throughJson(text: string): string {
  if (plainAscii.test(text)) return text;
  if (refusedCharacters.test(text)) throw new YamlError('yaml: control characters are not allowed');
  // JSON keeps U+0085 as it is, and in YAML it is a line break, which folds to a space.
  const folded = text.includes('\x85') ? text.replace(/(?<! ) *\x85[ \x85]*/g, foldedBreaks) : text;
  return toWellFormed(folded);
}

const longestJsonKey = 1024;

/** In the JSON text, a key must stand on one line and be short enough for the YAML reader to look past it. */
function keyThroughJson(name: string): string {
  const isRead = name.length * 6 < longestJsonKey ? !name.includes('\x85') : isSimpleInJson(name);
  if (!isRead) throw new YamlError("yaml: did not find expected ',' or '}'");
  return throughJson(name);
}

const isSimpleInJson = (name: string): boolean =>
  !name.includes('\x85') && [...writeJson(name)].length <= longestJsonKey;

function foldedBreaks(run: string): string {
  const breaks = run.replaceAll(' ', '').length;
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
}

/** JSON writes 1e6 as 1000000, which YAML reads as an integer; what is no 64 bit integer stays a float. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) {
    throw new YamlError(`error marshaling into JSON: json: unsupported value: ${formatFloat(value, 'g', -1)}`);
  }
  if (!Number.isInteger(value)) return formatFloat(value, 'g', -1);
  if (Number.isSafeInteger(value)) return String(value);
  return Math.abs(value) < 1e21 ? bigintText(BigInt(String(value))) : formatFloat(value, 'g', -1);
}

function bigintText(value: bigint): string {
  return value >= -(2n ** 63n) && value < 2n ** 64n ? String(value) : formatFloat(Number(value), 'g', -1);
}

function writePrettyNode(emitter: Emitter, value: Value, depth: number): void {
  if (value === null || value === undefined) return emitter.scalar('null', 'plain');
  switch (typeof value) {
    case 'string':
      return writePrettyString(value, (text, style, tag) => emitter.scalar(text, style, tag));
    case 'boolean':
      return emitter.scalar(value ? 'true' : 'false', 'plain');
    case 'number':
      return emitter.scalar(prettyFloat(value), 'plain');
    default:
  }
  if (depth === cyclesFrom) refuseCycle(value);
  const writeChild = (child: Value): void => writePrettyNode(emitter, child, checked(depth + 1));
  if (value instanceof Map) {
    writePrettyMapping(emitter, sortedForV3(value), writeChild);
  } else if (Array.isArray(value)) {
    writeSequence(emitter, value, writeChild);
  } else if (value instanceof GoInt) {
    emitter.scalar(String(value.value), 'plain');
  } else if (value instanceof Uint8Array) {
    writeSequence(emitter, [...value], (byte) => emitter.scalar(String(byte), 'plain'));
  } else if (value instanceof GoObject) {
    writePrettyObject(emitter, value, writeChild);
  } else {
    throw new YamlError(`cannot marshal type: ${goTypeOf(value)}`);
  }
}

/**
 * A struct's members are its fields in lower case, unless it writes itself as text; a time is not quoted, a duration is
 * its text, and named maps, lists and strings are what they are made of.
 */
function writePrettyObject(emitter: Emitter, value: GoObject, writeChild: (child: Value) => void): void {
  if (value.goType === 'time.Duration') return writeChild(value.stringer());
  const encoded = value.encoded();
  if (value.goType === 'time.Time') return emitter.scalar(String(encoded), 'plain');
  const fields = value.exportedFields();
  const isStruct = value.goKind === 'struct' || value.goKind === 'ptr';
  if (!isStruct || typeof encoded === 'string' || fields.length === 0) return writeChild(encoded);
  writePrettyMapping(
    emitter,
    fields.map(([name, field]) => [name.toLowerCase(), field]),
    writeChild,
  );
}

const sortedForV3 = (map: GoMap): [string, Value][] => (keptInOrder.has(map) ? [...map] : sortedByKey(map));

const sortedByKey = <T>(map: ReadonlyMap<string, T>): [string, T][] => [...map].sort(([a], [b]) => compareKeysV3(a, b));

const keptInOrder = new WeakSet<GoMap>();

/** Marks a map that stands for a Go struct: {@link writeYamlPretty} writes its members in their own order. */
export function inOwnOrder(map: GoMap): GoMap {
  keptInOrder.add(map);
  return map;
}

function writePrettyMapping<T>(
  emitter: Emitter,
  entries: readonly (readonly [string, T])[],
  writeValue: (value: T) => void,
): void {
  if (entries.length === 0) return emitter.empty('{}');
  emitter.beginMapping();
  for (const [name, value] of entries) {
    writePrettyString(name, (text, style, tag) => emitter.key(text, style, tag));
    writeValue(value);
  }
  emitter.end();
}

/** A string that is not UTF-8 becomes base64 with a tag. */
function writePrettyString(value: string, write: (text: string, style: ScalarStyle, tag?: string) => void): void {
  if (!isWellFormed(value)) {
    const base64 = brokenIntoLines(base64Text(encodeText(value)));
    return write(base64, base64.includes('\n') ? 'literal' : 'plain', '!!binary');
  }
  write(value, value.includes('\n') ? 'literal' : needsQuotesV3(value) ? 'double' : 'plain');
}

/** Lines of 70 characters; a single one has no line break. */
function brokenIntoLines(base64: string): string {
  if (base64.length < 70) return base64;
  return base64.replace(/.{1,70}/g, '$&\n');
}

function prettyFloat(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return formatFloat(value, 'g', -1);
}
