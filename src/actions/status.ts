import type { Context } from '../change/context.ts';
import { isApiError } from '../cluster/api-error.ts';
import type { ObjectTable } from '../cluster/types.ts';
import { findExisting } from '../execute/apply/existing.ts';
import { resolveServed } from '../execute/apply/targets.ts';
import { defaultConcurrency } from '../execute/context.ts';
import { idOf, objectKey } from '../manifest/resource-id.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import type { Release } from '../release/types.ts';
import { createLimiter } from '../support/concurrency.ts';
import { groupBy } from '../support/group-by.ts';
import { findRelease } from './find-release.ts';
import type { StatusOptions } from './options/readings.ts';

/** A release and its resources as they are in the cluster, by `VERSION/KIND` as Helm groups them. */
export interface StatusResult {
  readonly release: Release;
  readonly resources: ReadonlyMap<string, readonly KubernetesObject[]>;
  /** The pods below `v1/Pod(related)` again, as the lists that each selector gave. */
  readonly podLists: readonly (readonly KubernetesObject[])[];
}

/** Errors: `release-not-found`. Resources that are not there (any more) are left out. Follows action.Status. */
export async function status(options: StatusOptions, context: Context): Promise<StatusResult> {
  const release = await findRelease(options.name, options.revision, context);
  const live = options.showResources === false ? [] : await liveObjects(release, context);
  const podLists = await relatedPods(live, context);
  const resources = groupByKind(live);
  const related = podLists.flat();
  return { release, podLists, resources: related.length > 0 ? resources.set(relatedPodsGroup, related) : resources };
}

/** What Helm calls the group of pods that a release's workloads select. */
export const relatedPodsGroup = 'v1/Pod(related)';

/** The objects of a release that are in the cluster. */
export async function liveObjects(release: Release, context: Context): Promise<readonly KubernetesObject[]> {
  const cluster = await context.cluster();
  const { signal } = context;
  const where = { cluster, namespace: release.namespace, signal };
  const targets = await resolveServed(readStoredManifest(release.manifest), where);
  const limit = createLimiter(defaultConcurrency);
  const { objects } = await findExisting(
    targets.map(({ id }) => id),
    { cluster, limit, signal },
  );
  return targets.flatMap(({ id }) => {
    const object = objects.get(objectKey(id));
    return object === undefined ? [] : [{ ...object, apiVersion: id.apiVersion, kind: id.kind }];
  });
}

const groupByKind = (objects: readonly KubernetesObject[]): Map<string, KubernetesObject[]> =>
  groupBy(objects, ({ apiVersion, kind }) => `${apiVersion.split('/').at(-1)}/${kind}`);

const podOwners = new Set(['ReplicaSet', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'ReplicationController']);

/** The pods that the workloads among these select, each selector asked for once (kube.Client.getSelectRelationPod). */
async function relatedPods(
  objects: readonly KubernetesObject[],
  context: Context,
): Promise<readonly (readonly KubernetesObject[])[]> {
  const cluster = await context.cluster();
  const selections = new Map(
    objects.flatMap((object) => {
      const labelSelector = selectorOf(object);
      if (labelSelector === undefined) return [];
      return [[labelSelector, { namespace: object.metadata.namespace, labelSelector }] as const];
    }),
  );
  const lists = [...selections.values()].map((selection) =>
    allowed(
      'get the relation pod is',
      () => cluster.list('v1', 'Pod', { ...selection, signal: context.signal }),
      context,
    ),
  );
  return (await Promise.all(lists)).filter((list) => list !== undefined);
}

/** Who may not read something sees the rest, as with Helm, in whose words it is said. */
async function allowed<T>(what: string, ask: () => Promise<T>, { onEvent }: Context): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!isApiError(error)) throw error;
    onEvent?.({ kind: 'warning', text: `${what} failed: ${error.message}` });
    return undefined;
  }
}

function selectorOf({ kind, spec }: KubernetesObject): string | undefined {
  if (!podOwners.has(kind)) return undefined;
  const selector = (spec as { selector?: Record<string, unknown> } | undefined)?.selector;
  const labels = kind === 'ReplicationController' ? selector : selector?.['matchLabels'];
  if (labels === undefined || labels === null) return undefined;
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .sort()
    .join(',');
}

/** The same resources as the API server prints them, a table for each group. */
export async function resourceTables(
  resources: StatusResult['resources'],
  context: Context,
): Promise<ReadonlyMap<string, ObjectTable>> {
  const cluster = await context.cluster();
  const limit = createLimiter(defaultConcurrency);
  const tableOf = async (objects: readonly KubernetesObject[]): Promise<ObjectTable> => {
    const tables = await Promise.all(
      objects.map((object) =>
        limit(() =>
          allowed(
            `get resource ${object.metadata.name}`,
            () => cluster.table(idOf(object), { signal: context.signal }),
            context,
          ),
        ),
      ),
    );
    const found = tables.filter((table) => table !== undefined);
    return { columns: found[0]?.columns ?? [], rows: found.flatMap(({ rows }) => rows) };
  };
  return new Map(
    await Promise.all([...resources].map(async ([group, objects]) => [group, await tableOf(objects)] as const)),
  );
}
