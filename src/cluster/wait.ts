import { listOf, textOr } from '../manifest/fields.ts';
import type { CustomResourceDefinition } from '../manifest/kubernetes.ts';
import { groupKey, idOf, objectKey } from '../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { groupBy } from '../support/group-by.ts';
import { sleepBy, systemTimers, type Timers } from '../support/timers.ts';
import { isApiError } from './api-error.ts';
import { type FailFast, failFastKinds } from './diagnosis/fail-fast.ts';
import { lacksConsumer } from './diagnosis/pod-events.ts';
import { groupKindOf } from './fields.ts';
import {
  type Judgement,
  type ObserveOptions,
  type OnState,
  observe,
  type RelatedKind,
  type StateSource,
} from './observe.ts';
import { Unreported } from './readiness/unreported.ts';
import { completedJob, completedPod, watcherReadiness } from './readiness/watcher.ts';
import { failed, ready, waiting } from './readiness/words.ts';
import { type ReadinessOptions, readiness, type UserRules } from './readiness.ts';
import type { Cluster, Readiness, ResourceMapping } from './types.ts';
import { wellKnownMapping } from './well-known-kinds.ts';

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Without it the wait has no end of its own. */
  readonly timeoutMs?: number | undefined;
  /** Each change of a resource's state, or of its pod counts. */
  readonly onState?: OnState | undefined;
}

export interface ReadyOptions extends WaitOptions {
  /** Of those that are waited for, the objects as they were written: what happened since then is not missed. */
  readonly written?: readonly KubernetesObject[] | undefined;
  /** CustomResourceDefinitions among them as they were written: except with `legacy`, ready once their kinds are served. */
  readonly definitions?: readonly CustomResourceDefinition[] | undefined;
  /** Default `watcher`. */
  readonly strategy?: ReadinessOptions['strategy'] | undefined;
  readonly waitForJobs?: boolean | undefined;
  /** How long a custom resource may have no status before it counts as ready; default 30 seconds, or 0 where no controller may report on it. */
  readonly statusGraceMs?: number | undefined;
  /** As of ReadinessOptions. */
  readonly userRules?: UserRules | undefined;
  /** Waits until objects are there, too, of kinds that are never unready. */
  readonly awaitsPresence?: boolean | undefined;
  /** Ends the wait before its time when that is hopeless; not with `legacy`. */
  readonly failFast?: FailFast | undefined;
  /** Without `failFast`: waits for the others when one has failed, as Helm's watcher. */
  readonly goesOnAfterFailure?: boolean | undefined;
}

export interface HookOptions extends WaitOptions {
  readonly failFast?: FailFast | undefined;
  /** The hook as it was written: nothing that happened to it since then is missed. */
  readonly written?: KubernetesObject | undefined;
}

/**
 * Waits until all of `ids` are ready at the same time. Fails with `wait-failed` as soon as one has failed for good, with
 * `wait-timeout` when the time is up, both naming every resource that is not ready; or with the signal's reason.
 */
export async function waitUntilReady(
  cluster: Cluster,
  ids: readonly ResourceId[],
  options: ReadyOptions = {},
): Promise<void> {
  const strategy = options.strategy ?? 'watcher';
  const waitForJobs = options.waitForJobs ?? false;
  const failFast = strategy === 'legacy' ? undefined : options.failFast;
  const userRules = strategy === 'legacy' ? undefined : options.userRules;
  const settled = strategy === 'watcher' ? settledAsWritten(options.written ?? [], userRules) : new Set<string>();
  const isWatched = (id: ResourceId): boolean =>
    !settled.has(objectKey({ ...id, namespace: id.namespace || cluster.namespace }));
  const isJudged = (id: ResourceId): boolean =>
    options.awaitsPresence === true || canBeUnready(id) || userRules?.(id) !== undefined;
  const left = ids.filter((id) => isJudged(id) && !isWatched(id));
  for (const id of ids) if (!isWatched(id)) options.onState?.(id, ready, undefined);
  const timers = cluster.timers ?? systemTimers;
  // Without fail-fast the wait goes on as Helm 4's; Helm 3 fails as soon as an object is not found.
  const unreported = await Unreported.of(ids, cluster, options);
  const absences = new Absences(failFast !== undefined || strategy === 'legacy' ? timers : undefined);
  const observed: ObserveOptions = {
    ...options,
    relatedKinds: strategy === 'legacy' ? legacyRelations : failFast && failFastKinds,
    sharedWatches: failFast?.watches,
    elsewhere: strategy === 'legacy' ? undefined : servedElsewhere(cluster, options.definitions ?? []),
    judge: (id, observed) => {
      const { object, last, related } = observed;
      if (object === undefined) return hasCompleted(last) ? ready : absences.judge(id, last !== undefined);
      absences.end(id);
      // The pod that mounts it may be in a later batch.
      const isOnlyUnused = strategy === 'ordered' && isClaim(object) && lacksConsumer(object, related(object));
      const state = isOnlyUnused
        ? readyWithoutConsumer
        : unreported.judge(
            id,
            object,
            readiness(object, { strategy, waitForJobs, related: related(object), userRules }),
          );
      return failFast === undefined ? state : failFast.judge(id, state, object, observed);
    },
    unmet: 'not ready',
  };
  const startedMs = timers.now();
  await observe(
    cluster,
    ids.filter((id) => isJudged(id) && isWatched(id)),
    observed,
  );
  const elapsedMs = timers.now() - startedMs;
  if (left.length === 0 || elapsedMs < lastLookAfterMs) return;
  const { timeoutMs } = options;
  const leftMs = timeoutMs === undefined ? undefined : Math.max(1, timeoutMs - elapsedMs);
  const gone = await missingIds(left, cluster, options.signal);
  const judge: ObserveOptions['judge'] = (id, state) =>
    state.object === undefined ? absences.judge(id, true) : observed.judge(id, state);
  await observe(cluster, gone, { ...observed, judge, written: undefined, timeoutMs: leftMs });
}

