import { containerStatuses } from '../../cluster/diagnosis.ts';
import { conditionsOf } from '../../cluster/fields.ts';
import { numberOr } from '../../manifest/fields.ts';
import type { Job, Pod } from '../../manifest/kubernetes.ts';
import { formatId } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { hasCode, messageOf } from '../../support/errors.ts';
import type { Run } from '../context.ts';

/**
 * Suspends a hook's Job that was given up, so that it cannot run behind the back of what comes after: an image that is
 * pushed an hour later must not start a migration. What hinders it is a warning: the failure itself has to be reported.
 */
export async function suspendJob(id: ResourceId, failure: unknown, run: Run): Promise<void> {
  if (id.kind !== 'Job' || run.signal?.aborted) return;
  try {
    const { cluster, signal } = run;
    const job = await cluster.get(id, { signal });
    if (job === undefined) return;
    const { uid = '', namespace = '' } = job.metadata;
    const labelSelector = `batch.kubernetes.io/controller-uid=${uid}`;
    const pods = await cluster.list('v1', 'Pod', { namespace, labelSelector, signal });
    if (!mustSuspend(job, pods, hasCode(failure, 'wait-failed'))) return;
    await cluster.patch(id, 'merge', { metadata: { uid }, spec: { suspend: true } }, { signal });
    run.onEvent({ kind: 'note', text: `${formatId(id)} is suspended so that it does not run later` });
  } catch (error) {
    run.onEvent({ kind: 'warning', text: `${formatId(id)} could not be suspended: ${messageOf(error)}` });
  }
}

/**
 * A Job that has ended cannot run again. One that was declared dead is suspended; one whose time was over only where
 * nothing of it has run yet: what it has begun, it may finish, as under Helm.
 */
export function mustSuspend(job: Job, pods: readonly Pod[], isDead: boolean): boolean {
  const hasEnded = conditionsOf(job).some(
    ({ type, status }) => status === 'True' && ['Complete', 'Failed', 'FailureTarget'].includes(type),
  );
  if (hasEnded) return false;
  return isDead || !pods.some(hasRun);
}

const hasRun = (pod: Pod): boolean =>
  containerStatuses(pod).some(
    (status) =>
      numberOr(status.restartCount, 0) > 0 ||
      status.state?.running !== undefined ||
      status.state?.terminated !== undefined,
  );
