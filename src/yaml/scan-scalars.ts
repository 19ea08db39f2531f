import {
  codeOf,
  endOf,
  hexDigit,
  isBlank,
  isBlankBreakOrEnd,
  isBreak,
  isBreakOrEnd,
  isDigit,
  plainFlowWord,
  plainWords,
  restOfLine,
  unescapedWord,
} from './chars.ts';
import type { Cursor } from './cursor.ts';

/** A line break inside a scalar folds to a space, and each further one stays; U+2028 and U+2029 are kept. */
const fold = (first: string, further: string): string =>
  first === '\n' ? (further === '' ? ' ' : further) : first + further;

/** Blanks and line breaks between two words of a plain or quoted scalar. */
class Gap {
  private blanks = '';
  private firstBreak = '';
  private furtherBreaks = '';
  hasBreak = false;

  /** Moves over white space. `onIndentationTab` hears of a tab left of `indent` after a line break. */
  read(cursor: Cursor, indent: number, onIndentationTab: () => void): void {
    const start = cursor.at;
    for (;;) {
      const { code } = cursor;
      if (isBlank(code)) {
        if (this.hasBreak && code === 0x09 && cursor.column < indent) onIndentationTab();
        cursor.at += 1;
      } else if (isBreak(code)) {
        if (this.hasBreak) this.furtherBreaks += cursor.readBreak();
        else this.startLine(cursor.readBreak());
      } else {
        break;
      }
    }
    if (!this.hasBreak) this.blanks += cursor.text.slice(start, cursor.at);
  }

  startLine(firstBreak: string): void {
    this.blanks = '';
    this.firstBreak = firstBreak;
    this.hasBreak = true;
  }

  /** What is between the words, and begins anew. */
  take(): string {
    const text = this.hasBreak ? this.joined() : this.blanks;
    this.blanks = '';
    this.firstBreak = '';
    this.furtherBreaks = '';
    this.hasBreak = false;
    return text;
  }

  // An escaped line break has no first break: nothing joins the lines but further breaks.
  private joined(): string {
    return this.firstBreak === '' ? this.furtherBreaks : fold(this.firstBreak, this.furtherBreaks);
  }
}

const ignoreTabs = (): void => undefined;

export interface PlainScalar {
  readonly value: string;
  /** Whether a line break followed: then a simple key may begin. */
  readonly endsAtNewLine: boolean;
}

/** A scalar without quotes; it ends before ": ", " #", a document indicator, a lesser indentation, or a flow indicator. */
export function scanPlain(cursor: Cursor, indent: number, inFlow: boolean): PlainScalar {
  const gap = new Gap();
  let value = '';
  for (;;) {
    if (cursor.isAtDocumentIndicator() || cursor.code === codeOf('#')) break;
    const word = scanPlainWord(cursor, inFlow);
    if (word !== '') value += gap.take() + word;
    if (!isBlank(cursor.code) && !isBreak(cursor.code)) break;
    gap.read(cursor, indent, () => cursor.fail('found a tab character that violates indentation'));
    if (!inFlow && cursor.column < indent) break;
  }
  return { value, endsAtNewLine: gap.hasBreak };
}

function scanPlainWord(cursor: Cursor, inFlow: boolean): string {
  const { text, at: start } = cursor;
  cursor.at = endOf(inFlow ? plainFlowWord : plainWords, text, start);
  return text.slice(start, cursor.at);
}

/** A scalar in single or double quotes; the cursor is on the first quote. */
export function scanQuoted(cursor: Cursor): string {
  const quote = cursor.code;
  const gap = new Gap();
  const start = cursor.mark();
  let value = '';
  cursor.at += 1;
  for (;;) {
    if (cursor.isAtDocumentIndicator()) cursor.fail('found unexpected document indicator', start);
    if (cursor.code === 0) cursor.fail('found unexpected end of stream', start);
    value += quote === codeOf("'") ? scanSingleQuotedWord(cursor) : scanDoubleQuotedWord(cursor, gap);
    if (cursor.code === quote) break;
    gap.read(cursor, 0, ignoreTabs);
    value += gap.take();
  }
  cursor.at += 1;
  return value;
}

function scanSingleQuotedWord(cursor: Cursor): string {
  let value = '';
  let start = cursor.at;
  for (;;) {
    const { code } = cursor;
    if (isBlankBreakOrEnd(code)) break;
    if (code === codeOf("'")) {
      if (cursor.codeAt(1) !== code) break;
      value += cursor.text.slice(start, cursor.at + 1);
      cursor.at += 2;
      start = cursor.at;
    } else {
      cursor.at += 1;
    }
  }
  return value + cursor.text.slice(start, cursor.at);
}

/** Up to white space, the closing quote, or an escaped line break, which `gap` then knows of. */
function scanDoubleQuotedWord(cursor: Cursor, gap: Gap): string {
  let value = '';
  let start = cursor.at;
  for (;;) {
    const { code } = cursor;
    if (code === codeOf('"') || isBlankBreakOrEnd(code)) break;
    if (code !== codeOf('\\')) {
      cursor.at = endOf(unescapedWord, cursor.text, cursor.at);
      continue;
    }
    value += cursor.text.slice(start, cursor.at);
    if (isBreak(cursor.codeAt(1))) {
      cursor.at += 1;
      cursor.skipLine();
      gap.startLine('');
      return value;
    }
    value += scanEscape(cursor);
    start = cursor.at;
  }
  return value + cursor.text.slice(start, cursor.at);
}

