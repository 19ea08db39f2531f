import { isDigits } from './text.ts';
/** Time that passes: what waits, retries and controllers go by. A rehearsal's is simulated. */
export interface Timers {
  /** Milliseconds since the epoch. */
  now(): number;
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  setTimeout: (run, delayMs) => setTimeout(run, Math.min(delayMs, 0x7fffffff)),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

/** Waits `milliseconds`; rejects with the signal's reason when it aborts. */
export function pause(timers: Timers, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = (): void => {
      timers.clearTimeout(handle);
      reject(signal?.reason as Error);
    };
    const handle = timers.setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Waits `milliseconds`; rejects with the signal's reason when it aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

/** By the system's clock, or one's own. */
export const sleepBy =
  (timers: Timers = systemTimers): Sleep =>
  (milliseconds, signal) =>
    pause(timers, milliseconds, signal);

/** How long to wait before attempt `attempt` + 1: doubling from 200 ms to 5 s, between half and all of it at random. */
export function backoffMs(attempt: number, random: () => number): number {
  const full = Math.min(200 * 2 ** (attempt - 1), 5_000);
  return full * (0.5 + random() / 2);
}

/** A signal that aborts after a time, as AbortSignal.timeout, and what calls that off. */
export function timeoutSignal(timers: Timers, milliseconds: number): { signal: AbortSignal; cancel: () => void } {
  const controller = new AbortController();
  const handle = timers.setTimeout(
    () => controller.abort(new DOMException('the time is up', 'TimeoutError')),
    milliseconds,
  );
  return { signal: controller.signal, cancel: () => timers.clearTimeout(handle) };
}

/** The Retry-After header in milliseconds: seconds or a date; undefined when it says nothing usable. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (isDigits(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0);
}
