import { quantityOf } from '../../go/quantity.ts';
import { listOf, textOr } from '../../manifest/fields.ts';
import type { Deployment, KubernetesEvent, PersistentVolumeClaim, Pod, Service } from '../../manifest/kubernetes.ts';
import { titleOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { withoutRandomNames } from '../../problem/foreign/controllers.ts';
import { probeFailureIn } from '../../problem/foreign/kubelet.ts';
import { type Evidence, problemOf as problemWith } from '../../problem/problem.ts';
import { Quote } from '../../problem/quote.ts';
import type { Shortage, WorkloadFact } from '../../problem/workload-fact.ts';
import { firstSignal } from '../../support/abort.ts';
import { compareText } from '../../support/order.ts';
import { systemTimers, timeoutSignal } from '../../support/timers.ts';
import { conditionsOf, groupKindOf } from '../fields.ts';
import { type ReadinessOptions, readiness } from '../readiness.ts';
import type { Cluster } from '../types.ts';
import type { DeletedPodLog, DeletedPodLogs } from './deleted-pod-logs.ts';
import { claimFact, claimsOf, concernsContainer, eventCount, mountFailure } from './pod-events.ts';
import { hasRun, podFacts, severityOf } from './pod-facts.ts';
import { alsoMissing } from './pod-references.ts';
import { isBroken, ranked, type WorkloadProblem } from './ranking.ts';
import { refusalByCondition, refusalOf } from './refused-pods.ts';
import { jobEnd, newestOf } from './verdict.ts';
import { DiagnosisReader } from './witness.ts';

/** Why resources are not ready, as far as the cluster says. */
export interface Diagnosis {
  /** The likely cause first. */
  readonly problems: readonly WorkloadProblem[];
  /** What could not be looked at (forbidden, no time left). */
  readonly gaps: readonly string[];
}

export interface DiagnoseOptions {
  readonly signal?: AbortSignal | undefined;
  /** By whose rules the resources were not ready; default `watcher`. */
  readonly strategy?: ReadinessOptions['strategy'] | undefined;
  readonly userRules?: ReadinessOptions['userRules'];
  /** What was read of pods that are gone. */
  readonly deletedPodLogs?: DeletedPodLogs | undefined;
  /** Takes secrets out of a text; default: nothing is known to be one. */
  readonly mask?: ((text: string) => string) | undefined;
}

/** What is not found out by then stays unknown. */
const budgetMs = 10_000;
const maxOfOne = 3;

/** Looks from resources down to the containers at fault. It never fails because something cannot be read. */
export async function diagnose(
  cluster: Cluster,
  ids: readonly ResourceId[],
  options: DiagnoseOptions = {},
): Promise<Diagnosis> {
  const { strategy = 'watcher', userRules } = options;
  const timers = cluster.timers ?? systemTimers;
  const { signal: budget, cancel } = timeoutSignal(timers, budgetMs);
  const signal = firstSignal(budget, options.signal);
  const witness = new DiagnosisReader(cluster, signal, { strategy, userRules });
  const found = await Promise.all(ids.map((id) => problemsOf(id, witness, options.deletedPodLogs)));
  cancel();
  options.signal?.throwIfAborted();
  const mask = options.mask ?? ((text) => text);
  return { problems: ranked(found.flat()).map((one) => masked(one, mask)), gaps: witness.gaps.map(mask) };
}

/** The same with the secrets taken out of everything that others wrote. */
function masked<T>(value: T, mask: (text: string) => string): T {
  if (value instanceof Quote) return value.masked(mask) as T;
  if (Array.isArray(value)) return value.map((item) => masked(item, mask)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, masked(member, mask)])) as T;
}

const problemOf = (id: ResourceId, cause: WorkloadFact, evidence: readonly Evidence[] = []): WorkloadProblem =>
  problemWith({ subject: { kind: 'object', id, template: '' }, cause, evidence });

