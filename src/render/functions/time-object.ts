import { daysOfDate } from '../../go/time/civil.ts';
import { clockOf, formatTime, type Instant } from '../../go/time/format.ts';
import { monthNames, weekdayNames } from '../../go/time/layout.ts';
import { unixSecondsOf, utc, type Zone } from '../../go/time/zone.ts';
import { type GoFunction, GoInt, GoObject, goInt, goInt64, type Value } from '../../go/value.ts';
import { utf8Bytes } from '../../support/bytes.ts';
import { goFunction } from '../../template/function.ts';
import { Duration } from './duration-object.ts';
import { NamedInt } from './named-int.ts';

/** The first second of year 1, where Go's times begin. */
const yearOne = -62_135_596_800;
const billion = 1_000_000_000n;

/** A Go time.Time with the methods that templates call. */
export class Time extends GoObject {
  override readonly goType = 'time.Time';
  readonly instant: Instant;
  private readonly local: Zone;

  /** `local` is what the zone `Local` means: `.Local` shows the time there. */
  constructor(instant: Instant, local: Zone) {
    super();
    this.instant = instant;
    this.local = local;
  }

  /** None is exported; the zone, a pointer, is left out. */
  override fields(): readonly (readonly [string, Value])[] {
    const sinceYearOne = BigInt(this.instant.unixSeconds - yearOne);
    return [
      ['wall', new GoInt('uint64', BigInt(this.instant.nanoseconds))],
      ['ext', goInt64(sinceYearOne)],
    ];
  }
  override exportedFields(): readonly (readonly [string, Value])[] {
    return [];
  }
  override goSyntax(): string {
    return goSyntax(this);
  }
  override comparedBy(): readonly Value[] {
    return [this.nanosecondsSinceEpoch().toString(), this.instant.zone.name];
  }
  override stringer(): string {
    return formatTime(this.instant, '2006-01-02 15:04:05.999999999 -0700 MST');
  }
  override encoded(): Value {
    return formatTime(this.instant, '2006-01-02T15:04:05.999999999Z07:00');
  }
  override method(name: string): GoFunction | undefined {
    const work = timeMethods[name];
    return work === undefined ? undefined : goFunction(work[0], (...args: never[]) => work[1](this, ...args));
  }

  nanosecondsSinceEpoch(): bigint {
    return BigInt(this.instant.unixSeconds) * billion + BigInt(this.instant.nanoseconds);
  }

  /** The time this many nanoseconds later, in the same zone. */
  plus(nanoseconds: bigint): Time {
    return this.at(this.nanosecondsSinceEpoch() + nanoseconds);
  }

  at(nanosecondsSinceEpoch: bigint): Time {
    const nanoseconds = ((nanosecondsSinceEpoch % billion) + billion) % billion;
    const unixSeconds = Number((nanosecondsSinceEpoch - nanoseconds) / billion);
    return new Time({ ...this.instant, unixSeconds, nanoseconds: Number(nanoseconds) }, this.local);
  }

  in(zone: Zone): Time {
    return new Time({ ...this.instant, zone }, this.local);
  }

  inLocalZone(): Time {
    return this.in(this.local);
  }

  /** Time.AddDate: the calendar's units in the zone of the time; the 31st of a short month carries over. */
  plusDate(years: number, months: number, days: number): Time {
    const { year, month, day, hour, minute, second } = clockOf(this.instant);
    const clockSeconds =
      daysOfDate(year + years, month + months, day + days) * 86_400 + hour * 3600 + minute * 60 + second;
    const unixSeconds = unixSecondsOf(clockSeconds, this.instant.zone);
    return new Time({ ...this.instant, unixSeconds }, this.local);
  }
}

/** time.Time's zero value: the first day of year 1. */
export const zeroTime = (local: Zone): Time => new Time({ unixSeconds: yearOne, nanoseconds: 0, zone: utc }, local);

/** A time.Month or a time.Weekday: a number with a name. */
class NamedDay extends NamedInt {
  override readonly goType: 'time.Month' | 'time.Weekday';
  override readonly goKind = 'int';

  constructor(goType: 'time.Month' | 'time.Weekday', value: bigint) {
    super(value);
    this.goType = goType;
  }

  override numbered(value: bigint): NamedDay {
    return new NamedDay(this.goType, value);
  }
  override stringer(): string {
    const isMonth = this.goType === 'time.Month';
    const name = isMonth ? monthNames[Number(this.value) - 1] : weekdayNames[Number(this.value)];
    return name ?? `%!${isMonth ? 'Month' : 'Weekday'}(${BigInt.asUintN(64, this.value)})`;
  }
  override method(name: string): GoFunction | undefined {
    return name === 'String' ? goFunction('func() string', () => this.stringer()) : undefined;
  }
}