const isClaim = (object: KubernetesObject): boolean => groupKindOf(object) === 'PersistentVolumeClaim';

const readyWithoutConsumer: Readiness = { state: 'ready', facts: [{ outlook: 'open', code: 'consumer-missing' }] };

/** What is deleted during a wait has failed, unless somebody creates it again at once. Without timers it is waited for. */
class Absences {
  readonly #timers: Timers | undefined;
  readonly #sinceMs = new Map<string, number>();

  constructor(timers: Timers | undefined) {
    this.#timers = timers;
  }

  judge(id: ResourceId, wasThere: boolean): Judgement {
    if (!wasThere) return waiting('it was not found');
    if (this.#timers === undefined) return waiting(deletedMeanwhile);
    const nowMs = this.#timers.now();
    const sinceMs = this.#sinceMs.get(objectKey(id)) ?? nowMs;
    this.#sinceMs.set(objectKey(id), sinceMs);
    const leftMs = sinceMs + comesBackMs - nowMs;
    return leftMs > 0 ? { ...waiting(deletedMeanwhile), againInMs: leftMs } : failed(deletedMeanwhile);
  }

  end(id: ResourceId): void {
    this.#sinceMs.delete(objectKey(id));
  }
}

const comesBackMs = 2_000;
const deletedMeanwhile = 'it was deleted during the wait';

/** A wait that is over sooner does not look again at what was ready as it was written. */
const lastLookAfterMs = 2_000;

/** Those that are not there any more: one request for each kind and namespace. Who may not list does without. */
async function missingIds(
  ids: readonly ResourceId[],
  cluster: Cluster,
  signal: AbortSignal | undefined,
): Promise<readonly ResourceId[]> {
  const groups = groupBy(ids, groupKey);
  const gone = [...groups.values()].map(async (group) => {
    const { apiVersion, kind, namespace } = group[0] as ResourceId;
    try {
      const options = { namespace: namespace || cluster.namespace, metadataOnly: true, signal };
      const there = await cluster.list(apiVersion, kind, options);
      const names = new Set(there.map(({ metadata }) => metadata.name));
      return group.filter(({ name }) => !names.has(name));
    } catch (error) {
      if (isApiError(error)) return [];
      throw error;
    }
  });
  return (await Promise.all(gone)).flat();
}

/** To watch definitions is to read each of them three times, and some have half a megabyte. */
const servedElsewhere = (cluster: Cluster, definitions: readonly CustomResourceDefinition[]): StateSource => ({
  sent: definitions,
  ask: async (objects, signal) => {
    const kinds = objects.map(kindsDefinedBy);
    if (kinds.some((ofOne) => ofOne.length === 0)) return undefined;
    // After that they are watched, which also tells why one is refused: to read them for that alone would cost as much.
    if (!(await areServed(kinds.flat(), refusedMs, { cluster, signal }))) return undefined;
    return objects.map((object) => ({ ...object, status: { conditions: servedConditions } }));
  },
});

/** What the server says of a definition whose kinds it serves. */
const servedConditions = ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' }));

/** A Job that is done may be deleted, by its ttlSecondsAfterFinished for one. */
const hasCompleted = (last: KubernetesObject | undefined): boolean =>
  last !== undefined && groupKindOf(last) === 'Job.batch' && completedJob(last).state === 'ready';

/** Waits until none of `ids` is there any more. Fails as {@link waitUntilReady} does. */
export async function waitUntilDeleted(
  cluster: Cluster,
  ids: readonly ResourceId[],
  options: WaitOptions = {},
): Promise<void> {
  const gone = new Set<ResourceId>();
  await observe(cluster, ids, {
    ...options,
    metadataOnly: true,
    judge: (id, { object, last }) => {
      // One that came back under the same name is another object.
      if (object === undefined || (last !== undefined && last.metadata.uid !== object.metadata.uid)) gone.add(id);
      return gone.has(id) ? ready : waiting(deletionReason(object));
    },
    unmet: 'still exists',
  });
}

/**
 * Waits until a hook is done: a Job complete, a Pod succeeded, a CustomResourceDefinition established; any other kind
 * is done as soon as it is loaded. Fails with `wait-failed` when it failed, or is gone and was not seen at its end.
 */
export async function waitForHook(cluster: Cluster, id: ResourceId, options: HookOptions = {}): Promise<void> {
  const judge = hookRules[groupKindOf(id)];
  if (judge === undefined) return;
  const { failFast, written } = options;
  await observe(cluster, [id], {
    ...options,
    written: written && [written],
    relatedKinds: failFast && failFastKinds,
    sharedWatches: failFast?.watches,
    judge: (_id, observed) => {
      const { object, last } = observed;
      if (object !== undefined) {
        const state = judge(object);
        return failFast === undefined ? state : failFast.judge(id, state, object, observed);
      }
      if (last !== undefined && judge(last).state === 'ready') return ready;
      return { state: 'failed', reason: 'it was deleted before it finished' };
    },
    unmet: 'not ready',
  });
}

const hookRules: Readonly<Record<string, (object: KubernetesObject) => Readiness>> = {
  'Job.batch': completedJob,
  Pod: completedPod,
  'CustomResourceDefinition.apiextensions.k8s.io': (object) =>
    readiness(object, { strategy: 'watcher', waitForJobs: false }),
};

/** `plural`: of another definition, which has taken the kind's name, it differs. */
type ServedKind = Pick<ResourceId, 'apiVersion' | 'kind'> & { readonly plural?: string | undefined };

export interface EstablishedOptions extends WaitOptions {
  /** What the definitions bring (kindsDefinedBy). With it they are not looked at themselves, unless they take long. */
  readonly kinds?: readonly ServedKind[] | undefined;
}

/** Waits until CustomResourceDefinitions are established and the server serves their kinds. */
export async function waitUntilEstablished(
  cluster: Cluster,
  names: readonly string[],
  options: EstablishedOptions = {},
): Promise<void> {
  const served: ServedKind[] = [];
  const ids = names.map((name) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    namespace: '',
    name,
  }));
  const { kinds = [], signal } = options;
  if (kinds.length > 0 && (await areServedSoon(kinds, ids, { cluster, signal }))) {
    for (const id of ids) options.onState?.(id, ready, undefined);
    return;
  }
  await observe(cluster, ids, {
    ...options,
    judge: (_id, { object, last }) => {
      if (object === undefined) return missing(last);
      const state = readiness(object, { strategy: 'watcher', waitForJobs: false });
      if (state.state === 'ready') served.push(...kindsDefinedBy(object));
      return state;
    },
    unmet: 'not ready',
  });
  // The discovery documents follow a new kind after a moment. Its absence is reported by whoever needs the kind.
  await areServed(served, servedMs, { cluster, signal });
}

