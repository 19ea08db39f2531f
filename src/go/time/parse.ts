import { GoError } from '../value.ts';
import { daysInMonth, daysOfDate, isLeapYear } from './civil.ts';
import type { Instant } from './format.ts';
import { type LayoutElement, layoutElements, monthNames, weekdayNames } from './layout.ts';
import { quoteTimeText as quoted } from './quote.ts';
import { fixedZone, unixSecondsOf, utc, type Zone } from './zone.ts';

/**
 * Go's time.ParseInLocation: reads a text by a layout; a time without a zone is one of `local`.
 * Fails with Go's words: `parsing time "x" as "2006": cannot parse "x" as "2006"`.
 */
export function parseTime(layout: string, text: string, local: Zone): Instant {
  const reader = new TimeReader(layout, text);
  const elements = layoutElements(layout);
  elements.forEach((element, index) => {
    reader.read(element);
    const isLastOfTime = !elements[index + 1]?.kind?.startsWith('fraction');
    if (isLastOfTime && element.kind?.endsWith('second')) reader.readFraction();
  });
  return reader.instant(local);
}

/** The element at hand does not fit the text. */
class Mismatch extends Error {}
/** A number that fits, but not the calendar. */
class OutOfRange extends Error {}

class TimeReader {
  private readonly layout: string;
  private readonly text: string;
  private rest: string;
  private year = 0;
  private month: number | undefined;
  private day: number | undefined;
  private yearDay: number | undefined;
  private hour = 0;
  private minute = 0;
  private second = 0;
  private nanoseconds = 0;
  private half: 'AM' | 'PM' | undefined;
  private isUtc = false;
  private offset: number | undefined;
  private zoneName = '';

  constructor(layout: string, text: string) {
    this.layout = layout;
    this.text = text;
    this.rest = text;
  }

  read(element: LayoutElement): void {
    this.skip(element.prefix);
    if (element.kind === undefined) {
      if (this.rest !== '') throw this.failure(`: extra text: ${quoted(this.rest)}`);
      return;
    }
    const before = this.rest;
    try {
      this.take(element);
    } catch (error) {
      if (error instanceof OutOfRange) throw this.failure(`: ${error.message} out of range`);
      if (error instanceof Mismatch) throw this.mismatch(before, element.text);
      throw error;
    }
  }

  private take({ kind, text }: LayoutElement): void {
    switch (kind) {
      case 'year': {
        const year = Number(this.matched(/^\d\d/));
        this.year = year >= 69 ? year + 1900 : year + 2000;
        return;
      }
      case 'long-year':
        this.year = Number(this.matched(/^\d{4}/));
        return;
      case 'month':
        this.month = this.name(monthNames.map((name) => name.slice(0, 3))) + 1;
        return;
      case 'long-month':
        this.month = this.name(monthNames) + 1;
        return;
      case 'number-month':
      case 'zero-month':
        this.month = this.number(kind === 'zero-month');
        if (this.month < 1 || this.month > 12) throw new OutOfRange('month');
        return;
      case 'weekday':
        this.name(weekdayNames.map((name) => name.slice(0, 3)));
        return;
      case 'long-weekday':
        this.name(weekdayNames);
        return;
      case 'day':
      case 'space-day':
      case 'zero-day':
        if (kind === 'space-day') this.rest = this.rest.replace(/^ /, '');
        this.day = this.number(kind === 'zero-day');
        return;
      case 'space-year-day':
      case 'zero-year-day':
        if (kind === 'space-year-day') this.rest = this.rest.replace(/^ {1,2}/, '');
        this.yearDay = Number(this.matched(kind === 'zero-year-day' ? /^\d{3}/ : /^\d{1,3}/));
        return;
      default:
        this.takeTimeOfDay(kind, text);
    }
  }

