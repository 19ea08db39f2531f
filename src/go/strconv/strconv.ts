import { decodeText, encodeText } from '../text.ts';
import { isPrint } from '../unicode.ts';
import { GoError } from '../value.ts';

export { isPrint };

/** What strconv reports about a text that is not a number: Go's *strconv.NumError. */
export class NumError extends GoError {
  readonly reason: 'invalid syntax' | 'value out of range';
  /** What Go returns beside the error: the nearest value in range, or 0. */
  readonly value: bigint | number;

  constructor(functionName: string, text: string, reason: NumError['reason'], value: bigint | number = 0n) {
    super(`strconv.${functionName}: parsing ${quote(text)}: ${reason}`);
    this.reason = reason;
    this.value = value;
  }
}

/** strconv.Quote: a double-quoted Go literal; what is not printable becomes an escape. */
export function quote(text: string): string {
  return plainAscii.test(text) ? `"${text}"` : `"${escapeText(text, '"', isPrint)}"`;
}

/** strconv.QuoteToASCII: as {@link quote}, with everything beyond ASCII escaped. */
export function quoteToASCII(text: string): string {
  return plainAscii.test(text) ? `"${text}"` : `"${escapeText(text, '"', isPrintAscii)}"`;
}

/** strconv.QuoteRune: a single-quoted Go literal of a code point; U+FFFD for what is none. */
export const quoteRune = (rune: number): string => `'${escapeRune(validRune(rune), "'", isPrint)}'`;

/** strconv.QuoteRuneToASCII. */
export const quoteRuneToASCII = (rune: number): string => `'${escapeRune(validRune(rune), "'", isPrintAscii)}'`;

const plainAscii = /^[ !#-[\]-~]*$/;
const replacementRune = 0xfffd;

const isSurrogate = (rune: number): boolean => rune >= 0xd800 && rune <= 0xdfff;
const isValidRune = (rune: number): boolean => rune >= 0 && rune <= 0x10ffff && !isSurrogate(rune);
const validRune = (rune: number): number => (isValidRune(rune) ? rune : replacementRune);

const isPrintAscii = (rune: number): boolean => rune >= 0x20 && rune < 0x7f;

function escapeText(text: string, quoteMark: string, keep: (rune: number) => boolean): string {
  let escaped = '';
  for (const character of text) {
    const rune = character.codePointAt(0) as number;
    escaped += isSurrogate(rune) ? escapeBytes(character) : escapeRune(rune, quoteMark, keep);
  }
  return escaped;
}

// Lone surrogates are bytes that are not UTF-8 (go/text.ts).
const escapeBytes = (character: string): string =>
  Array.from(encodeText(character), (byte) => `\\x${hex(byte, 2)}`).join('');

function escapeRune(rune: number, quoteMark: string, keep: (rune: number) => boolean): string {
  const character = String.fromCodePoint(rune);
  if (character === quoteMark || character === '\\') return `\\${character}`;
  if (keep(rune)) return character;
  const letter = escapeLetters.get(rune);
  if (letter !== undefined) return `\\${letter}`;
  if (rune < 0x20 || rune === 0x7f) return `\\x${hex(rune, 2)}`;
  return rune < 0x10000 ? `\\u${hex(rune, 4)}` : `\\U${hex(rune, 8)}`;
}

const escapeLetters = new Map([
  [7, 'a'],
  [8, 'b'],
  [12, 'f'],
  [10, 'n'],
  [13, 'r'],
  [9, 't'],
  [11, 'v'],
]);
const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');

/** strconv.CanBackquote: whether the text can appear unchanged between backquotes. */
export const canBackquote = (text: string): boolean => !notBackquotable.test(text);
const notBackquotable =
  /[\0-\x08\n-\x1f`\x7f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** strconv.Unquote: the text that a Go string or character literal stands for. Fails with GoError `invalid syntax`. */
export function unquote(literal: string): string {
  const mark = literal[0];
  if (literal.length < 2 || mark !== literal.at(-1)) throw invalidSyntax();
  const body = literal.slice(1, -1);
  switch (mark) {
    case '`':
      if (body.includes('`')) throw invalidSyntax();
      return body.replaceAll('\r', '');
    case '"':
      return unquoteDouble(body);
    case "'":
      return unquoteSingle(body);
    default:
      throw invalidSyntax();
  }
}

const invalidSyntax = (): GoError => new GoError('invalid syntax');

