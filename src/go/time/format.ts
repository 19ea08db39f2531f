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

type Kind = NonNullable<LayoutElement['kind']>;

const elementText = ({ kind, text }: LayoutElement, clock: Clock): string =>
  kind === undefined ? '' : writers[kind](clock, text);

/** What each element of a layout writes; `text` is the element as it is in the layout. */
const writers: Readonly<Record<Kind, (clock: Clock, text: string) => string>> = {
  'long-month': ({ month }) => monthNames[month - 1] as string,
  month: ({ month }) => (monthNames[month - 1] as string).slice(0, 3),
  'number-month': ({ month }) => String(month),
  'zero-month': ({ month }) => padded(month, 2),
  'long-weekday': ({ weekday }) => weekdayNames[weekday] as string,
  weekday: ({ weekday }) => (weekdayNames[weekday] as string).slice(0, 3),
  day: ({ day }) => String(day),
  'space-day': ({ day }) => String(day).padStart(2),
  'zero-day': ({ day }) => padded(day, 2),
  'space-year-day': ({ yearDay }) => String(yearDay).padStart(3),
  'zero-year-day': ({ yearDay }) => padded(yearDay, 3),
  hour: ({ hour }) => padded(hour, 2),
  hour12: ({ hour }) => String(hour % 12 || 12),
  'zero-hour12': ({ hour }) => padded(hour % 12 || 12, 2),
  minute: ({ minute }) => String(minute),
  'zero-minute': ({ minute }) => padded(minute, 2),
  second: ({ second }) => String(second),
  'zero-second': ({ second }) => padded(second, 2),
  'long-year': ({ year }) => padded(year, 4),
  year: ({ year }) => padded(Math.abs(year) % 100, 2),
  PM: ({ hour }) => (hour >= 12 ? 'PM' : 'AM'),
  pm: ({ hour }) => (hour >= 12 ? 'pm' : 'am'),
  'zone-name': (clock) => clock.abbreviation() || offsetText('-0700', clock.offset),
  offset: ({ offset }, text) => offsetText(text, offset),
  'fraction-zeros': ({ nanoseconds }, text) => text.charAt(0) + fraction(nanoseconds, text.length - 1),
  'fraction-nines': ({ nanoseconds }, text) => {
    const digits = fraction(nanoseconds, text.length - 1).replace(/0+$/, '');
    return digits === '' ? '' : text.charAt(0) + digits;
  },
};

/** Zeros are between the sign and the digits. */
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
