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

/** A signal that aborts after a time, as AbortSignal.timeout, and what calls that off. */
export function timeoutSignal(timers: Timers, milliseconds: number): { signal: AbortSignal; cancel: () => void } {
  const controller = new AbortController();
  const handle = timers.setTimeout(
    () => controller.abort(new DOMException('the time is over', 'TimeoutError')),
    milliseconds,
  );
  return { signal: controller.signal, cancel: () => timers.clearTimeout(handle) };
}
