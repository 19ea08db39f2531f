import type { LeaseState } from './lease.ts';

/** How long a Lease has been seen unchanged, by a clock of this machine that only goes forward. */
export interface Watched {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly sinceMs: number;
  /** Whether it has been seen to change, as each heartbeat changes it. */
  readonly hasBeaten: boolean;
}

/** `unknown`: it has to be watched for longer. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** What is known of a Lease after one more look at it. */
export function watch(lease: LeaseState, before: Watched | undefined, nowMs: number): Watched {
  const { uid, resourceVersion } = lease;
  if (before?.uid === uid && before.resourceVersion === resourceVersion) return before;
  return { uid, resourceVersion, sinceMs: nowMs, hasBeaten: before?.uid === uid };
}

/**
 * Whether the holder of a Lease lives: it does when the Lease changes while one watches, and is dead when the Lease has not
 * changed for its whole duration (as client-go's leader election judges). On the same machine a process that is gone is
 * dead at once. The time that a Lease tells is its holder's, whose clock may differ, also on one machine (faketime, a
 * clock that was set): it only says whether a holder whose process runs needs to be watched at all before it is respected.
 */
export function livenessOf(
  lease: LeaseState,
  watched: Watched,
  { nowMs, wallMs, isRunning }: { nowMs: number; wallMs: number; isRunning: boolean | undefined },
): Liveness {
  const durationMs = lease.seconds * 1000;
  if (isRunning === false || nowMs - watched.sinceMs > durationMs) return 'dead';
  if (watched.hasBeaten) return 'alive';
  const seemsFresh = Math.abs(wallMs - Date.parse(lease.renewTime)) <= durationMs;
  return isRunning === true && seemsFresh ? 'alive' : 'unknown';
}
