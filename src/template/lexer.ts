import { sprintf } from '../support/go-format.ts';
import { quote } from '../support/strconv.ts';
import { byteLength } from '../support/text.ts';
import { isLetterOrDigit } from '../support/unicode.ts';
import { goInt } from '../support/value.ts';

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
  | 'left-delimiter'
  | 'left-paren'
  | 'number'
  | 'pipe'
  | 'raw-string'
  | 'right-delimiter'
  | 'right-paren'
  | 'space'
  | 'string'
  | 'text'
  | 'variable';

export interface Token {
  readonly kind: TokenKind;
  /** The index of its first character in the source. */
  readonly position: number;
  /** The source text; of an error, its message. */
  readonly text: string;
  /** The line of its first character, counted from 1. */
  readonly line: number;
}

/** A token as error messages show it: Go's item.String. */
export function describeToken(token: Token): string {
  if (token.kind === 'eof') return 'EOF';
  if (token.kind === 'error') return token.text;
  if (token.kind === 'dot' || keywords.has(token.kind as Keyword)) return `<${token.text}>`;
  return byteLength(token.text) > 10 ? sprintf('%.10q...', token.text) : quote(token.text);
}

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

const leftDelimiter = '{{';
const rightDelimiter = '}}';
const trimmedRightDelimiter = /[ \t\r\n]-\}\}/y;
const digitRuns = { decimal: /[0-9_]*/y, hexadecimal: /[0-9a-fA-F_]*/y, octal: /[0-7_]*/y, binary: /[01_]*/y } as const;

/** Reads a template source as tokens, one for each call of {@link Lexer.next}. After an error there is only the end. */
export class Lexer {
  private source: string;
  private position = 0;
  private start = 0;
  private line = 1;
  private isInsideAction = false;
  private parenDepth = 0;
  private readonly hasBreak: boolean;
  private readonly hasContinue: boolean;

  /** `hasBreak` and `hasContinue` are false where a function of that name takes the keyword's place. */
  constructor(source: string, { hasBreak = true, hasContinue = true } = {}) {
    this.source = source;
    this.hasBreak = hasBreak;
    this.hasContinue = hasContinue;
  }

  next(): Token {
    return this.isInsideAction ? this.insideAction() : this.text();
  }

  private token(kind: TokenKind): Token {
    const text = this.source.slice(this.start, this.position);
    const token: Token = { kind, position: this.start, text, line: this.line };
    this.start = this.position;
    return token;
  }

  /** As {@link token}, for tokens that may hold newlines. */
  private multilineToken(kind: TokenKind): Token {
    const token = this.token(kind);
    this.line += countNewlines(token.text);
    return token;
  }

  /** Skips to the current position. */
  private ignore(): void {
    for (let index = this.start; index < this.position; index++) {
      if (this.source.charCodeAt(index) === newline) this.line += 1;
    }
    this.start = this.position;
  }

  private error(message: string): Token {
    const token: Token = { kind: 'error', position: this.start, text: message, line: this.line };
    this.source = '';
    this.start = this.position = 0;
    return token;
  }

  private text(): Token {
    for (;;) {
      const found = this.source.indexOf(leftDelimiter, this.position);
      if (found < 0) {
        this.position = this.source.length;
        return this.position > this.start ? this.multilineToken('text') : this.token('eof');
      }
      this.position = this.hasLeftTrim(found + 2) ? this.trimmedEnd(found) : found;
      const text = this.position > this.start ? this.multilineToken('text') : undefined;
      this.position = found;
      this.ignore();
      if (text !== undefined) return text;
      const action = this.leftDelimiterOrComment();
      if (action !== undefined) return action;
    }
  }

  private trimmedEnd(end: number): number {
    let index = end;
    while (index > this.start && isSpace(this.source.charCodeAt(index - 1))) index -= 1;
    return index;
  }

  private hasLeftTrim(index: number): boolean {
    return this.source.charCodeAt(index) === 0x2d && isSpace(this.source.charCodeAt(index + 1));
  }

