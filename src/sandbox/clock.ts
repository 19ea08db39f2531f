/** Time as the sandbox sees it, so that a rehearsal can run on a clock of its own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, delayMs) => setTimeout(run, Math.min(delayMs, 0x7fffffff)),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};
