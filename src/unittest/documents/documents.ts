import type { GoMap, Value } from '../../go/value.ts';
import { GoError } from '../../go/value.ts';
import { readAny } from '../../render/yaml-values.ts';
import { readYamlNode, withoutAlias, writeYamlPretty, type YamlNode } from '../../yaml/index.ts';
import { readPath } from '../path/path.ts';
import { wrongTypeMessage } from './wrong-type.ts';

/** A rendered document; the text of a file that is no YAML is below `raw`. */
export type Document = GoMap;

const blank = /[\t\n\f\r ]/;

/**
 * The documents of a text, split at each line that begins with `---`: the white space around it goes. Some may be empty.
 * Helm's pattern for it is `(?:^|\s*\n)---\s*`.
 */
export function splitDocuments(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = separatorAt(text, 0); at >= 0; at = separatorAt(text, start)) {
    parts.push(withoutEnd(text.slice(start, at)));
    start = at + 3;
    while (start < text.length && blank.test(text.charAt(start))) start += 1;
  }
  return [...parts, text.slice(start)];
}

function separatorAt(text: string, from: number): number {
  if (from === 0 && text.startsWith('---')) return 0;
  const at = text.indexOf('\n---', from);
  return at < 0 ? -1 : at + 1;
}

function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && blank.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const known = new Map<string, readonly Document[]>();
let knownLength = 0;
const mostKnownLength = 32_000_000;

/** The documents of a rendered file that have content. Nobody may change them. Throws GoError. */
export function readDocuments(rendered: string): readonly Document[] {
  const found = known.get(rendered);
  if (found !== undefined) return found;
  const parts = splitDocuments(rendered);
  const documents = parts.flatMap((part, index) => {
    // All but the last one end in a line break: a block of text in it does too.
    const document = readAnyMap(index < parts.length - 1 ? `${part}\n` : part);
    return document.size === 0 ? [] : [document];
  });
  if (knownLength > mostKnownLength) {
    known.clear();
    knownLength = 0;
  }
  known.set(rendered, documents);
  knownLength += rendered.length;
  return documents;
}

/** A document as Go reads it into a map; one without content has no keys. Throws GoError. */
export function readAnyMap(text: string): GoMap {
  const value = readAny(text);
  if (value === null) return new Map();
  if (value instanceof Map) return value;
  throw new GoError(wrongTypeMessage(withoutAlias(readYamlNode(text) as YamlNode), 'map[string]interface {}'));
}

const readAgain = new WeakMap<Document, Value>();

/**
 * What a path finds in a document: an empty path the document itself. Throws GoError. As helm-unittest does, the document is
 * written as YAML and read again first: 1.0 becomes the integer 1.
 */
export function valuesAt(document: Document, path: string): readonly Value[] {
  if (path === '') return [document];
  let again = readAgain.get(document);
  if (again === undefined) {
    again = readAny(writeYamlPretty(document));
    readAgain.set(document, again);
  }
  return readPath(path)(again);
}
