import type { Quote } from '../problem/quote.ts';
import type {
  Circumstances,
  JobEnd,
  ObjectCause,
  Patience,
  PreviousExit,
  ProbeFailure,
  Reference,
  WorkloadFact,
} from '../problem/workload-fact.ts';
import { quoted } from './quote.ts';

/**
 * What keeps one object, in one line: the likely cause, then what else is broken, each place named once: `Pod/web-7d-x,
 * container app: CrashLoopBackOff, exit code 1, 4 restarts; container proxy: ErrImagePull: no such tag`.
 */
export function factsText([first, ...others]: readonly WorkloadFact[]): string {
  if (first === undefined) return '';
  const more = others.map(
    (fact) =>
      `; ${placed(
        fact,
        placesOf(fact).filter((one) => !placesOf(first).includes(one)),
      )}`,
  );
  const end = first.end === undefined ? '' : `${endText(first.end)}; `;
  return `${end}${placed(first, placesOf(first))}${progressText(first)}${more.join('')}`;
}

/** The same of one fact, for a list that names its object: `container app: ErrImagePull: no such tag`. */
export function workloadText(fact: WorkloadFact): string {
  const isBelow = fact.chain === undefined || fact.chain.length > 1 || fact.container !== undefined;
  const end = fact.end === undefined ? '' : `; ${endText(fact.end)}`;
  return `${placed(fact, isBelow ? [partOf(fact) ?? []].flat() : [])}${end}${progressText(fact)}`;
}

const placed = (fact: WorkloadFact, places: readonly string[]): string =>
  `${places.length === 0 ? '' : `${places.join(', ')}: `}${reasonText(fact)}${missingText(fact)}`;

/** Below the object itself; a ReplicaSet says nothing that its pod's name does not. */
function placesOf(fact: WorkloadFact): readonly string[] {
  const { chain, pod } = fact;
  const below = chain?.slice(1).filter((one) => !one.startsWith('ReplicaSet/'));
  return [...(below ?? (pod === undefined ? [] : [`Pod/${pod}`])), ...[partOf(fact) ?? []].flat()];
}

/** `init container migrate`, `PersistentVolumeClaim/data` */
function partOf(fact: WorkloadFact): string | undefined {
  const { container, isInit } = fact;
  if (container !== undefined) return `${isInit === true ? 'init ' : ''}container ${container}`;
  const own = fact.chain?.at(-1);
  const claim = 'claim' in fact ? `PersistentVolumeClaim/${fact.claim}` : undefined;
  return claim === own ? undefined : claim;
}

/** That a Job has reached its limit is all that its controller says of it. */
const endText = ({ reason, words }: JobEnd): string =>
  reason === 'BackoffLimitExceeded' ? reason : `${reason}: ${quoted(words)}`;

function progressText({ noProgressMs, isRestartTooLate }: WorkloadFact): string {
  if (isRestartTooLate) return ' (the next restart comes after the timeout)';
  return noProgressMs === undefined ? '' : ` (no progress for ${noProgressMs / 1000} s)`;
}

const missingText = ({ alsoMissing = [] }: WorkloadFact): string =>
  alsoMissing.length === 0 ? '' : `; also missing: ${alsoMissing.map(referenceText).join(', ')}`;

/** `Secret/db`, `key mode of ConfigMap/settings` */
export const referenceText = ({ kind, name, key }: Reference): string =>
  [...(key === undefined ? [] : [`key ${key}`]), ...(name === undefined ? [] : [`${kind}/${name}`])].join(' of ');

/** `ErrImagePull: no such tag` */
const reasonAndMessage = (reason: string | undefined, words: Quote | undefined): string =>
  [reason ?? '', words === undefined ? '' : quoted(words)].filter((text) => text !== '').join(': ');