const escapes = new Map<number, string>(
  Object.entries({
    '0': '\0',
    a: '\x07',
    b: '\b',
    t: '\t',
    '\t': '\t',
    n: '\n',
    v: '\v',
    f: '\f',
    r: '\r',
    e: '\x1b',
    ' ': ' ',
    '"': '"',
    "'": "'",
    '\\': '\\',
    N: '\x85',
    _: '\xa0',
    L: '\u2028',
    P: '\u2029',
  }).map(([letter, text]) => [codeOf(letter), text]),
);

const hexLengths = new Map([
  [codeOf('x'), 2],
  [codeOf('u'), 4],
  [codeOf('U'), 8],
]);

function scanEscape(cursor: Cursor): string {
  const letter = cursor.codeAt(1);
  const simple = escapes.get(letter);
  if (simple !== undefined) {
    cursor.at += 2;
    return simple;
  }
  const length = hexLengths.get(letter);
  if (length === undefined) cursor.fail('found unknown escape character');
  cursor.at += 2;
  let value = 0;
  for (let distance = 0; distance < length; distance++) {
    const digit = hexDigit(cursor.codeAt(distance));
    if (digit < 0) cursor.fail('did not find expected hexdecimal number');
    value = value * 16 + digit;
  }
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) {
    cursor.fail('found invalid Unicode character escape code');
  }
  cursor.at += length;
  return String.fromCodePoint(value);
}

type Chomping = 'strip' | 'clip' | 'keep';

/** A literal (|) or folded (>) block; `parentIndent` is the indentation of the node that holds it, -1 for none. */
export function scanBlockScalar(cursor: Cursor, parentIndent: number): string {
  const isFolded = cursor.code === codeOf('>');
  cursor.at += 1;
  const { chomping, increment } = scanBlockHeader(cursor);
  let indent = increment > 0 ? Math.max(parentIndent, 0) + increment : 0;
  const leading = scanBlockBreaks(cursor, indent, parentIndent);
  indent = leading.indent;
  let furtherBreaks = leading.breaks;
  let firstBreak = '';
  let startedBlank = false;
  let value = '';
  while (cursor.column === indent && cursor.code !== 0) {
    const startsBlank = isBlank(cursor.code);
    if (isFolded && firstBreak === '\n' && !startedBlank && !startsBlank) value += fold(firstBreak, furtherBreaks);
    else value += firstBreak + furtherBreaks;
    startedBlank = startsBlank;
    value += scanRestOfLine(cursor);
    firstBreak = isBreak(cursor.code) ? cursor.readBreak() : '';
    furtherBreaks = scanBlockBreaks(cursor, indent, parentIndent).breaks;
  }
  if (chomping !== 'strip') value += firstBreak;
  if (chomping === 'keep') value += furtherBreaks;
  return value;
}

function scanRestOfLine(cursor: Cursor): string {
  const { text, at: start } = cursor;
  cursor.at = endOf(restOfLine, text, start);
  return text.slice(start, cursor.at);
}

/** The chomping and indentation indicators in either order, then nothing but a comment. */
function scanBlockHeader(cursor: Cursor): { chomping: Chomping; increment: number } {
  let chomping = scanChomping(cursor);
  const increment = scanIncrement(cursor);
  if (chomping === undefined && increment > 0) chomping = scanChomping(cursor);
  while (isBlank(cursor.code)) cursor.at += 1;
  if (cursor.code === codeOf('#')) scanRestOfLine(cursor);
  if (!isBreakOrEnd(cursor.code)) cursor.fail('did not find expected comment or line break');
  cursor.skipLine();
  return { chomping: chomping ?? 'clip', increment };
}

function scanChomping(cursor: Cursor): Chomping | undefined {
  const { code } = cursor;
  if (code !== codeOf('+') && code !== codeOf('-')) return undefined;
  cursor.at += 1;
  return code === codeOf('+') ? 'keep' : 'strip';
}

function scanIncrement(cursor: Cursor): number {
  const { code } = cursor;
  if (!isDigit(code)) return 0;
  if (code === codeOf('0')) cursor.fail('found an indentation indicator equal to 0');
  cursor.at += 1;
  return code - codeOf('0');
}

/** Empty lines of a block, and its indentation where `indent` is 0: that of the deepest line up to the first text. */
function scanBlockBreaks(cursor: Cursor, indent: number, parentIndent: number): { breaks: string; indent: number } {
  let breaks = '';
  let deepest = 0;
  const isInIndentation = (): boolean => indent === 0 || cursor.column < indent;
  for (;;) {
    while (cursor.code === 0x20 && isInIndentation()) cursor.at += 1;
    deepest = Math.max(deepest, cursor.column);
    if (cursor.code === 0x09 && isInIndentation()) {
      cursor.fail('found a tab character where an indentation space is expected');
    }
    if (!isBreak(cursor.code)) break;
    breaks += cursor.readBreak();
  }
  return { breaks, indent: indent === 0 ? Math.max(deepest, parentIndent + 1, 1) : indent };
}
