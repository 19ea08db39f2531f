import { formatDuration } from '../../go/time/duration.ts';
import { type GoFunction, type Value } from '../../go/value.ts';
import { goFunction } from '../../template/function.ts';
import { truncated } from './conversion.ts';
import { NamedInt } from './named-int.ts';

const longest = 2n ** 63n - 1n;

/** A Go time.Duration, in nanoseconds. */
export class Duration extends NamedInt {
  override readonly goType = 'time.Duration';
  override readonly goKind = 'int64';

  /** A duration as Go's own int64 arithmetic would wrap it. */
  static wrapped(nanoseconds: bigint): Duration {
    return new Duration(BigInt.asIntN(64, nanoseconds));
  }

  /** The nearest duration that exists. */
  static saturated(nanoseconds: bigint): Duration {
    const least = -longest - 1n;
    return new Duration(nanoseconds > longest ? longest : nanoseconds < least ? least : nanoseconds);
  }

  override numbered(value: bigint): Duration {
    return new Duration(value);
  }
  override stringer(): string {
    return formatDuration(this.value);
  }
  override method(name: string): GoFunction | undefined {
    const work = durationMethods[name];
    return work === undefined ? undefined : goFunction(work[0], (...args: never[]) => work[1](this, ...args));
  }

  /** Seconds, minutes or hours as Go computes them: the whole part and the rest are added as float64. */
  inUnits(nanosecondsPerUnit: bigint): number {
    const rest = this.value % nanosecondsPerUnit;
    return Number(this.value / nanosecondsPerUnit) + Number(rest) / Number(nanosecondsPerUnit);
  }

  /** Duration.Truncate: towards zero to a multiple of the unit; unchanged for a unit that is not positive. */
  truncatedTo(unit: Duration): Duration {
    return unit.value <= 0n ? this : new Duration(this.value - (this.value % unit.value));
  }

  /** Duration.Round: half away from zero. */
  roundedTo(unit: Duration): Duration {
    if (unit.value <= 0n) return this;
    const rest = this.value % unit.value;
    const isHalfOrMore = 2n * (rest < 0n ? -rest : rest) >= unit.value;
    const away = this.value < 0n ? -unit.value : unit.value;
    return Duration.saturated(this.value - rest + (isHalfOrMore ? away : 0n));
  }

  /** Duration.Abs. */
  magnitude(): Duration {
    return Duration.saturated(this.value < 0n ? -this.value : this.value);
  }
}

export const second = 1_000_000_000n;
export const minute = 60n * second;
export const hour = 60n * minute;

type Method = readonly [signature: string, work: (duration: Duration, ...args: never[]) => Value | bigint];

const durationMethods: Readonly<Record<string, Method>> = {
  String: ['func() string', (duration) => duration.stringer()],
  Hours: ['func() float64', (duration) => duration.inUnits(hour)],
  Minutes: ['func() float64', (duration) => duration.inUnits(minute)],
  Seconds: ['func() float64', (duration) => duration.inUnits(second)],
  Milliseconds: ['func() int64', ({ value }) => value / 1_000_000n],
  Microseconds: ['func() int64', ({ value }) => value / 1_000n],
  Nanoseconds: ['func() int64', ({ value }) => value],
  Truncate: ['func(time.Duration) time.Duration', (duration, unit: Duration) => duration.truncatedTo(unit)],
  Round: ['func(time.Duration) time.Duration', (duration, unit: Duration) => duration.roundedTo(unit)],
  Abs: ['func() time.Duration', (duration) => duration.magnitude()],
};

/** Go's conversion of a float64 number of nanoseconds. */
export const durationOfFloat = (nanoseconds: number): Duration => new Duration(truncated(nanoseconds));