/** A *time.Location. */
class Location extends GoObject {
  override readonly goType = '*time.Location';
  override readonly goKind = 'ptr';
  private readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  override stringer(): string {
    return this.name;
  }
  override method(name: string): GoFunction | undefined {
    return name === 'String' ? goFunction('func() string', () => this.name) : undefined;
  }
}

type Method = readonly [signature: string, work: (time: Time, ...args: never[]) => Value];

const int = (value: (time: Time) => number): Method => ['func() int', (time) => goInt(value(time))];
const int64 = (value: (time: Time) => bigint): Method => ['func() int64', (time) => goInt64(value(time))];
const clockInt = (value: (clock: ReturnType<typeof clockOf>) => number): Method =>
  int((time) => value(clockOf(time.instant)));
const compared = (holds: (order: number) => boolean): Method => [
  'func(time.Time) bool',
  (time, other: Time) => holds(order(time, other)),
];

const timeMethods: Readonly<Record<string, Method>> = {
  Year: clockInt(({ year }) => year),
  Day: clockInt(({ day }) => day),
  Hour: clockInt(({ hour }) => hour),
  Minute: clockInt(({ minute }) => minute),
  Second: clockInt(({ second }) => second),
  Nanosecond: clockInt(({ nanoseconds }) => nanoseconds),
  YearDay: clockInt(({ yearDay }) => yearDay),
  Month: ['func() time.Month', ({ instant }) => new NamedDay('time.Month', BigInt(clockOf(instant).month))],
  Weekday: ['func() time.Weekday', ({ instant }) => new NamedDay('time.Weekday', BigInt(clockOf(instant).weekday))],
  Unix: int64(({ instant }) => BigInt(instant.unixSeconds)),
  UnixMilli: int64((time) => floorDivide(time.nanosecondsSinceEpoch(), 1_000_000n)),
  UnixMicro: int64((time) => floorDivide(time.nanosecondsSinceEpoch(), 1_000n)),
  UnixNano: int64((time) => time.nanosecondsSinceEpoch()),
  UTC: ['func() time.Time', (time) => time.in(utc)],
  Local: ['func() time.Time', (time) => time.inLocalZone()],
  Location: ['func() *time.Location', ({ instant }) => new Location(instant.zone.shownName ?? instant.zone.name)],
  String: ['func() string', (time) => time.stringer()],
  GoString: ['func() string', goSyntax],
  Format: ['func(string) string', ({ instant }, layout: string) => formatTime(instant, layout)],
  MarshalJSON: ['func() ([]uint8, error)', (time) => utf8Bytes(`"${time.encoded()}"`)],
  MarshalText: ['func() ([]uint8, error)', (time) => utf8Bytes(String(time.encoded()))],
  IsZero: ['func() bool', (time) => order(time, zeroTime(utc)) === 0],
  IsDST: ['func() bool', ({ instant }) => instant.zone.at(instant.unixSeconds).isSummerTime],
  Add: ['func(time.Duration) time.Time', (time, duration: Duration) => time.plus(duration.value)],
  AddDate: [
    'func(int, int, int) time.Time',
    (time, years: number, months: number, days: number) => time.plusDate(years, months, days),
  ],
  Sub: [
    'func(time.Time) time.Duration',
    (time, other: Time) => Duration.saturated(time.nanosecondsSinceEpoch() - other.nanosecondsSinceEpoch()),
  ],
  Truncate: ['func(time.Duration) time.Time', (time, unit: Duration) => time.plus(-sinceMultiple(time, unit.value))],
  Round: [
    'func(time.Duration) time.Time',
    (time, unit: Duration) => {
      const rest = sinceMultiple(time, unit.value);
      return time.plus(rest + rest < unit.value ? -rest : unit.value - rest);
    },
  ],
  Before: compared((order) => order < 0),
  After: compared((order) => order > 0),
  Equal: compared((order) => order === 0),
  Compare: ['func(time.Time) int', (time, other: Time) => goInt(order(time, other))],
};

function order(a: Time, b: Time): number {
  const difference = a.nanosecondsSinceEpoch() - b.nanosecondsSinceEpoch();
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const floorDivide = (value: bigint, by: bigint): bigint => (value - (((value % by) + by) % by)) / by;

/** How far the time is past a multiple of the unit since year 1; 0 for a unit that is not positive. */
function sinceMultiple(time: Time, unit: bigint): bigint {
  if (unit <= 0n) return 0n;
  return (time.nanosecondsSinceEpoch() - zeroTime(utc).nanosecondsSinceEpoch()) % unit;
}

function goSyntax({ instant }: Time): string {
  const { year, month, day, hour, minute, second, nanoseconds } = clockOf(instant);
  const { name } = instant.zone;
  const zone = name === 'UTC' || name === 'Local' ? `time.${name}` : `time.Location("${name}")`;
  return `time.Date(${year}, time.${monthNames[month - 1]}, ${day}, ${hour}, ${minute}, ${second}, ${nanoseconds}, ${zone})`;
}
