import { refusalIn } from '../../cluster/api-error.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { hasCode, messageOf, TshelmError } from '../../support/errors.ts';
import { systemTimers } from '../../support/timers.ts';
import type { Run } from '../context.ts';
import { awaitDeleted } from '../waits.ts';
import type { Target } from './targets.ts';

/** Sends an object once. */
export type SendOnce = (attempt: Attempt) => Promise<void>;

interface Attempt {
  /** The one of its name that was being deleted is gone. */
  readonly isAnew: boolean;
  /** This run has deleted it to create this one. */
  readonly successor?: KubernetesObject | undefined;
  readonly onDying: () => void;
}

/**
 * Sends an object. One that is being deleted goes whatever is written to it, so it is waited for until it is gone, and the
 * object is created anew. The answer to the request tells (`onDying`), so an object that is not costs no request more.
 */
export async function sendUnlessTerminating(
  target: Target,
  sendOnce: SendOnce,
  onWaiting: (reason: string) => void,
  run: Run,
): Promise<void> {
  const timers = run.cluster.timers ?? systemTimers;
  let deadlineMs: number | undefined;
  for (let isAnew = false; ; isAnew = true) {
    let isDying = false;
    try {
      await sendOnce({ isAnew, onDying: () => (isDying = true) });
    } catch (error) {
      // What cannot be changed, and who owns a field, does not matter of an object that goes.
      if (!mayBeTerminating(error) || !(await isBeingDeletedNow(target.id, run))) throw error;
      isDying = true;
    }
    if (!isDying) return;
    deadlineMs ??= timers.now() + (run.context.deletionTimeoutMs ?? run.timeoutMs);
    await awaitGone(target, Math.max(1, deadlineMs - timers.now()), onWaiting, run);
  }
}

export const isBeingDeleted = (object: KubernetesObject | undefined): boolean =>
  object?.metadata.deletionTimestamp !== undefined;

const mayBeTerminating = (error: unknown): boolean => [409, 422].includes(refusalIn(error)?.status ?? 0);

/** What cannot be read is taken to be alive: then the refusal is reported. */
const isBeingDeletedNow = async (id: ResourceId, { cluster, signal }: Run): Promise<boolean> =>
  isBeingDeleted(await cluster.get(id, { signal }).catch(() => undefined));

/** Waits until an object that is being deleted is gone. Errors: `apply-failed` where the time for that is up. */
export async function awaitGone(
  target: Target,
  timeoutMs: number,
  onWaiting: (reason: string) => void,
  run: Run,
): Promise<void> {
  const { id } = target;
  try {
    await awaitDeleted([target], timeoutMs, run, (_id, state) => {
      if (state.state !== 'ready') onWaiting(`waiting for an earlier deletion: ${state.reason}`);
    });
  } catch (cause) {
    if (!hasCode(cause, 'wait-timeout')) throw cause;
    throw new TshelmError('apply-failed', {
      message: `${id.kind} ${id.name} is still being deleted, so it cannot be created again; retry when it is gone, or raise the timeout:\n${messageOf(cause)}`,
      details: { ...id, reason: 'Terminating', status: 409 },
      cause,
    });
  }
}