  private takeTimeOfDay(kind: LayoutElement['kind'], text: string): void {
    switch (kind) {
      case 'hour':
        this.hour = this.number(false);
        if (this.hour > 23) throw new OutOfRange('hour');
        return;
      case 'hour12':
      case 'zero-hour12':
        this.hour = this.number(kind === 'zero-hour12');
        if (this.hour > 12) throw new OutOfRange('hour');
        return;
      case 'minute':
      case 'zero-minute':
        this.minute = this.number(kind === 'zero-minute');
        if (this.minute > 59) throw new OutOfRange('minute');
        return;
      case 'second':
      case 'zero-second':
        this.second = this.number(kind === 'zero-second');
        if (this.second > 59) throw new OutOfRange('second');
        return;
      case 'PM':
      case 'pm':
        this.half = this.matched(kind === 'PM' ? /^[AP]M/ : /^[ap]m/).toUpperCase() as 'AM' | 'PM';
        return;
      case 'zone-name':
        return this.takeZoneName();
      case 'offset':
        return this.takeOffset(text);
      case 'fraction-zeros':
        this.takeFraction(new RegExp(`^[.,]\\d{${text.length - 1}}`));
        return;
      case 'fraction-nines':
        if (/^[.,]\d/.test(this.rest)) this.takeFraction(/^[.,]\d+/);
        return;
      default:
    }
  }

  /** A fraction after the seconds is read even where the layout has none. */
  readFraction(): void {
    if (/^[.,]\d/.test(this.rest)) this.takeFraction(/^[.,]\d+/);
  }

  private takeFraction(pattern: RegExp): void {
    this.nanoseconds = Number(this.matched(pattern).slice(1, 10).padEnd(9, '0'));
  }

  private takeZoneName(): void {
    if (this.rest.startsWith('UTC')) {
      this.rest = this.rest.slice(3);
      this.isUtc = true;
      return;
    }
    this.zoneName = this.matched(zoneName);
  }

  private takeOffset(shape: string): void {
    if (shape.startsWith('Z') && this.rest.startsWith('Z')) {
      this.rest = this.rest.slice(1);
      this.isUtc = true;
      return;
    }
    const hasColons = [...shape].every((character, index) => character !== ':' || this.rest[index] === ':');
    if (this.rest.length < shape.length || !hasColons) throw new Mismatch();
    const text = this.rest.slice(0, shape.length);
    const isWhole = /^[+-](?:\d\d:?)+$/.test(text);
    this.rest = this.rest.slice(shape.length);
    // Go looks at the ranges first, up to the first pair that is no number; the last one out of range is named.
    const pairs = text.slice(1).replaceAll(':', '').match(/../g) ?? [];
    const bad = pairs.findIndex((pair) => !/^\d\d$/.test(pair));
    const [hours = 0, minutes = 0, seconds = 0] = (bad === -1 ? pairs : pairs.slice(0, bad)).map(Number);
    if (seconds > 60) throw new OutOfRange('time zone offset second');
    if (minutes > 60) throw new OutOfRange('time zone offset minute');
    if (hours > 24) throw new OutOfRange('time zone offset hour');
    if (!isWhole) throw new Mismatch();
    const magnitude = hours * 3600 + minutes * 60 + seconds;
    this.offset = text.startsWith('-') ? -magnitude : magnitude;
  }

  /** One or two digits; two exactly when the layout has a zero. */
  private number(isFixed: boolean): number {
    return Number(this.matched(isFixed ? /^\d\d/ : /^\d\d?/));
  }

  /** The index of the name that the text begins with, in any case. */
  private name(names: readonly string[]): number {
    const index = names.findIndex((name) => this.rest.slice(0, name.length).toLowerCase() === name.toLowerCase());
    if (index === -1) throw new Mismatch();
    this.rest = this.rest.slice(names[index]?.length);
    return index;
  }

  private matched(pattern: RegExp): string {
    const match = pattern.exec(this.rest);
    if (match === null) throw new Mismatch();
    this.rest = this.rest.slice(match[0].length);
    return match[0];
  }

  /** Spaces of the layout stand for any number of spaces, none at the end of the text. */
  private skip(prefix: string): void {
    let expected = prefix;
    while (expected !== '') {
      const isSpace = expected.startsWith(' ');
      const fits = isSpace ? this.rest === '' || this.rest.startsWith(' ') : this.rest.charAt(0) === expected.charAt(0);
      if (!fits) throw this.mismatch(this.rest, prefix);
      expected = isSpace ? expected.replace(/^ +/, '') : expected.slice(1);
      this.rest = isSpace ? this.rest.replace(/^ +/, '') : this.rest.slice(1);
    }
  }

