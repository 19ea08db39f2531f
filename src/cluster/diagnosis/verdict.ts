import { textOr } from '../../manifest/fields.ts';
import type { Pod, StatefulSet, WithConditions } from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { Quote } from '../../problem/quote.ts';
import type { JobEnd, WorkloadFact } from '../../problem/workload-fact.ts';
import { conditionsOf, groupKindOf } from '../fields.ts';
import { missingVolume } from './pod-events.ts';
import { hasRun, podFact, podFacts } from './pod-facts.ts';
import { refusalByCondition, refusalByEvents, type SeenCounts } from './refused-pods.ts';

/** What is around a resource that is waited for. */
export interface Surroundings {
  /** What an object controls: ReplicaSets, Pods; and the events that speak of it. */
  readonly related: (object: KubernetesObject) => readonly KubernetesObject[];
  /** All objects of a kind in the namespace that are known. */
  readonly nearby: (kind: string) => readonly KubernetesObject[];
  readonly before: StateBeforeDeploy;
}

/** What was so before the deploy, and is not blamed on it. */
export interface StateBeforeDeploy {
  /** uids of pods that were there. */
  readonly pods: ReadonlySet<string>;
  /** uids of pods that were in trouble. */
  readonly failingPods: ReadonlySet<string>;
  readonly refusals: SeenCounts;
  /** Generations of the Deployments that were past their deadline, by uid. */
  readonly pastDeadline: ReadonlyMap<string, number>;
}

export const nothingBefore: StateBeforeDeploy = {
  pods: new Set(),
  failingPods: new Set(),
  refusals: new Map(),
  pastDeadline: new Map(),
};

/** Why a resource will probably not become ready: at once where the first fact never recovers, otherwise after the grace. */
export interface Verdict {
  /** Of a pod or of the object itself; never none. */
  readonly facts: readonly WorkloadFact[];
  /** What the grace is counted for: the same for the same trouble. */
  readonly subject: string;
}

/** The worst that speaks against a resource that is not ready; undefined when nothing does. */
export function verdictOn(object: KubernetesObject, around: Surroundings): Verdict | undefined {
  if (groupKindOf(object) !== 'Pod' && !isObserved(object)) return undefined;
  const owner = podOwner(object, around);
  const verdicts = [
    jobTarget(object),
    owner && refusalVerdict(owner, around),
    ...(owner === undefined ? [] : currentPods(object, owner, around)).map((pod) => podVerdict(pod, object, around)),
    deadlineVerdict(object, around.before),
  ].filter((verdict) => verdict !== undefined);
  return verdicts.find(isHopeless) ?? verdicts[0];
}

/** Whether it cannot recover without a change. */
export const isHopeless = ({ facts: [first] }: Verdict): boolean => first?.outlook === 'never';

export const isObserved = (object: WithConditions): boolean => {
  const observed = object.status?.observedGeneration;
  return typeof observed !== 'number' || observed === object.metadata.generation;
};

/** What creates the pods: the newest ReplicaSet of a Deployment, once it is seen; the object itself of other kinds. */
export function podOwner(
  object: KubernetesObject,
  { related }: Pick<Surroundings, 'related'>,
): KubernetesObject | undefined {
  if (groupKindOf(object) !== 'Deployment.apps') return object;
  const sets = related(object).filter(({ kind }) => kind === 'ReplicaSet');
  const revision = revisionOf(object);
  return revision === undefined ? newestOf(sets) : sets.find((set) => revisionOf(set) === revision);
}

export const newestOf = (sets: readonly KubernetesObject[]): KubernetesObject | undefined =>
  [...sets].sort((a, b) => Number(revisionOf(b) ?? 0) - Number(revisionOf(a) ?? 0))[0];

const revisionOf = ({ metadata }: KubernetesObject): string | undefined =>
  metadata.annotations?.['deployment.kubernetes.io/revision'];

/** The pods that the resource's present specification asks for: those of an older one are on their way out. */
export function currentPods(
  object: KubernetesObject,
  owner: KubernetesObject,
  { related }: Pick<Surroundings, 'related'>,
): readonly KubernetesObject[] {
  if (groupKindOf(object) === 'Pod') return [object];
  const pods = related(owner).filter(({ kind }) => kind === 'Pod');
  const [label, wanted] = revisionLabel(object);
  return wanted === '' ? pods : pods.filter(({ metadata }) => (metadata.labels?.[label] ?? wanted) === wanted);
}

function revisionLabel(object: StatefulSet): [label: string, value: string] {
  switch (groupKindOf(object)) {
    case 'StatefulSet.apps':
      return ['controller-revision-hash', textOr(object.status?.updateRevision, '')];
    case 'DaemonSet.apps':
      return [
        'pod-template-generation',
        object.metadata.annotations?.['deprecated.daemonset.template.generation'] ?? '',
      ];
    default:
      return ['', ''];
  }
}

