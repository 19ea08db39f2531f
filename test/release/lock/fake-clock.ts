import type { LockClock } from '../../../src/release/lock/lock-clock.ts';

/** A clock that stands until a sleep or a test moves it; its ticks run when their time has come. */
export class FakeClock implements LockClock {
  #nowMs = 0;
  #timers: { dueMs: number; everyMs: number; tick: () => void }[] = [];
  /** Milliseconds that the time of day is ahead of others'. */
  aheadMs = 0;
  /** Whether a heartbeat is waited for for ever. */
  isPatient = true;

  nowMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return Date.UTC(2026, 0, 2, 3, 4, 5) + this.#nowMs + this.aheadMs;
  }

  async sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    // A heartbeat's patience must not move the time for all others.
    if (this.isPatient && signal !== undefined && milliseconds === 4_000) return new Promise(() => {});
    // As with any clock, nothing happens before the sleeper's caller has gone on.
    await Promise.resolve();
    await this.pass(milliseconds);
    signal?.throwIfAborted();
  }

  every(milliseconds: number, tick: () => void): () => void {
    const timer = { dueMs: this.#nowMs + milliseconds, everyMs: milliseconds, tick };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Time goes by, and every tick that falls into it runs. */
  async pass(milliseconds: number): Promise<void> {
    const endMs = this.#nowMs + milliseconds;
    for (;;) {
      const [next] = this.#timers.filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs);
      if (next === undefined) break;
      this.#nowMs = next.dueMs;
      next.dueMs += next.everyMs;
      next.tick();
      await settled();
    }
    this.#nowMs = endMs;
    await settled();
  }

  /** The process stands still: time goes by and nothing of it runs. */
  standStill(milliseconds: number): void {
    this.#nowMs += milliseconds;
    for (const timer of this.#timers) timer.dueMs = Math.max(timer.dueMs, this.#nowMs);
  }
}

/** Everything that was ready to run has run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