type Asked = { readonly cluster: Cluster; readonly signal: AbortSignal | undefined };

/** As {@link areServed}; after a second the definitions are read once, for one that was refused is never served. */
async function areServedSoon(kinds: readonly ServedKind[], ids: readonly ResourceId[], asked: Asked): Promise<boolean> {
  if (await areServed(kinds, refusedMs, asked)) return true;
  const definitions = await Promise.all(ids.map((id) => asked.cluster.get(id, { signal: asked.signal })));
  const isRefused = (object: KubernetesObject | undefined): boolean =>
    object !== undefined && watcherReadiness(object, false).state === 'failed';
  return !definitions.some(isRefused) && areServed(kinds, soonMs - refusedMs, asked);
}

/**
 * Whether the server serves these kinds before the time is up. It does as soon as their definitions are established, and
 * is asked for their group versions alone: to watch ten definitions of half a megabyte each is to read them three times.
 */
async function areServed(kinds: readonly ServedKind[], limitMs: number, { cluster, signal }: Asked): Promise<boolean> {
  const timers = cluster.timers ?? systemTimers;
  const startMs = timers.now();
  const isUnserved = async ({ apiVersion, kind, plural }: ServedKind): Promise<boolean> =>
    !isServedAs(await cluster.mapping(apiVersion, kind, { signal }), plural);
  let left = kinds;
  for (;;) {
    left = await unservedOf(left, isUnserved);
    if (left.length === 0) return true;
    const waitedMs = timers.now() - startMs;
    if (waitedMs >= limitMs) return false;
    await sleepBy(timers)(Math.min(Math.max(waitedMs * lateShare, minPauseMs), maxPauseMs), signal);
  }
}