/** Past its limits a Job says so before its last pods are gone, and only then that it has failed. */
function jobTarget(object: KubernetesObject): Verdict | undefined {
  const target = jobEnd(object, ['FailureTarget']);
  if (target === undefined) return undefined;
  return { subject: 'job', facts: [{ outlook: 'never', code: 'job-failed', ...target }] };
}

/** How a Job says that it has ended badly. */
export function jobEnd(object: KubernetesObject, types = ['Failed', 'FailureTarget']): JobEnd | undefined {
  if (groupKindOf(object) !== 'Job.batch') return undefined;
  const end = conditionsOf(object).find(({ type, status }) => status === 'True' && types.includes(type));
  return end === undefined ? undefined : { reason: end.reason, words: new Quote(end.message) };
}

function refusalVerdict(owner: KubernetesObject, around: Surroundings): Verdict | undefined {
  const refusal = refusalFor(owner, around);
  if (refusal === undefined || refusal.outlook === 'open') return undefined;
  return { subject: `refusal ${refusal.code}`, facts: [refusal] };
}

function refusalFor(owner: KubernetesObject, around: Surroundings): WorkloadFact | undefined {
  if (owner.kind === 'Pod') return undefined;
  const related = around.related(owner);
  const pods = related.filter(({ kind }) => kind === 'Pod');
  const events = related.filter(({ kind }) => kind === 'Event');
  const state = { before: around.before.refusals, isMakingWay: isQuotaBeingFreed(around) };
  return refusalByCondition(owner, state.isMakingWay) ?? refusalByEvents(owner, pods, events, state);
}

/**
 * Pods that go, that are replaced, or that come to an end by themselves free their share of a quota. Those that have gone
 * have freed it: the controller has not tried again yet.
 */
function isQuotaBeingFreed({ nearby, before }: Surroundings): boolean {
  const pods = nearby('Pod');
  const left = new Set(pods.map(({ metadata }) => metadata.uid));
  const goes = ({ metadata: { uid = '', deletionTimestamp, ownerReferences = [] } }: KubernetesObject): boolean =>
    deletionTimestamp !== undefined || before.pods.has(uid) || ownerReferences.some(({ kind }) => kind === 'Job');
  return pods.some(goes) || [...before.pods].some((uid) => !left.has(uid));
}

function podVerdict(pod: Pod, object: KubernetesObject, { before, related }: Surroundings): Verdict | undefined {
  const { uid = '' } = pod.metadata;
  if (before.failingPods.has(uid)) return undefined;
  const events = related(pod);
  const facts = podFacts(pod, events);
  const [worst] = facts;
  if (worst === undefined || !countsAgainst(object, pod, worst)) return undefined;
  if (worst.outlook !== 'open') return { subject: `${uid} ${worst.container ?? ''}`, facts: inPod(facts, pod, object) };
  const missing = missingVolume(pod, events);
  return missing && { subject: `${uid} volume`, facts: inPod([missing], pod, object) };
}

/** The same facts with the pod that they are about, where that is not the object itself. */
export const inPod = (facts: readonly WorkloadFact[], pod: Pod, object: KubernetesObject): readonly WorkloadFact[] =>
  object === pod ? facts : facts.map((fact) => ({ ...fact, pod: pod.metadata.name }));

/** Pods that have ended are replaced by their controllers; a Job counts its own failures against its limit. */
function countsAgainst(object: KubernetesObject, pod: Pod, worst: WorkloadFact): boolean {
  if (object.kind === 'Pod') return true;
  if (textOr(pod.status?.phase, '') === 'Failed') return false;
  return object.kind !== 'Job' || !hasRun(worst);
}

function deadlineVerdict(object: KubernetesObject, before: StateBeforeDeploy): Verdict | undefined {
  if (!isPastDeadline(object)) return undefined;
  const { uid = '', generation } = object.metadata;
  if (before.pastDeadline.get(uid) === generation) return undefined;
  const { message = '' } = conditionsOf(object).find(({ type }) => type === 'Progressing') ?? {};
  // What is left of an older rollout stays in the status until the new one moves.
  const outlook = before.pastDeadline.has(uid) ? 'doubtful' : 'never';
  const words = message === '' ? {} : { words: new Quote(message) };
  return { subject: 'deadline', facts: [{ outlook, code: 'progress-deadline-exceeded', ...words }] };
}

/** A Deployment that its controller has given up on. */
export const isPastDeadline = (object: KubernetesObject): boolean =>
  groupKindOf(object) === 'Deployment.apps' &&
  conditionsOf(object).some(({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded');

/** The uids of pods that are in more trouble than waiting can be trusted to end. */
export const failingPodsOf = (pods: readonly Pod[]): ReadonlySet<string> =>
  new Set(pods.filter((pod) => (podFact(pod)?.outlook ?? 'open') !== 'open').map(({ metadata }) => metadata.uid ?? ''));
