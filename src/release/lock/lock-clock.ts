import { pause, systemTimers } from '../../support/timers.ts';

/** The times that a lock goes by; tests bring their own. */
export interface LockClock {
  /** Of a clock that only goes forward, and may stand still while the machine sleeps. */
  nowMs(): number;
  /** The time of day. */
  wallMs(): number;
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
  /** Calls again and again without keeping the process alive; the result ends it. */
  every(milliseconds: number, tick: () => void): () => void;
}

export const realLockClock: LockClock = {
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  sleep: (milliseconds, signal) => pause(systemTimers, milliseconds, signal),
  every(milliseconds, tick) {
    const timer = setInterval(tick, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
};
