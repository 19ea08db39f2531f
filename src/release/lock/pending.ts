import type { OperationRecord, Release } from '../types.ts';

/** What is known about a revision whose operation has not ended. */
export interface PendingFacts {
  /** Whether we hold the release's Lease. */
  readonly isLeased: boolean;
  /** Whether the process that wrote it still runs; undefined where that cannot be told. */
  readonly isRunning: boolean | undefined;
  readonly now: Date;
  /** When the operation last changed something, by the server's clock. */
  readonly lastMoved: Date;
  /** How long one that tells nothing else may stand still. */
  readonly staleAfterMs: number;
}

/** `working`: until then it counts as alive, even if nothing moves any more. */
export type PendingState =
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'working'; readonly lastMoved: Date; readonly until: Date };

const clockSlackMs = 1_000;

/**
 * Whether the operation that left a revision pending is over. One of tshelm is when its process is gone, or when its Lease
 * is somebody else's: ours. Of one of Helm, or of a tshelm without Leases, there is only what it does: each of its waits
 * ends by its timeout, and before the next one it changes its record or an object.
 */
export function pendingState({ operation }: Release, facts: PendingFacts): PendingState {
  if (isOver(operation, facts)) return { kind: 'abandoned' };
  const standstillMs = operation === undefined ? facts.staleAfterMs : operation.timeoutSeconds * 1000;
  const until = new Date(facts.lastMoved.getTime() + standstillMs + clockSlackMs);
  return facts.now > until ? { kind: 'abandoned' } : { kind: 'working', lastMoved: facts.lastMoved, until };
}

/** Whether an operation of tshelm is certainly over, whatever moves. */
export const isOver = (
  operation: OperationRecord | undefined,
  { isLeased, isRunning }: Pick<PendingFacts, 'isLeased' | 'isRunning'>,
): boolean => operation !== undefined && (isRunning === false || (operation.isLeased && isLeased));
