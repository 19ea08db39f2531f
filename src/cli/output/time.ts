const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A recorded time (RFC 3339 text) in its own zone, as Go keeps it. */
interface ZonedTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  /** Digits behind the point, without trailing zeros. */
  readonly fraction: string;
  /** `Z` or `+02:00`. */
  readonly offset: string;
}

const pattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

function readTime(text: string): ZonedTime {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`internal: ${JSON.stringify(text)} is no RFC 3339 time`);
  const [, year, month, day, hour = '', minute = '', second = '', fraction = '', offset = 'Z'] = match;
  return {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour,
    minute,
    second,
    fraction: fraction.replace(/0+$/, ''),
    offset,
  };
}

/** Go's time.ANSIC, `Mon Jan _2 15:04:05 2006`, in the time's own zone. */
export function ansicTime(text: string): string {
  const { year, month, day, hour, minute, second } = readTime(text);
  const weekday = weekdays[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  return `${weekday} ${months[month - 1]} ${String(day).padStart(2)} ${hour}:${minute}:${second} ${year}`;
}

/** Go's Time.String(): `2026-11-21 09:47:04.123456789 +0000 UTC`. */
export function timeString(text: string): string {
  const { hour, minute, second, fraction, offset } = readTime(text);
  const clock = `${hour}:${minute}:${second}${fraction === '' ? '' : `.${fraction}`}`;
  return `${text.slice(0, 10)} ${clock} ${offset === 'Z' ? '+0000 UTC' : zoneText(text, offset)}`;
}

/** Go knows a zone's name only where it is the local one; else it prints the offset twice. */
function zoneText(text: string, offset: string): string {
  const digits = offset.replace(':', '');
  const date = new Date(text);
  const isLocal = localOffset(date) === digits;
  return `${digits} ${isLocal ? localZoneName(date) : digits}`;
}

function localOffset(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const clock = Math.abs(minutes);
  const pad = (number: number): string => String(number).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${pad(Math.trunc(clock / 60))}${pad(clock % 60)}`;
}

const localZoneName = (date: Date): string =>
  new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(date)
    .find((part) => part.type === 'timeZoneName')?.value ?? localOffset(date);
