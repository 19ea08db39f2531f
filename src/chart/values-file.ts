import { decodeText } from '../go/text.ts';
import { GoError, type GoMap } from '../go/value.ts';
import { causesOf, messageOf, TshelmError } from '../support/errors.ts';
import { scannedLines, trimSuffix } from '../support/text.ts';
import { readYamlMap, YamlError } from '../yaml/index.ts';
import { mergeMaps } from './tables.ts';

/**
 * The values of a YAML file; several documents are merged, later ones win (loader.LoadValues).
 * Throws YamlError with the place in the whole file, or GoError. `read` reads one document; by default numbers are float64.
 */
export function readValues(data: Uint8Array, read = readYamlMap): GoMap {
  let values: GoMap = new Map();
  for (const { text, firstLine } of documentsOf(decodeText(data))) {
    values = mergeMaps(values, readDocument(text, firstLine, read));
  }
  return values;
}

/** The values of a file of -f. Fails with `values-invalid`, in Helm's words. `parse` reads its YAML. */
export function parsedValuesFile(
  path: string,
  data: Uint8Array,
  parse = (bytes: Uint8Array) => readValues(bytes),
): GoMap {
  try {
    return parse(data);
  } catch (cause) {
    const message = `failed to parse ${path}: ${messageOf(cause)}`;
    const line = lineOf(cause);
    if (!(cause instanceof YamlError) || line === 0)
      throw new TshelmError('values-invalid', { message, details: { path }, cause });
    const place = { file: path, line, column: cause.column || 1, text: decodeText(data) };
    throw new TshelmError('values-invalid', { message, details: { path, place }, cause });
  }
}

/** Where the YAML of a file is wrong; 0 where that is not known. What is no map is wrong from its first line on. */
function lineOf(cause: unknown): number {
  const isNoMap = causesOf(cause).some((one) => one instanceof YamlError && one.mistake === 'yaml-no-map');
  return isNoMap ? 1 : cause instanceof YamlError ? cause.line : 0;
}

function readDocument(text: string, firstLine: number, read: typeof readYamlMap): GoMap {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const line = error.line === 0 ? 0 : error.line + firstLine - 1;
    throw new YamlError(`cannot unmarshal yaml document: ${messageOf(error)}`, {
      line,
      column: error.column,
      cause: error,
    });
  }
}

interface YamlDocument {
  readonly text: string;
  /** In the file, from 1. */
  readonly firstLine: number;
}

/** Splits at lines that begin with `---`; the first such line belongs to the document (util/yaml.YAMLReader). */
function documentsOf(text: string): YamlDocument[] {
  if (text === '') return [];
  if (!/^---/m.test(text)) return [{ text: `${trimSuffix(text.replaceAll('\r\n', '\n'), '\n')}\n`, firstLine: 1 }];
  const documents: YamlDocument[] = [];
  let lines: string[] = [];
  const finish = (end: number): void => {
    if (lines.length > 0) documents.push({ text: `${lines.join('\n')}\n`, firstLine: end - lines.length + 1 });
    lines = [];
  };
  const all = scannedLines(text);
  for (const [index, line] of all.entries()) {
    if (!line.startsWith('---')) {
      lines.push(line);
      continue;
    }
    const rest = line.slice(3).trim();
    if (rest !== '' && !rest.startsWith('#'))
      throw new GoError(`error reading yaml document: invalid Yaml document separator: ${rest}`);
    if (lines.length === 0) lines.push(line);
    else finish(index);
  }
  finish(all.length);
  return documents;
}
