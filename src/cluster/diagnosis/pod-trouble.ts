import { listOf, numberOr, textOr } from '../../manifest/fields.ts';
import type { Container, ContainerStatus, Pod } from '../../manifest/kubernetes.ts';
import { conditionsOf } from '../fields.ts';
import { memoryLimit, pullFault, requestsFor, specOf } from './spec-words.ts';

/**
 * What may be hoped for: `never` cannot recover without a change, `doubtful` recovers sometimes (an image that is pushed
 * late, a crash while a database starts), `open` is the way of things that take their time.
 */
export type Outlook = 'never' | 'doubtful' | 'open';

/** What keeps a pod from being ready. */
export interface PodTrouble {
  readonly outlook: Outlook;
  /** `ImagePullBackOff: no such image`, `CrashLoopBackOff (OOMKilled)`. */
  readonly reason: string;
  /** The container at fault; undefined where it is the pod as a whole. */
  readonly container?: string | undefined;
  /** It has to end before the others begin. */
  readonly isInit?: boolean | undefined;
  readonly exitCode?: number | undefined;
  readonly restarts?: number | undefined;
  /** There is something in its log. */
  readonly hasRun: boolean;
  /** It runs, and its probe does not let it be ready. */
  readonly isUnready?: boolean | undefined;
  /** How the container was asked for. */
  readonly spec?: Container | undefined;
}

/** The worst of {@link podTroubles}; undefined when the pod is ready, done, or on its way out. */
export const podTrouble = (pod: Pod): PodTrouble | undefined => podTroubles(pod)[0];

/**
 * What keeps a pod from being ready, the worst of its containers first. Beside one that is broken, those that are merely
 * not ready do not count: they may need it.
 */
export function podTroubles(pod: Pod): readonly PodTrouble[] {
  if (pod.metadata.deletionTimestamp || textOr(pod.status?.phase, '') === 'Succeeded') return [];
  const conditions = conditionsOf(pod);
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) return [];
  const hasFailed = textOr(pod.status?.phase, '') === 'Failed';
  const troubles = containerStatuses(pod)
    .map((status) => containerTrouble(status, specOf(pod, textOr(status.name, '')), isInit(pod, status)))
    .filter((trouble) => trouble !== undefined)
    .sort((a, b) => severityOf(b) - severityOf(a));
  const [worst, ...others] = troubles.map((trouble) =>
    hasFailed ? { ...trouble, outlook: 'never' as const } : trouble,
  );
  if (worst !== undefined) return [worst, ...others.filter(({ outlook }) => outlook !== 'open')];
  const unmet = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  const reason = unmet === undefined ? podReason(pod) : placementReason(unmet, pod);
  return [{ outlook: hasFailed ? 'never' : 'open', reason, hasRun: false }];
}

/** Where the trouble is, in words: `init container migrate`; the pod itself has none. */
export const containerText = ({ container, isInit }: Pick<PodTrouble, 'container' | 'isInit'>): string | undefined =>
  container === undefined ? undefined : `${isInit === true ? 'init ' : ''}container ${container}`;

/** One with a restart policy of its own stays beside the others: a sidecar. */
const isInit = (pod: Pod, { name }: ContainerStatus): boolean =>
  listOf(pod.spec?.initContainers).some((container) => container.name === name && container.restartPolicy !== 'Always');

function placementReason({ reason, message }: { reason: string; message: string }, pod: Pod): string {
  const asked = requestsFor(message, pod);
  return `${reason || 'not scheduled'}: ${placementText(message)}${asked === '' ? '' : ` (${asked})`}`;
}

/** Without the scheduler's account of what it might have evicted, which repeats the same at length. */
const placementText = (message: string): string =>
  message.replace(/\.?\s*(?:no new claims to deallocate, )?preemption: .*$/s, '').replace(/\. not found$/, '');

const pullReasons: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ImageInspectError',
  'RegistryUnavailable',
]);

/** What a runtime says of a failed pull, with the image's name once, and what is at fault. */
function pullText(message: string, image: string): string {
  const text = shortPullText(message);
  if (text === '') return image === '' ? '' : `image "${image}"`;
  const fault = pullFault(text);
  const named = image === '' || text.includes(image) ? text : `image "${image}": ${text}`;
  return fault === '' ? named : `${named} (${fault})`;
}

/** An image's name stands up to five times in what a runtime says, before what was wrong. */
const shortPullText = (message: string): string =>
  message
    .replace(/^Back-off pulling image ("[^"]+"): ErrImagePull: (?=.*\S)/s, (start, image: string) =>
      message.slice(start.length).includes(image) ? '' : `image ${image}: `,
    )
    .replace(/rpc error: code = \w+ desc = /g, '')
    .replace(/: failed to resolve reference ("([^"]+)"): (?:\2: )?/, ': ');