  /** The opening "{{"; undefined after a comment, which yields no token. */
  private leftDelimiterOrComment(): Token | undefined {
    this.position += leftDelimiter.length;
    const afterMarker = this.hasLeftTrim(this.position) ? 2 : 0;
    if (this.source.startsWith('/*', this.position + afterMarker)) {
      this.position += afterMarker;
      this.ignore();
      return this.comment();
    }
    const token = this.token('left-delimiter');
    this.isInsideAction = true;
    this.position += afterMarker;
    this.ignore();
    this.parenDepth = 0;
    return token;
  }

  private comment(): Token | undefined {
    const end = this.source.indexOf('*/', this.position + 2);
    if (end < 0) return this.error('unclosed comment');
    this.position = end + 2;
    const width = this.rightDelimiterWidth();
    if (width === 0) return this.error('comment ends before closing delimiter');
    this.position += width;
    if (width > 2) this.skipSpaces();
    this.ignore();
    return undefined;
  }

  /** The width of the right delimiter at the position, with its trim marker; 0 where there is none. */
  private rightDelimiterWidth(): number {
    if (this.source.startsWith(rightDelimiter, this.position)) return 2;
    trimmedRightDelimiter.lastIndex = this.position;
    return trimmedRightDelimiter.test(this.source) ? 4 : 0;
  }

  private skipSpaces(): void {
    while (isSpace(this.source.charCodeAt(this.position))) this.position += 1;
  }

  private rightDelimiter(width: number): Token {
    if (width > 2) {
      this.position += 2;
      this.ignore();
    }
    this.position += 2;
    const token = this.token('right-delimiter');
    if (width > 2) {
      this.skipSpaces();
      this.ignore();
    }
    this.isInsideAction = false;
    return token;
  }

  private insideAction(): Token {
    const width = this.rightDelimiterWidth();
    if (width > 0) return this.parenDepth === 0 ? this.rightDelimiter(width) : this.error('unclosed left paren');
    const code = this.source.charCodeAt(this.position);
    if (Number.isNaN(code)) return this.error('unclosed action');
    if (isSpace(code)) return this.spaces();
    if (letterWidth(this.source, this.position) > 0 && !isDigit(code)) return this.identifier();
    switch (code) {
      case 0x2e: // .
        return isDigit(this.source.charCodeAt(this.position + 1)) || this.position + 1 >= this.source.length
          ? this.number()
          : this.fieldOrVariable('field');
      case 0x22: // "
        return this.quoted('"', 'string', 'unterminated quoted string');
      case 0x24: // $
        return this.fieldOrVariable('variable');
      case 0x28: // (
        this.parenDepth += 1;
        return this.character('left-paren');
      case 0x29: // )
        this.parenDepth -= 1;
        this.position += 1;
        return this.parenDepth < 0 ? this.error('unexpected right paren') : this.token('right-paren');
      case 0x7c: // |
        return this.character('pipe');
      case 0x3d: // =
        return this.character('assign');
      case 0x3a: // :
        if (this.source[this.position + 1] !== '=') return this.error('expected :=');
        this.position += 2;
        return this.token('declare');
      case 0x60: // `
        return this.rawString();
      case 0x27: // '
        return this.quoted("'", 'char-constant', 'unterminated character constant');
      case 0x2b: // +
      case 0x2d: // -
        return this.number();
      default:
        if (isDigit(code)) return this.number();
        return code > 0x20 && code < 0x7f
          ? this.character('char')
          : this.error(`unrecognized character in action: ${describeRune(this.source, this.position)}`);
    }
  }

  private character(kind: TokenKind): Token {
    this.position += 1;
    return this.token(kind);
  }

  /** A run of spaces; the last one belongs to the closing delimiter where a trim marker follows it. */
  private spaces(): Token {
    this.skipSpaces();
    this.position -= 1;
    if (this.rightDelimiterWidth() === 0) this.position += 1;
    return this.multilineToken('space');
  }

  private identifier(): Token {
    this.letters();
    if (!this.isAtTerminator()) return this.error(`bad character ${describeRune(this.source, this.position)}`);
    const word = this.source.slice(this.start, this.position);
    if (keywords.has(word as Keyword)) {
      const isFunction = (word === 'break' && !this.hasBreak) || (word === 'continue' && !this.hasContinue);
      return this.token(isFunction ? 'identifier' : (word as Keyword));
    }
    return this.token(word === 'true' || word === 'false' ? 'bool' : 'identifier');
  }

