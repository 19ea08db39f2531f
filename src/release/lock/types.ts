import type { Holder } from './holder.ts';
import type { Operation } from './lease.ts';

export interface LockRequest {
  readonly release: string;
  readonly operation: Operation;
  /** How long to wait for others; 0 means not at all. */
  readonly waitMs: number;
  /** The operation creates the namespace of the records if it is missing. */
  readonly createsNamespace?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What a user should know while it goes on: who is waited for, who was taken over. */
  readonly onNote: (text: string) => void;
}

/** One lock for each release, respected by every tshelm that may use Leases. */
export interface ReleaseLocks {
  /** Errors: `operation-in-progress`, and whatever the cluster refuses or fails with. */
  acquire(request: LockRequest): Promise<HeldLock>;
}

export interface HeldLock {
  readonly holder: Holder;
  /** Whether a Lease stands behind it; without one (no rights) only the pending record keeps others away. */
  readonly isLeased: () => boolean;
  /** The server's time of day, as far as it is known. */
  readonly serverNow: () => Date;
  /** Aborts with `lock-lost` when somebody else has taken the release over. */
  readonly lost: AbortSignal;
  /**
   * To be awaited before anything is changed. Resolves while the lock is certainly held; after a standstill (a suspended
   * process) it asks the server first. Errors: `lock-lost`; `cluster-unreachable` after a minute without an answer; where the lock could not be taken before, those of `acquire`.
   */
  confirm(): Promise<void>;
  /** Tells that the namespace, which was missing when the lock was to be taken, is there by now. */
  namespaceIsThere(): void;
  /** Lets others go on. Never fails: what cannot be deleted lapses. */
  release(): Promise<void>;
}
