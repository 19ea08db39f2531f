import type { Cluster } from '../cluster/types.ts';
import { referencesOf } from '../manifest/references.ts';
import { idOf } from '../manifest/resource-id.ts';
import { manifestsOfSteps } from '../plan/arrange.ts';
import { resourceName } from '../plan/names.ts';
import type { Plan } from '../plan/types.ts';

/**
 * Secrets that pods of a plan pull their images with and that do not exist. A kubelet tries without them, which succeeds
 * where the image is public; a sandbox pulls nothing, so it can only tell.
 */
export async function missingPullSecrets(plan: Plan, cluster: Cluster): Promise<readonly string[]> {
  const named = manifestsOfSteps(plan, 'apply').flatMap((manifest) =>
    referencesOf({ id: idOf(manifest.object, plan.namespace), object: manifest.object })
      .filter(({ path }) => path.includes('imagePullSecrets'))
      .map(({ id }) => ({ id, user: resourceName(manifest) })),
  );
  const found = await Promise.all(named.map(({ id }) => cluster.get(id)));
  return named
    .filter((_one, index) => found[index] === undefined)
    .map(({ id, user }) => `${user} names the pull secret ${id.name}, which does not exist`);
}
