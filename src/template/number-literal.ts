import { GoComplex } from '../go/complex.ts';
import { parseFloat, parseInt, parseUint, quote, unquoteRune } from '../go/strconv/strconv.ts';
import { GoError, goInt } from '../go/value.ts';
import type { NumberNode } from './node.ts';

/**
 * The number that a literal of a template stands for: Go's newNumber. Fails with GoError in Go's words
 * (`illegal number syntax: "08"`, `integer overflow: …`).
 */
export function numberNode(position: number, text: string, kind: 'char-constant' | 'complex' | 'number'): NumberNode {
  if (kind === 'char-constant') return characterNode(position, text);
  if (kind === 'complex') return complexNode(position, text, complexParts(text));
  if (shortDecimal.test(text)) return integerNode(position, text, BigInt(text));
  return imaginaryNode(position, text) ?? integerOrFloatNode(position, text);
}

// The frequent case: nothing to read but digits, and no overflow.
const shortDecimal = /^(?:0|[1-9]\d{0,14})$/;

function integerNode(position: number, text: string, value: bigint): NumberNode {
  return { kind: 'number', position, text, int: value, uint: value, float: Number(value), ideal: goInt(value) };
}

function characterNode(position: number, text: string): NumberNode {
  const { rune, next } = unquoteRune(text, 1, "'");
  if (text.slice(next) !== "'") throw new GoError(`malformed character constant: ${text}`);
  return integerNode(position, text, BigInt(rune));
}

function complexParts(text: string): GoComplex {
  const match = /^([+-]?[^+-]+(?:(?<=[eEpP])[+-][^+-]+)?)([+-].*)i$/.exec(text);
  if (match === null || match[1]?.endsWith('i')) throw new GoError('syntax error scanning complex number');
  return new GoComplex(parseFloat(match[1] as string), parseFloat(match[2] as string));
}

/** A complex number is a float and an integer too where its imaginary part is zero. */
function complexNode(position: number, text: string, value: GoComplex): NumberNode {
  const float = value.imaginary === 0 ? value.real : undefined;
  const { int, uint } = float === undefined ? { int: undefined, uint: undefined } : integersOf(float);
  return { kind: 'number', position, text, int, uint, float, ideal: value };
}

function imaginaryNode(position: number, text: string): NumberNode | undefined {
  if (!text.endsWith('i')) return undefined;
  const imaginary = attempt(() => parseFloat(text.slice(0, -1)));
  return imaginary === undefined ? undefined : complexNode(position, text, new GoComplex(0, imaginary));
}

function integerOrFloatNode(position: number, text: string): NumberNode {
  const int = attempt(() => parseInt(text, 0));
  const uint = attempt(() => parseUint(text, 0)) ?? (int === 0n ? 0n : undefined);
  const integer = int ?? uint;
  if (integer !== undefined) {
    const float = Number(integer);
    const isFloatSyntax = /[.eEpP]/.test(text) && !/^0[xX][^pP]/.test(text);
    const ideal = int === undefined ? undefined : isFloatSyntax ? float : goInt(int);
    return { kind: 'number', position, text, int, uint, float, ideal };
  }
  const float = attempt(() => parseFloat(text));
  if (float === undefined) throw new GoError(`illegal number syntax: ${quote(text)}`);
  if (!/[.eEpP]/.test(text)) throw new GoError(`integer overflow: ${quote(text)}`);
  return { kind: 'number', position, text, ...integersOf(float), float, ideal: float };
}

/** A float as int64 and uint64, where that loses nothing. */
function integersOf(float: number): { int: bigint | undefined; uint: bigint | undefined } {
  if (!Number.isInteger(float)) return { int: undefined, uint: undefined };
  const value = BigInt(float);
  return {
    int: BigInt.asIntN(64, value) === value ? value : undefined,
    uint: BigInt.asUintN(64, value) === value ? value : undefined,
  };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
}
