import type { Cluster } from '../cluster/types.ts';
import { type Owner, withOwner } from '../execute/apply/ownership.ts';
import { idOf, objectKey } from '../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { readsOf } from './anticipated-cluster.ts';

/**
 * A cluster as it will be when objects have been moved to a release: whatever it answers, they name that release. Only for
 * looking: what is written is meant to be a dry run.
 */
export function movedCluster(cluster: Cluster, moved: readonly ResourceId[], owner: Owner): Cluster {
  const keys = new Set(moved.map(objectKey));
  const after = (object: KubernetesObject, { apiVersion, kind }: Pick<ResourceId, 'apiVersion' | 'kind'>) =>
    // What a list returns need not name its kind.
    keys.has(objectKey({ ...idOf(object), apiVersion, kind })) ? withOwner(object, owner) : object;
  return {
    ...readsOf(cluster),
    mapping: (...given) => cluster.mapping(...given),
    resources: (...given) => cluster.resources(...given),
    get: async (id, options) => {
      const found = await cluster.get(id, options);
      return found && after(found, id);
    },
    list: async (apiVersion, kind, options) =>
      (await cluster.list(apiVersion, kind, options)).map((object) => after(object, { apiVersion, kind })),
    create: (...given) => cluster.create(...given),
    replace: async (object, options) => after(await cluster.replace(object, options), object),
    apply: async (object, options) => after(await cluster.apply(object, options), object),
    patch: async (id, ...given) => after(await cluster.patch(id, ...given), id),
    delete: (...given) => cluster.delete(...given),
  };
}
