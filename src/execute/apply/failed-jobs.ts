import { isDeepStrictEqual } from 'node:util';
import { groupOf, objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import type { Run } from '../context.ts';
import { deleteTarget } from '../remove.ts';
import { awaitDeleted } from '../waits.ts';
import type { Target } from './targets.ts';

/**
 * Takes a Job away before it is applied again, in an ordered run, where that must create it anew: it has failed for good,
 * so that its batch would wait for ever, or the last run gave it up. Its spec can hardly be changed. Says whether it did.
 */
export async function clearFailedJob(target: Target, run: Run): Promise<boolean> {
  const { id, object } = target;
  if (run.plan.strategy !== 'ordered' || id.kind !== 'Job' || groupOf(id.apiVersion) !== 'batch') return false;
  const live = await run.cluster.get(id, { signal: run.signal });
  const given = run.context.givenUpJobs?.get(objectKey(id));
  const why = live === undefined ? undefined : reasonToRecreate(live, object, given);
  if (why === undefined) return false;
  await deleteTarget(target, run);
  await awaitDeleted([target], run.timeoutMs, run);
  run.onEvent({ kind: 'note', text: `Job/${id.name} ${why}, so it is recreated` });
  return true;
}

/** A Job that was given up and goes on is left alone, as long as nothing of it is to be changed. */
function reasonToRecreate(live: KubernetesObject, sent: KubernetesObject, given: KubernetesObject | undefined) {
  if (hasFailedJob(live)) return 'had failed';
  if (given === undefined || !isUnfinishedJob(live)) return undefined;
  if (!hasRunningPods(live)) return 'was abandoned by the previous run and has no running pod';
  return isDeepStrictEqual(given['spec'], sent['spec']) ? undefined : 'was abandoned by the previous run';
}

/** Whether an object is a Job that has failed for good. */
export const hasFailedJob = (object: KubernetesObject): boolean => isJobWith(['Failed', 'FailureTarget'], object);

/** Whether an object is a Job that is neither complete nor failed. */
export const isUnfinishedJob = (object: KubernetesObject): boolean =>
  object.kind === 'Job' && !isJobWith(['Complete', 'SuccessCriteriaMet', 'Failed', 'FailureTarget'], object);

interface JobStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
}

const statusOf = (object: KubernetesObject): JobStatus => (object['status'] ?? {}) as JobStatus;

function isJobWith(types: readonly string[], object: KubernetesObject): boolean {
  const { conditions = [] } = statusOf(object);
  return object.kind === 'Job' && conditions.some(({ type, status }) => status === 'True' && types.includes(type));
}

/** API servers before 1.24 do not count those that are ready. */
function hasRunningPods(job: KubernetesObject): boolean {
  const { active = 0, ready = active } = statusOf(job);
  return ready > 0;
}
