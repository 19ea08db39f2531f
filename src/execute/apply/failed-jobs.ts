import { groupOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import type { Run } from '../context.ts';
import { deleteTarget } from '../remove.ts';
import { awaitDeleted } from '../waits.ts';
import type { Target } from './targets.ts';

/**
 * Takes a failed Job away before it is applied again, in an ordered run: its batch waits for it, it will never be
 * complete, and its template cannot be changed. Says whether it did.
 */
export async function clearFailedJob(target: Target, run: Run): Promise<boolean> {
  const { id } = target;
  if (run.plan.strategy !== 'ordered' || id.kind !== 'Job' || groupOf(id.apiVersion) !== 'batch') return false;
  const live = await run.cluster.get(id, { signal: run.signal });
  if (live === undefined || !hasFailedJob(live)) return false;
  await deleteTarget(target, run);
  await awaitDeleted([target], run.timeoutMs, run);
  run.onEvent({ kind: 'note', text: `Job/${id.name} had failed and is created anew` });
  return true;
}

/** Whether an object is a Job that has failed for good. */
export function hasFailedJob({ kind, ...object }: KubernetesObject): boolean {
  if (kind !== 'Job') return false;
  const { conditions = [] } = (object['status'] ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return conditions.some(({ type, status }) => status === 'True' && (type === 'Failed' || type === 'FailureTarget'));
}