  /** "." or "$", and the name after it. */
  private fieldOrVariable(kind: 'field' | 'variable'): Token {
    this.position += 1;
    if (this.isAtTerminator()) return this.token(kind === 'field' ? 'dot' : 'variable');
    this.letters();
    return this.isAtTerminator()
      ? this.token(kind)
      : this.error(`bad character ${describeRune(this.source, this.position)}`);
  }

  private letters(): void {
    let width = letterWidth(this.source, this.position);
    while (width > 0) {
      this.position += width;
      width = letterWidth(this.source, this.position);
    }
  }

  private isAtTerminator(): boolean {
    const code = this.source.charCodeAt(this.position);
    switch (code) {
      case 0x20:
      case 0x09:
      case 0x0d:
      case newline:
      case 0x2e: // .
      case 0x2c: // ,
      case 0x7c: // |
      case 0x3a: // :
      case 0x28: // (
      case 0x29: // )
        return true;
      case 0x7d: // }
        return this.source.charCodeAt(this.position + 1) === 0x7d;
      default:
        return Number.isNaN(code);
    }
  }

  private quoted(mark: '"' | "'", kind: TokenKind, unterminated: string): Token {
    for (let index = this.position + 1; ; index++) {
      let character = this.source[index];
      if (character === '\\') {
        index += 1;
        character = this.source[index];
        if (character !== undefined && character !== '\n') continue;
      }
      if (character === undefined || character === '\n') return this.error(unterminated);
      if (character === mark) {
        this.position = index + 1;
        return this.token(kind);
      }
    }
  }

  private rawString(): Token {
    const end = this.source.indexOf('`', this.position + 1);
    if (end < 0) return this.error('unterminated raw quoted string');
    this.position = end + 1;
    return this.multilineToken('raw-string');
  }

  private number(): Token {
    if (!this.scanNumber()) return this.badNumber();
    const sign = this.source[this.position];
    if (sign !== '+' && sign !== '-') return this.token('number');
    const isComplex = this.scanNumber() && this.source[this.position - 1] === 'i';
    return isComplex ? this.token('complex') : this.badNumber();
  }

  private badNumber(): Token {
    return this.error(`bad number syntax: ${quote(this.source.slice(this.start, this.position))}`);
  }

  /** number := [sign] [0x | 0o | 0b] digits ["." digits] [exponent] ["i"]; whether no letter or digit follows. */
  private scanNumber(): boolean {
    this.accept('+-');
    let digits: keyof typeof digitRuns = 'decimal';
    if (this.accept('0')) {
      if (this.accept('xX')) digits = 'hexadecimal';
      else if (this.accept('oO')) digits = 'octal';
      else if (this.accept('bB')) digits = 'binary';
    }
    this.acceptRun(digitRuns[digits]);
    if (this.accept('.')) this.acceptRun(digitRuns[digits]);
    if ((digits === 'decimal' && this.accept('eE')) || (digits === 'hexadecimal' && this.accept('pP'))) {
      this.accept('+-');
      this.acceptRun(digitRuns.decimal);
    }
    this.accept('i');
    const width = letterWidth(this.source, this.position);
    this.position += width;
    return width === 0;
  }

  private accept(characters: string): boolean {
    const character = this.source[this.position];
    if (character === undefined || !characters.includes(character)) return false;
    this.position += 1;
    return true;
  }

  private acceptRun(digits: RegExp): void {
    digits.lastIndex = this.position;
    if (digits.test(this.source)) this.position = digits.lastIndex;
  }
}

const newline = 0x0a;

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

function countNewlines(text: string): number {
  let count = 0;
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) count += 1;
  return count;
}

/** `U+0040 '@'`. A byte that is not UTF-8 counts as U+FFFD. */
function describeRune(text: string, index: number): string {
  const code = text.codePointAt(index) as number;
  return sprintf('%#U', goInt(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code));
}