/** What is so, with the exit code and the restarts of its container. */
function reasonText(fact: WorkloadFact): string {
  const { exitCode, restarts = 0 } = fact;
  const exit = exitCode === undefined ? '' : `, exit code ${exitCode}`;
  const again = restarts === 0 ? '' : `, ${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`;
  return `${causeText(fact)}${exit}${again}`;
}

type Selected = Extract<WorkloadFact, { code: 'no-pod-selected' }>['nearest'];

const nearestText = (nearest: Selected = []): string =>
  nearest.map(({ owner, labels }) => `; the pods of ${owner} have ${labels.join(', ')}`).join('');

/** What a code says, without where it is so. */
function causeText(fact: WorkloadFact): string {
  switch (fact.code) {
    case 'image-not-found':
    case 'image-denied':
    case 'image-not-found-or-denied':
    case 'registry-unreachable':
    case 'registry-limit':
      return `${reasonAndMessage(fact.reason, fact.words)} (${pullText[fact.code]})`;
    case 'image-name-invalid':
      return fact.words === undefined && fact.image
        ? `${fact.reason}: ${JSON.stringify(fact.image)} cannot be read as the name of an image`
        : reasonAndMessage(fact.reason, fact.words);
    case 'image-pull-failed':
    case 'image-not-on-node':
    case 'container-held':
    case 'mount-failed':
    case 'reference-missing':
    case 'root-refused':
      return reasonAndMessage(fact.reason, fact.words);
    case 'pull-secret-missing':
      return `Secret/${fact.secret} does not exist, so the registry refuses ${fact.image}`;
    case 'out-of-memory':
      return withWhy(fact.reason, 'OOMKilled', limitText(fact.limit));
    case 'program-not-started':
      return withWhy(fact.reason, fact.why, fact.words === undefined ? undefined : quoted(fact.words));
    case 'program-ended':
      return fact.reason;
    case 'killed-by-probe':
      return `${fact.reason}: killed after "${probeText(fact.probe)}"${patienceText(fact.patience)}`;
    case 'probe-failed':
      return `${runningText(fact, fact.before)}: ${probeText(fact.probe)}`;
    case 'container-not-ready':
      return runningText(fact, fact.before);
    case 'still-running':
      return 'still running';
    case 'pod-unschedulable':
      return unschedulableText(fact);
    case 'pod-failed':
      return reasonAndMessage(fact.reason, fact.words) || 'failed';
    case 'pod-pending':
      return reasonAndMessage(fact.reason, fact.words) || `${fact.phase}`;
    case 'claim-missing':
      return 'does not exist, but the pod mounts it';
    case 'claim-not-bound':
      return `its volume is not bound${fact.reason === undefined ? ` (phase ${fact.phase})` : `: ${reasonAndMessage(fact.reason, fact.words)}`}`;
    case 'consumer-missing':
      return 'no pod mounts this claim yet, and its storage class creates the volume only for a pod';
    case 'storage-class-missing':
      return `its volume is not bound: ${reasonAndMessage(fact.reason, fact.words)}${classesText(fact.classes)}`;
    default:
      return ownText(fact);
  }
}

/** The same of what an object says of itself. */
function ownText(fact: Circumstances & ObjectCause): string {
  switch (fact.code) {
    case 'pods-exceed-quota':
    case 'resources-unspecified':
    case 'pods-refused':
    case 'service-account-missing':
    case 'priority-class-missing':
    case 'pods-not-created':
      return `its pods cannot be created: ${quoted(fact.words)}`;
    case 'job-failed':
      return `the job failed: ${reasonAndMessage(fact.reason, fact.words)}`;
    case 'progress-deadline-exceeded':
      return `progress deadline exceeded: ${fact.words === undefined ? 'its pods did not become ready in time' : quoted(fact.words)}`;
    case 'being-deleted':
      return `being deleted${fact.finalizers.length === 0 ? '' : `, waiting for its finalizers: ${fact.finalizers.join(', ')}`}`;
    case 'condition':
      return reasonAndMessage(fact.reason, fact.words);
    case 'status-missing':
      return 'its controller has not reported a status yet';
    case 'paused':
      return `paused, so tshelm does not wait for it: ${pausedText(fact)}`;
    case 'no-pod-selected':
      return `its selector matches no pod: ${fact.labels.join(', ')}${nearestText(fact.nearest)}`;
    case 'target-port-missing':
      return `no container has a port named ${fact.port}${fact.names.length === 0 ? '' : `; the named ports are ${fact.names.join(', ')}`}`;
    case 'not-ready':
      return quoted(fact.words);
    case 'not-found':
      return 'not found';
    case 'not-readable':
      return 'could not be read, so the cause is unknown';
    case 'ready-now':
      return 'nothing is wrong any more';
    default:
      return fact satisfies never;
  }
}

