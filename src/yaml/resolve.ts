/**
 * What a plain scalar means, as go.yaml.in/yaml/v2 resolves it (resolve.go): YAML 1.1 booleans, Go's integer
 * literals with underscores, decimal floats, and timestamps, which stay text but must be quoted when written.
 * Version 3 of that library has fewer booleans (see {@link isOldBoolean}) and the octals of YAML 1.2.
 */
export type Scalar =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint | number }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'timestamp' }
  | { readonly kind: 'str' };

const nullScalar: Scalar = { kind: 'null' };
const trueScalar: Scalar = { kind: 'bool', value: true };
const falseScalar: Scalar = { kind: 'bool', value: false };
const stringScalar: Scalar = { kind: 'str' };
const timestampScalar: Scalar = { kind: 'timestamp' };

const words = new Map<string, Scalar>([
  ...spellings(nullScalar, '', '~', 'null', 'Null', 'NULL'),
  ...spellings(trueScalar, 'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'),
  ...spellings(falseScalar, 'n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'),
  ...spellings({ kind: 'float', value: Number.NaN }, '.nan', '.NaN', '.NAN'),
  ...spellings({ kind: 'float', value: Infinity }, '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'),
  ...spellings({ kind: 'float', value: -Infinity }, '-.inf', '-.Inf', '-.INF'),
]);

function spellings(scalar: Scalar, ...texts: string[]): [string, Scalar][] {
  return texts.map((text) => [text, scalar]);
}

const mayBeMoreThanText = /^(?:$|[-+0-9.yYnNtTfFoO~])/;

/** The meaning of an untagged plain scalar. */
export function resolvePlain(text: string): Scalar {
  if (!mayBeMoreThanText.test(text)) return stringScalar;
  return words.get(text) ?? resolveNumber(text, true);
}

/** The meaning of a scalar that an explicit !!int, !!float, !!bool or !!null tag asks for; never a timestamp. */
export function resolveTagged(text: string): Scalar {
  if (!mayBeMoreThanText.test(text)) return stringScalar;
  return words.get(text) ?? resolveNumber(text, false);
}

/** Whether the text, written plain, would be read back as something other than this text. */
export function needsQuotes(text: string): boolean {
  if (!mayBeMoreThanText.test(text)) return false;
  return resolvePlain(text).kind !== 'str' || isBase60(text);
}

const oldBooleans = new Set([
  'y',
  'Y',
  'yes',
  'Yes',
  'YES',
  'on',
  'On',
  'ON',
  'n',
  'N',
  'no',
  'No',
  'NO',
  'off',
  'Off',
  'OFF',
]);

/** Whether the text is a boolean to v2 and a string to v3. */
export const isOldBoolean = (text: string): boolean => oldBooleans.has(text);

/** The same for go.yaml.in/yaml/v3, which also reads 0o17 as a number. */
export const needsQuotesV3 = (text: string): boolean =>
  needsQuotes(text) || oldBooleans.has(text) || isOctalOf12(text.replaceAll('_', ''));

const isOctalOf12 = (text: string): boolean => /^(?:0o[-+]?|-0o)[0-7]+$/.test(text);

// YAML 1.1 numbers such as 1:30 are read as text by Go but quoted when written, for readers that do know them.
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const isBase60 = (text: string): boolean => text.includes(':') && base60.test(text);

const smallInteger = /^-?(?:0|[1-9][0-9]{0,14})$/;
const dotFloat = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;
const styleFloat = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

function resolveNumber(text: string, mayBeTimestamp: boolean): Scalar {
  const first = text.charCodeAt(0);
  if (first === 0x2e /* . */) return dotFloat.test(text) ? finiteFloat(text.replaceAll('_', '')) : stringScalar;
  if (first > 0x39 /* 9 */) return stringScalar;
  if (smallInteger.test(text)) return { kind: 'int', value: text === '-0' ? 0 : Number(text) };
  if (mayBeTimestamp && isTimestamp(text)) return timestampScalar;
  const plain = text.includes('_') ? text.replaceAll('_', '') : text;
  const integer = parseInteger(plain);
  if (integer !== undefined) return { kind: 'int', value: integer };
  if (styleFloat.test(plain)) return finiteFloat(plain);
  return stringScalar;
}

function finiteFloat(text: string): Scalar {
  const value = Number(text);
  return Number.isFinite(value) ? { kind: 'float', value } : stringScalar;
}

const integerLiteral = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
// Left over when "0b" is cut off and a sign follows; Go reads it.
const signedBinary = /^0b([-+])([01]+)$/;

/** strconv.ParseInt and ParseUint with base 0: what fits neither int64 nor uint64 is no integer. */
function parseInteger(text: string): bigint | undefined {
  const match = integerLiteral.exec(text) ?? signedBinary.exec(text);
  if (match === null) return undefined;
  const [, sign, digits] = match as unknown as [string, string, string];
  const size = BigInt(match[0].startsWith('0b') && sign !== '' ? `0b${digits}` : javascriptLiteral(digits));
  const value = sign === '-' ? -size : size;
  if (value >= -(2n ** 63n) && value < 2n ** 63n) return value;
  return sign === '' && value < 2n ** 64n ? value : undefined;
}

function javascriptLiteral(digits: string): string {
  if (digits === '0' || !digits.startsWith('0')) return digits;
  return /[xXbBoO]/.test(digits.charAt(1)) ? digits.toLowerCase() : `0o${digits.slice(1)}`;
}

const timestamp =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?:[Tt]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(?:Z|[-+]([0-9]{2}):([0-9]{2})))|(?: +([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?))?$/;

/** The four layouts of the library, with the ranges that time.Parse enforces. */
function isTimestamp(text: string): boolean {
  if (text.charCodeAt(4) !== 0x2d /* - */) return false;
  const match = timestamp.exec(text);
  if (match === null) return false;
  const [year, month, day, hourT, minuteT, secondT, zoneHour, zoneMinute, hour, minute, second] = match
    .slice(1)
    .map((part) => Number(part ?? 0)) as [number, ...number[]];
  const inRange = (value: number | undefined, limit: number): boolean => (value as number) < limit;
  return (
    inRange(month, 13) &&
    month !== 0 &&
    day !== 0 &&
    inRange(day, daysIn(year, month as number) + 1) &&
    inRange(hourT, 24) &&
    inRange(minuteT, 60) &&
    inRange(secondT, 60) &&
    inRange(hour, 24) &&
    inRange(minute, 60) &&
    inRange(second, 60) &&
    inRange(zoneHour, 25) &&
    inRange(zoneMinute, 61)
  );
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
