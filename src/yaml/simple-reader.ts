import { emptyLines, endOf, plainWords } from './chars.ts';
import { Cursor } from './cursor.ts';
import type { Shape } from './decode.ts';
import { resolvePlain } from './resolve.ts';
import { scanBlockScalar, scanPlain, scanQuoted } from './scan-scalars.ts';
import { YamlProblem } from './tokens.ts';

/**
 * The value of a text that keeps to the YAML which people and toYaml write: block collections, scalars of every style,
 * flow lists of scalars. Undefined where the text has anything else (anchors, tags, tabs, several documents), a mistake
 * included: then {@link Parser} decides. It gives what the parser and `decode` give, in a quarter of their time.
 * `text` is free of byte order marks and control characters.
 */
export function readSimple<T>(text: string, shape: Shape<T>, isStrict: boolean): T | undefined {
  const start = endOf(emptyLines, text, 0);
  const body = text.startsWith(documentStart, start) ? text.slice(start + documentStart.length) : text;
  if (notSimpleAnywhere.test(body)) return undefined;
  try {
    return new SimpleReader(body, shape, isStrict).document();
  } catch (error) {
    if (error instanceof NotSimple || error instanceof YamlProblem) return undefined;
    throw error;
  }
}

class NotSimple extends Error {}

// An Error takes its time to be made, and charts with anchors are not rare.
const notSimple = new NotSimple();

/** Tabs, line breaks other than LF, document indicators, directives. */
const notSimpleAnywhere = /[\t\r\x85\u2028\u2029]|\n(?:---|\.\.\.)|^[%.]/;

const documentStart = '---\n';
const spaces = / */y;
const plainKey = /[A-Za-z0-9_./][A-Za-z0-9_./@-]*:(?=[ \n\0])/y;
const quotedKey = /(?:"[^"\\\n]*"|'[^'\n]*'):(?=[ \n\0])/y;
/** What may appear behind a value: spaces and a comment, up to the end of the line. */
const lineEnd = / *(?:(?<= )#[^\n\0]*)?(?=[\n\0])/y;
const plainStart = /[^\s\-?:,[\]{}#&*!|>'"%@`\0]|[-?:](?=[^ \n\0])/y;
const simpleQuoted = /"([^"\\\n]*)"|'([^'\n]*)'/y;
const flowItem =
  / *(?:"([^"\\\n]*)"|'([^'\n]*)'|([A-Za-z0-9_./](?:[A-Za-z0-9_./@=+-]| (?=[A-Za-z0-9_])){0,1000})) *(?=[,\]])/y;

const longestKey = 1000;
const deepest = 200;

class SimpleReader<T> {
  private readonly cursor: Cursor;
  private readonly shape: Shape<T>;
  private readonly isStrict: boolean;
  private depth = 0;

  constructor(text: string, shape: Shape<T>, isStrict: boolean) {
    this.cursor = new Cursor(text);
    this.shape = shape;
    this.isStrict = isStrict;
    this.toContent();
  }

  /** The column of the next content; left of all others at the end of the text. */
  private get column(): number {
    return this.cursor.code === 0 ? -1 : this.cursor.column;
  }

  document(): T {
    if (this.column !== 0) throw notSimple;
    const value = this.collection(-1);
    if (value === undefined || this.column >= 0) throw notSimple;
    return value;
  }

  /** A mapping or a sequence that begins here, right of `parentIndent`; undefined where none does. */
  private collection(parentIndent: number): T | undefined {
    const { column } = this;
    if (column <= parentIndent) return undefined;
    if (this.isAtEntry()) return this.sequence(column);
    const key = this.key();
    return key === undefined ? undefined : this.mapping(key, column);
  }

  private mapping(firstKey: string, column: number): T {
    const entries = new Map<string, T>();
    this.enter();
    for (let key: string | undefined = firstKey; ; key = this.key()) {
      if (key === undefined || (this.isStrict && entries.has(key))) throw notSimple;
      entries.set(key, this.mappingValue(column));
      if (this.column < column) break;
      if (this.column > column) throw notSimple;
    }
    this.depth -= 1;
    return this.shape.map(entries);
  }

  private mappingValue(column: number): T {
    if (!this.skipLineEnd()) return this.inlineScalar(column);
    if (this.column === column && this.isAtEntry()) return this.sequence(column);
    return this.nestedBlock(column);
  }

  private sequence(column: number): T {
    const { cursor } = this;
    const items: T[] = [];
    this.enter();
    do {
      cursor.at += 1;
      items.push(this.item(column));
    } while (this.column === column && this.isAtEntry());
    if (this.column > column) throw notSimple;
    this.depth -= 1;
    return this.shape.list(items);
  }

  private item(column: number): T {
    const { cursor } = this;
    if (this.skipLineEnd()) return this.nestedBlock(column);
    cursor.at = endOf(spaces, cursor.text, cursor.at);
    return this.collection(column) ?? this.inlineScalar(column);
  }

  /** What is on the lines below a key or a dash. */
  private nestedBlock(column: number): T {
    if (this.column <= column) return this.shape.scalar(null);
    return this.collection(column) ?? this.inlineScalar(column);
  }

  private enter(): void {
    this.depth += 1;
    if (this.depth > deepest) throw notSimple;
  }

  private isAtEntry(): boolean {
    const { cursor } = this;
    if (cursor.code !== 0x2d /* - */) return false;
    const next = cursor.codeAt(1);
    return next === 0x20 || next === 0x0a || next === 0;
  }

