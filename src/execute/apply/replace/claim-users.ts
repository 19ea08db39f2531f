import type { Cluster } from '../../../cluster/types.ts';
import { listOf } from '../../../manifest/fields.ts';
import type { Pod } from '../../../manifest/kubernetes.ts';
import type { ResourceId } from '../../../manifest/types.ts';
import { TshelmError } from '../../../support/errors.ts';

/**
 * Refuses to delete a PersistentVolumeClaim that pods still use: it would stay until they are gone, and nothing could call
 * its deletion off any more. Errors: `apply-failed`.
 */
export async function refuseUsedClaim(
  id: ResourceId,
  { cluster, signal }: { readonly cluster: Cluster; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  if (id.kind !== 'PersistentVolumeClaim') return;
  const pods = await cluster.list('v1', 'Pod', { namespace: id.namespace, signal });
  const users = pods.filter((pod) => uses(pod, id.name)).map(({ metadata }) => `Pod/${metadata.name}`);
  if (users.length === 0) return;
  throw new TshelmError('apply-failed', {
    message: `PersistentVolumeClaim ${id.name} is used by ${users.join(', ')}, so it is not deleted; scale down what runs there, and try again`,
    details: { ...id, reason: 'InUse', status: 409 },
  });
}

const uses = ({ spec, status }: Pod, claim: string): boolean =>
  !['Succeeded', 'Failed'].includes(status?.phase ?? '') &&
  listOf(spec?.volumes).some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim);