/** As long as the last one is not served, the others need not be asked for: the server is busy with the definitions. */
async function unservedOf(
  kinds: readonly ServedKind[],
  isUnserved: (kind: ServedKind) => Promise<boolean>,
): Promise<readonly ServedKind[]> {
  const last = kinds.at(-1);
  if (last === undefined || (await isUnserved(last))) return kinds;
  const others = kinds.slice(0, -1);
  const unserved = await Promise.all(others.map(isUnserved));
  return others.filter((_kind, index) => unserved[index]);
}

const isServedAs = (mapping: ResourceMapping | undefined, plural: string | undefined): boolean =>
  mapping !== undefined && mapping.verbs.includes('create') && (plural === undefined || mapping.plural === plural);

const refusedMs = 1_000;
const soonMs = 5_000;
const servedMs = 10_000;
/** It is noticed late by no more than this part of the time that it took. */
const lateShare = 1 / 16;
const minPauseMs = 10;
const maxPauseMs = 100;

/** The kinds that a definition lets the server serve. */
export function kindsDefinedBy(crd: CustomResourceDefinition): ServedKind[] {
  const group = textOr(crd.spec?.group, '');
  const kind = textOr(crd.spec?.names?.kind, '');
  const plural = textOr(crd.spec?.names?.plural, '');
  return listOf(crd.spec?.versions)
    .filter((version) => version.served === true)
    .map((version) => ({ apiVersion: `${group}/${textOr(version.name, '')}`, kind, plural }));
}

const missing = (last: KubernetesObject | undefined): Readiness =>
  waiting(last === undefined ? 'it was not found' : deletedMeanwhile);

function deletionReason(object: KubernetesObject | undefined): string {
  if (!object?.metadata.deletionTimestamp) return 'its deletion has not started';
  const finalizers = object.metadata.finalizers ?? [];
  return finalizers.length === 0 ? 'it is being deleted' : `waiting for its finalizers: ${finalizers.join(', ')}`;
}

/**
 * Whether a wait begins with the object as it was written, and so need not ask for it. Custom resources are asked for:
 * what they say as they are written is mostly nothing, and that would be ready. Of a CRD it would be megabytes.
 */
export const isAwaitedFromWritten = (id: ResourceId, strategy: ReadinessOptions['strategy'] | 'hookOnly'): boolean =>
  (strategy === 'ordered' || strategy === 'watcher') &&
  canBeUnready(id) &&
  id.kind !== 'CustomResourceDefinition' &&
  wellKnownMapping(id.apiVersion, id.kind) !== undefined;

/**
 * The keys of those that are ready as they were written, and of kinds that no controller makes unready afterwards. One
 * that is being deleted, or whose change has not been seen by its controller yet, is not ready.
 */
function settledAsWritten(written: readonly KubernetesObject[], userRules: UserRules | undefined): ReadonlySet<string> {
  const isSettled = (object: KubernetesObject): boolean =>
    staysReady.has(groupKindOf(object)) &&
    userRules?.(object) === undefined &&
    watcherReadiness(object, false).state === 'ready';
  return new Set(written.filter(isSettled).map((object) => objectKey(idOf(object))));
}

const staysReady = new Set(['Service', 'PodDisruptionBudget.policy', 'CronJob.batch']);

/** What Helm 3's rules look at beside the object itself. */
const legacyRelations = (id: ResourceId): readonly RelatedKind[] => {
  switch (groupKindOf(id)) {
    case 'Deployment.apps':
      return [{ apiVersion: 'apps/v1', kind: 'ReplicaSet' }];
    case 'ReplicaSet.apps':
    case 'ReplicationController':
      return [{ apiVersion: 'v1', kind: 'Pod' }];
    default:
      return [];
  }
};

/**
 * Whether a wait asks for more than that the object is there. Kinds without a status are not asked for: a list of all
 * Secrets of a namespace may be large, and forbidden.
 */
export const canBeUnready = (id: ResourceId): boolean => !alwaysReady.has(groupKindOf(id));

const alwaysReady = new Set([
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'LimitRange',
  'Endpoints',
  'Role.rbac.authorization.k8s.io',
  'RoleBinding.rbac.authorization.k8s.io',
  'ClusterRole.rbac.authorization.k8s.io',
  'ClusterRoleBinding.rbac.authorization.k8s.io',
  'NetworkPolicy.networking.k8s.io',
  'IngressClass.networking.k8s.io',
  'StorageClass.storage.k8s.io',
  'PriorityClass.scheduling.k8s.io',
  'MutatingWebhookConfiguration.admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
  'Lease.coordination.k8s.io',
]);
