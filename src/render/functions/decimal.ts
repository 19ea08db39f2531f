import { formatValue } from '../../go/fmt/format.ts';
import { GoError } from '../../go/value.ts';

/** A decimal number as shopspring/decimal has it: value × 10^exponent, exact. */
export interface Decimal {
  readonly value: bigint;
  readonly exponent: number;
}

/** decimal.NewFromFloat: the shortest decimal that gives this float64. Fails for NaN and infinities. */
export function toDecimal(float: number): Decimal {
  if (!Number.isFinite(float)) throw new GoError(`Cannot create a Decimal from ${formatValue(float)}`);
  const [mantissa = '0', power = '0'] = float.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { value: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** The nearest float64. */
export const toFloat = ({ value, exponent }: Decimal): number => Number(`${value}e${exponent}`);

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent);
  return { value: rescaled(a, exponent) + rescaled(b, exponent), exponent };
}

export const subtractDecimals = (a: Decimal, b: Decimal): Decimal =>
  addDecimals(a, { value: -b.value, exponent: b.exponent });

export const multiplyDecimals = (a: Decimal, b: Decimal): Decimal => ({
  value: a.value * b.value,
  exponent: a.exponent + b.exponent,
});

const quotientDigits = 16;

/** decimal.Div: 16 digits after the point, rounded half away from zero. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  if (b.value === 0n) throw new GoError('decimal division by 0');
  const shift = a.exponent - b.exponent + quotientDigits;
  const dividend = shift > 0 ? a.value * 10n ** BigInt(shift) : a.value;
  const divisor = shift < 0 ? b.value * 10n ** BigInt(-shift) : b.value;
  const quotient = dividend / divisor;
  const isHalfOrMore = 2n * magnitude(dividend % divisor) >= magnitude(divisor);
  const away = dividend < 0n === divisor < 0n ? 1n : -1n;
  return { value: isHalfOrMore ? quotient + away : quotient, exponent: -quotientDigits };
}

const rescaled = ({ value, exponent }: Decimal, to: number): bigint => value * 10n ** BigInt(exponent - to);
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
