import { isApiError } from '../../cluster/api-error.ts';
import { labelSelectorOf } from '../../cluster/fields.ts';
import type { Cluster } from '../../cluster/types.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import type { Release } from '../../release/types.ts';
import { type ExpectedTime, workloadKey } from './assumptions.ts';

/**
 * How long the workloads of a release took, by {@link workloadKey}: its hooks by their record; Jobs from start to
 * completion; the pods of other workloads from creation to ready, the slowest of those that never restarted.
 */
export async function measuredTimes(
  cluster: Cluster,
  release: Release,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, ExpectedTime>> {
  const times = new Map<string, ExpectedTime>();
  const note = (kind: string, name: string, ms: number | undefined, per: ExpectedTime['per']): void => {
    if (ms !== undefined && ms >= 0) times.set(workloadKey(`${kind}/${name}`), { ms, per });
  };
  for (const { kind, name, lastRun } of release.hooks)
    note(
      kind,
      name,
      lastRun.phase === 'Succeeded' ? millisecondsBetween(lastRun.startedAt, lastRun.completedAt) : undefined,
      'workload',
    );
  for (const { object } of readStoredManifest(release.manifest)) {
    const { kind, metadata } = object;
    if (kind === 'Job')
      note(kind, metadata.name, jobMs(await liveObject(cluster, object, release, signal)), 'workload');
    else note(kind, metadata.name, slowest(await podsOf(cluster, object, release, signal)), 'pod');
  }
  return times;
}

export async function liveObject(
  cluster: Cluster,
  object: KubernetesObject,
  { namespace }: Release,
  signal: AbortSignal | undefined,
): Promise<KubernetesObject | undefined> {
  return cluster.get(idOf(object, namespace), { signal }).catch(undefinedIfRefused);
}

/** What may not be read is not known. */
export function undefinedIfRefused(error: unknown): undefined {
  if (isApiError(error)) return undefined;
  throw error;
}

const jobMs = (job: KubernetesObject | undefined): number | undefined => {
  const { startTime, completionTime } = (job?.['status'] ?? {}) as { startTime?: string; completionTime?: string };
  return millisecondsBetween(startTime, completionTime);
};

const workloadKinds: ReadonlySet<string> = new Set([
  'DaemonSet',
  'Deployment',
  'Job',
  'Pod',
  'ReplicaSet',
  'StatefulSet',
]);

/** The pods of a workload; [] of an object that has none. */
export async function podsOf(
  cluster: Cluster,
  object: KubernetesObject,
  release: Release,
  signal: AbortSignal | undefined,
): Promise<readonly KubernetesObject[]> {
  if (!workloadKinds.has(object.kind)) return [];
  const live = await liveObject(cluster, object, release, signal);
  if (live === undefined || live.kind === 'Pod') return live === undefined ? [] : [live];
  const { matchLabels = {} } = ((live['spec'] as Spec | undefined)?.selector ?? {}) as { matchLabels?: object };
  const labelSelector = labelSelectorOf(matchLabels);
  if (labelSelector === '') return [];
  const options = { namespace: live.metadata.namespace, labelSelector, signal };
  return (await cluster.list('v1', 'Pod', options).catch(undefinedIfRefused)) ?? [];
}

interface Spec {
  readonly selector?: unknown;
}

interface PodStatus {
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly lastTransitionTime?: string;
  }[];
  readonly containerStatuses?: readonly { readonly restartCount?: number }[];
}

function slowest(pods: readonly KubernetesObject[]): number | undefined {
  const times = pods.flatMap((pod) => {
    const { conditions = [], containerStatuses = [] } = (pod['status'] ?? {}) as PodStatus;
    const ready = conditions.find(({ type, status }) => type === 'Ready' && status === 'True');
    if (ready === undefined || containerStatuses.some(({ restartCount = 0 }) => restartCount > 0)) return [];
    return millisecondsBetween(pod.metadata.creationTimestamp, ready.lastTransitionTime) ?? [];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}

function millisecondsBetween(start: string | undefined, end: string | undefined): number | undefined {
  const ms = Date.parse(end ?? '') - Date.parse(start ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