  private mismatch(value: string, element: string): GoError {
    const [text, layout] = [quoted(this.text), quoted(this.layout)];
    return new GoError(`parsing time ${text} as ${layout}: cannot parse ${quoted(value)} as ${quoted(element)}`);
  }

  private failure(message: string): GoError {
    return new GoError(`parsing time ${quoted(this.text)}${message}`);
  }

  instant(local: Zone): Instant {
    const clockSeconds = this.days() * 86_400 + this.hour24() * 3600 + this.minute * 60 + this.second;
    const { nanoseconds } = this;
    if (this.isUtc) return { unixSeconds: clockSeconds, nanoseconds, zone: utc };
    if (this.offset !== undefined) {
      const unixSeconds = clockSeconds - this.offset;
      const period = local.at(unixSeconds);
      const isLocal = period.offset === this.offset && ['', period.abbreviation].includes(this.zoneName);
      return { unixSeconds, nanoseconds, zone: isLocal ? local : fixedZone(this.zoneName, this.offset) };
    }
    if (this.zoneName === '') return { unixSeconds: unixSecondsOf(clockSeconds, local), nanoseconds, zone: local };
    const offset = offsetNamed(this.zoneName, local, clockSeconds);
    if (offset !== undefined) return { unixSeconds: clockSeconds - offset, nanoseconds, zone: local };
    const hours = /^GMT([+-]\d+)$/.exec(this.zoneName)?.[1];
    const zone = fixedZone(this.zoneName, Number(hours ?? 0) * 3600);
    // Go takes the clock for UTC here, whatever the offset after GMT says.
    return { unixSeconds: clockSeconds, nanoseconds, zone };
  }

  private hour24(): number {
    if (this.half === 'PM' && this.hour < 12) return this.hour + 12;
    return this.half === 'AM' && this.hour === 12 ? 0 : this.hour;
  }

  /** Days since 1970. A day of the year must agree with month and day. */
  private days(): number {
    if (this.yearDay === undefined) return this.daysOf(this.month ?? 1, this.day ?? 1);
    if (this.yearDay < 1 || this.yearDay > (isLeapYear(this.year) ? 366 : 365)) {
      throw this.failure(': day-of-year out of range');
    }
    const months = Array.from({ length: 12 }, (_, index) => daysInMonth(this.year, index + 1));
    let day = this.yearDay;
    let month = 1;
    for (; day > (months[month - 1] as number); month++) day -= months[month - 1] as number;
    if (this.month !== undefined && this.month !== month) throw this.failure(': day-of-year does not match month');
    if (this.day !== undefined && this.day !== day) throw this.failure(': day-of-year does not match day');
    return this.daysOf(month, day);
  }

  private daysOf(month: number, day: number): number {
    if (day < 1 || day > daysInMonth(this.year, month)) throw this.failure(': day out of range');
    return daysOfDate(this.year, month, day);
  }
}

/** Three to five capitals, `GMT+3`, `+03`: what Go takes for the abbreviation of a zone. */
const signedHours = '[+-]0*(?:1?[0-9]|2[0-3])(?![0-9])';
const letters = '(?:[A-Z]{4}T|[A-Z]{3}T|WITA|[A-Z]{3})(?![A-Z])';
const zoneName = new RegExp(`^(?:ChST|MeST|GMT(?:${signedHours})?|${signedHours}|${letters})`);

/** The offset for which the local zone has this abbreviation, at that time of the year or at another (lookupName). */
function offsetNamed(name: string, local: Zone, clockSeconds: number): number | undefined {
  const halfYear = 182 * 86_400;
  const periods = [clockSeconds, clockSeconds - halfYear, clockSeconds + halfYear].map((at) => local.at(at));
  const named = periods.filter(({ abbreviation }) => abbreviation === name);
  const exact = named.find(({ offset }) => local.at(clockSeconds - offset).abbreviation === name);
  return (exact ?? named[0])?.offset;
}
