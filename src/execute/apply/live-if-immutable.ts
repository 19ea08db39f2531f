import { refusalIn } from '../../cluster/api-error.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { immutableFields } from '../../problem/foreign/api-status.ts';
import type { Run } from '../context.ts';
import type { Target } from './targets.ts';

/** The object in the cluster where its change was refused because fields cannot be changed in place. */
export async function liveIfImmutable(
  { id }: Target,
  failure: unknown,
  { cluster, signal }: Run,
): Promise<KubernetesObject | undefined> {
  const refusal = refusalIn(failure);
  if (refusal === undefined || immutableFields(refusal).length === 0) return undefined;
  // Without the live object the refusal is as the server words it.
  return cluster.get(id, { signal }).catch(() => undefined);
}