async function problemsOf(
  id: ResourceId,
  witness: DiagnosisReader,
  deletedPodLogs: DeletedPodLogs | undefined,
): Promise<readonly WorkloadProblem[]> {
  const object = await witness.object(id);
  if (object === undefined) {
    const words = await deletedPodLogs?.of(id);
    if (words !== undefined) return [lastProblem(id, words)];
    const code = witness.isUnread(id) ? 'not-readable' : 'not-found';
    return [problemOf(id, { outlook: 'open', chain: [`${id.kind}/${id.name}`], code })];
  }
  if (groupKindOf(object) === 'Pod') return podProblems({ id, levels: [object], witness }, [object]);
  const levels = await levelsOf(object, witness);
  const owner = levels.at(-1) as KubernetesObject;
  const pods = await podsOf(object, owner, witness);
  const events = (await Promise.all(levels.map((level) => witness.events(level)))).flat();
  const chain = levels.map(titleOf);
  const refusal = pods.length === 0 || refusalByCondition(owner) ? refusalIn(owner, events) : undefined;
  if (refusal !== undefined) return [withEvents(problemOf(id, { ...refusal, chain }), events)];
  const end = jobEnd(object);
  const found = await podProblems({ id, levels, witness }, pods);
  // Of a Job that has failed, a pod that is still there may be one that is being deleted.
  const words = end === undefined || found.some(isBroken) ? undefined : await deletedPodLogs?.of(id);
  if (words !== undefined) return [withEvents(withEnd(lastProblem(id, words), end), events)];
  const [first, ...others] = found;
  if (first !== undefined) return [withEvents(withEnd(first, end), events), ...others.map((one) => withEnd(one, end))];
  return [withEvents(problemOf(id, { chain, ...(await ownFact(owner, events, witness)) }), events)];
}

const withEnd = (problem: WorkloadProblem, end: WorkloadFact['end']): WorkloadProblem =>
  end === undefined ? problem : { ...problem, cause: { ...problem.cause, end } };

/** The object, and for a Deployment its newest ReplicaSet. */
async function levelsOf(object: KubernetesObject, witness: DiagnosisReader): Promise<readonly KubernetesObject[]> {
  if (groupKindOf(object) !== 'Deployment.apps') return [object];
  const { namespace = witness.namespace } = object.metadata;
  const sets = await witness.list('apps/v1', 'ReplicaSet', { namespace, labelSelector: selectorOf(object) });
  const newest = newestOf(sets.filter((set) => isOwnedBy(set, object)));
  return newest === undefined ? [object] : [object, newest];
}

async function podsOf(
  object: KubernetesObject,
  owner: KubernetesObject,
  witness: DiagnosisReader,
): Promise<readonly KubernetesObject[]> {
  const labelSelector = selectorOf(object);
  if (labelSelector === undefined) return [];
  const { namespace = witness.namespace } = object.metadata;
  const pods = await witness.list('v1', 'Pod', { namespace, labelSelector });
  return pods.filter((pod) => groupKindOf(object) === 'Service' || isOwnedBy(pod, owner));
}

const isOwnedBy = (object: KubernetesObject, owner: KubernetesObject): boolean =>
  object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false;

/** What is looked at: a resource, and the objects from it down to what creates its pods. */
interface Look {
  readonly id: ResourceId;
  readonly levels: readonly KubernetesObject[];
  readonly witness: DiagnosisReader;
}

interface TroubledPod {
  readonly pod: Pod;
  readonly fact: WorkloadFact;
}

/** One for each trouble that differs, the worst first. */
async function podProblems(look: Look, pods: readonly Pod[]): Promise<readonly WorkloadProblem[]> {
  const troubled = pods
    .flatMap((pod): readonly TroubledPod[] => {
      const facts = podFacts(pod);
      return (facts.length > 0 ? facts : stillRunning(look.id, pod)).map((fact) => ({ pod, fact }));
    })
    .sort((a, b) => severityOf(b.fact) - severityOf(a.fact) || compareText(titleOf(a.pod), titleOf(b.pod)));
  const kindOf = ({ fact }: TroubledPod): string =>
    `${fact.container} ${fact.code} ${'reason' in fact ? fact.reason : ''}`;
  const distinct = new Map(troubled.toReversed().map((entry) => [kindOf(entry), entry]));
  const worst = troubled.filter((entry) => [...distinct.values()].includes(entry)).slice(0, maxOfOne);
  return Promise.all(worst.map((entry) => podProblem(look, entry)));
}

