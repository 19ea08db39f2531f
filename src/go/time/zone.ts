import { environmentVariable } from '../../support/host.ts';
import { dateOfDays, daysOfDate } from './civil.ts';

/** What a clock in a zone shows at one moment. */
export interface ZonePeriod {
  /** Seconds east of Greenwich. */
  readonly offset: number;
  /** `CET`, `-03`; '' where there is none. */
  readonly abbreviation: string;
  readonly isSummerTime: boolean;
}

/** Go's *time.Location. */
export interface Zone {
  /** `UTC`, `Local`, or an IANA name. */
  readonly name: string;
  /** What `Local` says of itself where TZ gives it a name. */
  readonly shownName?: string | undefined;
  at(unixSeconds: number): ZonePeriod;
}

export const utc: Zone = { name: 'UTC', at: () => ({ offset: 0, abbreviation: 'UTC', isSummerTime: false }) };

/** time.FixedZone. */
export const fixedZone = (name: string, offset: number): Zone => ({
  name,
  at: () => ({ offset, abbreviation: name, isSummerTime: false }),
});

const zones = new Map<string, Zone | undefined>();

/** time.LoadLocation of an IANA name, with the data of the JavaScript engine; undefined for an unknown zone. */
export function loadZone(name: string): Zone | undefined {
  if (name === '' || name === 'UTC') return utc;
  if (!zones.has(name)) zones.set(name, zoneNamed(name));
  return zones.get(name);
}

/** The zone `Local`: the given IANA zone, as if TZ named it, or the one of this process. */
export function localZone(given = environmentVariable('TZ')): Zone {
  const known = localZones.get(given);
  if (known !== undefined) return known;
  const local = findLocalZone(given);
  localZones.set(given, local);
  return local;
}

/** Each takes some milliseconds and kilobytes, and tables hold thousands of times. */
const localZones = new Map<string | undefined, Zone>();

function findLocalZone(given: string | undefined): Zone {
  const zone = loadZone(given ?? Intl.DateTimeFormat().resolvedOptions().timeZone) ?? utc;
  return { name: 'Local', shownName: given && zone.name, at: (unixSeconds) => zone.at(unixSeconds) };
}

/** When a clock in the zone shows this time, given as seconds since 1970 on that clock (time.Date). */
export function unixSecondsOf(clockSeconds: number, zone: Zone): number {
  const guess = zone.at(clockSeconds).offset;
  if (guess === 0) return clockSeconds;
  return clockSeconds - zone.at(clockSeconds - guess).offset;
}

