import { setTimeout as delay } from 'node:timers/promises';
import type { ApiRequest, ApiResponse } from './exchange.ts';
import { isTransient, neverArrived } from './network-error.ts';

/** Waits `milliseconds`; rejects with the signal's reason when it aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

export const sleep: Sleep = async (milliseconds, signal) => {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
};

/** How long to wait before attempt `attempt` + 1: doubling from 200 ms to 5 s, between half and all of it at random. */
export function backoffMs(attempt: number, random: () => number): number {
  const full = Math.min(200 * 2 ** (attempt - 1), 5_000);
  return full * (0.5 + random() / 2);
}

/** The Retry-After header in milliseconds: seconds or a date; undefined when it says nothing usable. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Math.min(Number(header) * 1000, longestRetryAfterMs);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(date - now, 0), longestRetryAfterMs);
}

const longestRetryAfterMs = 60_000;

/**
 * How long to wait before a request is sent again, in milliseconds; undefined when its outcome is final. A server that
 * has never answered is not waited for: its address is more likely wrong.
 */
export function pauseBeforeNext(
  repeat: ApiRequest['repeat'],
  attempt: number,
  { response, error }: { readonly response?: ApiResponse; readonly error?: unknown },
  { hasAnswered, now, random }: { hasAnswered: boolean; now: number; random: () => number },
): number | undefined {
  if (repeat === 'never' || attempt >= maxAttempts) return undefined;
  if (response === undefined) {
    const mayPass = hasAnswered && (neverArrived(error) || (repeat === 'always' && isTransient(error)));
    return mayPass ? backoffMs(attempt, random) : undefined;
  }
  const mayPass =
    response.status === 429 || (repeat === 'always' && attempt < maxFailedAttempts && isPassing(response));
  return mayPass ? (retryAfterMs(response.headers['retry-after'], now) ?? backoffMs(attempt, random)) : undefined;
}

// About half a minute: the API server may be restarting, or busy.
const maxAttempts = 10;
// About six seconds where it answers that something went wrong.
const maxFailedAttempts = 6;

const isPassing = ({ status, text }: ApiResponse): boolean =>
  [502, 503, 504].includes(status) || (status === 500 && passingProblem.test(text));

// The API server answers 500 also for what stays wrong, such as a field that is not in the schema.
const passingProblem =
  /failed calling webhook|etcdserver|leader changed|rpc error|connection re(fused|set)|deadline exceeded|timed? ?out|EOF|no endpoints available/i;
