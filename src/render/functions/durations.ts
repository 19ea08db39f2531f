import { formatValue } from '../../go/fmt/format.ts';
import { trimSpace } from '../../go/runes.ts';
import { NumError, parseFloat, quote } from '../../go/strconv/strconv.ts';
import { parseDuration } from '../../go/time/duration.ts';
import { GoError, GoInt, GoObject, goTypeOf, type Value } from '../../go/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { Duration, durationOfFloat, hour, minute, second } from './duration-object.ts';

/** A function that gives 0 for what is no duration. */
const measured = (result: 'int64' | 'float64', measure: (duration: Duration) => bigint | number) =>
  goFunction(`func(any) ${result}`, (value: Value) => measure(durationOr(zero, value)));

const zero = new Duration(0n);

/** Helm's own duration functions (pkg/engine/funcs.go). */
export const durationFunctions: FunctionTable = {
  mustToDuration: goFunction('func(any) time.Duration', asDuration),
  durationNanoseconds: measured('int64', ({ value }) => value),
  durationMicroseconds: measured('int64', ({ value }) => value / 1_000n),
  durationMilliseconds: measured('int64', ({ value }) => value / 1_000_000n),
  durationSeconds: measured('float64', (duration) => duration.inUnits(second)),
  durationMinutes: measured('float64', (duration) => duration.inUnits(minute)),
  durationHours: measured('float64', (duration) => duration.inUnits(hour)),
  durationDays: measured('float64', (duration) => duration.inUnits(hour) / 24),
  durationWeeks: measured('float64', (duration) => duration.inUnits(hour) / 24 / 7),
  durationRoundTo: goFunction('func(any, any) time.Duration', (value: Value, unit: Value) =>
    durationOr(zero, value).roundedTo(durationOr(zero, unit)),
  ),
  durationTruncateTo: goFunction('func(any, any) time.Duration', (value: Value, unit: Value) =>
    durationOr(zero, value).truncatedTo(durationOr(zero, unit)),
  ),
};

function durationOr(otherwise: Duration, value: Value): Duration {
  try {
    return asDuration(value);
  } catch (error) {
    if (error instanceof GoError) return otherwise;
    throw error;
  }
}

/** A duration, a text such as `1h30m`, or a number (also as text) of seconds. */
function asDuration(value: Value): Duration {
  if (value instanceof Duration) return value;
  if (value === null || value === undefined) throw new GoError('invalid duration');
  if (typeof value === 'string') return durationOfText(value);
  if (typeof value === 'number') return durationOfSeconds(value);
  const whole = value instanceof GoObject && value.goKind.startsWith('int') ? value.encoded() : value;
  if (whole instanceof GoInt) return durationOfWholeSeconds(whole.value);
  throw new GoError(`unsupported duration type ${goTypeOf(value)}`);
}

function durationOfText(text: string): Duration {
  const trimmed = trimSpace(text);
  if (trimmed === '') throw new GoError('empty duration');
  let seconds: number;
  try {
    return new Duration(parseDuration(trimmed));
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
  }
  try {
    seconds = parseFloat(trimmed);
  } catch (error) {
    if (error instanceof NumError) throw new GoError(`could not parse duration ${quote(text)}`);
    throw error;
  }
  return durationOfSeconds(seconds);
}

const mostSeconds = 9_223_372_036n;
const mostFloatSeconds = 2 ** 63 / 1e9;

function durationOfWholeSeconds(seconds: bigint): Duration {
  if (seconds > mostSeconds || seconds < -mostSeconds) throw new GoError(`duration seconds overflow: ${seconds}`);
  return new Duration(seconds * second);
}

function durationOfSeconds(seconds: number): Duration {
  if (!Number.isFinite(seconds)) throw new GoError(`invalid duration seconds: ${formatValue(seconds)}`);
  if (Math.abs(seconds) > mostFloatSeconds) throw new GoError(`duration seconds overflow: ${formatValue(seconds)}`);
  return durationOfFloat(seconds * 1e9);
}
