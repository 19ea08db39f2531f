import { formatValue } from '../../go/fmt/format.ts';
import { atoi, NumError, parseFloat, parseInt } from '../../go/strconv/strconv.ts';
import { decodeText } from '../../go/text.ts';
import { GoInt, type GoList, goTypeOf, type Value, withGoType } from '../../go/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { NamedInt } from './named-int.ts';

export const conversionFunctions: FunctionTable = {
  atoi: goFunction('func(string) int', atoiOrNearest),
  int: goFunction('func(any) int', toInt64),
  int64: goFunction('func(any) int64', toInt64),
  float64: goFunction('func(any) float64', toFloat64),
  toDecimal: goFunction('func(any) int64', fromOctal),
  toString: goFunction('func(any) string', textOf),
  toStrings: goFunction('func(any) []string', textsOf),
};

/** cast.ToInt64: any number or numeric string, cut off towards zero; 0 for everything else. */
export function toInt64(value: Value): bigint {
  if (value instanceof GoInt) return BigInt.asIntN(64, value.value);
  if (value instanceof NamedInt) return value.goType === 'time.Duration' ? 0n : value.value;
  switch (typeof value) {
    case 'number':
      return truncated(value);
    case 'string':
      return parsedOr(0n, () => parseInt(withoutZeroDecimals(value), 0, 64));
    case 'boolean':
      return value ? 1n : 0n;
    default:
      return 0n;
  }
}

/** cast.ToFloat64: any number or numeric string; 0 for everything else. */
export function toFloat64(value: Value): number {
  if (value instanceof GoInt) return Number(value.value);
  if (value instanceof NamedInt) return value.goType === 'time.Duration' ? 0 : Number(value.value);
  switch (typeof value) {
    case 'number':
      return value;
    case 'string':
      return parsedOr(0, () => parseFloat(value));
    case 'boolean':
      return value ? 1 : 0;
    default:
      return 0;
  }
}

/** sprig's strval: bytes as text, all else as `%v`. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? decodeText(value) : formatValue(value);
}

/** sprig's strslice: the texts of a list without its nils; a single value becomes a list of one. */
export function textsOf(value: Value): string[] {
  if (value === null || value === undefined) return asTexts([]);
  if (value instanceof Uint8Array) return asTexts(Array.from(value, String));
  if (!Array.isArray(value)) return asTexts([textOf(value)]);
  if (goTypeOf(value) === '[]string') return value as string[];
  return asTexts((value as GoList).filter((item) => item !== null && item !== undefined).map(textOf));
}

const asTexts = (texts: string[]): string[] => withGoType(texts, '[]string');

// What amd64 makes of a float64 that does not fit into an int64.
const notAnInt64 = -(2n ** 63n);

/** Go's conversion of a float64 to int64. */
export const truncated = (value: number): bigint =>
  value >= -(2 ** 63) && value < 2 ** 63 ? BigInt(Math.trunc(value)) : notAnInt64;

/** cast.trimZeroDecimal: "1.00" becomes "1", "1.50" stays. */
const withoutZeroDecimals = (text: string): string => text.replace(/\.0+$/, '');

/** strconv.Atoi without its error: out of range it gives the nearest int, else 0. */
function atoiOrNearest(text: string): bigint {
  try {
    return atoi(text);
  } catch (error) {
    if (error instanceof NumError) return BigInt(error.value);
    throw error;
  }
}

/** sprig's toDecimal: reads `%v` of the value in base 8. */
function fromOctal(value: Value): bigint {
  return parsedOr(0n, () => parseInt(formatValue(value), 8, 64));
}

function parsedOr<T>(otherwise: T, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof NumError) return otherwise;
    throw error;
  }
}
