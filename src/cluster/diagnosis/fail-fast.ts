import { textOr } from '../../manifest/fields.ts';
import type { Pod } from '../../manifest/kubernetes.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import type { WorkloadFact } from '../../problem/workload-fact.ts';
import type { Timers } from '../../support/timers.ts';
import { isApiError } from '../api-error.ts';
import { groupKindOf } from '../fields.ts';
import type { Judgement, Observed, RelatedKind } from '../observe.ts';
import { failedBy, hinderedBy, waiting } from '../readiness/words.ts';
import { SharedWatches } from '../shared-watches.ts';
import type { CallOptions, Cluster, Readiness } from '../types.ts';
import { CrashLoops } from './crash-loops.ts';
import type { DeletedPodLogs } from './deleted-pod-logs.ts';
import { Grace, progressMarksOf } from './grace.ts';
import { hindrancesOf } from './hindrance.ts';
import { eventCount, failureCount, missingVolume, relevantEvents } from './pod-events.ts';
import { podFact } from './pod-facts.ts';
import {
  currentPods,
  failingPodsOf,
  isHopeless,
  isPastDeadline,
  nothingBefore,
  podOwner,
  type StateBeforeDeploy,
  type Surroundings,
  type Verdict,
  verdictOn,
} from './verdict.ts';

export interface FailFastOptions {
  /** How long what is likely dead may go on without anything getting better. */
  readonly graceMs: number;
  /** Default: the system's, by its clock that only goes forward. */
  readonly timers?: Timers | undefined;
  /** Reads the logs of the pods of Jobs. */
  readonly deletedPodLogs?: DeletedPodLogs | undefined;
}

/**
 * Ends waits that cannot succeed: at once where nothing recovers by itself, after a time of grace where recovery is
 * unlikely. One for a whole run, whose waits share their progress. The rules are verdict.ts, grace.ts and
 * crash-loops.ts.
 */
export class FailFast {
  /** For what the waits of a run look at beside the resources themselves. */
  readonly watches = new SharedWatches();
  readonly #graceMs: number;
  readonly #grace: Grace;
  readonly #crashLoops: CrashLoops;
  /** Resources that are not ready yet, with nothing known to be wrong. */
  readonly #underWay = new Set<string>();
  readonly #deletedPodLogs: DeletedPodLogs | undefined;
  /** How often pods that were in trouble before had failed when they were first looked at, by their uids. */
  readonly #firstFailures = new Map<string, number>();
  #before = nothingBefore;

  constructor({ graceMs, timers, deletedPodLogs }: FailFastOptions) {
    this.#graceMs = graceMs;
    this.#deletedPodLogs = deletedPodLogs;
    const nowMs = (): number => timers?.now() ?? performance.now();
    this.#grace = new Grace(graceMs, nowMs);
    this.#crashLoops = new CrashLoops(graceMs, nowMs);
  }

  /** Notes what is wrong already in these namespaces. To be called before anything is changed. */
  async remember(cluster: Cluster, namespaces: readonly string[], options: CallOptions): Promise<void> {
    this.#before = await stateOf(cluster, namespaces, options);
  }

  /** What `state` comes to, seen with what is around the resource. */
  judge(id: ResourceId, state: Judgement, object: KubernetesObject, observed: Observed): Judgement {
    const resource = `${groupKindOf(id)}/${id.namespace}/${id.name}`;
    if (state.state === 'ready') {
      this.#underWay.delete(resource);
      this.#grace.leave(resource);
      return state;
    }
    const { related, nearby } = observed;
    const owner = podOwner(object, { related });
    const pods = owner === undefined ? [] : currentPods(object, owner, { related });
    this.#forgetFailedAgain(pods, related);
    const around: Surroundings = { related, nearby, before: this.#before };
    if (groupKindOf(object) === 'Job.batch') for (const pod of pods) this.#deletedPodLogs?.note(id, pod);
    const isHeld = (pod: KubernetesObject): boolean => missingVolume(pod, related(pod)) !== undefined;
    this.#grace.look(resource, progressMarksOf(object, pods, isHeld));
    const judged = this.#conclude(resource, state, object, { ...around, leftMs: observed.leftMs });
    if (judged.state === 'failed') this.#grace.leave(resource);
    return judged;
  }

  /** A pod that was in trouble before, and has failed again since it was first looked at, is from then on judged as any other. */
  #forgetFailedAgain(pods: readonly Pod[], related: Surroundings['related']): void {
    for (const pod of pods) {
      const { uid = '' } = pod.metadata;
      const { failingPods } = this.#before;
      if (!failingPods.has(uid)) continue;
      const count = failureCount(pod, related(pod));
      const first = this.#firstFailures.get(uid) ?? count;
      this.#firstFailures.set(uid, first);
      if (count > first)
        this.#before = { ...this.#before, failingPods: new Set([...failingPods].filter((one) => one !== uid)) };
    }
  }

