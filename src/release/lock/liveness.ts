import type { LeaseState } from './lease.ts';

/** How long a Lease has been seen without a heartbeat, by this machine's own clock. */
export interface Watched {
  readonly uid: string;
  readonly renewTime: string;
  /** Of a clock that only goes forward. */
  readonly sinceMs: number;
  /** Whether its heartbeat has been seen to beat. */
  readonly hasBeaten: boolean;
}

/** `unknown`: it has to be watched for longer. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** What is known of a Lease after one more look at it. */
export function watch(lease: LeaseState, before: Watched | undefined, nowMs: number): Watched {
  const { uid, renewTime } = lease;
  if (before?.uid === uid && before.renewTime === renewTime) return before;
  return { uid, renewTime, sinceMs: nowMs, hasBeaten: before?.uid === uid };
}

/**
 * Whether the holder of a Lease lives. On the same machine the process itself tells, and times are comparable. Elsewhere
 * clocks may differ, so a heartbeat is believed only when it has been seen: the holder lives when it beats once, and is
 * dead when it has not beaten for the whole duration (as client-go's leader election judges).
 */
export function livenessOf(
  lease: LeaseState,
  watched: Watched,
  { nowMs, wallMs, isRunning }: { nowMs: number; wallMs: number; isRunning: boolean | undefined },
): Liveness {
  const durationMs = lease.seconds * 1000;
  if (isRunning === false) return 'dead';
  if (isRunning === true && wallMs - Date.parse(lease.renewTime) <= durationMs) return 'alive';
  // Its process stands still: a heartbeat is due long ago.
  if (isRunning === true) return 'dead';
  if (nowMs - watched.sinceMs > durationMs) return 'dead';
  return watched.hasBeaten ? 'alive' : 'unknown';
}
