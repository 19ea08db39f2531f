import { type FlagRows, requireNotNegative } from './option-rows.ts';

/** How an action treats others that work on the same release. */
export interface LockOptions {
  /** How long to wait for others that work on the release. Default 0: they are an error at once. */
  readonly waitLockMs?: number | undefined;
  /**
   * How long a pending revision of plain Helm may stand still before it counts as abandoned: that Helm's own timeout.
   * Default: 5 minutes, or this action's timeout where that is longer.
   */
  readonly staleAfterMs?: number | undefined;
  /** Limits each wait and each hook. Default 5 minutes; 0 is 30 seconds, as in Helm. */
  readonly timeoutMs?: number | undefined;
}

/** Their flags. */
export const lockFlags = {
  'wait-lock': {
    type: 'duration',
    option: 'waitLockMs',
    as: requireNotNegative('--wait-lock'),
    description: 'how long to wait for another operation on the release to finish (default 0s: fail immediately)',
  },
  'stale-after': {
    type: 'duration',
    option: 'staleAfterMs',
    as: requireNotNegative('--stale-after'),
    description:
      'how long a pending revision of plain Helm must show no progress before it is taken over; use the --timeout that Helm was run with (default: 5m0s, or --timeout if that is longer)',
  },
} satisfies FlagRows<LockOptions>;

export const timeoutFlag = {
  timeout: {
    type: 'duration',
    option: 'timeoutMs',
    default: 300_000,
    description: 'time to wait for any individual Kubernetes operation (like Jobs for hooks) (default 5m0s)',
  },
} satisfies FlagRows<LockOptions>;
