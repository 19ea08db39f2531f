import { NumError, parseInt } from '../../go/strconv/strconv.ts';
import { parseDuration } from '../../go/time/duration.ts';
import { formatTime } from '../../go/time/format.ts';
import { parseTime } from '../../go/time/parse.ts';
import { loadZone, localZone, utc, type Zone } from '../../go/time/zone.ts';
import { GoError, type GoFunction, GoInt, type Value } from '../../go/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { Duration, hour, minute, second } from './duration-object.ts';
import type { FunctionEnvironment } from './environment.ts';
import { Time, zeroTime } from './time-object.ts';

/** sprig's dates; `now` and the local zone come from the environment. */
export function dateFunctions(environment: FunctionEnvironment): FunctionTable {
  const clock = new LocalClock(environment);
  const inZone = goFunction('func(string, any, string) string', (layout: string, date: Value, zone: string) =>
    clock.format(layout, date, zone),
  );
  return {
    now: goFunction('func() time.Time', () => clock.now()),
    date: goFunction('func(string, any) string', (layout: string, date: Value) => clock.format(layout, date, 'Local')),
    dateInZone: inZone,
    date_in_zone: inZone,
    htmlDate: goFunction('func(any) string', (date: Value) => clock.format('2006-01-02', date, 'Local')),
    htmlDateInZone: goFunction('func(any, string) string', (date: Value, zone: string) =>
      clock.format('2006-01-02', date, zone),
    ),
    ago: goFunction('func(any) string', (date: Value) => {
      const age = clock.since(clock.read(date, ['int', 'int64']));
      return age.roundedTo(new Duration(second)).stringer();
    }),
    durationRound: goFunction('func(any) string', (value: Value) => roundText(durationOf(value, clock))),
    toDate: goFunction('func(string, string) time.Time', (layout: string, text: string) =>
      clock.parseOrZero(layout, text),
    ),
    mustToDate: goFunction('func(string, string) (time.Time, error)', (layout: string, text: string) =>
      clock.parse(layout, text),
    ),
    ...fixedDateFunctions,
  };
}

const modify = goFunction('func(string, time.Time) time.Time', modifiedOrSame);
const mustModify = goFunction('func(string, time.Time) (time.Time, error)', (text: string, date: Time) =>
  date.plus(parseDuration(text)),
);

const fixedDateFunctions: Readonly<Record<string, GoFunction>> = {
  dateModify: modify,
  date_modify: modify,
  mustDateModify: mustModify,
  must_date_modify: mustModify,
  duration: goFunction('func(any) string', (value: Value) => Duration.wrapped(secondsOf(value) * second).stringer()),
  unixEpoch: goFunction('func(time.Time) string', (date: Time) => String(date.instant.unixSeconds)),
};

/** Times as this environment's clock and its local zone see them. */
class LocalClock {
  private readonly environment: FunctionEnvironment;
  private zone: Zone | undefined;

  constructor(environment: FunctionEnvironment) {
    this.environment = environment;
  }

  now(): Time {
    const milliseconds = this.environment.now().getTime();
    const unixSeconds = Math.floor(milliseconds / 1000);
    return this.timeOf(unixSeconds, (milliseconds - unixSeconds * 1000) * 1_000_000);
  }

  since(time: Time): Duration {
    return Duration.saturated(this.now().nanosecondsSinceEpoch() - time.nanosecondsSinceEpoch());
  }

  /** A time, or an integer of one of the types as seconds since 1970; anything else is now. */
  read(date: Value, intTypes: readonly string[]): Time {
    if (date instanceof Time) return date;
    return date instanceof GoInt && intTypes.includes(date.type) ? this.timeOf(Number(date.value), 0) : this.now();
  }

  /** In a zone that does not exist, UTC. */
  format(layout: string, date: Value, zoneName: string): string {
    const zone = zoneName === 'Local' ? this.local() : (loadZone(zoneName) ?? utc);
    return formatTime({ ...this.read(date, ['int', 'int64', 'int32']).instant, zone }, layout);
  }

  parse(layout: string, text: string): Time {
    return new Time(parseTime(layout, text, this.local()), this.local());
  }

  parseOrZero(layout: string, text: string): Time {
    try {
      return this.parse(layout, text);
    } catch (error) {
      if (error instanceof GoError) return zeroTime(this.local());
      throw error;
    }
  }

  private timeOf(unixSeconds: number, nanoseconds: number): Time {
    return new Time({ unixSeconds, nanoseconds, zone: this.local() }, this.local());
  }

  private local(): Zone {
    this.zone ??= localZone(this.environment.timeZone);
    return this.zone;
  }
}

function modifiedOrSame(text: string, date: Time): Time {
  try {
    return date.plus(parseDuration(text));
  } catch (error) {
    if (error instanceof GoError) return date;
    throw error;
  }
}

/** sprig's duration takes an int64 or a text; an int counts as nothing. */
function secondsOf(value: Value): bigint {
  if (value instanceof GoInt && value.type === 'int64') return value.value;
  if (typeof value !== 'string') return 0n;
  try {
    return parseInt(value);
  } catch (error) {
    if (error instanceof NumError) return BigInt(error.value);
    throw error;
  }
}

function durationOf(value: Value, clock: LocalClock): Duration {
  if (value instanceof Time) return clock.since(value);
  if (value instanceof GoInt && value.type === 'int64') return new Duration(value.value);
  if (typeof value !== 'string') return new Duration(0n);
  try {
    return new Duration(parseDuration(value));
  } catch (error) {
    if (error instanceof GoError) return new Duration(0n);
    throw error;
  }
}

const day = 24n * hour;
const roundUnits = [
  [365n * day, 'y'],
  [30n * day, 'mo'],
  [day, 'd'],
  [hour, 'h'],
  [minute, 'm'],
  [second, 's'],
] as const;

/** The largest unit that the duration exceeds, without its sign: 2h, 3mo; `0s` below a second. */
function roundText({ value }: Duration): string {
  const magnitude = value < 0n ? -value : value;
  const unit = roundUnits.find(([nanoseconds]) => magnitude > nanoseconds);
  return unit === undefined ? '0s' : `${magnitude / unit[0]}${unit[1]}`;
}
