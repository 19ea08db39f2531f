import { asFirstFailure } from '../../cluster/api-error.ts';
import { fenced } from '../../cluster/fence.ts';
import type { Cluster } from '../../cluster/types.ts';
import { defaultTimeoutMs } from '../../execute/context.ts';
import type { Operation } from '../../release/lock/lease.ts';
import type { HeldLock, LockRequest, ReleaseLocks } from '../../release/lock/types.ts';
import type { OperationRecord } from '../../release/types.ts';
import { firstSignal } from '../../support/abort.ts';
import type { Context } from '../context.ts';
import type { LockOptions } from '../lock-options.ts';
import { LockedStorage } from './locked-storage.ts';

interface LockedOptions extends LockOptions {
  readonly name: string;
  readonly createNamespace?: boolean | undefined;
}

/**
 * Carries out `task` while nobody else changes the release. Inside, nothing is written once the lock may have lapsed, and
 * the signal aborts when it is lost. An action inside another shares its lock.
 * Errors: `operation-in-progress`, `lock-lost`.
 */
export async function withLock<T>(
  operation: Operation,
  options: LockedOptions,
  context: Context,
  task: (context: Context) => Promise<T>,
): Promise<T> {
  if (context.lock !== undefined || context.locks === undefined) return task(context);
  let unlease: (() => Promise<void>) | undefined;
  const lock = await acquired(context.locks, context, options, {
    release: options.name,
    operation,
    waitMs: options.waitLockMs ?? 0,
    createsNamespace: options.createNamespace,
    signal: context.signal,
    onNote: (text) => context.onEvent?.({ kind: 'warning', text }),
    onUnleased: async () => unlease?.(),
  });
  const locked = lockedContext(context, lock);
  unlease = async () => (await locked.storage()).unlease();
  try {
    return await task({ ...context, ...locked, lock });
  } catch (error) {
    throw lock.lost.aborted ? lock.lost.reason : error;
  } finally {
    await lock.release();
  }
}

/** Until the lock is held, a silent API server is waited for no longer than --timeout. */
async function acquired(
  locks: ReleaseLocks,
  context: Context,
  { timeoutMs }: LockOptions,
  request: LockRequest,
): Promise<HeldLock> {
  const callOff = (await context.cluster()).limitAbsence?.(timeoutMs || defaultTimeoutMs);
  try {
    return await locks.acquire(request);
  } catch (cause) {
    throw asFirstFailure(cause);
  } finally {
    callOff?.();
  }
}

/** What a run that holds a lock works with: nothing is written any more once it may be taken over. */
function lockedContext(context: Context, lock: HeldLock) {
  let cluster: Promise<Cluster> | undefined;
  let storage: Promise<LockedStorage> | undefined;
  const openCluster = async (): Promise<Cluster> => fenced(await context.cluster(), lock.fence);
  const openStorage = async (): Promise<LockedStorage> => {
    cluster ??= openCluster();
    return new LockedStorage((await context.storage()).underLock(await cluster), lock);
  };
  return {
    cluster: () => (cluster ??= openCluster()),
    storage: () => (storage ??= openStorage()),
    signal: firstSignal(lock.lost, context.signal),
  };
}

/** The same context for what must be done after an interruption: only the loss of the lock ends it. */
export const withoutUserSignal = (context: Context): Context => ({ ...context, signal: context.lock?.lost });

/** What the record of a running operation says of it; undefined where nothing is locked. */
export function operationRecord(
  { timeoutMs }: LockOptions,
  { lock }: Context,
  resume?: () => Pick<OperationRecord, 'action' | 'inputs'>,
): OperationRecord | undefined {
  if (lock === undefined) return undefined;
  const { identity, job, process } = lock.holder;
  const timeoutSeconds = Math.ceil((timeoutMs || defaultTimeoutMs) / 1000);
  return { holder: identity, job, process, isLeased: lock.isLeased(), timeoutSeconds, ...resume?.() };
}
