import { defaultConcurrency } from '../execute/context.ts';
import { findExisting } from '../execute/existing.ts';
import { resolveServed } from '../execute/targets.ts';
import { objectKey } from '../manifest/resource-id.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import type { Release } from '../release/types.ts';
import { createLimiter } from '../support/concurrency.ts';
import type { Context } from './context.ts';
import { findRelease } from './find-release.ts';

export interface StatusOptions {
  readonly name: string;
  /** Default: the newest. */
  readonly revision?: number | undefined;
}

/** A release and its resources as they are in the cluster, by `VERSION/KIND` as Helm groups them. */
export interface StatusResult {
  readonly release: Release;
  readonly resources: ReadonlyMap<string, readonly KubernetesObject[]>;
}

/** Errors: `release-not-found`. Resources that are not there (any more) are left out. Follows action.Status. */
export async function status(options: StatusOptions, context: Context): Promise<StatusResult> {
  const release = await findRelease(options.name, options.revision, context);
  const live = await liveObjects(release, context);
  const related = await relatedPods(live, context);
  const resources = groupByKind(live);
  return { release, resources: related.length > 0 ? resources.set('v1/Pod(related)', related) : resources };
}

async function liveObjects(release: Release, context: Context): Promise<readonly KubernetesObject[]> {
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

function groupByKind(objects: readonly KubernetesObject[]): Map<string, KubernetesObject[]> {
  const groups = new Map<string, KubernetesObject[]>();
  for (const object of objects) {
    const key = `${object.apiVersion.split('/').at(-1)}/${object.kind}`;
    groups.set(key, [...(groups.get(key) ?? []), object]);
  }
  return groups;
}

const podOwners = new Set(['ReplicaSet', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'ReplicationController']);

/** The pods that the workloads among these select, each selector asked for once (kube.Client.getSelectRelationPod). */
async function relatedPods(objects: readonly KubernetesObject[], context: Context): Promise<KubernetesObject[]> {
  const cluster = await context.cluster();
  const selections = new Map(
    objects.flatMap((object) => {
      const labelSelector = selectorOf(object);
      if (labelSelector === undefined) return [];
      return [[labelSelector, { namespace: object.metadata.namespace, labelSelector }] as const];
    }),
  );
  const pods = await Promise.all(
    [...selections.values()].map((selection) => cluster.list('v1', 'Pod', { ...selection, signal: context.signal })),
  );
  return pods.flat();
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