function unquoteDouble(body: string): string {
  if (!/["\\\n\ud800-\udfff]/.test(body)) return body;
  let text = '';
  let index = 0;
  while (index < body.length) {
    const { rune, isByte, next } = unquoteRune(body, index, '"');
    text += runeText(rune, isByte);
    index = next;
  }
  return joinBytes(text);
}

function unquoteSingle(body: string): string {
  const { rune, isByte, next } = unquoteRune(body, 0, "'");
  if (next !== body.length) throw invalidSyntax();
  return runeText(rune, isByte);
}

const runeText = (rune: number, isByte: boolean): string =>
  isByte && rune >= 0x80 ? String.fromCharCode(0xdc00 + rune) : String.fromCodePoint(rune);

// "\xc3\xa9" spells é byte by byte.
const joinBytes = (text: string): string => (/[\udc80-\udcff]{2}/.test(text) ? decodeText(encodeText(text)) : text);

interface UnquotedRune {
  readonly rune: number;
  /** Whether an escape named a byte and not a code point. */
  readonly isByte: boolean;
  /** The index after the character. */
  readonly next: number;
}

/** strconv.UnquoteChar: the character or escape at `index`. Fails with GoError `invalid syntax`. */
export function unquoteRune(text: string, index: number, quoteMark: '"' | "'"): UnquotedRune {
  const rune = text.codePointAt(index);
  if (rune === undefined || text[index] === quoteMark || rune === 10) throw invalidSyntax();
  if (rune !== 0x5c) {
    return { rune: validRune(rune), isByte: false, next: index + (rune > 0xffff ? 2 : 1) };
  }
  const letter = text[index + 1] ?? '';
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) return { rune: simple, isByte: false, next: index + 2 };
  if (letter === quoteMark) return { rune: letter.charCodeAt(0), isByte: false, next: index + 2 };
  return unquoteNumericEscape(text, index + 1, letter);
}

const simpleEscapes = new Map([...[...escapeLetters].map(([rune, letter]) => [letter, rune] as const), ['\\', 0x5c]]);

const escapeDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function unquoteNumericEscape(text: string, index: number, letter: string): UnquotedRune {
  const width = escapeDigits[letter];
  if (width === undefined) {
    const octal = text.slice(index, index + 3);
    if (!/^[0-3][0-7]{2}$/.test(octal)) throw invalidSyntax();
    return { rune: Number.parseInt(octal, 8), isByte: true, next: index + 3 };
  }
  const digits = text.slice(index + 1, index + 1 + width);
  if (digits.length !== width || !/^[0-9a-fA-F]*$/.test(digits)) throw invalidSyntax();
  const rune = Number.parseInt(digits, 16);
  if (letter !== 'x' && !isValidRune(rune)) throw invalidSyntax();
  return { rune, isByte: letter === 'x', next: index + 1 + width };
}

/** strconv.ParseUint. `base` 0 follows the prefix (0b, 0, 0o, 0x) and admits `_`. Fails with {@link NumError}. */
export function parseUint(text: string, base = 10, bitSize = 64): bigint {
  return readUint({ name: 'ParseUint', text, digits: text }, base, bitSize);
}

/** strconv.ParseInt: as {@link parseUint}, with a sign. Fails with {@link NumError}. */
export function parseInt(text: string, base = 10, bitSize = 64): bigint {
  return readInt('ParseInt', text, base, bitSize);
}

/** strconv.Atoi. Fails with {@link NumError}. */
export const atoi = (text: string): bigint => readInt('Atoi', text, 10, 64);

function readInt(name: string, text: string, base: number, bitSize: number): bigint {
  const isNegative = text.startsWith('-');
  const magnitude = isNegative || text.startsWith('+') ? text.slice(1) : text;
  const limit = 1n << BigInt((bitSize || 64) - 1);
  const outOfRange = (): NumError => new NumError(name, text, 'value out of range', isNegative ? -limit : limit - 1n);
  let value: bigint;
  try {
    value = readUint({ name, text, digits: magnitude }, base, bitSize);
  } catch (error) {
    throw error instanceof NumError && error.reason === 'value out of range' ? outOfRange() : error;
  }
  if (isNegative ? value > limit : value >= limit) throw outOfRange();
  return isNegative ? -value : value;
}

const basePrefixes = [
  [/^0b./i, '0b', 2, 2],
  [/^0o./i, '0o', 8, 2],
  [/^0x./i, '0x', 16, 2],
  [/^0./, '', 8, 1],
] as const;

interface UintText {
  /** The function that is told in errors, and what it was given. */
  readonly name: string;
  readonly text: string;
  /** The text without its sign. */
  readonly digits: string;
}

function readUint({ name, text, digits }: UintText, base: number, bitSize: number): bigint {
  const prefix = base === 0 ? basePrefixes.find(([pattern]) => pattern.test(digits)) : undefined;
  const actualBase = base === 0 ? (prefix?.[2] ?? 10) : base;
  let body = prefix === undefined ? digits : digits.slice(prefix[3]);
  if (base === 0 && body.includes('_')) {
    if (!underscoresSeparateDigits(digits)) throw new NumError(name, text, 'invalid syntax');
    body = body.replaceAll('_', '');
  }
  if (body === '' || !digitsOfBase(actualBase).test(body)) throw new NumError(name, text, 'invalid syntax');
  const significant = body.replace(/^0+(?=.)/, '');
  const limit = (1n << BigInt(bitSize || 64)) - 1n;
  const value = significant.length > 64 ? limit + 1n : toBigInt(significant, actualBase);
  if (value > limit) throw new NumError(name, text, 'value out of range', limit);
  return value;
}

const digitPatterns = new Map<number, RegExp>();
function digitsOfBase(base: number): RegExp {
  let pattern = digitPatterns.get(base);
  if (pattern === undefined) {
    const letters = base > 10 ? `a-${String.fromCharCode(86 + base)}` : '';
    pattern = new RegExp(`^[0-${Math.min(base, 10) - 1}${letters}]+$`, 'i');
    digitPatterns.set(base, pattern);
  }
  return pattern;
}

function toBigInt(digits: string, base: number): bigint {
  if (base === 10) return BigInt(digits);
  const jsPrefix = base === 16 ? '0x' : base === 8 ? '0o' : base === 2 ? '0b' : undefined;
  if (jsPrefix !== undefined) return BigInt(jsPrefix + digits);
  let value = 0n;
  for (const digit of digits) value = value * BigInt(base) + BigInt(Number.parseInt(digit, base));
  return value;
}

/** Whether each `_` is between digits, or between a base prefix and a digit. */
function underscoresSeparateDigits(number: string): boolean {
  const unsigned = number.replace(/^[+-]/, '');
  const prefix = /^0[box]/i.exec(unsigned)?.[0];
  const digit = prefix?.toLowerCase() === '0x' ? '[0-9a-f]' : '[0-9]';
  const rest = prefix === undefined ? unsigned : `0${unsigned.slice(2)}`;
  return !new RegExp(`_(?!${digit})|(?<!${digit})_`, 'i').test(rest);
}

/** strconv.ParseFloat for float64: decimal, hexadecimal (0x1p-2), inf, infinity and nan. Fails with {@link NumError}. */
export function parseFloat(text: string): number {
  const special = /^(?:([+-]?)inf(?:inity)?|nan)$/i.exec(text);
  if (special !== null) return special[1] === undefined ? Number.NaN : special[1] === '-' ? -Infinity : Infinity;
  const plain = text.includes('_') && underscoresSeparateDigits(text) ? text.replaceAll('_', '') : text;
  const value = decimalFloat.test(plain) ? Number(plain) : parseHexFloat(plain);
  if (value === undefined) throw new NumError('ParseFloat', text, 'invalid syntax', 0);
  if (!Number.isFinite(value)) throw new NumError('ParseFloat', text, 'value out of range', value);
  return value;
}

const decimalFloat = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const hexFloat = /^([+-]?)0x(?=\.?[0-9a-f])([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?\d+)$/i;

function parseHexFloat(text: string): number | undefined {
  const match = hexFloat.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const magnitude = scaleByPowerOfTwo(BigInt(`0x0${whole}${fraction}`), Number(power) - 4 * fraction.length);
  return sign === '-' ? -magnitude : magnitude;
}

/** mantissa × 2^exponent, rounded half to even once. */
function scaleByPowerOfTwo(mantissa: bigint, exponent: number): number {
  if (mantissa === 0n) return 0;
  const bits = mantissa.toString(2).length;
  if (exponent + bits > 1024) return Infinity;
  if (exponent + bits < -1075) return 0;
  const lowestBit = Math.max(exponent + bits - 53, -1074);
  const dropped = lowestBit - exponent;
  if (dropped <= 0) return Number(mantissa << BigInt(-dropped)) * 2 ** lowestBit;
  const shift = BigInt(dropped);
  const kept = mantissa >> shift;
  const rest = mantissa - (kept << shift);
  const half = 1n << (shift - 1n);
  const rounded = rest > half || (rest === half && (kept & 1n) === 1n) ? kept + 1n : kept;
  return Number(rounded) * 2 ** lowestBit;
}

/** strconv.ParseBool. Fails with {@link NumError}. */
export function parseBool(text: string): boolean {
  if (/^(?:1|t|T|true|TRUE|True)$/.test(text)) return true;
  if (/^(?:0|f|F|false|FALSE|False)$/.test(text)) return false;
  throw new NumError('ParseBool', text, 'invalid syntax');
}
