import { textOr } from '../../manifest/fields.ts';
import type { Pod, StatefulSet, WithConditions } from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { conditionsOf, groupKindOf } from '../fields.ts';
import { containerText, type PodTrouble, podTrouble, podTroubles } from './pod-trouble.ts';
import { type Refusal, refusalByCondition, refusalByEvents, refusalOutlook, type SeenCounts } from './refused-pods.ts';
import { killedAfter, killingProbe, missingVolume } from './telling-events.ts';

/** What is around a resource that is waited for. */
export interface Surroundings {
  /** What an object controls: ReplicaSets, Pods; and the events that speak of it. */
  readonly related: (object: KubernetesObject) => readonly KubernetesObject[];
  /** All objects of a kind in the namespace that are known. */
  readonly nearby: (kind: string) => readonly KubernetesObject[];
  readonly before: Before;
}

/** What was so before the deploy, and is not blamed on it. */
export interface Before {
  /** uids of pods that were there. */
  readonly pods: ReadonlySet<string>;
  /** uids of pods that were in trouble. */
  readonly troubled: ReadonlySet<string>;
  readonly refusals: SeenCounts;
  /** Generations of the Deployments that were past their deadline, by uid. */
  readonly pastDeadline: ReadonlyMap<string, number>;
}

export const nothingBefore: Before = {
  pods: new Set(),
  troubled: new Set(),
  refusals: new Map(),
  pastDeadline: new Map(),
};

/** Why a resource will probably not become ready. */
export interface Verdict {
  /** `never` at once, `doubtful` when nothing moves for the time of grace. */
  readonly outlook: 'never' | 'doubtful';
  /** `Pod/web-7d-x container app: ImagePullBackOff: no such image`. */
  readonly reason: string;
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
  return verdicts.find(({ outlook }) => outlook === 'never') ?? verdicts[0];
}

const isObserved = (object: WithConditions): boolean => {
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
  if (groupKindOf(object) !== 'Job.batch') return undefined;
  const target = conditionsOf(object).find(({ type, status }) => type === 'FailureTarget' && status === 'True');
  if (target === undefined) return undefined;
  return { outlook: 'never', reason: `the job failed: ${target.reason}: ${target.message}`, subject: 'job' };
}

function refusalVerdict(owner: KubernetesObject, around: Surroundings): Verdict | undefined {
  const refusal = refusalFor(owner, around);
  if (refusal === undefined) return undefined;
  const outlook = refusalOutlook(refusal, isMakingWay(around));
  if (outlook === 'open') return undefined;
  return { outlook, reason: `its pods cannot be created: ${refusal.message}`, subject: `refusal ${refusal.kind}` };
}

export function refusalFor(
  owner: KubernetesObject,
  { related, before }: Pick<Surroundings, 'related' | 'before'>,
): Refusal | undefined {
  if (owner.kind === 'Pod') return undefined;
  const around = related(owner);
  const pods = around.filter(({ kind }) => kind === 'Pod');
  const events = around.filter(({ kind }) => kind === 'Event');
  return refusalByCondition(owner) ?? refusalByEvents(owner, pods, events, before.refusals);
}

/**
 * Pods that go, that are replaced, or that come to an end by themselves free their share of a quota. Those that have gone
 * have freed it: the controller has not tried again yet.
 */
function isMakingWay({ nearby, before }: Surroundings): boolean {
  const pods = nearby('Pod');
  const left = new Set(pods.map(({ metadata }) => metadata.uid));
  const goes = ({ metadata: { uid = '', deletionTimestamp, ownerReferences = [] } }: KubernetesObject): boolean =>
    deletionTimestamp !== undefined || before.pods.has(uid) || ownerReferences.some(({ kind }) => kind === 'Job');
  return pods.some(goes) || [...before.pods].some((uid) => !left.has(uid));
}

function podVerdict(pod: Pod, object: KubernetesObject, { before, related }: Surroundings): Verdict | undefined {
  if (before.troubled.has(pod.metadata.uid ?? '')) return undefined;
  const troubles = podTroubles(pod);
  const [trouble] = troubles;
  if (trouble === undefined || !countsAgainst(object, pod, trouble)) return undefined;
  const { outlook } = trouble;
  const where = object === pod ? '' : `Pod/${pod.metadata.name} `;
  if (outlook === 'open') {
    const missing = missingVolume(pod, related(pod));
    if (missing === undefined) return undefined;
    return { outlook: 'doubtful', reason: `${where}${missing}`, subject: `${pod.metadata.uid} volume` };
  }
  return {
    outlook,
    reason: `${where}${troubles.map((each) => troubleText(each, related(pod))).join('; ')}`,
    subject: `${pod.metadata.uid} ${trouble.container ?? ''}`,
  };
}

/** Pods that have ended are replaced by their controllers; a Job counts its own failures against its limit. */
function countsAgainst(object: KubernetesObject, pod: Pod, { hasRun }: PodTrouble): boolean {
  if (object.kind === 'Pod') return true;
  if (textOr(pod.status?.phase, '') === 'Failed') return false;
  return object.kind !== 'Job' || !hasRun;
}

/** One line on a container's trouble; `events` are those of its pod. */
export function troubleText(trouble: PodTrouble, events: readonly KubernetesObject[] = []): string {
  const { reason, exitCode, restarts = 0 } = trouble;
  const place = containerText(trouble);
  const probe = killingProbe(events, trouble);
  const exit = exitCode === undefined ? '' : `, exit code ${exitCode}`;
  const again = restarts === 0 ? '' : `, ${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`;
  const why = probe === undefined ? '' : `: ${killedAfter(probe, trouble.spec)}`;
  return `${place === undefined ? '' : `${place}: `}${reason}${why}${exit}${again}`;
}

function deadlineVerdict(object: KubernetesObject, before: Before): Verdict | undefined {
  if (!isPastDeadline(object)) return undefined;
  const { uid = '', generation } = object.metadata;
  if (before.pastDeadline.get(uid) === generation) return undefined;
  const { message } = conditionsOf(object).find(({ type }) => type === 'Progressing') ?? { message: '' };
  const reason = `progress deadline exceeded: ${message || 'its pods did not become ready in time'}`;
  // What is left of an older rollout stands there until the new one moves.
  return { outlook: before.pastDeadline.has(uid) ? 'doubtful' : 'never', reason, subject: 'deadline' };
}

/** A Deployment that its controller has given up on. */
export const isPastDeadline = (object: KubernetesObject): boolean =>
  groupKindOf(object) === 'Deployment.apps' &&
  conditionsOf(object).some(({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded');

/** The uids of pods that are in more trouble than waiting can be trusted to end. */
export const troubledOf = (pods: readonly Pod[]): ReadonlySet<string> =>
  new Set(
    pods.filter((pod) => (podTrouble(pod)?.outlook ?? 'open') !== 'open').map(({ metadata }) => metadata.uid ?? ''),
  );
