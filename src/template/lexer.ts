import { sprintf } from '../go/fmt/format.ts';
import { quote } from '../go/strconv/strconv.ts';
import { byteLength } from '../go/text.ts';
import { isLetterOrDigit } from '../go/unicode.ts';
import { goInt } from '../go/value.ts';

export type Keyword =
  | 'block'
  | 'break'
  | 'continue'
  | 'define'
  | 'else'
  | 'end'
  | 'if'
  | 'nil'
  | 'range'
  | 'template'
  | 'with';

export type TokenKind =
  | Keyword
  | 'assign'
  | 'bool'
  | 'char'
  | 'char-constant'
  | 'complex'
  | 'declare'
  | 'dot'
  | 'eof'
  | 'error'
  | 'field'
  | 'identifier'
  | 'known-action'
  | 'left-delimiter'
  | 'left-paren'
  | 'number'
  | 'pipe'
  | 'raw-string'
  | 'right-delimiter'
  | 'right-paren'
  | 'string'
  | 'text'
  | 'variable';

/**
 * The tokens of a source, in order, up to its end or to the first error. They are read when they are asked for, action by
 * action: who asks for the next action forgets the one before. They are kept in columns, and texts are worked out when
 * asked for: most of a template is read once, by code that is not yet warm. Spaces inside actions are no tokens, but gaps
 * between them.
 */
