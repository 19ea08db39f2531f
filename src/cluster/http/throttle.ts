import type { Sleep, Timers } from '../../support/timers.ts';

/** A limit on what this process asks of the API server: client-go's QPS and Burst. */
export interface RequestRate {
  /** Requests per second in the long run. */
  readonly qps: number;
  /** As many may follow at once after a rest. */
  readonly burst: number;
}

/** A bucket that fills with `qps` requests a second up to `burst`; who finds it empty waits for a turn, in order. */
export class Throttle {
  readonly #rate: RequestRate;
  readonly #timers: Timers;
  readonly #sleep: Sleep;
  #left: number;
  #at: number;

  constructor(rate: RequestRate, timers: Timers, sleep: Sleep) {
    this.#rate = rate;
    this.#timers = timers;
    this.#sleep = sleep;
    this.#left = rate.burst;
    this.#at = timers.now();
  }

  async admit(signal: AbortSignal | undefined): Promise<void> {
    const { qps, burst } = this.#rate;
    const now = this.#timers.now();
    this.#left = Math.min(burst, this.#left + ((now - this.#at) * qps) / 1000) - 1;
    this.#at = now;
    if (this.#left < 0) await this.#sleep((-this.#left * 1000) / qps, signal);
  }
}
