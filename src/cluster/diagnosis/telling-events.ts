import { listOf, textOr } from '../../manifest/fields.ts';
import type { Container, KubernetesEvent, PersistentVolumeClaim, Pod } from '../../manifest/kubernetes.ts';
import { conditionsOf } from '../fields.ts';
import { eventCount, eventTimeMs } from './refused-pods.ts';
import { patienceOf, withAsked } from './spec-words.ts';

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
export const tellingEvents = {
  apiVersion: 'v1',
  kind: 'Event',
  fieldSelector: routine.map((reason) => `reason!=${reason}`).join(','),
};

const latestOf = (events: readonly KubernetesEvent[]): KubernetesEvent | undefined =>
  [...events].sort((a, b) => eventTimeMs(a) - eventTimeMs(b)).at(-1);

/** Whether an event may speak of this container: its `fieldPath` names no other one. */
export function concernsContainer(event: KubernetesEvent, container: string | undefined): boolean {
  const named = /^spec\.\w+\{(.*)\}$/.exec(textOr(event.involvedObject?.fieldPath, ''))?.[1];
  return named === undefined || container === undefined || named === container;
}

/** One failed probe is the way of a program that starts. */
const failuresToTell = 2;

interface ProbedContainer {
  readonly container?: string | undefined;
  readonly spec?: Container | undefined;
}

/** What the container's probe said last and what it asked: `Readiness probe failed: …`; undefined before it has failed twice. */
export function probeText(
  events: readonly KubernetesEvent[],
  { container, spec }: ProbedContainer,
): string | undefined {
  const failures = events.filter(
    (event) => textOr(event.reason, '') === 'Unhealthy' && concernsContainer(event, container),
  );
  const count = failures.reduce((sum, event) => sum + eventCount(event), 0);
  const text = textOr(latestOf(failures)?.message, '');
  return count < failuresToTell || text === '' ? undefined : withAsked(text, spec);
}

/** What made the kubelet stop a container that ended so: `Liveness probe failed: …`; undefined where it ended by itself. */
export function killingProbe(
  events: readonly KubernetesEvent[],
  {
    exitCode,
    reason,
    ...probed
  }: ProbedContainer & { readonly exitCode?: number | undefined; readonly reason: string },
): string | undefined {
  const isKilled = (exitCode === 137 || exitCode === 143) && !reason.includes('OOMKilled');
  const others = events.filter((event) => !textOr(event.message, '').startsWith('Readiness'));
  return isKilled ? probeText(others, probed) : undefined;
}

/** What the kubelet killed a container for, and when it does. An exit code that follows is the container's, not the probe's. */
export function killedAfter(probe: string, spec?: Container): string {
  const patience = patienceOf(probe, spec);
  return `killed after "${probe}"${patience === '' ? '' : ` (${patience})`}`;
}

const volumeReasons: ReadonlySet<string> = new Set(['FailedMount', 'FailedAttachVolume', 'FailedCreatePodSandBox']);

/** `FailedMount: … configmap "web" not found`: why a pod that has a node does not begin, as its node said last. */
export function mountFailure(events: readonly KubernetesEvent[]): string | undefined {
  const latest = latestOf(events.filter((event) => volumeReasons.has(textOr(event.reason, ''))));
  return latest === undefined ? undefined : `${textOr(latest.reason, '')}: ${textOr(latest.message, '')}`;
}

/**
 * What a pod waits for that nobody has made: a ConfigMap or Secret of a volume. Undefined once its volumes are there, and
 * where its node does not tell.
 */
export function missingVolume(pod: Pod, events: readonly KubernetesEvent[]): string | undefined {
  const isWaiting = conditionsOf(pod).some(
    ({ type, status }) => type === 'PodReadyToStartContainers' && status === 'False',
  );
  const failure = isWaiting ? mountFailure(events) : undefined;
  return failure !== undefined && /\b(?:configmap|secret) "[^"]*" not found/.test(failure) ? failure : undefined;
}

const claimReasons: ReadonlySet<string> = new Set(['ProvisioningFailed', 'FailedBinding', 'VolumeMismatch']);

/** `ProvisioningFailed: storageclass.storage.k8s.io "fast" not found`: what the volume's controller said last. */
export function claimFailure(events: readonly KubernetesEvent[]): string | undefined {
  const latest = latestOf(events.filter((event) => claimReasons.has(textOr(event.reason, ''))));
  return latest === undefined ? undefined : `${textOr(latest.reason, '')}: ${textOr(latest.message, '')}`;
}

/** The names of the claims that a pod mounts. */
export const claimsOf = (pod: Pod): readonly string[] =>
  listOf(pod.spec?.volumes).flatMap(({ persistentVolumeClaim }) => textOr(persistentVolumeClaim?.claimName, '') || []);

/** Why a claim has no volume: `its volume is not bound: ProvisioningFailed: …`, as far as it is known. */
export function claimReason(claim: PersistentVolumeClaim | undefined, events: readonly KubernetesEvent[]): string {
  const failure = claimFailure(events);
  if (failure !== undefined) return `its volume is not bound: ${failure}`;
  return `its volume is not bound (phase ${textOr(claim?.status?.phase, 'unknown')})`;
}
