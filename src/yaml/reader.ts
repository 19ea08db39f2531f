import { cannotUnmarshal } from '../go/json/json.ts';
import { GoInt, type GoList, type GoMap, type Value } from '../go/value.ts';
import { isStackOverflow } from '../support/stack-overflow.ts';
import { ConversionProblem, decode, type Shape } from './decode.ts';
import { YamlError } from './errors.ts';
import type { YamlMistake } from './mistake.ts';
import { Parser } from './parser.ts';
import { readable } from './readable.ts';
import { readSimple } from './simple-reader.ts';
import { YamlProblem } from './tokens.ts';

export interface ReadOptions {
  /** Whether a key that occurs twice in a mapping is an error, as in sigs.k8s.io/yaml.UnmarshalStrict. */
  readonly strict?: boolean;
  /** What comes before the words of a mistake; default: those of sigs.k8s.io/yaml. */
  readonly before?: string;
}

/**
 * The first document of a YAML text as sigs.k8s.io/yaml reads it into `any`: maps, lists, strings, booleans, float64
 * numbers, null; null for a text without content. Throws {@link YamlError} with Go's message
 * (`error converting YAML to JSON: yaml: line 3: did not find expected key`).
 */
export const readYaml = (text: string, options: ReadOptions = {}): Value =>
  readFirst(text, valueShape, options) ?? null;

/** The same where the caller needs a mapping; an empty document gives an empty map. */
export function readYamlMap(text: string, options: ReadOptions = {}): GoMap {
  const value = readYaml(text, options);
  if (value === null) return new Map();
  if (value instanceof Map) return value;
  throw wrongKind(value, 'map[string]interface {}', 'yaml-no-map');
}

/** The same where the caller needs a list; an empty document gives an empty list. */
export function readYamlList(text: string, options: ReadOptions = {}): GoList {
  const value = readYaml(text, options);
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  throw wrongKind(value, '[]interface {}');
}

/**
 * The first document as plain JavaScript data: objects, arrays, strings, booleans, null, numbers, and bigints for
 * integers beyond the safe range. Throws {@link YamlError}.
 */
export const readPlainYaml = (text: string, options: ReadOptions = {}): unknown =>
  readFirst(text, plainShape, options) ?? null;

/**
 * The same of a file that is one document, of tshelm's own kinds: what is in another, or before the same key again,
 * would be passed over. Throws {@link YamlError}, for these too.
 */
export const readOwnYaml = (text: string): unknown =>
  readFirst(text, plainShape, { strict: true, isAlone: true }) ?? null;

/**
 * The first document with its integers as GoInt: what sigs.k8s.io/yaml sees before it looks at the type that the
 * caller wants. Throws {@link YamlError}.
 */
export const readTypedYaml = (text: string, options: ReadOptions = {}): Value =>
  readFirst(text, typedShape, options) ?? null;

function readFirst<T>(
  text: string,
  shape: Shape<T>,
  { strict = false, isAlone = false, before }: ReadOptions & { readonly isAlone?: boolean },
): T | undefined {
  return withGoErrors(() => {
    const document = readable(text);
    // What the simple reader takes is one document.
    const simple = readSimple(document, shape, strict);
    if (simple !== undefined) return simple;
    const parser = new Parser(document);
    const node = parser.document();
    if (isAlone) refuseAnother(parser);
    return node === undefined ? undefined : decode(node, shape, strict);
  }, before);
}

function refuseAnother(parser: Parser): void {
  const line = parser.lineBehind();
  if (line === undefined) return;
  throw new YamlError(`line ${line + 1}: the file is one document, and another one begins here`, { line: line + 1 });
}

const valueShape: Shape<Value> = {
  integer: Number,
  scalar: (value) => value,
  list: (items) => items,
  map: (entries) => entries,
};

const typedShape: Shape<Value> = { ...valueShape, integer: (value) => new GoInt('int64', BigInt(value)) };

const plainShape: Shape<unknown> = {
  integer: (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value),
  scalar: (value) => value,
  list: (items) => items,
  map: plainObject,
};

function plainObject(entries: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  entries.forEach((value, key) => {
    // An assignment to __proto__ would not make a member.
    if (key === '__proto__')
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
    else object[key] = value;
  });
  return object;
}

const wrongKind = (value: Value, goType: string, mistake?: YamlMistake): YamlError =>
  new YamlError(`error unmarshaling JSON: while decoding JSON: ${cannotUnmarshal(value, goType).message}`, { mistake });

function withGoErrors<T>(read: () => T, before = 'error converting YAML to JSON: '): T {
  try {
    return read();
  } catch (error) {
    if (isStackOverflow(error)) throw new YamlError(`${before}yaml: exceeded max depth`, { cause: error });
    if (!(error instanceof YamlProblem)) throw error;
    throw error.asError(`${before}${error instanceof ConversionProblem ? '' : 'yaml: '}`);
  }
}
