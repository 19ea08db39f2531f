import { networkErrorCode } from '../../go/net/reason.ts';
import { retryAfterMs } from '../../support/timers.ts';
import { BrokenOff } from './exchange.ts';

/** What came of an attempt: an answer's status, or an error. */
export interface Outcome {
  readonly status?: number | undefined;
  readonly retryAfter?: string | undefined;
  readonly error?: unknown;
}

/** Whether what happened may pass. Go: oras retry.DefaultPredicate, and connections that broke. */
export function isRetryable({ status, error }: Outcome): boolean {
  if (status !== undefined) return status === 408 || status === 429 || (status >= 500 && status !== 501);
  return error instanceof BrokenOff || ['ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(networkErrorCode(error));
}

/** How long to wait before the next attempt: Retry-After, else 250 ms doubled each time up to 3 s, a tenth by chance. */
export function pauseMs(attempt: number, { retryAfter }: Outcome, { now, random }: Chance): number {
  const asked = retryAfterMs(retryAfter, now);
  if (asked !== undefined) return asked;
  return Math.min(250 * 2 ** (attempt - 1), 3000) * (0.9 + random / 5);
}

interface Chance {
  readonly now: number;
  /** From 0 to 1. */
  readonly random: number;
}