function zoneNamed(name: string): Zone | undefined {
  // Intl takes any case, but zone files are found by their exact name.
  if (/(?:^|\/)[^A-Z]/.test(name)) return undefined;
  try {
    const clock = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    return new IanaZone(name, clock);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

// What Date can hold, and what Intl can tell about eras, is less than what Go's seconds can.
const earliest = daysOfDate(1, 1, 3) * 86_400;
const latest = 8.64e12;

class IanaZone implements Zone {
  readonly name: string;
  private readonly clock: Intl.DateTimeFormat;
  private last: { unixSeconds: number; period: ZonePeriod } | undefined;

  constructor(name: string, clock: Intl.DateTimeFormat) {
    this.name = name;
    this.clock = clock;
  }

  at(unixSeconds: number): ZonePeriod {
    if (this.last?.unixSeconds !== unixSeconds) this.last = { unixSeconds, period: this.periodAt(unixSeconds) };
    return this.last.period;
  }

  private periodAt(unixSeconds: number): ZonePeriod {
    const moment = Math.min(Math.max(unixSeconds, earliest), latest);
    const offset = this.offsetAt(moment);
    const { name, clock } = this;
    return {
      offset,
      get abbreviation() {
        if (/^(?:Etc\/)?GMT(?:[+-]?0)?$|Greenwich$/.test(name)) return 'GMT';
        return abbreviationOf(name in abbreviations ? name : clock.resolvedOptions().timeZone, moment, offset);
      },
      get isSummerTime() {
        return isSummerTime(name, moment, offset);
      },
    };
  }

  private offsetAt(unixSeconds: number): number {
    const parts = new Map<string, number>();
    for (const { type, value } of this.clock.formatToParts(unixSeconds * 1000)) parts.set(type, Number(value));
    const part = (name: string): number => parts.get(name) ?? 0;
    const days = daysOfDate(part('year'), part('month'), part('day'));
    return days * 86_400 + part('hour') * 3600 + part('minute') * 60 + part('second') - unixSeconds;
  }
}

/**
 * The abbreviation of the tz database, which Intl knows only in the English of the region. The zones here are those
 * where Intl has none or another one: standard and summer time, `#` for the offset in digits.
 */
const abbreviations: Readonly<Record<string, string>> = {
  'America/Adak': 'HST HDT',
  'America/Dawson': 'MST',
  'America/Havana': 'CST CDT',
  'America/Hermosillo': 'MST',
  'America/Mazatlan': 'MST',
  'America/Miquelon': '# #',
  'America/Whitehorse': 'MST',
  'Antarctica/Casey': '#',
  'Antarctica/Troll': '# #',
  'Asia/Colombo': '#',
  'Asia/Dubai': '#',
  'Asia/Hong_Kong': 'HKT',
  'Asia/Jakarta': 'WIB',
  'Asia/Jayapura': 'WIT',
  'Asia/Jerusalem': 'IST IDT',
  'Asia/Karachi': 'PKT',
  'Asia/Macau': 'CST',
  'Asia/Makassar': 'WITA',
  'Asia/Manila': 'PST',
  'Asia/Muscat': '#',
  'Asia/Pontianak': 'WIB',
  'Asia/Pyongyang': 'KST',
  'Asia/Seoul': 'KST',
  'Asia/Shanghai': 'CST',
  'Asia/Taipei': 'CST',
  'Asia/Tokyo': 'JST',
  'Australia/Eucla': '#',
  'Australia/Lord_Howe': '# #',
  'Europe/Dublin': 'GMT IST',
  'Europe/Guernsey': 'GMT BST',
  'Europe/Isle_of_Man': 'GMT BST',
  'Europe/Jersey': 'GMT BST',
  'Europe/Kirov': 'MSK',
  'Europe/Moscow': 'MSK',
  'Europe/Simferopol': 'MSK',
  'Europe/Volgograd': 'MSK',
  MET: 'MET MEST',
  'Pacific/Chatham': '# #',
  'Pacific/Guam': 'ChST',
  'Pacific/Midway': 'SST',
  'Pacific/Pago_Pago': 'SST',
  'Pacific/Saipan': 'ChST',
};
const englishes = ['en-US', 'en-GB', 'en-AU', 'en-CA', 'en-NZ', 'en-IN', 'en-ZA', 'en-KE', 'en-NG'];

function abbreviationOf(zone: string, unixSeconds: number, offset: number): string {
  // Only the local mean times of old have odd seconds.
  if (offset % 60 !== 0) return 'LMT';
  const [standard, summer] = abbreviations[zone]?.split(' ') ?? [];
  const listed = isSummerTime(zone, unixSeconds, offset) ? summer : standard;
  if (listed !== undefined) return listed === '#' ? digits(offset) : listed;
  // For times before 1972 Intl has few names: those of a later time with the same offset stand in.
  const sameOffset = [unixSeconds, midwinter, midsummer].filter(
    (moment) => loadZone(zone)?.at(moment).offset === offset,
  );
  for (const moment of sameOffset) {
    for (const english of englishes) {
      const name = shortName(english, zone, moment);
      if (/^[A-Z]{3,5}$/.test(name) && (name !== 'GMT' || offset === 0)) return name;
    }
  }
  return digits(offset);
}

const midwinter = Date.UTC(2024, 0, 15) / 1000;
const midsummer = Date.UTC(2024, 6, 15) / 1000;

/** Whether the clock is ahead of the one that the zone has in January or in July. */
function isSummerTime(zone: string, unixSeconds: number, offset: number): boolean {
  const { year } = dateOfDays(Math.floor(unixSeconds / 86_400));
  const halves = [1, 7].map((month) => loadZone(zone)?.at(daysOfDate(year, month, 1) * 86_400).offset ?? offset);
  return offset > Math.min(...halves);
}

function shortName(locale: string, timeZone: string, unixSeconds: number): string {
  const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' });
  return format.formatToParts(unixSeconds * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** `+0530`, `-03`. */
function digits(offset: number): string {
  const minutes = Math.abs(offset) / 60;
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = two(Math.floor(minutes / 60));
  return `${offset < 0 ? '-' : '+'}${hours}${minutes % 60 === 0 ? '' : two(minutes % 60)}`;
}