/** `spec.suspend is true`, `phase is Paused`, `RolloutPaused` */
const pausedText = ({ field, value }: Extract<WorkloadFact, { code: 'paused' }>): string =>
  field === undefined ? value : `${field} is ${value || 'not set'}`;

const pullText = {
  'image-not-found': 'no such tag or repository',
  'image-denied': 'the registry refuses the credentials in imagePullSecrets',
  'image-not-found-or-denied': 'no such repository, or imagePullSecrets has no credentials for it',
  'registry-unreachable': 'the registry cannot be reached',
  'registry-limit': 'the pull rate limit of the registry is reached',
} as const;

/** `CrashLoopBackOff (OOMKilled: memory limit 256Mi)`; before the back-off `OOMKilled: memory limit 256Mi` */
function withWhy(reason: string, why: string | undefined, detail: string | undefined): string {
  const text = [why ?? [], detail ?? []].flat().join(': ');
  if (why === undefined || why === reason) return [reason, detail ?? []].flat().join(': ');
  return `${reason} (${text})`;
}

const limitText = (limit: string | undefined): string | undefined =>
  limit === undefined ? undefined : `memory limit ${limit}`;

function runningText({ isInit }: WorkloadFact, before: PreviousExit | undefined): string {
  const state = isInit === true ? 'still running' : 'running but not ready';
  if (before === undefined) return state;
  const why =
    before.reason === undefined ? '' : ` (${[before.reason, limitText(before.limit) ?? []].flat().join(': ')})`;
  return `${state}, restarted after exit code ${before.exitCode}${why}`;
}

const probeText = ({ words, asked }: ProbeFailure): string =>
  `${quoted(words)}${asked === undefined ? '' : ` (${quoted(asked)})`}`;

const patienceText = (patience: Patience | undefined): string =>
  patience === undefined
    ? ''
    : ` (initialDelaySeconds ${patience.initialDelaySeconds}, failureThreshold ${patience.failureThreshold}, periodSeconds ${patience.periodSeconds})`;

function unschedulableText(fact: Extract<WorkloadFact, { code: 'pod-unschedulable' }>): string {
  const asked = fact.lacking.filter(({ requested }) => requested.length > 0);
  const requests = asked.map(({ resource, requested }) => `${resource} ${requested.join(' + ')}`);
  const largest = fact.lacking.flatMap((lack) =>
    lack.largest === undefined
      ? []
      : [`${lack.resource} ${lack.largest}${lack.isTaken === true ? ', but other pods use it' : ''}`],
  );
  const wants =
    requests.length > 0
      ? ` (the pod requests ${requests.join(', ')})`
      : fact.nodeSelector === undefined
        ? ''
        : ` (nodeSelector ${fact.nodeSelector.join(', ')})`;
  const nodes = largest.length === 0 ? '' : `; the largest node has ${largest.join(', ')}`;
  return `${reasonAndMessage(fact.reason, fact.words)}${wants}${nodes}`;
}

function classesText(classes: readonly string[] | undefined): string {
  if (classes === undefined) return '';
  return classes.length === 0
    ? '; the cluster has no storage class'
    : `; the storage classes of the cluster are ${classes.join(', ')}`;
}
