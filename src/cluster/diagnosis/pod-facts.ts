import { listOf, numberOr, textOr } from '../../manifest/fields.ts';
import type { Container, ContainerStatus, KubernetesEvent, Pod } from '../../manifest/kubernetes.ts';
import { backOffMsIn, isRootRefused, missingIn } from '../../problem/foreign/kubelet.ts';
import { isProgramAtFault, pullFailure, startWords } from '../../problem/foreign/runtime.ts';
import { placementIn } from '../../problem/foreign/scheduler.ts';
import { Quote } from '../../problem/quote.ts';
import type { Outlook, PreviousExit, Shortage, WorkloadFact } from '../../problem/workload-fact.ts';
import { conditionsOf } from '../fields.ts';
import { killingProbe, latestProbe, patienceOf } from './probes.ts';

/** The worst of {@link podFacts}; undefined when the pod is ready, done, or on its way out. */
export const podFact = (pod: Pod, events: readonly KubernetesEvent[] = []): WorkloadFact | undefined =>
  podFacts(pod, events)[0];

/**
 * What keeps a pod from being ready, the worst of its containers first; `events` speak of the pod. Beside one that is
 * broken, those that are merely not ready do not count: they may need it.
 */
export function podFacts(pod: Pod, events: readonly KubernetesEvent[] = []): readonly WorkloadFact[] {
  if (pod.metadata.deletionTimestamp || textOr(pod.status?.phase, '') === 'Succeeded') return [];
  const conditions = conditionsOf(pod);
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) return [];
  const hasFailed = textOr(pod.status?.phase, '') === 'Failed';
  const facts = containerStatuses(pod)
    .flatMap((status) => containerFact(status, { pod, events }) ?? [])
    .map((fact) => (hasFailed ? { ...fact, outlook: 'never' as const } : fact))
    .sort((a, b) => severityOf(b) - severityOf(a));
  const [worst, ...others] = facts;
  if (worst !== undefined) return [worst, ...others.filter(({ outlook }) => outlook !== 'open')];
  const unmet = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  const outlook = hasFailed ? 'never' : 'open';
  return [{ outlook, ...(unmet === undefined ? phaseOf(pod) : placementOf(unmet, pod)) } as WorkloadFact];
}

export const containerStatuses = (pod: Pod): readonly ContainerStatus[] => [
  ...listOf(pod.status?.initContainerStatuses),
  ...listOf(pod.status?.containerStatuses),
];

const outlookRank: Readonly<Record<Outlook, number>> = { open: 0, doubtful: 1, never: 2 };

/** Of two facts, the one that explains more is greater. */
export const severityOf = ({ outlook, exitCode, container }: WorkloadFact): number =>
  4 * outlookRank[outlook] + (exitCode === undefined ? 0 : 2) + (container === undefined ? 0 : 1);

/** Whether there is something in the container's log. */
export const hasRun = ({ code, container, exitCode, restarts = 0 }: WorkloadFact): boolean =>
  container !== undefined && (exitCode !== undefined || restarts > 0 || isRunning(code));

/** Whether the container runs now. */
const isRunning = (code: WorkloadFact['code']): boolean =>
  code === 'probe-failed' || code === 'container-not-ready' || code === 'still-running';

/** One with a restart policy of its own stays beside the others: a sidecar. */
const isInit = (pod: Pod, { name }: ContainerStatus): boolean =>
  listOf(pod.spec?.initContainers).some((container) => container.name === name && container.restartPolicy !== 'Always');

/** The specification of a pod's container; undefined where it has none of that name. */
const specOf = ({ spec }: Pod, name: string): Container | undefined =>
  [...listOf(spec?.initContainers), ...listOf(spec?.containers)].find((container) => container.name === name);

function placementOf({ reason, message }: { readonly reason: string; readonly message: string }, pod: Pod) {
  const { lacking, ...placement } = placementIn(new Quote(message));
  const selector = Object.entries(pod.spec?.nodeSelector ?? {}).map(([key, value]) => `${key}=${textOr(value, '')}`);
  const lacks = lacking.map((resource): Shortage => ({ resource, requested: requestsOf(pod, resource) }));
  return {
    code: 'pod-unschedulable',
    reason: reason || 'not scheduled',
    ...placement,
    lacking: lacks,
    ...(placement.obstacles.includes('node-selector') && selector.length > 0 && { nodeSelector: selector }),
  } as const;
}

/** What each container of a pod requests of a resource, where it does. */
const requestsOf = (pod: Pod, resource: string): readonly string[] =>
  listOf(pod.spec?.containers).flatMap(({ resources }) => textOr(resources?.requests?.[resource], '') || []);

/** What the pod says of itself as a whole: `Evicted: The node was low on resource: memory.` */
function phaseOf(pod: Pod) {
  const phase = textOr(pod.status?.phase, 'not seen yet').toLowerCase();
  const [reason, message] = [textOr(pod.status?.reason, ''), textOr(pod.status?.message, '')];
  const said = { ...(reason !== '' && { reason }), ...(message !== '' && { words: new Quote(message) }) };
  return phase === 'failed'
    ? ({ code: 'pod-failed', ...said } as const)
    : ({ code: 'pod-pending', phase, ...said } as const);
}

interface Seen {
  readonly pod: Pod;
  readonly events: readonly KubernetesEvent[];
}

