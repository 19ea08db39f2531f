/** Tells the time; injected, so that tests decide it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

const zeroTime = '0001-01-01T00:00:00Z';

/** A time as Go's encoding/json writes it (RFC3339Nano): local zone, no trailing zeros in the fraction. */
export function formatTime(time: Date): string {
  const offsetMinutes = -time.getTimezoneOffset();
  const local = new Date(time.getTime() + offsetMinutes * 60_000).toISOString();
  const fraction = local.slice(20, 23).replace(/0+$/, '');
  return local.slice(0, 19) + (fraction === '' ? '' : `.${fraction}`) + formatOffset(offsetMinutes);
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const pad = (part: number): string => String(Math.trunc(part)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${pad(Math.abs(minutes) / 60)}:${pad(Math.abs(minutes) % 60)}`;
}

/** The same in UTC, for the modification times of files. */
export const formatUtcTime = (time: Date): string => time.toISOString().replace(/\.?0*Z$/, 'Z');

/** A recorded time; undefined for what Go reads as the zero time (absent, '' of Helm 3, year 1). */
export const recordedTime = (time: unknown): string | undefined =>
  typeof time !== 'string' || time === '' || time === zeroTime ? undefined : time;

/** Seconds since 1970 of a recorded time; of the zero time, what Go's Unix() gives. */
export const unixSeconds = (time: string | undefined): number => Math.floor(Date.parse(time ?? zeroTime) / 1000);
