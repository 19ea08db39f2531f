import { formatFloat } from '../../go/strconv/format-float.ts';
import { GoError, GoInt } from '../../go/value.ts';

/** A number of a JSON text, exactly as it is written there (Go's json.Number). */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** digits × 10^exponent, without rounding. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

// Beyond it, arithmetic on one number could take minutes.
const largestExponent = 10_000;

/** The value of anything that counts as a number; undefined for everything else. */
export function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? parseDecimal(String(value)) : undefined;
  if (value instanceof GoInt) return { digits: value.value, exponent: 0 };
  return value instanceof JsonNumber ? parseDecimal(value.text) : undefined;
}

function parseDecimal(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const power = Number(exponent) - fraction.length;
  if (Math.abs(power) > largestExponent) throw new GoError(`number ${text} is out of range`);
  return { digits: BigInt(whole + fraction), exponent: power };
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

export const isInteger = ({ digits, exponent }: Decimal): boolean =>
  exponent >= 0 || digits % 10n ** BigInt(-exponent) === 0n;

export function isMultipleOf(value: Decimal, factor: Decimal): boolean {
  const [left, right] = aligned(value, factor);
  return left % right === 0n;
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [a.digits * 10n ** BigInt(a.exponent - exponent), b.digits * 10n ** BigInt(b.exponent - exponent)];
}

/** A text that is the same for equal numbers only. */
export function canonicalText({ digits, exponent }: Decimal): string {
  if (digits === 0n) return '0';
  const text = String(digits);
  const trimmed = text.replace(/0+$/, '');
  return `${trimmed}e${exponent + text.length - trimmed.length}`;
}

export const toInteger = ({ digits, exponent }: Decimal): number =>
  Number(exponent >= 0 ? digits * 10n ** BigInt(exponent) : digits / 10n ** BigInt(-exponent));

/** An integer as golang.org/x/text prints it in English: `1,234`. */
export const localInteger = (value: number): string => grouped(String(value));

/** A number as golang.org/x/text prints a float64 in English: `1,234.5`, `1.5×10⁰⁶`. */
export function localFloat({ digits, exponent }: Decimal): string {
  const text = formatFloat(Number(`${digits}e${exponent}`), 'g', -1);
  const [mantissa = '', power] = text.split('e');
  if (power === undefined) return grouped(mantissa);
  return `${mantissa}×10${Array.from(power.replace('+', ''), (char) => superscripts[char]).join('')}`;
}

const superscripts: Readonly<Record<string, string>> = {
  '-': '⁻',
  ...Object.fromEntries(Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹', (char, digit) => [String(digit), char])),
};

const grouped = (text: string): string => text.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
