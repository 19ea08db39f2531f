import type { Context } from '../change/context.ts';
import { listOf, numberOr } from '../manifest/fields.ts';
import type { Job, Pod } from '../manifest/kubernetes.ts';
import { idOf } from '../manifest/resource-id.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import type { MeasuredRun, MeasuredWorkload, Restarts } from '../plan/suggested/measured-run.ts';
import { findRelease } from './find-release.ts';
import { liveObject, podsOf } from './rehearsal/measured-times.ts';

/** What the pods and Jobs of a release say of its run. What may not be read is not known. Errors: those of findRelease(). */
export async function measuredRun(name: string, context: Context): Promise<MeasuredRun> {
  const { signal } = context;
  const cluster = await context.cluster();
  const release = await findRelease(name, undefined, context);
  const workloads: MeasuredWorkload[] = [];
  for (const { object } of readStoredManifest(release.manifest)) {
    const pods: readonly Pod[] = await podsOf(cluster, object, release, signal);
    if (pods.length === 0) continue;
    const id = idOf(object, release.namespace);
    const job = object.kind === 'Job' ? await liveObject(cluster, object, release, signal) : undefined;
    workloads.push(job === undefined ? { id, ...ofPods(pods) } : { id, ...ofJob(job, pods) });
  }
  return { release: release.name, revision: release.version, workloads };
}

function ofPods(pods: readonly Pod[]): Omit<MeasuredWorkload, 'id'> {
  const ready = pods.flatMap((pod) => readyMsOf(pod) ?? []);
  const [most] = pods.flatMap(restartsOf).sort((a, b) => b.count - a.count);
  return { readyMs: ready.length === 0 ? undefined : Math.min(...ready), restarts: most };
}

function readyMsOf({ status }: Pod): number | undefined {
  const ready = listOf(status?.conditions).find((one) => one?.type === 'Ready' && one.status === 'True');
  return msOf(ready?.lastTransitionTime);
}

/** Of the container that failed most; only of a pod that is ready in the end. */
function restartsOf(pod: Pod): readonly Restarts[] {
  const readyMs = readyMsOf(pod);
  const restarts = listOf(pod.status?.containerStatuses).flatMap((container): Restarts[] => {
    const end = container?.lastState?.terminated;
    const lastBeganMs = msOf(end?.startedAt);
    const count = numberOr(container?.restartCount, 0);
    if (readyMs === undefined || lastBeganMs === undefined || count === 0) return [];
    return [{ count, container: String(container?.name), exitCode: end?.exitCode ?? undefined, lastBeganMs, readyMs }];
  });
  return restarts.sort((a, b) => b.count - a.count).slice(0, 1);
}

/** A Job fails by its pods; one whose containers are restarted in place, like other workloads. */
function ofJob(job: KubernetesObject, pods: readonly Pod[]): Omit<MeasuredWorkload, 'id'> {
  const { status } = job as Job;
  const readyMs = msOf(status?.completionTime);
  const failed = pods.filter((pod) => pod.status?.phase === 'Failed').flatMap(endsOf);
  const [last] = failed.sort((a, b) => b.lastBeganMs - a.lastBeganMs);
  if (readyMs === undefined || last === undefined) return { readyMs };
  return { readyMs, restarts: { ...last, count: failed.length, readyMs } };
}

function endsOf({ status }: Pod): readonly Omit<Restarts, 'count' | 'readyMs'>[] {
  const ends = listOf(status?.containerStatuses).flatMap((container) => {
    const end = container?.state?.terminated;
    const lastBeganMs = msOf(end?.startedAt);
    if (lastBeganMs === undefined || end?.exitCode === 0) return [];
    return [{ container: String(container?.name), exitCode: end?.exitCode ?? undefined, lastBeganMs }];
  });
  return ends.slice(0, 1);
}

function msOf(time: unknown): number | undefined {
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
