import type { KubernetesObject } from '../../manifest/types.ts';
import { conditionsOf, listAt, numberAt, textAt, valueAt } from '../fields.ts';

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
  readonly exitCode?: number | undefined;
  readonly restarts?: number | undefined;
  /** There is something in its log. */
  readonly hasRun: boolean;
  /** It runs, and its probe does not let it be ready. */
  readonly isUnready?: boolean | undefined;
}

/** What keeps a pod from being ready, the worst of its containers first; undefined when it is ready, done, or on its way out. */
export function podTrouble(pod: KubernetesObject): PodTrouble | undefined {
  if (pod.metadata.deletionTimestamp || textAt(pod, '', 'status', 'phase') === 'Succeeded') return undefined;
  const conditions = conditionsOf(pod);
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) return undefined;
  const hasFailed = textAt(pod, '', 'status', 'phase') === 'Failed';
  const worst = containerStatuses(pod)
    .map(containerTrouble)
    .filter((trouble) => trouble !== undefined)
    .sort((a, b) => severityOf(b) - severityOf(a))[0];
  if (worst !== undefined) return hasFailed ? { ...worst, outlook: 'never' } : worst;
  const unmet = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  const reason = unmet === undefined ? podReason(pod) : `${unmet.reason || 'not scheduled'}: ${unmet.message}`;
  return { outlook: hasFailed ? 'never' : 'open', reason, hasRun: false };
}

export const containerStatuses = (pod: KubernetesObject): readonly Record<string, unknown>[] => [
  ...listAt(pod, 'status', 'initContainerStatuses'),
  ...listAt(pod, 'status', 'containerStatuses'),
];

const outlookRank: Readonly<Record<Outlook, number>> = { open: 0, doubtful: 1, never: 2 };

/** Of two troubles, the one that explains more is greater. */
export const severityOf = ({ outlook, exitCode, container }: PodTrouble): number =>
  4 * outlookRank[outlook] + (exitCode === undefined ? 0 : 2) + (container === undefined ? 0 : 1);

function podReason(pod: KubernetesObject): string {
  const reason = textAt(pod, '', 'status', 'reason');
  const message = textAt(pod, '', 'status', 'message');
  const own = [reason, message].filter((text) => text !== '').join(': ');
  return own === '' ? `it is ${textAt(pod, 'not seen yet', 'status', 'phase').toLowerCase()}` : own;
}

function containerTrouble(status: Record<string, unknown>): PodTrouble | undefined {
  const container = textAt(status, '', 'name');
  const restarts = numberAt(status, 0, 'restartCount');
  const held = valueAt(status, 'state', 'waiting');
  const ended = valueAt(status, 'state', 'terminated') ?? valueAt(status, 'lastState', 'terminated');
  const exitCode = valueAt(ended, 'exitCode') as number | undefined;
  const common = {
    container,
    restarts,
    exitCode,
    hasRun: ended !== undefined || restarts > 0,
  };
  if (held !== undefined) {
    const reason = textAt(held, 'waiting', 'reason');
    const message = textAt(held, '', 'message');
    const outlook = outlookOf(reason, message);
    if (reason === 'CrashLoopBackOff') return { ...common, outlook, reason: `${reason}${deathOf(ended)}` };
    if (reason === 'PodInitializing' || (reason === 'ContainerCreating' && message === '')) return undefined;
    return { ...common, outlook, reason: message === '' ? reason : `${reason}: ${message}` };
  }
  if (valueAt(status, 'state', 'terminated') !== undefined) {
    // The moment between a crash and the back-off.
    return exitCode === 0 ? undefined : { ...common, outlook: 'doubtful', reason: textAt(ended, 'Error', 'reason') };
  }
  if (status['ready'] === true || valueAt(status, 'state', 'running') === undefined) return undefined;
  const isAlive = { ...common, exitCode: undefined, hasRun: true, isUnready: true };
  return { ...isAlive, outlook: 'open', reason: `it runs but is not ready${after(ended, restarts)}` };
}

/** ` (OOMKilled)` where the container did not just exit by itself; the back-off's own message only repeats names. */
function deathOf(ended: unknown): string {
  const reason = textAt(ended, '', 'reason');
  return ['', 'Error', 'Completed'].includes(reason) ? '' : ` (${reason})`;
}

/** What became of it before: a probe's kill leaves an exit code, too. */
const after = (ended: unknown, restarts: number): string =>
  restarts === 0 ? '' : ` after exit code ${numberAt(ended, 0, 'exitCode')}${deathOf(ended)}`;

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

const hopelessConfig = /couldn't find key|runAsNonRoot|non-root/i;
