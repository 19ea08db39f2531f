export type FloatFormat = 'e' | 'E' | 'f' | 'g' | 'G' | 'b' | 'x' | 'X';

/** strconv.FormatFloat for float64. A precision of -1 gives the fewest digits that read back as the same number. */
export function formatFloat(value: number, format: FloatFormat, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const magnitude = Math.abs(value);
  switch (format) {
    case 'b':
      return sign + binaryExponentText(magnitude);
    case 'x':
      return sign + hexText(magnitude, precision);
    case 'X':
      return sign + hexText(magnitude, precision).toUpperCase();
    default:
      return sign + decimalText(magnitude, format, precision);
  }
}

/** Significant digits without leading or trailing zeros; the decimal point comes after `point` of them. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

const zero: Decimal = { digits: '', point: 0 };

function decimalText(magnitude: number, format: 'e' | 'E' | 'f' | 'g' | 'G', precision: number): string {
  const isShortest = precision < 0;
  const decimal = isShortest ? shortestDecimal(magnitude) : roundedDecimal(magnitude, format, precision);
  const count = decimal.digits.length;
  switch (format) {
    case 'e':
    case 'E':
      return exponentText(decimal, isShortest ? count - 1 : precision, format);
    case 'f':
      return fixedText(decimal, isShortest ? Math.max(count - decimal.point, 0) : precision);
    case 'g':
    case 'G':
      return generalText(decimal, isShortest ? count : precision || 1, isShortest, format === 'g' ? 'e' : 'E');
  }
}

function roundedDecimal(magnitude: number, format: 'e' | 'E' | 'f' | 'g' | 'G', precision: number): Decimal {
  const exact = exactDecimal(magnitude);
  if (format === 'f') return round(exact, exact.point + precision);
  return round(exact, format === 'e' || format === 'E' ? precision + 1 : precision || 1);
}

function generalText(decimal: Decimal, precision: number, isShortest: boolean, letter: 'e' | 'E'): string {
  const count = decimal.digits.length;
  let exponentFrom = precision > count && count >= decimal.point ? count : precision;
  if (isShortest) exponentFrom = 6;
  const exponent = decimal.point - 1;
  if (exponent < -4 || exponent >= exponentFrom) return exponentText(decimal, Math.min(precision, count) - 1, letter);
  return fixedText(decimal, Math.max((precision > decimal.point ? count : precision) - decimal.point, 0));
}

function shortestDecimal(magnitude: number): Decimal {
  if (magnitude === 0) return zero;
  const [mantissa = '', exponent] = magnitude.toExponential().split('e');
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
}

/** Every digit of the number: a float64 is m × 2^e, and for a negative e that is m × 5^-e × 10^e. */
function exactDecimal(magnitude: number): Decimal {
  if (magnitude === 0) return zero;
  const { mantissa, exponent } = binaryParts(magnitude);
  const scaled = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent);
  const digits = scaled.toString();
  return withoutTrailingZeros(digits, digits.length + Math.min(exponent, 0));
}

const withoutTrailingZeros = (digits: string, point: number): Decimal => {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end -= 1;
  return end === 0 ? zero : { digits: digits.slice(0, end), point };
};

/** Keeps `count` digits, rounding half to even. */
function round({ digits, point }: Decimal, count: number): Decimal {
  if (count >= digits.length) return { digits, point };
  if (count < 0) return zero;
  const kept = digits.slice(0, count);
  if (!roundsUp(digits, count)) return withoutTrailingZeros(kept, point);
  const raised = (BigInt(kept === '' ? '0' : kept) + 1n).toString();
  return withoutTrailingZeros(raised, raised.length > count ? point + 1 : point);
}

function roundsUp(digits: string, count: number): boolean {
  const next = digits.charCodeAt(count) - 48;
  if (next !== 5 || digits.length > count + 1) return next >= 5;
  return count > 0 && (digits.charCodeAt(count - 1) - 48) % 2 === 1;
}

function exponentText({ digits, point }: Decimal, precision: number, letter: 'e' | 'E'): string {
  const exponent = digits === '' ? 0 : point - 1;
  const fraction = precision > 0 ? `.${digits.slice(1, precision + 1).padEnd(precision, '0')}` : '';
  return `${digits[0] ?? '0'}${fraction}${letter}${exponentDigits(exponent)}`;
}

const exponentDigits = (exponent: number): string =>
  `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;

function fixedText({ digits, point }: Decimal, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  if (precision <= 0) return whole;
  const fraction = point >= 0 ? digits.slice(point) : '0'.repeat(Math.min(-point, precision)) + digits;
  return `${whole}.${fraction.slice(0, precision).padEnd(precision, '0')}`;
}

interface BinaryParts {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const floatBytes = new DataView(new ArrayBuffer(8));

/** magnitude = mantissa × 2^exponent, the mantissa with its 53 bits as IEEE 754 holds them. */
function binaryParts(magnitude: number): BinaryParts {
  floatBytes.setFloat64(0, magnitude);
  const bits = floatBytes.getBigUint64(0);
  const fraction = bits & 0xfffffffffffffn;
  const biased = Number(bits >> 52n) & 0x7ff;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

function binaryExponentText(magnitude: number): string {
  const { mantissa, exponent } = binaryParts(magnitude);
  return `${mantissa}p${exponent >= 0 ? '+' : ''}${exponent}`;
}

/** 0x1.8p+01: one bit before the point, the rest as hexadecimal digits. */
function hexText(magnitude: number, precision: number): string {
  if (magnitude === 0) return `0x0${precision > 0 ? `.${'0'.repeat(precision)}` : ''}p+00`;
  let { mantissa, exponent } = binaryParts(magnitude);
  const bits = mantissa.toString(2).length;
  mantissa <<= BigInt(53 - bits);
  exponent += 52 - (53 - bits);
  if (precision >= 0 && precision < 13) {
    const shift = BigInt(52 - precision * 4);
    const kept = mantissa >> shift;
    const rest = mantissa - (kept << shift);
    const half = 1n << (shift - 1n);
    mantissa = (rest > half || (rest === half && (kept & 1n) === 1n) ? kept + 1n : kept) << shift;
    if (mantissa >> 53n === 1n) {
      mantissa >>= 1n;
      exponent += 1;
    }
  }
  const all = (mantissa & 0xfffffffffffffn).toString(16).padStart(13, '0');
  const fraction = precision < 0 ? all.replace(/0+$/, '') : all.slice(0, precision).padEnd(precision, '0');
  return `0x1${fraction === '' ? '' : `.${fraction}`}p${exponentDigits(exponent)}`;
}
