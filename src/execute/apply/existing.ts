import { isApiError } from '../../cluster/api-error.ts';
import type { Cluster } from '../../cluster/types.ts';
import { groupKey, idOf, objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import type { Limiter } from '../../support/concurrency.ts';
import { groupBy } from '../../support/group-by.ts';

export interface FindOptions {
  readonly cluster: Cluster;
  readonly limit: Limiter;
  readonly signal?: AbortSignal | undefined;
  /** May not be there: it is asked for first, and nothing is looked for in it where it is missing. */
  readonly doubtfulNamespace?: string | undefined;
  /** Lists tell no more than the metadata: all CRDs of a cluster may be a hundred megabytes. Default false. */
  readonly metadataOnly?: boolean | undefined;
}

export interface Found {
  /** By objectKey; what is not there has no entry. */
  readonly objects: ReadonlyMap<string, KubernetesObject>;
  /** Objects about which the server would say nothing (RBAC, for example). */
  readonly failures: readonly { readonly id: ResourceId; readonly cause: unknown }[];
}

/** From this many objects of one kind in one namespace, one LIST is cheaper than a GET for each. */
const listFrom = 8;

/** Which of these objects are in the cluster. */
export async function findExisting(ids: readonly ResourceId[], options: FindOptions): Promise<Found> {
  const found = await Promise.all(findGroups(ids, options).values());
  return {
    objects: new Map(found.flatMap((part) => [...part.objects])),
    failures: found.flatMap((part) => part.failures),
  };
}

/** The same by {@link groupKey}: each group is known as soon as its own answers are there. */
export function findGroups(ids: readonly ResourceId[], options: FindOptions): ReadonlyMap<string, Promise<Found>> {
  const isMissing = isNamespaceMissing(ids, options);
  const find = async (group: readonly ResourceId[]): Promise<Found> =>
    group[0]?.namespace === options.doubtfulNamespace && (await isMissing) ? nothing : findGroup(group, options);
  return new Map([...groupBy(ids, groupKey)].map(([key, group]) => [key, find(group)]));
}

/** Who may not read namespaces looks for each object. */
async function isNamespaceMissing(ids: readonly ResourceId[], options: FindOptions): Promise<boolean> {
  const { cluster, signal, doubtfulNamespace: name } = options;
  if (name === undefined || ids.every(({ namespace }) => namespace !== name)) return false;
  try {
    return (await cluster.get({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name }, { signal })) === undefined;
  } catch (error) {
    if (isApiError(error)) return false;
    throw error;
  }
}

const nothing: Found = { objects: new Map(), failures: [] };

async function findGroup(ids: readonly ResourceId[], options: FindOptions): Promise<Found> {
  const { apiVersion, kind } = ids[0] as ResourceId;
  const { cluster, signal } = options;
  // A kind that is not served yet, because its CRD comes with the release, has no objects.
  if ((await cluster.mapping(apiVersion, kind, { signal })) === undefined) return nothing;
  if (ids.length < listFrom) return getEach(ids, options);
  try {
    return await listAll(ids, options);
  } catch (error) {
    // Some users may get objects by name but not list them.
    if (isApiError(error, 'Forbidden')) return getEach(ids, options);
    throw error;
  }
}

async function listAll(ids: readonly ResourceId[], options: FindOptions): Promise<Found> {
  const { cluster, limit, signal, metadataOnly } = options;
  const { apiVersion, kind, namespace } = ids[0] as ResourceId;
  const live = await limit(() =>
    cluster.list(apiVersion, kind, {
      namespace,
      metadataOnly,
      signal,
      ...(isSecret(apiVersion, kind) ? withoutRecords : {}),
    }),
  );
  const wanted = new Set(ids.map(objectKey));
  const entries = live
    .map((object): [string, KubernetesObject] => [objectKey({ ...idOf(object), apiVersion, kind }), object])
    .filter(([key]) => wanted.has(key));
  return { objects: new Map(entries), failures: [] };
}

const isSecret = (apiVersion: string, kind: string): boolean => apiVersion === 'v1' && kind === 'Secret';
/** Release records are large, and no chart names one. */
const withoutRecords = { fieldSelector: 'type!=helm.sh/release.v1' };

async function getEach(ids: readonly ResourceId[], { cluster, limit, signal }: FindOptions): Promise<Found> {
  const objects = new Map<string, KubernetesObject>();
  const failures: { id: ResourceId; cause: unknown }[] = [];
  const find = async (id: ResourceId): Promise<void> => {
    try {
      const object = await cluster.get(id, { signal });
      if (object !== undefined) objects.set(objectKey(id), object);
    } catch (cause) {
      if (!isApiError(cause)) throw cause;
      failures.push({ id, cause });
    }
  };
  await Promise.all(ids.map((id) => limit(() => find(id))));
  return { objects, failures };
}
