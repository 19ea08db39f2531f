import { setTimeout as delay } from 'node:timers/promises';

/** Waits `milliseconds`; rejects with the signal's reason when it aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

export const sleep: Sleep = async (milliseconds, signal) => {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
};

/** How long to wait before attempt `attempt` + 1: doubling from 200 ms to 5 s, between half and all of it at random. */
export function backoffMs(attempt: number, random: () => number): number {
  const full = Math.min(200 * 2 ** (attempt - 1), 5_000);
  return full * (0.5 + random() / 2);
}

/** The Retry-After header in milliseconds: seconds or a date; undefined when it says nothing usable. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Math.min(Number(header) * 1000, longestRetryAfterMs);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(date - now, 0), longestRetryAfterMs);
}

const longestRetryAfterMs = 60_000;