/** What a Job or a hook does for too long is in its log. */
function stillRunning({ kind }: ResourceId, pod: Pod): readonly WorkloadFact[] {
  const running = listOf(pod.status?.containerStatuses).find((status) => status.state?.running);
  if (running === undefined || (kind !== 'Job' && kind !== 'Pod')) return [];
  return [{ outlook: 'open', code: 'still-running', container: textOr(running.name, '') }];
}

async function podProblem(look: Look, { pod, fact: seen }: TroubledPod): Promise<WorkloadProblem> {
  const { id, levels, witness } = look;
  const [about, logs, claim] = await Promise.all([
    witness.events(pod),
    witness.logs(pod, seen),
    seen.container === undefined ? unboundClaim(pod, witness) : undefined,
  ]);
  const events = about.filter((event) => concernsContainer(event, seen.container));
  const names = levels.map(titleOf);
  const chain = levels.includes(pod) ? names : [...names, ...controllerBetween(levels, pod), titleOf(pod)];
  const where = { chain, ...(!levels.includes(pod) && { pod: pod.metadata.name }) };
  if (claim !== undefined) return withEvents(problemOf(id, { ...claim, ...where }), events);
  // With its events known, a fact may say more: which probe failed, what cannot be mounted.
  const fact = podFacts(pod, events).find((one) => one.container === seen.container) ?? seen;
  const cause = fact.code === 'pod-pending' ? (mountFailure(events) ?? fact) : fact;
  const missing = await alsoMissing(pod, cause, witness);
  const whole = {
    ...(await withNodes(cause, witness)),
    ...where,
    ...(missing.length > 0 && { alsoMissing: missing }),
  };
  return withEvents(problemOf(id, whole, logEvidence(logs, { id, pod, fact })), events);
}

/** What was written before the restart tells most of a container that ended. */
function logEvidence(
  { log, previousLog }: { readonly log: readonly Quote[]; readonly previousLog: readonly Quote[] },
  { id, pod, fact: { container } }: TroubledPod & { readonly id: ResourceId },
): readonly Evidence[] {
  const lines = previousLog.length > 0 ? previousLog : log;
  if (lines.length === 0) return [];
  const previous = previousLog.length > 0 ? { isPrevious: true as const } : {};
  const flag = previousLog.length > 0 ? ' -p' : '';
  const command = `kubectl logs ${pod.metadata.name} -n ${id.namespace} -c ${container}${flag}`;
  return [{ kind: 'log', lines, command, ...previous }];
}

/** What a pod wrote that its Job has taken with it. */
function lastProblem(id: ResourceId, { pod, fact, log }: DeletedPodLog): WorkloadProblem {
  const chain = [`${id.kind}/${id.name}`, titleOf(pod)];
  return problemOf(id, { ...fact, outlook: 'never', chain, pod: pod.metadata.name }, [{ kind: 'log', lines: log }]);
}

/** A pod of a Service has an owner of its own. */
function controllerBetween(levels: readonly KubernetesObject[], pod: KubernetesObject): readonly string[] {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined || levels.some(({ metadata }) => metadata.uid === owner.uid)) return [];
  return [`${owner.kind}/${owner.name}`];
}

interface Node {
  readonly status?: { readonly allocatable?: Readonly<Record<string, unknown>> | null } | null;
}

