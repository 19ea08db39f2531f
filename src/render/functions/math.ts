import { checkListLength } from '../../go/limits.ts';
import { GoError, type GoList, goInt, type Value, withGoType } from '../../go/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { toFloat64, toInt64 } from './conversion.ts';
import {
  addDecimals,
  type Decimal,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
  toDecimal,
  toFloat,
} from './decimal.ts';
import type { FunctionEnvironment } from './environment.ts';
import { randomBelow } from './environment.ts';

/** sprig's arithmetic; `randInt` draws from the environment. */
export const mathFunctions = (environment: FunctionEnvironment): FunctionTable => ({
  ...fixedMathFunctions,
  randInt: goFunction('func(int, int) int', (low: number, high: number) => {
    if (high <= low) throw new GoError('invalid argument to Intn');
    return low + randomBelow(environment, high - low);
  }),
});

const biggest = goFunction('func(any, ...any) int64', (first: Value, others: readonly Value[]) =>
  others.map(toInt64).reduce((best, value) => (value > best ? value : best), toInt64(first)),
);
const smallest = goFunction('func(any, ...any) int64', (first: Value, others: readonly Value[]) =>
  others.map(toInt64).reduce((best, value) => (value < best ? value : best), toInt64(first)),
);

const fixedMathFunctions: FunctionTable = {
  add1: goFunction('func(any) int64', (value: Value) => toInt64(value) + 1n),
  add: goFunction('func(...any) int64', (values: readonly Value[]) =>
    values.reduce<bigint>((sum, value) => sum + toInt64(value), 0n),
  ),
  sub: goFunction('func(any, any) int64', (a: Value, b: Value) => toInt64(a) - toInt64(b)),
  mul: goFunction('func(any, ...any) int64', (first: Value, others: readonly Value[]) =>
    others.reduce<bigint>((product, value) => BigInt.asIntN(64, product * toInt64(value)), toInt64(first)),
  ),
  div: goFunction('func(any, any) int64', (a: Value, b: Value) => toInt64(a) / divisor(b)),
  mod: goFunction('func(any, any) int64', (a: Value, b: Value) => toInt64(a) % divisor(b)),
  max: biggest,
  biggest,
  min: smallest,
  maxf: goFunction('func(any, ...any) float64', (first: Value, others: readonly Value[]) =>
    others.map(toFloat64).reduce(largerFloat, toFloat64(first)),
  ),
  minf: goFunction('func(any, ...any) float64', (first: Value, others: readonly Value[]) =>
    others.map(toFloat64).reduce((a, b) => -largerFloat(-a, -b), toFloat64(first)),
  ),
  add1f: goFunction('func(any) float64', (value: Value) => decimals(value, [goInt(1)], addDecimals)),
  addf: goFunction('func(...any) float64', (values: readonly Value[]) => decimals(0, values, addDecimals)),
  subf: decimalFunction(subtractDecimals),
  mulf: decimalFunction(multiplyDecimals),
  divf: decimalFunction(divideDecimals),
  floor: goFunction('func(any) float64', (value: Value) => Math.floor(toFloat64(value))),
  ceil: goFunction('func(any) float64', (value: Value) => Math.ceil(toFloat64(value))),
  round: goFunction('func(any, int, ...float64) float64', round),
  until: goFunction('func(int) []int', (count: number) => asInts(untilStep(0, count, count < 0 ? -1 : 1))),
  untilStep: goFunction('func(int, int, int) []int', (start: number, stop: number, step: number) =>
    asInts(untilStep(start, stop, step)),
  ),
  seq: goFunction('func(...int) string', (bounds: readonly number[]) => seq(bounds).join(' ')),
};

function divisor(value: Value): bigint {
  const number = toInt64(value);
  if (number === 0n) throw new GoError('runtime error: integer divide by zero');
  return number;
}

/** math.Max: an infinity wins over NaN, which Math.max does not know. */
const largerFloat = (a: number, b: number): number => (a === Infinity || b === Infinity ? Infinity : Math.max(a, b));

function decimalFunction(operation: (a: Decimal, b: Decimal) => Decimal) {
  return goFunction('func(any, ...any) float64', (first: Value, others: readonly Value[]) =>
    decimals(first, others, operation),
  );
}

/** sprig's execDecimalOp: exact decimals, turned into a float64 at the end. */
const decimals = (first: Value, others: readonly Value[], operation: (a: Decimal, b: Decimal) => Decimal): number =>
  toFloat(others.reduce<Decimal>((a, b) => operation(a, toDecimal(toFloat64(b))), toDecimal(toFloat64(first))));

/** sprig's round: up from `roundOn` (default .5) of the last place; negative numbers round up too. */
function round(value: Value, places: number, options: readonly number[]): number {
  const scale = powerOfTen(places);
  const digits = scale * toFloat64(value);
  const isUp = digits - Math.trunc(digits) >= (options[0] ?? 0.5);
  return (isUp ? Math.ceil(digits) : Math.floor(digits)) / scale;
}

/** math.Pow(10, exponent) with Go's rounding errors: squares of the mantissa, exponents apart. */
function powerOfTen(exponent: number): number {
  let result = 1;
  let resultPower = 0;
  let square = 0.625;
  let squarePower = 4;
  for (let bits = Math.min(Math.abs(exponent), 5000); bits !== 0; bits = Math.floor(bits / 2)) {
    if (bits % 2 === 1) {
      result *= square;
      resultPower += squarePower;
    }
    square *= square;
    squarePower *= 2;
    if (square < 0.5) {
      square += square;
      squarePower -= 1;
    }
  }
  return exponent < 0 ? scaled(1 / result, -resultPower) : scaled(result, resultPower);
}

/** math.Ldexp, in two steps because 2^power alone may be out of range. */
function scaled(mantissa: number, power: number): number {
  const half = Math.trunc(power / 2);
  return mantissa * 2 ** half * 2 ** (power - half);
}

const asInts = (numbers: readonly number[]): GoList => withGoType(numbers.map(goInt), '[]int');

function untilStep(start: number, stop: number, step: number): number[] {
  const leadsThere = stop < start ? step < 0 : step > 0;
  if (!leadsThere) return [];
  const length = Math.ceil((stop - start) / step);
  checkListLength(length);
  return Array.from({ length }, (_, index) => start + index * step);
}

/** seq LAST, seq FIRST LAST, seq FIRST STEP LAST, as the shell command. */
function seq(bounds: readonly number[]): number[] {
  if (bounds.length === 0 || bounds.length > 3) return [];
  const first = bounds.length === 1 ? 1 : (bounds[0] as number);
  const last = bounds.at(-1) as number;
  const direction = last < first ? -1 : 1;
  const step = bounds.length === 3 ? (bounds[1] as number) : direction;
  return bounds.length === 3 && last < first && step > 0 ? [] : untilStep(first, last + direction, step);
}
