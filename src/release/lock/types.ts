import type { Fence } from '../../cluster/types.ts';
import type { TshelmError } from '../../support/errors.ts';
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
  /**
   * The Lease cannot be renewed: makes the record of the operation say that it alone locks the release. What it fails with
   * lets the lock be lost.
   */
  readonly onUnleased?: (() => Promise<void>) | undefined;
}

/** One lock for each release, respected by every tshelm that may use Leases. */
export interface ReleaseLocks {
  /** Errors: `operation-in-progress`, and whatever the cluster refuses or fails with. */
  acquire(request: LockRequest): Promise<HeldLock>;
}

export interface HeldLock {
  readonly holder: Holder;
  /** Whether it is a Lease; without the right to one, only the pending record keeps others away. */
  readonly isLeased: () => boolean;
  /** Aborts with `lock-lost` when somebody else has taken the release over. */
  readonly lost: AbortSignal;
  /** The lock is lost: another run has written the record of this one. */
  lose(error: TshelmError<'lock-lost'>): void;
  /**
   * What changes go through (cluster/types.ts, Fence): open while the lock is certainly held; where it was not renewed in time (a
   * suspended process, a server that is away) it is renewed first. Errors: `lock-lost`; `cluster-unreachable` after a minute
   * without an answer.
   */
  readonly fence: Fence;
  /**
   * To be awaited before a step. As the fence; and where the lock could not be taken before, since its namespace was
   * missing, it is taken now. Errors: those of the fence and of `acquire`.
   */
  confirm(signal?: AbortSignal): Promise<void>;
  /** Tells that the namespace, which was missing when the lock was to be taken, is there by now. */
  namespaceIsThere(): void;
  /** Lets others go on. Never fails: what cannot be deleted lapses. */
  release(): Promise<void>;
}
