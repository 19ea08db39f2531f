import { reasonOf } from '../../go/net/reason.ts';
import type { Timers } from '../../support/timers.ts';
import type { ApiResponse } from './exchange.ts';

/** What became of the server: it does not answer any more (`isOver` false), or answers again. */
export interface OutageEvent {
  readonly isOver: boolean;
  readonly text: string;
}

interface Missed {
  readonly response?: ApiResponse | undefined;
  readonly error?: unknown;
  readonly startedMs: number;
}

/** A server that has not answered anything yet is mentioned after that long. */
export const firstAnswerMs = 5_000;

/** A restart of a balancer or a lost connection is over sooner, and nothing to tell. */
const reportedAfterMs = 2_000;

/** Tells that requests wait for a server that has gone: once, whatever number of them waits, and when it is back. */
export class OutageReporter {
  readonly #url: URL;
  readonly #timers: Timers;
  readonly #tell: (news: OutageEvent) => void;
  #sinceMs: number | undefined;
  #isTold = false;

  constructor(url: URL, timers: Timers, tell: (news: OutageEvent) => void) {
    this.#url = url;
    this.#timers = timers;
    this.#tell = tell;
  }

  /**
   * A request, begun at `startedMs`, got no answer, or only one of what comes before the server, and will be sent again.
   */
  missed({ response, error, startedMs }: Missed): void {
    if (response !== undefined && !isAwayStatus(response.status)) return;
    const now = this.#timers.now();
    this.#sinceMs ??= startedMs;
    if (this.#isTold || now - this.#sinceMs < reportedAfterMs) return;
    this.#isTold = true;
    const reason = response === undefined ? reasonOf(error, this.#url) : `status ${response.status}`;
    this.#tell({ isOver: false, text: `the API server does not answer: ${reason}; retrying` });
  }

  /** The server has not answered at all since the first request was sent. */
  unanswered(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#sinceMs ??= this.#timers.now() - firstAnswerMs;
    const text = `the API server ${this.#url.host} has not answered for ${firstAnswerMs / 1000} s; still waiting`;
    this.#tell({ isOver: false, text });
  }

  /** How long the server has been away, not counting what was before `fromMs`. */
  lengthMs(fromMs: number): number {
    return this.#sinceMs === undefined ? 0 : this.#timers.now() - Math.max(this.#sinceMs, fromMs);
  }

  answered(status: number): void {
    if (this.#sinceMs === undefined || isAwayStatus(status)) return;
    const seconds = Math.round((this.#timers.now() - this.#sinceMs) / 1000);
    this.#sinceMs = undefined;
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#tell({ isOver: true, text: `the API server answers again, after ${seconds} s` });
  }
}

const isAwayStatus = (status: number): boolean => status >= 502 && status <= 504;