  /** The decision: what is certain fails at once, what is doubtful when no time is left; everything else waits. */
  #conclude(resource: string, state: Judgement, object: KubernetesObject, around: Around): Judgement {
    if (state.state === 'ready') return state;
    const verdict = verdictOn(object, around) ?? doubtIn(state);
    if (verdict === undefined) this.#underWay.add(resource);
    else this.#underWay.delete(resource);
    const isDoubtful = isDoubtfulFailure(object);
    if (verdict === undefined) {
      const hindrances = hindrancesOf(object, around);
      if (hindrances.length > 0 && (isDoubtful || state.state === 'waiting'))
        return hinderedBy(hindrances, state.reason);
      return isDoubtful ? waiting(state.reason) : state;
    }
    if (state.state === 'failed' && !isDoubtful) return state;
    const { facts } = verdict;
    if (isHopeless(verdict)) return failedBy(facts);
    const pods = around.nearby('Pod');
    const isBusy = this.#underWay.size > 0 || pods.length === 0 || pods.some((pod) => isUnderWay(pod, this.#before));
    const [worst] = facts as readonly [WorkloadFact];
    if (this.#crashLoops.isTried(verdict.subject, worst, isBusy)) return failedBy(facts);
    if (this.#crashLoops.isTooLate(verdict.subject, worst, around.leftMs()))
      return failedBy(facts.map((fact) => ({ ...fact, isRestartTooLate: true as const })));
    const againInMs = this.#grace.leftMs(resource, verdict.subject);
    if (againInMs <= 0) return failedBy(facts.map((fact) => ({ ...fact, noProgressMs: this.#graceMs })));
    const isSaid = state.state === 'failed' || state.facts === facts;
    return { ...hinderedBy(facts, isSaid ? undefined : state.reason), againInMs };
  }
}

/** What an object itself says of its trouble, where that may pass. */
function doubtIn(state: Readiness): Verdict | undefined {
  const [first] = state.facts ?? [];
  if (state.state !== 'waiting' || first?.outlook !== 'doubtful') return undefined;
  return { facts: state.facts ?? [], subject: `status ${'reason' in first ? first.reason : first.code}` };
}

type Around = Surroundings & Pick<Observed, 'leftMs'>;

/** A pod of this deploy that starts, or of a Job that runs: what crashes may need it. */
function isUnderWay(pod: Pod, { pods }: StateBeforeDeploy): boolean {
  const { uid = '', deletionTimestamp, ownerReferences = [] } = pod.metadata;
  const hasEnded = ['Succeeded', 'Failed'].includes(textOr(pod.status?.phase, ''));
  if (pods.has(uid) || deletionTimestamp !== undefined || hasEnded) return false;
  const fact = podFact(pod);
  return fact === undefined ? ownerReferences.some(({ kind }) => kind === 'Job') : fact.outlook === 'open';
}

/** What kstatus calls failed, and time may yet heal. */
const isDoubtfulFailure = (object: KubernetesObject): boolean =>
  isPastDeadline(object) ||
  (groupKindOf(object) === 'Pod' && (object['status'] as { phase?: string })?.phase !== 'Failed');

const refusalEvents = { apiVersion: 'v1', kind: 'Event', fieldSelector: 'reason=FailedCreate' };
const allPods = { apiVersion: 'v1', kind: 'Pod' };
const deployments = { apiVersion: 'apps/v1', kind: 'Deployment' };
const replicaSets = { apiVersion: 'apps/v1', kind: 'ReplicaSet' };

const relatedKinds: Readonly<Record<string, readonly RelatedKind[]>> = {
  Pod: [relevantEvents],
  PersistentVolumeClaim: [relevantEvents],
  'Deployment.apps': [allPods, replicaSets, relevantEvents],
  'ReplicaSet.apps': [allPods, relevantEvents],
  ReplicationController: [allPods, relevantEvents],
  'StatefulSet.apps': [allPods, relevantEvents],
  'DaemonSet.apps': [allPods, relevantEvents],
  'Job.batch': [allPods, relevantEvents],
};

/** What has to be watched beside a resource, to judge it. */
export const failFastKinds = (id: ResourceId): readonly RelatedKind[] =>
  (relatedKinds[groupKindOf(id)] ?? []).map((kind) => ({ ...kind, isOptional: true }));

async function stateOf(
  cluster: Cluster,
  namespaces: readonly string[],
  { signal }: CallOptions,
): Promise<StateBeforeDeploy> {
  const listed = async (kind: RelatedKind): Promise<readonly KubernetesObject[]> => {
    const lists = namespaces.map((namespace) =>
      cluster
        .list(kind.apiVersion, kind.kind, { namespace, fieldSelector: kind.fieldSelector, signal })
        .catch(emptyWhenRefused),
    );
    return (await Promise.all(lists)).flat();
  };
  const [there, events, all] = await Promise.all([listed(allPods), listed(refusalEvents), listed(deployments)]);
  return {
    pods: new Set(there.map(({ metadata }) => metadata.uid ?? '')),
    failingPods: failingPodsOf(there),
    refusals: new Map(events.map((event) => [event.metadata.uid ?? '', eventCount(event)])),
    pastDeadline: new Map(
      all.filter(isPastDeadline).map(({ metadata }) => [metadata.uid ?? '', metadata.generation ?? 0]),
    ),
  };
}

/** Who may not look does without. */
function emptyWhenRefused(error: unknown): readonly KubernetesObject[] {
  if (isApiError(error)) return [];
  throw error;
}