/** What the largest node has of what the nodes lack, and whether that would do if other pods had not taken it. */
async function withNodes(fact: WorkloadFact, witness: DiagnosisReader): Promise<WorkloadFact> {
  if (fact.code !== 'pod-unschedulable' || fact.lacking.length === 0) return fact;
  const nodes = ((await witness.listIfAllowed('v1', 'Node')) ?? []) as readonly Node[];
  const lacking = fact.lacking.map((lack): Shortage => {
    const [largest] = nodes
      .map(({ status }) => textOr(status?.allocatable?.[lack.resource], ''))
      .filter((text) => quantityOf(text) !== undefined)
      .sort((a, b) => (quantityOf(b) ?? 0) - (quantityOf(a) ?? 0));
    if (largest === undefined) return lack;
    const asked = lack.requested.reduce((sum, text) => sum + (quantityOf(text) ?? 0), 0);
    return { ...lack, largest, isTaken: asked > 0 && asked <= (quantityOf(largest) ?? 0) };
  });
  return { ...fact, lacking };
}

/** A claim that keeps a pod from being placed, and why it has no volume. */
async function unboundClaim(pod: Pod, witness: DiagnosisReader): Promise<WorkloadFact | undefined> {
  const { namespace = witness.namespace } = pod.metadata;
  for (const claim of claimsOf(pod)) {
    const id = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: claim };
    const object: PersistentVolumeClaim | undefined = await witness.object(id);
    if (object === undefined) {
      if (witness.isUnread(id)) continue;
      return { outlook: 'doubtful', code: 'claim-missing', claim };
    }
    if (textOr(object.status?.phase, '') === 'Bound') continue;
    return withClasses(claimFact(object, await witness.events(object)), witness);
  }
  return undefined;
}

/** Where a claim's class does not exist, those that do, as far as they may be listed. */
async function withClasses(fact: WorkloadFact, witness: DiagnosisReader): Promise<WorkloadFact> {
  if (fact.code !== 'storage-class-missing') return fact;
  const classes = await witness.listIfAllowed('storage.k8s.io/v1', 'StorageClass');
  return classes === undefined
    ? fact
    : { ...fact, classes: classes.map(({ metadata }) => metadata.name).sort(compareText) };
}

function refusalIn(owner: KubernetesObject, events: readonly KubernetesEvent[]): WorkloadFact | undefined {
  const event = events.findLast((one) => textOr(one.reason, '') === 'FailedCreate');
  return refusalByCondition(owner) ?? (event && refusalOf(textOr(event.message, ''), false));
}

/** What an object says of itself that has no pods, or whose pods say nothing. */
async function ownFact(
  object: KubernetesObject,
  events: readonly KubernetesEvent[],
  witness: DiagnosisReader,
): Promise<WorkloadFact> {
  if (object.metadata.deletionTimestamp)
    return { outlook: 'open', code: 'being-deleted', finalizers: object.metadata.finalizers ?? [] };
  if (groupKindOf(object) === 'PersistentVolumeClaim') return withClasses(claimFact(object, events), witness);
  const end = jobEnd(object);
  return end === undefined ? byConditions(object, witness) : { outlook: 'never', code: 'job-failed', ...end };
}

/** Its readiness, and the conditions that are not as they should be. */
function byConditions(object: KubernetesObject, { strategy, userRules }: DiagnosisReader): WorkloadFact {
  const state = readiness(object, { strategy, waitForJobs: true, userRules });
  const [own] = state.state === 'ready' ? [] : (state.facts ?? []);
  if (own !== undefined) return own;
  // It may have failed by a condition of its own, where the built-in rules see nothing wrong.
  if (state.state === 'failed' && strategy === 'ordered')
    return { outlook: 'never', code: 'not-ready', words: new Quote(state.reason) };
  const worded = conditionsOf(object).filter(({ message }) => message !== '');
  const bad =
    worded.find(({ type, status }) => status === 'True' && type.toLowerCase().includes('fail')) ??
    worded.find(({ status }) => status === 'False');
  if (bad !== undefined)
    return { outlook: 'open', code: 'condition', reason: bad.reason || bad.type, words: new Quote(bad.message) };
  if (state.state === 'ready') return { outlook: 'open', code: 'ready-now' };
  return { outlook: 'open', code: 'not-ready', words: new Quote(state.reason) };
}

