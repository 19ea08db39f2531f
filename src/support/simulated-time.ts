import { isWorkOutside } from './outside-work.ts';
import type { Timers } from './timers.ts';

interface Timer {
  readonly due: number;
  readonly number: number;
  readonly run: () => void;
}

/**
 * Time that stands still while something happens, and then jumps to the next timer. Whoever runs on it tells of what
 * happens by {@link noteActivity}; setting a timer counts too. All work must stay in the process and reach its end within turns
 * of the event loop, as in-process connections do: what the network or the disk takes is waited for only where it is told
 * by `awaitOutsideWork`.
 */
export class SimulatedTime implements Timers {
  #now: number;
  #count = 0;
  #happened = 0;
  #seen = 0;
  #quiet = 0;
  #isEnded = true;
  #isTurning = false;
  readonly #timers = new Set<Timer>();

  constructor(startMs: number) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, delayMs: number): Timer {
    this.noteActivity();
    const timer = { due: this.#now + Math.max(0, delayMs), number: this.#count++, run };
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as Timer);
  }

  /** Something happened: time stands still for some more turns. */
  noteActivity(): void {
    this.#happened += 1;
  }

  /** Lets time pass until {@link end}. */
  begin(): void {
    this.#isEnded = false;
    if (this.#isTurning) return;
    this.#isTurning = true;
    this.#turn();
  }

  end(): void {
    this.#isEnded = true;
  }

  #turn(): void {
    if (this.#isEnded) {
      this.#isTurning = false;
      return;
    }
    this.#quiet = this.#happened === this.#seen && !isWorkOutside() ? this.#quiet + 1 : 0;
    this.#seen = this.#happened;
    if (this.#quiet >= quietTurns) this.#jump();
    // With nothing to come, what lies outside is waited for.
    if (this.#timers.size === 0 && this.#quiet >= quietTurns) setTimeout(() => this.#turn(), 1);
    else setImmediate(() => this.#turn());
  }

  /** To the next moment at which a timer is due; all of that moment run, in the order in which they were set. */
  #jump(): void {
    this.#quiet = 0;
    let next = Number.POSITIVE_INFINITY;
    for (const { due } of this.#timers) next = Math.min(next, due);
    if (next === Number.POSITIVE_INFINITY) return;
    this.#now = Math.max(this.#now, next);
    const due = [...this.#timers].filter((timer) => timer.due <= this.#now).sort((a, b) => a.number - b.number);
    for (const timer of due) if (this.#timers.delete(timer)) timer.run();
  }
}

/** More than any work spends between two things that it tells of. */
const quietTurns = 25;
