/** Tells the time; injected, so that tests decide it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

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

/** A time as ISO 8601 writes it, in whole seconds. */
export const wholeSeconds = (time: string): string => time.replace(/\.\d+/, '');

/** The same in UTC. */
export const formatUtcTime = (time: Date): string => time.toISOString().replace(/\.?0*Z$/, 'Z');