/** The reasons of events that say what a fact says itself. */
const eventReasonsByCode: Readonly<Partial<Record<WorkloadFact['code'], readonly string[]>>> = {
  'pod-unschedulable': ['FailedScheduling'],
  'claim-missing': ['FailedScheduling'],
  'claim-not-bound': ['FailedScheduling'],
  'storage-class-missing': ['FailedScheduling'],
  'probe-failed': ['Unhealthy'],
  'killed-by-probe': ['Unhealthy'],
  'image-not-found': ['Failed'],
  'image-denied': ['Failed'],
  'image-not-found-or-denied': ['Failed'],
  'registry-unreachable': ['Failed'],
  'registry-limit': ['Failed'],
  'image-name-invalid': ['Failed', 'InspectFailed'],
  'image-not-on-node': ['Failed', 'ErrImageNeverPull'],
  'reference-missing': ['Failed', 'FailedMount'],
  'root-refused': ['Failed'],
  'mount-failed': ['FailedMount'],
  'pods-exceed-quota': ['FailedCreate'],
  'resources-unspecified': ['FailedCreate'],
  'pods-refused': ['FailedCreate'],
  'service-account-missing': ['FailedCreate'],
  'priority-class-missing': ['FailedCreate'],
  'pods-not-created': ['FailedCreate'],
};

const maxEvents = 10;

/** The warnings about a problem, each complaint once, the latest last; those of an owner go before those of its pod. */
function withEvents(problem: WorkloadProblem, events: readonly KubernetesEvent[]): WorkloadProblem {
  const { cause, evidence } = problem;
  const repeatsFact = (event: KubernetesEvent): boolean => {
    const reason = textOr(event.reason, '');
    if (eventReasonsByCode[cause.code]?.includes(reason) || reason === cause.end?.reason) return true;
    if (cause.alsoMissing !== undefined && reason === 'FailedToRetrieveImagePullSecret') return true;
    // Of a program that ends, the back-off and its readiness probe say no more.
    return hasRun(cause) && (reason === 'BackOff' || (cause.exitCode !== undefined && isReadiness(event)));
  };
  const warnings = events.filter((event) => textOr(event.type, 'Warning') === 'Warning' && !repeatsFact(event));
  const latest = new Map(warnings.map((event) => [eventText(event), event]));
  const lines = [...latest.values()].slice(-maxEvents).map(
    (event): Evidence => ({
      kind: 'event',
      reason: textOr(event.reason, ''),
      count: eventCount(event),
      lines: [new Quote(textOr(event.message, ''))],
    }),
  );
  return { ...problem, evidence: [...lines, ...evidence] };
}

const isReadiness = (event: KubernetesEvent): boolean =>
  probeFailureIn(new Quote(textOr(event.message, '')))?.kind === 'readiness';

const eventText = (event: KubernetesEvent): string =>
  `${textOr(event.reason, '')}: ${withoutRandomNames(new Quote(textOr(event.message, '')))}`;

/** The label selector of a workload's pods (of a Service, too); undefined for kinds without pods. */
function selectorOf(object: Deployment | Service): string | undefined {
  const selector = object.spec?.selector;
  if (typeof selector !== 'object' || selector === null) return undefined;
  const isPlain = ['Service', 'ReplicationController'].includes(groupKindOf(object));
  const { matchLabels, matchExpressions } = (isPlain ? { matchLabels: selector } : selector) as {
    matchLabels?: Record<string, string>;
    matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
  };
  const texts = [
    ...Object.entries(matchLabels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(matchExpressions ?? []).map(({ key, operator, values = [] }) => {
      if (operator === 'Exists') return key;
      return operator === 'DoesNotExist' ? `!${key}` : `${key} ${operator.toLowerCase()} (${values.join(',')})`;
    }),
  ];
  return texts.length === 0 ? undefined : texts.join(',');
}