  /** The text of a key that is nothing but text; the cursor goes behind its colon. */
  private key(): string | undefined {
    const { cursor } = this;
    const { at: start, text } = cursor;
    const isQuoted = cursor.code === 0x22 /* " */ || cursor.code === 0x27; /* ' */
    const end = endOf(isQuoted ? quotedKey : plainKey, text, start);
    if (end === start) return undefined;
    const key = isQuoted ? text.slice(start + 1, end - 2) : text.slice(start, end - 1);
    if (end - start > longestKey || !(isQuoted || resolvePlain(key).kind === 'str')) throw notSimple;
    cursor.at = end;
    return key;
  }

  /** A scalar or flow collection whose lines are to be right of `column`; the cursor goes to the next content. */
  private inlineScalar(column: number): T {
    const { cursor } = this;
    cursor.at = endOf(spaces, cursor.text, cursor.at);
    switch (cursor.code) {
      case 0x22 /* " */:
      case 0x27 /* ' */:
        return this.quoted();
      case 0x7c /* | */:
      case 0x3e /* > */:
        return this.block(column);
      case 0x5b /* [ */:
        return this.flowSequence();
      case 0x7b /* { */:
        return this.emptyMapping();
      default:
        return this.plain(column);
    }
  }

  private quoted(): T {
    const { cursor } = this;
    simpleQuoted.lastIndex = cursor.at;
    const match = simpleQuoted.exec(cursor.text);
    const isSimple = match !== null && cursor.text.charCodeAt(simpleQuoted.lastIndex) !== 0x27;
    let value: string;
    if (isSimple) {
      value = match[1] ?? match[2] ?? '';
      cursor.at = simpleQuoted.lastIndex;
    } else {
      value = scanQuoted(cursor);
    }
    this.requireLineEnd();
    return this.shape.scalar(value);
  }

  private block(column: number): T {
    const { cursor } = this;
    const value = scanBlockScalar(cursor, column);
    if (cursor.code !== 0) this.backToLineStart();
    return this.shape.scalar(value);
  }

  private flowSequence(): T {
    const { cursor, shape } = this;
    const { text } = cursor;
    const items: T[] = [];
    cursor.at = endOf(spaces, text, cursor.at + 1);
    if (cursor.code !== 0x5d /* ] */) {
      do {
        flowItem.lastIndex = cursor.at;
        const match = flowItem.exec(text);
        if (match === null) throw notSimple;
        const [whole, double, single, plain] = match;
        items.push(plain === undefined ? shape.scalar(double ?? single ?? '') : this.meaning(plain));
        cursor.at += whole.length + 1;
      } while (text.charCodeAt(cursor.at - 1) === 0x2c /* , */);
      cursor.at -= 1;
    }
    cursor.at += 1;
    this.requireLineEnd();
    return shape.list(items);
  }

  private emptyMapping(): T {
    const { cursor } = this;
    cursor.at = endOf(spaces, cursor.text, cursor.at + 1);
    if (cursor.code !== 0x7d /* } */) throw notSimple;
    cursor.at += 1;
    this.requireLineEnd();
    return this.shape.map(new Map());
  }

  private plain(column: number): T {
    const { cursor } = this;
    const { text, at: start } = cursor;
    if (endOf(plainStart, text, start) === start) throw notSimple;
    cursor.at = endOf(plainWords, text, start);
    const value = text.slice(start, cursor.at);
    this.requireLineEnd();
    if (this.column <= column) return this.meaning(value);
    return this.longPlain(start, column);
  }

  /** A plain scalar of several lines; the reader is on its second one. */
  private longPlain(start: number, column: number): T {
    const { cursor } = this;
    cursor.at = start;
    cursor.lineStart = cursor.text.lastIndexOf('\n', start) + 1;
    const { value, endsAtNewLine } = scanPlain(cursor, column + 1, false);
    if (endsAtNewLine) this.backToLineStart();
    else this.requireLineEnd();
    if (this.column > column) throw notSimple;
    return this.meaning(value);
  }

  /** A scanner goes on into the line that ends its scalar. */
  private backToLineStart(): void {
    this.cursor.at = this.cursor.lineStart;
    this.toContent();
  }

  private meaning(text: string): T {
    const { shape } = this;
    const scalar = resolvePlain(text);
    switch (scalar.kind) {
      case 'null':
        return shape.scalar(null);
      case 'bool':
        return shape.scalar(scalar.value);
      case 'int':
        return shape.integer(scalar.value);
      case 'float':
        if (!Number.isFinite(scalar.value)) throw notSimple;
        return shape.scalar(scalar.value);
      default:
        return shape.scalar(text);
    }
  }

  private requireLineEnd(): void {
    if (!this.skipLineEnd()) throw notSimple;
  }

  /** Where nothing but a comment follows on this line: goes to the next content. */
  private skipLineEnd(): boolean {
    const { cursor } = this;
    const { text } = cursor;
    lineEnd.lastIndex = cursor.at;
    if (!lineEnd.test(text)) return false;
    cursor.at = lineEnd.lastIndex;
    if (cursor.code === 0) return true;
    this.startLine(cursor.at + 1);
    this.toContent();
    return true;
  }

  private startLine(at: number): void {
    this.cursor.at = at;
    this.cursor.lineStart = at;
  }

  /** From the start of a line over blank lines and comments to the first character of content, or to the end. */
  private toContent(): void {
    const { cursor } = this;
    const { text } = cursor;
    this.startLine(endOf(emptyLines, text, cursor.at));
    cursor.at = endOf(spaces, text, cursor.at);
    if (cursor.code === 0x23 /* # */) cursor.at = text.length - 1; // A comment without a line feed ends the text.
  }
}
