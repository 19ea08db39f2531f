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