function containerFact(status: ContainerStatus, seen: Seen): WorkloadFact | undefined {
  const container = textOr(status.name, '');
  const spec = specOf(seen.pod, container);
  const ended = status.state?.terminated ?? status.lastState?.terminated;
  const restarts = numberOr(status.restartCount, 0);
  const common = {
    container,
    ...(isInit(seen.pod, status) && { isInit: true as const }),
    ...(restarts > 0 && { restarts }),
  };
  const exit = ended === undefined || ended === null ? {} : { exitCode: numberOr(ended.exitCode, 0) };
  const held = status.state?.waiting;
  if (held !== undefined && held !== null) {
    const reason = textOr(held.reason, 'waiting');
    const message = textOr(held.message, '');
    if (reason === 'PodInitializing' || (reason === 'ContainerCreating' && message === '')) return undefined;
    if (reason === 'CrashLoopBackOff') {
      const backOffMs = backOffMsIn(new Quote(message));
      const end = endOf(reason, { ended, spec, container, events: seen.events });
      return { ...common, ...exit, ...(backOffMs !== undefined && { backOffMs }), ...end };
    }
    return { ...common, ...exit, ...waitingContainerFact(reason, message, textOr(spec?.image, '')) };
  }
  if (status.state?.terminated) {
    // The moment between a crash and the back-off.
    if (exit.exitCode === 0) return undefined;
    const reason = textOr(ended?.reason, 'Error');
    return { ...common, ...exit, ...endOf(reason, { ended, spec, container, events: seen.events }) };
  }
  if (status.ready === true || !status.state?.running) return undefined;
  const before = restarts === 0 ? {} : { before: lastEnd(ended, spec) };
  const probe = latestProbe(seen.events, { container, spec });
  if (probe === undefined) return { ...common, outlook: 'open', code: 'container-not-ready', ...before };
  return { ...common, outlook: 'open', code: 'probe-failed', ...probe, ...before };
}

type Terminated = NonNullable<ContainerStatus['state']>['terminated'];

interface Ended {
  readonly ended: Terminated | undefined;
  readonly spec: Container | undefined;
  readonly container: string;
  readonly events: readonly KubernetesEvent[];
}

/** What a container ended of: its memory, its command, its probe, or by itself. `reason` is the kubelet's. */
function endOf(reason: string, { ended, spec, container, events }: Ended) {
  const why = textOr(ended?.reason, '');
  const limit = limitOf(spec);
  const ranMs = Date.parse(textOr(ended?.finishedAt, '')) - Date.parse(textOr(ended?.startedAt, ''));
  const end = { outlook: 'doubtful', reason, ...(ranMs >= 0 && { ranMs }) } as const;
  if (why === 'OOMKilled') return { ...end, code: 'out-of-memory', ...(limit !== '' && { limit }) } as const;
  if (why === 'StartError' || why === 'ContainerCannotRun') {
    const message = new Quote(textOr(ended?.message, ''));
    const words = startWords(message);
    const outlook = isProgramAtFault(message) ? 'never' : 'doubtful';
    const said = { ...(why !== reason && { why }), ...(words && { words }) };
    return { ...end, outlook, code: 'program-not-started', ...said } as const;
  }
  // An exit code that follows is the container's, not the probe's.
  const isKilled = ended?.exitCode === 137 || ended?.exitCode === 143;
  const probe = isKilled ? killingProbe(events, { container, spec }) : undefined;
  if (probe === undefined) return { ...end, code: 'program-ended' } as const;
  const patience = patienceOf(probe.kind, spec);
  return { ...end, code: 'killed-by-probe', probe, ...(patience && { patience }) } as const;
}

const limitOf = (container: Container | undefined): string => textOr(container?.resources?.limits?.['memory'], '');

/** What became of it before: a probe's kill leaves an exit code, too. */
function lastEnd(ended: Terminated | undefined, spec: Container | undefined): PreviousExit {
  const reason = textOr(ended?.reason, '');
  const isByItself = ['', 'Error', 'Completed'].includes(reason);
  const limit = reason === 'OOMKilled' ? limitOf(spec) : '';
  return {
    exitCode: numberOr(ended?.exitCode, 0),
    ...(!isByItself && { reason }),
    ...(limit !== '' && { limit }),
  };
}

const codesOfPulls: Readonly<Record<string, 'image-name-invalid' | 'image-not-on-node' | 'pull'>> = {
  InvalidImageName: 'image-name-invalid',
  ErrImageNeverPull: 'image-not-on-node',
  ErrImagePull: 'pull',
  ImagePullBackOff: 'pull',
  ImageInspectError: 'pull',
  RegistryUnavailable: 'pull',
};
const startErrorReasons: ReadonlySet<string> = new Set(['RunContainerError', 'CreateContainerError']);

/**
 * By the kubelet's reasons. A ConfigMap or Secret that is not there may still come (an operator makes many); one without
 * the key that is asked for was made so.
 */
function waitingContainerFact(reason: string, message: string, image: string): WorkloadFact {
  const quote = new Quote(message);
  const pull = codesOfPulls[reason];
  if (pull === 'pull') return { outlook: 'doubtful', reason, image, ...pullFailure(quote, image) };
  const words = message === '' ? undefined : startWords(quote);
  const said = { reason, ...(words && { words }) };
  if (pull !== undefined) return { outlook: 'never', code: pull, image, ...said };
  if (reason === 'CreateContainerConfigError') {
    const missing = missingIn(quote);
    if (missing !== undefined)
      return {
        outlook: missing.key === undefined ? 'doubtful' : 'never',
        code: 'reference-missing',
        reason,
        missing,
        words: quote,
      };
    if (isRootRefused(quote)) return { outlook: 'never', code: 'root-refused', reason, words: quote };
    return { outlook: 'doubtful', code: 'container-held', ...said };
  }
  if (startErrorReasons.has(reason)) return { outlook: 'doubtful', code: 'program-not-started', ...said };
  return { outlook: reason === 'SignatureValidationFailed' ? 'doubtful' : 'open', code: 'container-held', ...said };
}
