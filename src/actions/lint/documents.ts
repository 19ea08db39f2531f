import { readStruct, type StructType, structFromJson } from '../../chart/struct-decoder.ts';
import { readJson } from '../../go/json/json.ts';
import { JsonSyntaxError, jsonValueEnd } from '../../go/json/syntax.ts';
import { decodeText, encodeText } from '../../go/text.ts';
import { GoError } from '../../go/value.ts';
import { scannedLines } from '../../support/text.ts';
import { failureText } from './message.ts';

/** The objects of a text up to the first one that cannot be read, and what is wrong with that one. */
export interface ReadObjects<T> {
  readonly objects: readonly T[];
  readonly problem?: string | undefined;
}

/**
 * The objects of a text that is a stream of YAML documents or of JSON values; empty documents give none. A text that
 * begins with `{` is taken for JSON, and for YAML from where that fails. Go: YAMLOrJSONDecoder.
 */
export function readObjects<T>(data: Uint8Array, type: StructType): ReadObjects<T> {
  return looksLikeJson(data) ? readJsonObjects(data, type) : readYamlObjects(decodeText(data), type);
}

const space = String.raw`[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
const firstCharacters = 4096;
const openingBrace = new RegExp(`^${space}*\\{`);

const looksLikeJson = (data: Uint8Array): boolean => openingBrace.test(decodeText(data.subarray(0, firstCharacters)));

/** `count` is how many documents could be read. */
function readYamlObjects<T>(text: string, type: StructType): ReadObjects<T> & { readonly count: number } {
  const objects: T[] = [];
  let count = 0;
  try {
    for (const document of yamlDocuments(text)) {
      const object = readStruct(document, type);
      if (object !== undefined) objects.push(object as T);
      count++;
    }
    return { objects, count };
  } catch (cause) {
    return { objects, count, problem: failureText(cause) };
  }
}

/** Splits at lines that begin with `---`; the first such line belongs to the document. Go: yaml.YAMLReader. */
function* yamlDocuments(text: string): Generator<string> {
  let lines: string[] = [];
  for (const line of scannedLines(text)) {
    const isSeparator = line.startsWith('---');
    if (isSeparator) checkSeparator(line.slice('---'.length).trim());
    if (isSeparator && lines.length > 0) {
      yield `${lines.join('\n')}\n`;
      lines = [];
    } else {
      lines.push(line);
    }
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
}

function checkSeparator(rest: string): void {
  if (rest !== '' && !rest.startsWith('#')) throw new GoError(`invalid Yaml document separator: ${rest}`);
}

// More JSON values than this, and nobody takes the text for YAML any more.
const mostAmbiguousValues = 1;

function readJsonObjects<T>(data: Uint8Array, type: StructType): ReadObjects<T> {
  const objects: T[] = [];
  let at = 0;
  for (let count = 0; ; count++) {
    try {
      const end = jsonValueEnd(data, at);
      if (end === undefined) return { objects };
      const object = structFromJson(readJson(decodeText(data.subarray(at, end))), type);
      if (object !== undefined) objects.push(object as T);
      at = end;
    } catch (cause) {
      if (count > mostAmbiguousValues) return { objects, problem: jsonProblem(cause) };
      return readRemainderAsYaml(objects, data.subarray(at), type, ambiguousProblem(cause));
    }
  }
}

/** Where the next document is no YAML either, the problem is that of the JSON. */
function readRemainderAsYaml<T>(
  before: readonly T[],
  data: Uint8Array,
  type: StructType,
  problem: string,
): ReadObjects<T> {
  const rest = yamlAfterJson(data);
  if (rest === undefined) return { objects: before, problem };
  const inYaml = readYamlObjects<T>(rest, type);
  const isProblemOfBoth = inYaml.problem !== undefined && inYaml.count === 0;
  return { objects: [...before, ...inYaml.objects], problem: isProblemOfBoth ? problem : inYaml.problem };
}

const endedEarly = 'unexpected EOF';

function jsonProblem(cause: unknown): string {
  return cause instanceof JsonSyntaxError && cause.offset === undefined ? endedEarly : failureText(cause);
}

function ambiguousProblem(cause: unknown): string {
  const offset = cause instanceof JsonSyntaxError ? cause.offset : undefined;
  return offset === undefined ? jsonProblem(cause) : `json: offset ${offset}: ${failureText(cause)}`;
}

const leadingSpace = new RegExp(`^${space}*?(?:\\n|(?!${space}))`);

/** What is left for the YAML reader, without the space up to the end of the line; undefined where hardly anything is. */
function yamlAfterJson(data: Uint8Array): string | undefined {
  const text = decodeText(data);
  const skipped = leadingSpace.exec(text)?.[0] ?? text;
  // The reader looks at four bytes at a time, and gives up where there are fewer.
  const lastLookedAt = skipped.endsWith('\n') ? skipped.slice(0, -1) : skipped;
  const looked = data.length - encodeText(lastLookedAt).length;
  return looked < 4 ? undefined : text.slice(skipped.length);
}
