import { serverTrouble } from '../../problem/foreign/api-status.ts';
import { backoffMs, retryAfterMs } from '../../support/timers.ts';
import { isStalled, isTransient, neverReachedServer } from '../network-error.ts';
import type { ApiRequest, ApiResponse } from './exchange.ts';

const longestRetryAfterMs = 60_000;

/** What the server asks for, a minute at most. */
export function askedPauseMs(header: string | undefined, now: number): number | undefined {
  const asked = retryAfterMs(header, now);
  return asked && Math.min(asked, longestRetryAfterMs);
}

/** What came of an attempt, and what it cost to get there. */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  /** The pauses before it, all together. */
  readonly pausedMs: number;
  readonly response?: ApiResponse | undefined;
  readonly error?: unknown;
}

/**
 * How long to wait before a request is sent again, in milliseconds; undefined when its outcome is final. A server that
 * has never answered is not waited for where nobody listens: its address is more likely wrong.
 */
export function pauseBeforeNext(
  repeat: ApiRequest['repeat'],
  attempt: Attempt,
  { hasAnswered, now, random }: { hasAnswered: boolean; now: number; random: () => number },
): number | undefined {
  const patience = repeat === 'never' ? noPatience : patienceWith(attempt, repeat === 'always', hasAnswered);
  if (attempt.number >= patience.attempts && attempt.pausedMs >= patience.pausedMs) return undefined;
  return askedPauseMs(attempt.response?.headers['retry-after'], now) ?? backoffMs(attempt.number, random);
}

/** Attempts go on until both are used up. */
interface Patience {
  readonly attempts: number;
  readonly pausedMs: number;
}

const noPatience: Patience = { attempts: 1, pausedMs: 0 };
const someAttempts: Patience = { attempts: 3, pausedMs: 0 };
const whileRestarting: Patience = { attempts: 3, pausedMs: 60_000 };
const whileUnavailable: Patience = { attempts: 3, pausedMs: 20_000 };
const whileBackendIsDown: Patience = { attempts: 3, pausedMs: 6_000 };

/** `isSafe`: the request may have been carried out, and doing it again changes nothing. */
function patienceWith({ response, error }: Attempt, isSafe: boolean, hasAnswered: boolean): Patience {
  if (response === undefined) {
    if (neverReachedServer(error)) return hasAnswered ? whileRestarting : noPatience;
    if (!isSafe || !isTransient(error)) return noPatience;
    if (isStalled(error)) return hasAnswered ? someAttempts : noPatience;
    return hasAnswered ? whileRestarting : someAttempts;
  }
  if (response.status === 429) return whileRestarting;
  if (!isSafe || response.status < 500) return noPatience;
  return patienceWithServer(response);
}

function patienceWithServer({ status, text }: ApiResponse): Patience {
  if ([502, 503, 504].includes(status)) return whileUnavailable;
  if (status !== 500) return noPatience;
  switch (serverTrouble(text)) {
    case 'lasting':
    case 'webhook-timeout':
      return noPatience;
    case 'passing':
      return whileBackendIsDown;
    // A webhook that is down mostly stays so. Those of the release itself are waited for where it is deployed; others are
    // given the moment in which a pod is replaced.
    default:
      return someAttempts;
  }
}