export class Tokens {
  readonly source: string;
  private readonly lexer: Lexer;
  private isComplete = false;
  /** The number of the first token that is kept, and how many there are. */
  private first = 0;
  private count = 0;
  private readonly kinds: TokenKind[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private error = '';

  /** Reads a template source as tokens; a mistake becomes the last of them. */
  constructor(source: string, options: LexerOptions) {
    this.source = source;
    this.lexer = new Lexer(source, this, options);
  }

  add(kind: TokenKind, start: number, end: number): void {
    const { count } = this;
    this.kinds[count] = kind;
    this.starts[count] = start;
    this.ends[count] = end;
    this.count = count + 1;
  }

  addError(message: string, start: number): void {
    this.error = message;
    this.add('error', start, start);
  }

  /** Of a token after the last: the end. */
  kind(index: number): TokenKind {
    while (index >= this.first + this.count && !this.isComplete) {
      this.first += this.count;
      this.count = 0;
      this.isComplete = !this.lexer.readAction();
    }
    return index < this.first + this.count ? (this.kinds[index - this.first] as TokenKind) : 'eof';
  }

  /** The index of the token's first character in the source. */
  position(index: number): number {
    return index < this.first + this.count ? (this.starts[index - this.first] as number) : this.source.length;
  }

  /** The index of the first character after the token. */
  end(index: number): number {
    return index < this.first + this.count ? (this.ends[index - this.first] as number) : this.source.length;
  }

  /** The token's source text; of an error, its message. */
  text(index: number): string {
    return this.kind(index) === 'error' ? this.error : this.source.slice(this.position(index), this.end(index));
  }

  /** Whether spaces are before the token. */
  hasSpaceBefore(index: number): boolean {
    return this.position(index) > this.end(index - 1);
  }

  /** A token as error messages show it: Go's item.String. */
  describe(index: number): string {
    const kind = this.kind(index);
    const text = this.text(index);
    if (kind === 'eof') return 'EOF';
    if (kind === 'error') return text;
    if (kind === 'dot' || keywords.has(kind as Keyword)) return `<${text}>`;
    return byteLength(text) > 10 ? sprintf('%.10q...', text) : quote(text);
  }
}

/** What begins an action and what ends it. */
export interface Delimiters {
  readonly left: string;
  readonly right: string;
}

export const goDelimiters: Delimiters = { left: '{{', right: '}}' };

/** `hasBreak` and `hasContinue` are false where a function of that name takes the keyword's place. */
export interface LexerOptions {
  readonly delimiters: Delimiters;
  readonly hasBreak: boolean;
  readonly hasContinue: boolean;
  /** Whether the text is an action that need not be read again: then it is a `known-action` and its right delimiter. */
  readonly isKnown: (action: string) => boolean;
}

/** An action of so many characters is worth remembering; longer ones are texts in quotes. */
export const longestKnownAction = 400;

const keywords: ReadonlySet<Keyword> = new Set<Keyword>([
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
]);

// Regular expressions run at full speed from the first template on, loops over characters do not.
const spaces = /[ \t\r\n]*/y;
const word = /[A-Za-z0-9_]*/y;
const quotedString = /"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"/y;
const characterConstant = /'[^'\\\n]*(?:\\[^\n][^'\\\n]*)*'/y;
const number =
  /[+-]?(?:0[xX][0-9a-fA-F_]*\.?[0-9a-fA-F_]*(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*\.?[0-7_]*|0[bB][01_]*\.?[01_]*|[0-9_]*\.?[0-9_]*(?:[eE][+-]?[0-9_]*)?)i?/y;

/** "- " after a left delimiter, " -" before a right one. */
const trimMarkerWidth = 2;

class Lexer {
  private readonly source: string;
  private readonly options: LexerOptions;
  private readonly left: string;
  private readonly right: string;
  /** The first character of the right delimiter. */
  private readonly rightCode: number;
  private readonly tokens: Tokens;
  private position = 0;
  private actionStart = 0;
  private parenDepth = 0;

  constructor(source: string, tokens: Tokens, options: LexerOptions) {
    this.source = source;
    this.options = options;
    this.left = options.delimiters.left;
    this.right = options.delimiters.right;
    this.rightCode = this.right.charCodeAt(0);
    this.tokens = tokens;
  }

  /** Reads to the end of the next action; whether there is one, free of errors. */
  readAction(): boolean {
    return this.text() && (this.knownAction() || this.action());
  }

  /** Everything up to the next action, comments included; whether there is one. Its left delimiter is read. */
  private text(): boolean {
    const { source, left } = this;
    for (;;) {
      const start = this.position;
      const found = source.indexOf(left, start);
      if (found < 0) {
        if (start < source.length) this.tokens.add('text', start, source.length);
        return false;
      }
      const afterLeft = found + left.length;
      const isTrimmed = this.hasLeftTrim(afterLeft);
      const end = isTrimmed ? this.trimmedEnd(start, found) : found;
      if (end > start) this.tokens.add('text', start, end);
      this.position = isTrimmed ? afterLeft + trimMarkerWidth : afterLeft;
      if (!source.startsWith('/*', this.position)) {
        this.actionStart = found;
        return true;
      }
      if (!this.comment()) return false;
    }
  }

  private trimmedEnd(start: number, end: number): number {
    const trimmed = start + this.source.slice(start, end).trimEnd().length;
    // JavaScript trims more kinds of space than Go's four.
    if (endOf(spaces, this.source, trimmed) >= end) return trimmed;
    let last = end;
    while (isSpace(this.source.charCodeAt(last - 1))) last -= 1;
    return last;
  }

  private hasLeftTrim(index: number): boolean {
    return this.source.charCodeAt(index) === 0x2d && isSpace(this.source.charCodeAt(index + 1));
  }

  /** A comment, which yields no token; whether it is whole. */
  private comment(): boolean {
    const start = this.position;
    const end = this.source.indexOf('*/', start + 2);
    if (end < 0) return this.fail('unclosed comment', start);
    this.position = end + 2;
    const width = this.rightDelimiterWidth();
    if (width === 0) return this.fail('comment ends before closing delimiter', start);
    this.position += width;
    if (width > this.right.length) this.skipSpaces();
    return true;
  }

  /** The width of the right delimiter at the position, with its trim marker; 0 where there is none. */
  private rightDelimiterWidth(): number {
    const { source, position, right } = this;
    const isTrimmed = isSpace(source.charCodeAt(position)) && source.charCodeAt(position + 1) === 0x2d;
    if (isTrimmed && source.startsWith(right, position + trimMarkerWidth)) return trimMarkerWidth + right.length;
    return source.startsWith(right, position) ? right.length : 0;
  }

  private skipSpaces(): void {
    this.position = endOf(spaces, this.source, this.position);
  }

  private knownAction(): boolean {
    const { source, right, actionStart: start } = this;
    const delimiter = source.indexOf(right, this.position);
    const end = delimiter + right.length;
    if (delimiter < 0 || end - start > longestKnownAction || !this.options.isKnown(source.slice(start, end)))
      return false;
    this.tokens.add('known-action', start, delimiter);
    const isTrimmed = source.charCodeAt(delimiter - 1) === 0x2d && isSpace(source.charCodeAt(delimiter - 2));
    return this.rightDelimiter(delimiter, isTrimmed);
  }

  /** The tokens of an action, its right delimiter included; whether they are free of errors. */
  private action(): boolean {
    const { source, right } = this;
    this.tokens.add('left-delimiter', this.actionStart, this.actionStart + this.left.length);
    this.parenDepth = 0;
    for (;;) {
      let code = source.charCodeAt(this.position);
      if (isSpace(code)) {
        this.skipSpaces();
        code = source.charCodeAt(this.position);
        // The last space belongs to the delimiter where a trim marker follows it.
        if (code === 0x2d && source.startsWith(right, this.position + 1))
          return this.rightDelimiter(this.position + 1, true);
      }
      if (code === this.rightCode && source.startsWith(right, this.position))
        return this.rightDelimiter(this.position, false);
      if (!this.token(code)) return false;
    }
  }

  private rightDelimiter(start: number, isTrimmed: boolean): boolean {
    if (this.parenDepth > 0) return this.fail('unclosed left paren', isTrimmed ? start - trimMarkerWidth : start);
    const end = start + this.right.length;
    this.tokens.add('right-delimiter', start, end);
    this.position = end;
    if (isTrimmed) this.skipSpaces();
    return true;
  }

  private token(code: number): boolean {
    switch (code) {
      case 0x2e: // .
        return isDigit(this.source.charCodeAt(this.position + 1)) || this.position + 1 >= this.source.length
          ? this.number()
          : this.fieldOrVariable('field', 'dot');
      case 0x22: // "
        return this.quoted(quotedString, 'string', 'unterminated quoted string');
      case 0x24: // $
        return this.fieldOrVariable('variable', 'variable');
      case 0x28: // (
        this.parenDepth += 1;
        return this.character('left-paren');
      case 0x29: // )
        if (this.parenDepth === 0) return this.fail('unexpected right paren', this.position);
        this.parenDepth -= 1;
        return this.character('right-paren');
      case 0x7c: // |
        return this.character('pipe');
      case 0x3d: // =
        return this.character('assign');
      case 0x3a: // :
        return this.declare();
      case 0x60: // `
        return this.rawString();
      case 0x27: // '
        return this.quoted(characterConstant, 'char-constant', 'unterminated character constant');
      case 0x2b: // +
      case 0x2d: // -
        return this.number();
      default:
        if (isDigit(code)) return this.number();
        return letterWidth(this.source, this.position) > 0 ? this.identifier() : this.otherCharacter(code);
    }
  }

  private otherCharacter(code: number): boolean {
    const { position } = this;
    if (Number.isNaN(code)) return this.fail('unclosed action', position);
    if (code > 0x20 && code < 0x7f) return this.character('char');
    return this.fail(`unrecognized character in action: ${describeRune(this.source, position)}`, position);
  }

  private character(kind: TokenKind): boolean {
    return this.emit(kind, this.position + 1);
  }

  private emit(kind: TokenKind, end: number): boolean {
    this.tokens.add(kind, this.position, end);
    this.position = end;
    return true;
  }

  private declare(): boolean {
    if (this.source.charCodeAt(this.position + 1) !== 0x3d) return this.fail('expected :=', this.position);
    return this.emit('declare', this.position + 2);
  }

  private identifier(): boolean {
    const end = this.wordEnd(this.position);
    if (!this.isTerminator(end)) return this.badCharacter(end);
    return this.emit(this.kindOfWord(this.source.slice(this.position, end)), end);
  }

  private kindOfWord(text: string): TokenKind {
    if (text === 'true' || text === 'false') return 'bool';
    if (!keywords.has(text as Keyword)) return 'identifier';
    const isFunction =
      (text === 'break' && !this.options.hasBreak) || (text === 'continue' && !this.options.hasContinue);
    return isFunction ? 'identifier' : (text as Keyword);
  }

  /** "." or "$", and the name after it. */
  private fieldOrVariable(kind: 'field' | 'variable', bareKind: 'dot' | 'variable'): boolean {
    const start = this.position + 1;
    if (this.isTerminator(start)) return this.emit(bareKind, start);
    const end = this.wordEnd(start);
    return this.isTerminator(end) ? this.emit(kind, end) : this.badCharacter(end);
  }

  private wordEnd(start: number): number {
    let end = endOf(word, this.source, start);
    while (this.source.charCodeAt(end) >= 0x80) {
      const width = letterWidth(this.source, end);
      if (width === 0) break;
      end = endOf(word, this.source, end + width);
    }
    return end;
  }

  private badCharacter(index: number): boolean {
    return this.fail(`bad character ${describeRune(this.source, index)}`, this.position);
  }

  private isTerminator(index: number): boolean {
    const code = this.source.charCodeAt(index);
    switch (code) {
      case 0x20:
      case 0x09:
      case 0x0d:
      case 0x0a:
      case 0x2e: // .
      case 0x2c: // ,
      case 0x7c: // |
      case 0x3a: // :
      case 0x28: // (
      case 0x29: // )
        return true;
      default:
        return Number.isNaN(code) || (code === this.rightCode && this.source.startsWith(this.right, index));
    }
  }

  private quoted(pattern: RegExp, kind: TokenKind, unterminated: string): boolean {
    const end = endOf(pattern, this.source, this.position);
    return end > this.position ? this.emit(kind, end) : this.fail(unterminated, this.position);
  }

  private rawString(): boolean {
    const end = this.source.indexOf('`', this.position + 1);
    return end < 0 ? this.fail('unterminated raw quoted string', this.position) : this.emit('raw-string', end + 1);
  }

  /** number := [sign] [0x | 0o | 0b] digits ["." digits] [exponent] ["i"], or two of them as a complex number. */
  private number(): boolean {
    const end = endOf(number, this.source, this.position);
    const width = letterWidth(this.source, end);
    if (width > 0) return this.badNumber(end + width);
    const sign = this.source[end];
    if (sign !== '+' && sign !== '-') return this.emit('number', end);
    const secondEnd = endOf(number, this.source, end);
    const secondWidth = letterWidth(this.source, secondEnd);
    if (secondWidth > 0 || this.source[secondEnd - 1] !== 'i') return this.badNumber(secondEnd + secondWidth);
    return this.emit('complex', secondEnd);
  }

  private badNumber(end: number): boolean {
    return this.fail(`bad number syntax: ${quote(this.source.slice(this.position, end))}`, this.position);
  }

  private fail(message: string, start: number): false {
    this.tokens.addError(message, start);
    return false;
  }
}

/** Where the match of a sticky pattern at `start` ends; `start` where there is none. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** How many UTF-16 units the letter, digit or underscore at `index` takes; 0 where there is none. */
function letterWidth(text: string, index: number): 0 | 1 | 2 {
  const code = text.charCodeAt(index);
  if (code < 0x80) {
    const lower = code | 0x20;
    return (lower >= 0x61 && lower <= 0x7a) || isDigit(code) || code === 0x5f ? 1 : 0;
  }
  if (Number.isNaN(code)) return 0;
  const rune = text.codePointAt(index) as number;
  return isLetterOrDigit(rune) ? (rune > 0xffff ? 2 : 1) : 0;
}

/** `U+0040 '@'`. A byte that is not UTF-8 counts as U+FFFD. */
function describeRune(text: string, index: number): string {
  const code = text.codePointAt(index) as number;
  return sprintf('%#U', goInt(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code));
}