export const containerStatuses = (pod: Pod): readonly ContainerStatus[] => [
  ...listOf(pod.status?.initContainerStatuses),
  ...listOf(pod.status?.containerStatuses),
];

const outlookRank: Readonly<Record<Outlook, number>> = { open: 0, doubtful: 1, never: 2 };

/** Of two troubles, the one that explains more is greater. */
export const severityOf = ({ outlook, exitCode, container }: PodTrouble): number =>
  4 * outlookRank[outlook] + (exitCode === undefined ? 0 : 2) + (container === undefined ? 0 : 1);

function podReason(pod: Pod): string {
  const reason = textOr(pod.status?.reason, '');
  const message = textOr(pod.status?.message, '');
  const own = [reason, message].filter((text) => text !== '').join(': ');
  return own === '' ? `it is ${textOr(pod.status?.phase, 'not seen yet').toLowerCase()}` : own;
}

function containerTrouble(
  status: ContainerStatus,
  spec: Container | undefined,
  isInit: boolean,
): PodTrouble | undefined {
  const container = textOr(status.name, '');
  const restarts = numberOr(status.restartCount, 0);
  const held = status.state?.waiting;
  const ended = status.state?.terminated ?? status.lastState?.terminated;
  const exitCode = ended?.exitCode ?? undefined;
  const common = {
    container,
    isInit,
    restarts,
    exitCode,
    hasRun: ended !== undefined || restarts > 0,
    spec,
  };
  if (held !== undefined) {
    const reason = textOr(held?.reason, 'waiting');
    const message = textOr(held?.message, '');
    const outlook = outlookOf(reason, message);
    if (reason === 'CrashLoopBackOff') return { ...common, outlook, reason: `${reason}${deathOf(ended, spec)}` };
    if (reason === 'PodInitializing' || (reason === 'ContainerCreating' && message === '')) return undefined;
    const told = pullReasons.has(reason) ? pullText(message, textOr(spec?.image, '')) : startText(message);
    return { ...common, outlook, reason: told === '' ? reason : `${reason}: ${told}` };
  }
  if (status.state?.terminated !== undefined) {
    // The moment between a crash and the back-off.
    const reason = textOr(ended?.reason, 'Error');
    const limit = reason === 'OOMKilled' ? memoryLimit(spec) : '';
    const told = limit === '' ? reason : `${reason}: ${limit}`;
    return exitCode === 0 ? undefined : { ...common, outlook: 'doubtful', reason: told };
  }
  if (status.ready === true || status.state?.running === undefined) return undefined;
  const isAlive = { ...common, exitCode: undefined, hasRun: true, isUnready: true };
  const progress = isInit ? 'it has not ended yet' : 'it runs but is not ready';
  return { ...isAlive, outlook: 'open', reason: `${progress}${after(ended, restarts, spec)}` };
}

type Terminated = NonNullable<ContainerStatus['state']>['terminated'];

/**
 * ` (OOMKilled)` where the container did not just exit by itself, and why one could not be started; the back-off's own
 * message only repeats names.
 */
function deathOf(ended: Terminated, spec: Container | undefined): string {
  const reason = textOr(ended?.reason, '');
  if (['', 'Error', 'Completed'].includes(reason)) return '';
  const isUnstarted = ['StartError', 'ContainerCannotRun'].includes(reason);
  const limit = reason === 'OOMKilled' ? memoryLimit(spec) : '';
  const message = isUnstarted ? startText(textOr(ended?.message, '')) : limit;
  return ` (${message === '' ? reason : `${reason}: ${message}`})`;
}

/** What a runtime says of a container that it could not start, without the names of its own parts before it. */
const startText = (message: string): string =>
  message.replace(/^.*?(?=unable to start container process: )/s, '').replace(/: unknown$/, '');

/** What became of it before: a probe's kill leaves an exit code, too. */
const after = (ended: Terminated, restarts: number, spec: Container | undefined): string =>
  restarts === 0 ? '' : ` after exit code ${numberOr(ended?.exitCode, 0)}${deathOf(ended, spec)}`;

const hopeless = new Set(['InvalidImageName', 'ErrImageNeverPull']);
const dubious = new Set([
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImagePull',
  'ImageInspectError',
  'ImagePullBackOff',
  'RegistryUnavailable',
  'RunContainerError',
  'SignatureValidationFailed',
]);

/**
 * By the kubelet's reasons and words. A ConfigMap or Secret that is not there may still come (an operator makes many);
 * one without the key that is asked for was made so.
 */
function outlookOf(reason: string, message: string): Outlook {
  if (hopeless.has(reason)) return 'never';
  if (reason === 'CreateContainerConfigError' && hopelessConfig.test(message)) return 'never';
  return dubious.has(reason) ? 'doubtful' : 'open';
}

const hopelessConfig = /^couldn't find key |^container has runAsNonRoot |^container's runAsUser breaks non-root policy/;
