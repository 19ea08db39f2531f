const zeroTime = '0001-01-01T00:00:00Z';

/** A recorded time; undefined for what Go reads as the zero time (absent, '' of Helm 3, year 1). */
export const recordedTime = (time: unknown): string | undefined =>
  typeof time !== 'string' || time === '' || time === zeroTime ? undefined : time;

/** Seconds since 1970 of a recorded time; of the zero time, what Go's Unix() gives. */
export const unixSeconds = (time: string | undefined): number => Math.floor(Date.parse(time ?? zeroTime) / 1000);
