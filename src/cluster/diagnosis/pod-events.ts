import { listOf, numberOr, textOr } from '../../manifest/fields.ts';
import type { KubernetesEvent, PersistentVolumeClaim, Pod } from '../../manifest/kubernetes.ts';
import { missingStorageClass } from '../../problem/foreign/controllers.ts';
import { missingIn } from '../../problem/foreign/kubelet.ts';
import { Quote } from '../../problem/quote.ts';
import type { WorkloadFact } from '../../problem/workload-fact.ts';
import { conditionsOf } from '../fields.ts';

/** The reasons of events that come in every deploy and explain nothing. */
const routine = [
  'Created',
  'Killing',
  'Pulled',
  'Pulling',
  'ScalingReplicaSet',
  'Scheduled',
  'Started',
  'SuccessfulCreate',
  'SuccessfulDelete',
];

/** The events that may tell why something is not ready, all others left out by the server. */
export const relevantEvents = {
  apiVersion: 'v1',
  kind: 'Event',
  fieldSelector: routine.map((reason) => `reason!=${reason}`).join(','),
};

/** How often an event has happened: `count`, or that of its series. */
export const eventCount = (event: KubernetesEvent): number => numberOr(event.count, numberOr(event.series?.count, 1));

/** How often containers of a pod have ended, or could not be made: kubelet's events `Failed`, of images and of containers. */
export function failureCount({ status }: Pod, events: readonly KubernetesEvent[]): number {
  const containers = [...listOf(status?.initContainerStatuses), ...listOf(status?.containerStatuses)];
  const failures = events.filter(({ reason }) => reason === 'Failed').map(eventCount);
  return [...containers.map(({ restartCount }) => numberOr(restartCount, 0)), ...failures].reduce(
    (sum, n) => sum + n,
    0,
  );
}

/** When it happened last, in milliseconds since 1970; 0 where it does not say. */
export const eventTimeMs = (event: KubernetesEvent): number =>
  Date.parse(
    textOr(event.series?.lastObservedTime, '') ||
      textOr(event.lastTimestamp, '') ||
      textOr(event.eventTime, '') ||
      (event.metadata.creationTimestamp ?? ''),
  ) || 0;

export const latestOf = (events: readonly KubernetesEvent[]): KubernetesEvent | undefined =>
  [...events].sort((a, b) => eventTimeMs(a) - eventTimeMs(b)).at(-1);

const latestFor = (events: readonly KubernetesEvent[], reasons: ReadonlySet<string>): KubernetesEvent | undefined =>
  latestOf(events.filter((event) => reasons.has(textOr(event.reason, ''))));

/** Whether an event may speak of this container: its `fieldPath` (`spec.containers{app}`) names no other one. */
export function concernsContainer(event: KubernetesEvent, container: string | undefined): boolean {
  const path = textOr(event.involvedObject?.fieldPath, '');
  if (container === undefined || !path.endsWith('}')) return true;
  return path.slice(path.indexOf('{') + 1, -1) === container;
}

const volumeReasons: ReadonlySet<string> = new Set(['FailedMount', 'FailedAttachVolume', 'FailedCreatePodSandBox']);

/** Why a pod that has a node does not begin, as its node said last: a ConfigMap of a volume that nobody has made. */
export function mountFailure(events: readonly KubernetesEvent[]): WorkloadFact | undefined {
  const latest = latestFor(events, volumeReasons);
  if (latest === undefined) return undefined;
  const words = new Quote(textOr(latest.message, ''));
  const said = { outlook: 'doubtful', reason: textOr(latest.reason, ''), words } as const;
  const missing = missingIn(words);
  return missing === undefined ? { code: 'mount-failed', ...said } : { code: 'reference-missing', missing, ...said };
}

/**
 * The ConfigMap or Secret of a volume that a pod waits for and nobody has made. Undefined once its volumes are there, and
 * where its node does not tell.
 */
export function missingVolume(pod: Pod, events: readonly KubernetesEvent[]): WorkloadFact | undefined {
  const isWaiting = conditionsOf(pod).some(
    ({ type, status }) => type === 'PodReadyToStartContainers' && status === 'False',
  );
  const failure = isWaiting ? mountFailure(events) : undefined;
  return failure?.code === 'reference-missing' && failure.missing.name !== undefined ? failure : undefined;
}

const claimReasons: ReadonlySet<string> = new Set(['ProvisioningFailed', 'FailedBinding', 'VolumeMismatch']);

/** What the volume's controller said last of a claim that it cannot bind; undefined where it has said nothing. */
export function claimFailure(claim: string, events: readonly KubernetesEvent[]): WorkloadFact | undefined {
  const latest = latestFor(events, claimReasons);
  if (latest === undefined) return undefined;
  const words = new Quote(textOr(latest.message, ''));
  // What its controller has tried and failed at may not pass by itself.
  const said = { outlook: 'doubtful', claim, reason: textOr(latest.reason, ''), words } as const;
  const storageClass = missingStorageClass(words);
  return storageClass === undefined
    ? { code: 'claim-not-bound', ...said }
    : { code: 'storage-class-missing', storageClass, ...said };
}

/** Whether a claim is only waiting for a pod that mounts it: its storage class binds no volume before. */
export function lacksConsumer(claim: PersistentVolumeClaim, events: readonly KubernetesEvent[]): boolean {
  if (claim.status?.phase !== 'Pending' || claim.metadata.deletionTimestamp !== undefined) return false;
  return latestOf(events)?.reason === 'WaitForFirstConsumer';
}

/** Why a claim has no volume; without a word of its controller, that is under way. */
export const claimFact = (claim: PersistentVolumeClaim, events: readonly KubernetesEvent[]): WorkloadFact =>
  claimFailure(claim.metadata.name, events) ?? {
    outlook: 'open',
    code: 'claim-not-bound',
    claim: claim.metadata.name,
    phase: textOr(claim.status?.phase, 'unknown'),
  };

/** The names of the claims that a pod mounts. */
export const claimsOf = (pod: Pod): readonly string[] =>
  listOf(pod.spec?.volumes).flatMap(({ persistentVolumeClaim }) => textOr(persistentVolumeClaim?.claimName, '') || []);
