import { defaultTimeoutMs } from '../../execute/context.ts';
import type { Operation } from '../../release/lock/lease.ts';
import type { HeldLock, ReleaseLocks } from '../../release/lock/types.ts';
import type { OperationRecord, ReleaseStorage } from '../../release/types.ts';
import type { Context } from '../context.ts';
import type { LockOptions } from '../lock-options.ts';

interface LockedOptions extends LockOptions {
  readonly name: string;
  readonly createNamespace?: boolean | undefined;
}

/**
 * Carries out `task` while nobody else changes the release. Inside, the storage writes only while the lock is held, and
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
  const lock = await acquired(context.locks, operation, options, context);
  try {
    return await task(lockedContext(context, lock));
  } catch (error) {
    throw lock.lost.aborted ? lock.lost.reason : error;
  } finally {
    await lock.release();
  }
}

/** Until the lock is held, a silent API server is waited for no longer than --timeout. */
async function acquired(
  locks: ReleaseLocks,
  operation: Operation,
  options: LockedOptions,
  context: Context,
): Promise<HeldLock> {
  const callOff = (await context.cluster()).limitAbsence?.(options.timeoutMs || defaultTimeoutMs);
  try {
    return await locks.acquire({
      release: options.name,
      operation,
      waitMs: options.waitLockMs ?? 0,
      createsNamespace: options.createNamespace,
      signal: context.signal,
      onNote: (text) => context.onEvent?.({ kind: 'warning', text }),
    });
  } finally {
    callOff?.();
  }
}

const lockedContext = (context: Context, lock: HeldLock): Context => ({
  ...context,
  lock,
  storage: async () => guarded(await context.storage(), lock),
  signal: context.signal === undefined ? lock.lost : AbortSignal.any([context.signal, lock.lost]),
});

/** A storage that writes only while the lock is held: a run that stood still must not undo what came after it. */
const guarded = (storage: ReleaseStorage, lock: HeldLock): ReleaseStorage => ({
  driver: storage.driver,
  get: (name, version) => storage.get(name, version),
  revisions: (name, options) => storage.revisions(name, options),
  newest: (name) => storage.newest(name),
  list: (options) => storage.list(options),
  async create(release) {
    await lock.confirm();
    await storage.create(release);
  },
  async update(release) {
    await lock.confirm();
    await storage.update(release);
  },
  async delete(name, version) {
    await lock.confirm();
    await storage.delete(name, version);
  },
});

/** The same context for what must be done after an interruption: only the loss of the lock ends it. */
export const calmed = (context: Context): Context => ({ ...context, signal: context.lock?.lost });

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
