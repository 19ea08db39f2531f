import { CelError } from '../error.ts';
import type { Library } from './library.ts';

/** resource.Quantity, exact to a billionth. */
class Quantity {
  readonly billionths: bigint;

  constructor(billionths: bigint) {
    this.billionths = billionths;
  }
}

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*)([+-]?\d*)$/;
const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryExponents: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** resource.ParseQuantity */
function quantityOf(text: string): Quantity {
  const [, sign = '', whole = '', fraction = '', suffix = '', exponentText = ''] = pattern.exec(text) ?? [];
  if (whole + fraction === '') throw new CelError(notQuantity);
  const isExponent = /^[eE]$/.test(suffix) && exponentText !== '';
  const exponent = isExponent ? Number(exponentText) : decimalExponents[suffix];
  const bits = binaryExponents[suffix];
  if ((exponent === undefined && bits === undefined) || (!isExponent && exponentText !== ''))
    throw new CelError("unable to parse quantity's suffix");
  const digits = BigInt(whole + fraction) * (bits === undefined ? 1n : 2n ** BigInt(bits));
  const size = scaled(digits, 9 + (exponent ?? 0) - fraction.length);
  return new Quantity(sign === '-' ? -size : size);
}

const notQuantity = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** What is smaller than a billionth is rounded up. */
function scaled(digits: bigint, exponent: number): bigint {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (digits + divisor - 1n) / divisor;
}

const compare = (a: Quantity, b: Quantity): bigint =>
  a.billionths === b.billionths ? 0n : a.billionths > b.billionths ? 1n : -1n;

const isInteger = ({ billionths }: Quantity): boolean =>
  billionths % billion === 0n && BigInt.asIntN(64, billionths / billion) === billionths / billion;

const billion = 1_000_000_000n;

const ofInteger = (value: bigint): Quantity => new Quantity(value * billion);
const sum = (a: Quantity, b: Quantity): Quantity => new Quantity(a.billionths + b.billionths);
const difference = (a: Quantity, b: Quantity): Quantity => new Quantity(a.billionths - b.billionths);

const name = 'kubernetes.Quantity';

export const quantities: Library = {
  types: { [name]: Quantity },
  functions: {
    [`quantity(string): ${name}`]: quantityOf,
    'isQuantity(string): bool': (text: string) => {
      try {
        return quantityOf(text) !== undefined;
      } catch (error) {
        if (error instanceof CelError) return false;
        throw error;
      }
    },
    [`sign(${name}): int`]: (quantity: Quantity) => compare(quantity, ofInteger(0n)),
    [`${name}.isGreaterThan(${name}): bool`]: (a: Quantity, b: Quantity) => compare(a, b) > 0n,
    [`${name}.isLessThan(${name}): bool`]: (a: Quantity, b: Quantity) => compare(a, b) < 0n,
    [`${name}.compareTo(${name}): int`]: compare,
    [`${name}.asApproximateFloat(): double`]: ({ billionths }: Quantity) => Number(billionths) / 1e9,
    [`${name}.isInteger(): bool`]: isInteger,
    [`${name}.asInteger(): int`]: (quantity: Quantity) => {
      if (!isInteger(quantity)) throw new CelError('cannot convert value to integer');
      return quantity.billionths / billion;
    },
    [`${name}.add(${name}): ${name}`]: sum,
    [`${name}.add(int): ${name}`]: (a: Quantity, b: bigint) => sum(a, ofInteger(b)),
    [`${name}.sub(${name}): ${name}`]: difference,
    [`${name}.sub(int): ${name}`]: (a: Quantity, b: bigint) => difference(a, ofInteger(b)),
  },
  operators: { [`${name} == ${name}`]: (a: Quantity, b: Quantity) => a.billionths === b.billionths },
};
