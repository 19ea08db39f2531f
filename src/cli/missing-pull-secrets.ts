import type { Cluster } from '../cluster/types.ts';
import { podSpecOf } from '../execute/faulty-fields.ts';
import { idOf } from '../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { manifestsOf } from '../plan/arrange.ts';
import { resourceName } from '../plan/names.ts';
import type { Plan } from '../plan/types.ts';

/**
 * Secrets that pods of a plan pull their images with and that do not exist. A kubelet tries without them, which succeeds
 * where the image is public; a sandbox pulls nothing, so it can only tell.
 */
export async function missingPullSecrets({ steps, namespace }: Plan, cluster: Cluster): Promise<readonly string[]> {
  const manifests = steps.flatMap((step) => (step.kind === 'apply' ? manifestsOf(step.unit) : []));
  const named = manifests.flatMap((manifest) =>
    pullSecretsOf(manifest.object, namespace).map((id) => ({ id, user: resourceName(manifest) })),
  );
  const found = await Promise.all(named.map(({ id }) => cluster.get(id)));
  return named
    .filter((_one, index) => found[index] === undefined)
    .map(({ id, user }) => `${user} names the pull secret ${id.name}, which does not exist`);
}

function pullSecretsOf(object: KubernetesObject, namespace: string): readonly ResourceId[] {
  const place = idOf(object, namespace).namespace;
  const secrets = (podSpecOf(object) as { imagePullSecrets?: readonly { name?: string }[] } | undefined)
    ?.imagePullSecrets;
  return (secrets ?? []).flatMap(({ name }) =>
    name ? [{ apiVersion: 'v1', kind: 'Secret', namespace: place, name }] : [],
  );
}
