import { unreachable } from '../errors.ts';
import { dateOfDays, dayOfYear, weekdayOf } from './civil.ts';
import { type LayoutElement, layoutElements, monthNames, weekdayNames } from './layout.ts';
import type { Zone } from './zone.ts';

/** A moment and the zone in which it is shown. */
export interface Instant {
  /** Whole seconds since 1970. */
  readonly unixSeconds: number;
  /** 0 to 999,999,999. */
  readonly nanoseconds: number;
  readonly zone: Zone;
}

/** What a clock and a calendar in the instant's zone show. */
export interface Clock {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** 0 for Sunday. */
  readonly weekday: number;
  /** 1 for the first of January. */
  readonly yearDay: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanoseconds: number;
  /** Seconds east of Greenwich. */
  readonly offset: number;
  readonly abbreviation: () => string;
}

export function clockOf(instant: Instant): Clock {
  const period = instant.zone.at(instant.unixSeconds);
  const clockSeconds = instant.unixSeconds + period.offset;
  const days = Math.floor(clockSeconds / 86_400);
  const inDay = clockSeconds - days * 86_400;
  return {
    ...dateOfDays(days),
    weekday: weekdayOf(days),
    yearDay: dayOfYear(days),
    hour: Math.floor(inDay / 3600),
    minute: Math.floor(inDay / 60) % 60,
    second: inDay % 60,
    nanoseconds: instant.nanoseconds,
    offset: period.offset,
    abbreviation: () => period.abbreviation,
  };
}

/** Go's Time.Format. */
export function formatTime(instant: Instant, layout: string): string {
  const clock = clockOf(instant);
  return layoutElements(layout)
    .map((element) => element.prefix + elementText(element, clock))
    .join('');
}

function elementText({ kind, text }: LayoutElement, clock: Clock): string {
  switch (kind) {
    case undefined:
      return '';
    case 'long-month':
      return monthNames[clock.month - 1] as string;
    case 'month':
      return (monthNames[clock.month - 1] as string).slice(0, 3);
    case 'number-month':
      return String(clock.month);
    case 'zero-month':
      return padded(clock.month, 2);
    case 'long-weekday':
      return weekdayNames[clock.weekday] as string;
    case 'weekday':
      return (weekdayNames[clock.weekday] as string).slice(0, 3);
    case 'day':
      return String(clock.day);
    case 'space-day':
      return String(clock.day).padStart(2);
    case 'zero-day':
      return padded(clock.day, 2);
    case 'space-year-day':
      return String(clock.yearDay).padStart(3);
    case 'zero-year-day':
      return padded(clock.yearDay, 3);
    case 'hour':
      return padded(clock.hour, 2);
    case 'hour12':
      return String(clock.hour % 12 || 12);
    case 'zero-hour12':
      return padded(clock.hour % 12 || 12, 2);
    case 'minute':
      return String(clock.minute);
    case 'zero-minute':
      return padded(clock.minute, 2);
    case 'second':
      return String(clock.second);
    case 'zero-second':
      return padded(clock.second, 2);
    case 'long-year':
      return padded(clock.year, 4);
    case 'year':
      return padded(Math.abs(clock.year) % 100, 2);
    case 'PM':
      return clock.hour >= 12 ? 'PM' : 'AM';
    case 'pm':
      return clock.hour >= 12 ? 'pm' : 'am';
    case 'zone-name':
      return clock.abbreviation() || offsetText('-0700', clock.offset);
    case 'offset':
      return offsetText(text, clock.offset);
    case 'fraction-zeros':
      return text.charAt(0) + fraction(clock.nanoseconds, text.length - 1);
    case 'fraction-nines': {
      const digits = fraction(clock.nanoseconds, text.length - 1).replace(/0+$/, '');
      return digits === '' ? '' : text.charAt(0) + digits;
    }
    default:
      return unreachable(kind);
  }
}

/** Zeros stand between the sign and the digits. */
const padded = (value: number, width: number): string =>
  `${value < 0 ? '-' : ''}${String(Math.abs(value)).padStart(width, '0')}`;

const fraction = (nanoseconds: number, digits: number): string => padded(nanoseconds, 9).slice(0, digits);

/** An offset in the shape of the layout's element: `Z07:00`, `-0700`, `-07`, with seconds or without. */
function offsetText(shape: string, offset: number): string {
  if (shape.startsWith('Z') && offset === 0) return 'Z';
  const minutes = Math.trunc(offset / 60);
  const colon = shape.includes(':') ? ':' : '';
  const digits = shape.replace(/[^0-9]/g, '').length;
  const hours = `${minutes < 0 ? '-' : '+'}${padded(Math.floor(Math.abs(minutes) / 60), 2)}`;
  if (digits === 2) return hours;
  const toMinutes = `${hours}${colon}${padded(Math.abs(minutes) % 60, 2)}`;
  return digits === 4 ? toMinutes : `${toMinutes}${colon}${padded(Math.abs(offset) % 60, 2)}`;
}
