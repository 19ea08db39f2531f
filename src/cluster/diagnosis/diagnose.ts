import { listOf, textOr } from '../../manifest/fields.ts';
import type { Deployment, KubernetesEvent, PersistentVolumeClaim, Pod, Service } from '../../manifest/kubernetes.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { compareText } from '../../support/order.ts';
import { systemTimers, timeoutSignal } from '../../support/timers.ts';
import { conditionsOf, groupKindOf } from '../fields.ts';
import { type ReadinessOptions, readiness } from '../readiness.ts';
import type { Cluster } from '../types.ts';
import { Evidence, warningTexts } from './evidence.ts';
import { type Finding, type FindingKind, isBroken, rankFindings, tellingLog } from './finding.ts';
import type { LastWords, Words } from './last-words.ts';
import { missingReferences } from './pod-references.ts';
import { containerText, type PodTrouble, podTroubles, severityOf } from './pod-trouble.ts';
import { type Refusal, refusalByCondition, refusalOf, refusalOutlook } from './refused-pods.ts';
import { largestNode, readOnlyCause, withAsked } from './spec-words.ts';
import {
  claimFailure,
  claimReason,
  claimsOf,
  concernsContainer,
  killedAfter,
  killingProbe,
  mountFailure,
} from './telling-events.ts';
import { newestOf } from './verdict.ts';

/** Why resources are not ready, as far as the cluster tells. */
export interface Diagnosis {
  /** The likely cause first (finding.ts). */
  readonly findings: readonly Finding[];
  /** What could not be looked at (forbidden, no time left). */
  readonly gaps: readonly string[];
}

export interface DiagnoseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default 10 000. What is not found out by then stays unknown. */
  readonly budgetMs?: number | undefined;
  /** By whose rules the resources were not ready; default `watcher`. */
  readonly strategy?: ReadinessOptions['strategy'] | undefined;
  /** What was read of pods that are gone. */
  readonly lastWords?: LastWords | undefined;
  /** Takes secrets out of a text; default: nothing is known to be one. */
  readonly mask?: ((text: string) => string) | undefined;
}

const defaultBudgetMs = 10_000;
const maxFindings = 3;

/** Looks from resources down to the containers at fault. It never fails because something cannot be read. */
export async function diagnose(
  cluster: Cluster,
  ids: readonly ResourceId[],
  options: DiagnoseOptions = {},
): Promise<Diagnosis> {
  const timers = cluster.timers ?? systemTimers;
  const { signal: budget, cancel } = timeoutSignal(timers, options.budgetMs ?? defaultBudgetMs);
  const signal = options.signal === undefined ? budget : AbortSignal.any([options.signal, budget]);
  const evidence = new Evidence(cluster, signal, options.strategy);
  const findings = await Promise.all(ids.map((id) => findingsOf(id, evidence, options.lastWords)));
  cancel();
  options.signal?.throwIfAborted();
  const mask = options.mask ?? ((text) => text);
  return { findings: rankFindings(findings.flat()).map((one) => masked(one, mask)), gaps: evidence.gaps.map(mask) };
}

const masked = (finding: Finding, mask: (text: string) => string): Finding => ({
  ...finding,
  reason: mask(finding.reason),
  probe: finding.probe && mask(finding.probe),
  hint: finding.hint && mask(finding.hint),
  log: finding.log.map(mask),
  previousLog: finding.previousLog.map(mask),
  events: finding.events.map(mask),
});

const nothingFound = { log: [], previousLog: [], events: [] } as const;

async function findingsOf(
  resource: ResourceId,
  evidence: Evidence,
  lastWords: LastWords | undefined,
): Promise<readonly Finding[]> {
  const object = await evidence.object(resource);
  if (object === undefined) {
    const words = await lastWords?.of(resource);
    if (words !== undefined) return [wordsFinding(resource, words)];
    const chain = [`${resource.kind}/${resource.name}`];
    const reason = evidence.isUnread(resource) ? 'the cause is unknown' : 'it was not found';
    return [{ resource, chain, kind: 'nothing', outlook: 'open', reason, ...nothingFound }];
  }
  if (groupKindOf(object) === 'Pod') return podFindings(resource, [object], [object], evidence);
  const levels = await levelsOf(object, evidence);
  const owner = levels.at(-1) as KubernetesObject;
  const pods = await podsOf(object, owner, evidence);
  const ownEvents = (await Promise.all(levels.map((level) => evidence.events(level)))).flat();
  const refusal = pods.length === 0 || hasConditionOfRefusal(owner) ? refusalIn(owner, ownEvents) : undefined;
  if (refusal !== undefined) return [refusedFinding(resource, levels, refusal, ownEvents)];
  const verdict = endOf(object);
  const found = await podFindings(resource, levels, pods, evidence);
  const events = warningTexts(ownEvents);
  // Of a Job that has failed, a pod that is still there may be one that is being deleted.
  const words = verdict === undefined || found.some(isBroken) ? undefined : await lastWords?.of(resource);
  if (words !== undefined) return [{ ...wordsFinding(resource, words), verdict, events }];
  if (found.length === 0) return [await ownFinding(resource, levels, ownEvents, evidence)];
  return found.map((finding, index) =>
    index === 0 ? { ...finding, verdict, events: [...events, ...finding.events] } : { ...finding, verdict },
  );
}

/** The object, and for a Deployment its newest ReplicaSet. */
async function levelsOf(object: KubernetesObject, evidence: Evidence): Promise<readonly KubernetesObject[]> {
  if (groupKindOf(object) !== 'Deployment.apps') return [object];
  const { namespace = evidence.namespace } = object.metadata;
  const sets = await evidence.list('apps/v1', 'ReplicaSet', { namespace, labelSelector: selectorOf(object) });
  const newest = newestOf(sets.filter((set) => isOwnedBy(set, object)));
  return newest === undefined ? [object] : [object, newest];
}

async function podsOf(
  object: KubernetesObject,
  owner: KubernetesObject,
  evidence: Evidence,
): Promise<readonly KubernetesObject[]> {
  const labelSelector = selectorOf(object);
  if (labelSelector === undefined) return [];
  const { namespace = evidence.namespace } = object.metadata;
  const pods = await evidence.list('v1', 'Pod', { namespace, labelSelector });
  return pods.filter((pod) => groupKindOf(object) === 'Service' || isOwnedBy(pod, owner));
}

const isOwnedBy = (object: KubernetesObject, owner: KubernetesObject): boolean =>
  object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false;

/** A pod and what is wrong with it. */
interface TroubledPod {
  readonly pod: Pod;
  readonly trouble: PodTrouble;
}

/** One for each trouble that differs, the worst first. */
async function podFindings(
  resource: ResourceId,
  levels: readonly KubernetesObject[],
  pods: readonly Pod[],
  evidence: Evidence,
): Promise<readonly Finding[]> {
  const troubled = pods
    .flatMap((pod): readonly TroubledPod[] => {
      const troubles = podTroubles(pod);
      const all = troubles.length > 0 ? troubles : stillRunning(resource, pod);
      return all.map((trouble) => ({ pod, trouble }));
    })
    .sort((a, b) => severityOf(b.trouble) - severityOf(a.trouble) || compareText(nameOf(a.pod), nameOf(b.pod)));
  const distinct = new Map(
    troubled.toReversed().map((entry) => [`${entry.trouble.container} ${entry.trouble.reason.split(':')[0]}`, entry]),
  );
  const worst = troubled.filter((entry) => [...distinct.values()].includes(entry)).slice(0, maxFindings);
  return Promise.all(worst.map((entry) => podFinding(resource, levels, entry, evidence)));
}

/** What a Job or a hook does for too long is in its log. */
function stillRunning({ kind }: ResourceId, pod: Pod): readonly PodTrouble[] {
  const running = listOf(pod.status?.containerStatuses).find((status) => status.state?.running);
  if (running === undefined || (kind !== 'Job' && kind !== 'Pod')) return [];
  return [{ outlook: 'open', container: textOr(running.name, ''), reason: 'it is still running', hasRun: true }];
}

async function podFinding(
  resource: ResourceId,
  levels: readonly KubernetesObject[],
  { pod, trouble }: TroubledPod,
  evidence: Evidence,
): Promise<Finding> {
  const { container, exitCode, restarts, outlook } = trouble;
  const [about, logs, claim, nodes] = await Promise.all([
    evidence.events(pod),
    evidence.logs(pod, trouble),
    unboundClaim(pod, trouble, evidence),
    trouble.reason.includes('Insufficient ') ? evidence.listIfAllowed('v1', 'Node') : undefined,
  ]);
  const events = about.filter((event) => concernsContainer(event, container));
  const names = levels.map(nameOf);
  const chain = levels.includes(pod) ? names : [...names, ...controllerBetween(levels, pod), nameOf(pod)];
  const common = { resource, events: warningTexts(events), ...logs };
  if (claim !== undefined) {
    const { name, ...how } = claim;
    return { ...common, chain: [...chain, `PersistentVolumeClaim/${name}`], kind: 'volume', ...how };
  }
  const unhealthy = latestText(events, 'Unhealthy');
  const probe = unhealthy === undefined ? undefined : withAsked(unhealthy, trouble.spec);
  const hint =
    largestNode(trouble.reason, pod, nodes ?? []) || readOnlyCause(tellingLog(logs), trouble.spec) || undefined;
  const where = containerText(trouble);
  const place = where === undefined ? chain : [...chain, where];
  const { kind, reason } = kindAndReason(pod, trouble, events, probe);
  const missing = await missingReferences(pod, { ...trouble, reason }, evidence);
  const whole = missing.length === 0 ? reason : `${reason}; also missing: ${missing.join(', ')}`;
  const likely = kind === 'volume' ? 'doubtful' : outlook;
  return { ...common, chain: place, outlook: likely, exitCode, restarts, probe, hint, kind, reason: whole };
}

/** What a pod wrote that its Job has taken with it. */
function wordsFinding(resource: ResourceId, { pod, trouble, log }: Words): Finding {
  const { exitCode, restarts, reason } = trouble;
  const chain = [`${resource.kind}/${resource.name}`, nameOf(pod), containerText(trouble) ?? []].flat();
  const common = { ...nothingFound, resource, chain, log, isGone: true } as const;
  return { ...common, kind: 'container', outlook: 'never', reason, exitCode, restarts };
}

/** A pod of a Service has an owner of its own. */
function controllerBetween(levels: readonly KubernetesObject[], pod: KubernetesObject): readonly string[] {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined || levels.some(({ metadata }) => metadata.uid === owner.uid)) return [];
  return [`${owner.kind}/${owner.name}`];
}

function kindAndReason(
  pod: KubernetesObject,
  trouble: PodTrouble,
  events: readonly KubernetesEvent[],
  probe: string | undefined,
): { readonly kind: FindingKind; readonly reason: string } {
  const { container, reason, isUnready, spec } = trouble;
  if (container !== undefined) {
    const killing = killingProbe(events, trouble);
    const told = killing === undefined ? reason : `${reason}: ${killedAfter(killing, spec)}`;
    if (!isUnready) return { kind: 'container', reason: told };
    return { kind: 'probe', reason: probe === undefined ? reason : `${reason}: ${probe}` };
  }
  const isUnplaced = conditionsOf(pod).some(({ type, status }) => type === 'PodScheduled' && status === 'False');
  if (isUnplaced) return { kind: 'schedule', reason };
  const mount = mountFailure(events);
  if (mount !== undefined) return { kind: 'volume', reason: mount };
  return { kind: 'pod', reason };
}

/** The text of the latest event with this reason. */
function latestText(events: readonly KubernetesEvent[], reason: string): string | undefined {
  const latest = events.findLast((event) => textOr(event.reason, '') === reason);
  return latest === undefined ? undefined : textOr(latest.message, '');
}

/** A claim that keeps a pod from being placed, and why it has no volume. */
async function unboundClaim(
  pod: Pod,
  { container }: PodTrouble,
  evidence: Evidence,
): Promise<({ readonly name: string } & ClaimCause) | undefined> {
  if (container !== undefined) return undefined;
  const { namespace = evidence.namespace } = pod.metadata;
  for (const name of claimsOf(pod)) {
    const id = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name };
    const object: PersistentVolumeClaim | undefined = await evidence.object(id);
    if (object === undefined) {
      if (evidence.isUnread(id)) continue;
      return { name, outlook: 'doubtful', reason: 'it does not exist, and the pod mounts it' };
    }
    if (textOr(object.status?.phase, '') === 'Bound') continue;
    return { name, ...(await claimCause(object, await evidence.events(object), evidence)) };
  }
  return undefined;
}

type ClaimCause = Pick<Finding, 'reason' | 'outlook' | 'hint'>;

/** What its controller has tried and failed at may not pass by itself; without a word of that, it is under way. */
async function claimCause(
  claim: PersistentVolumeClaim,
  events: readonly KubernetesEvent[],
  evidence: Evidence,
): Promise<ClaimCause> {
  const failure = claimFailure(events);
  const hint = /storageclass\S* "[^"]*" not found/.test(failure ?? '') ? await storageClasses(evidence) : undefined;
  return { outlook: failure === undefined ? 'open' : 'doubtful', reason: claimReason(claim, events), hint };
}

/** The classes that there are; undefined where they may not be listed. */
async function storageClasses(evidence: Evidence): Promise<string | undefined> {
  const classes = await evidence.listIfAllowed('storage.k8s.io/v1', 'StorageClass');
  if (classes === undefined) return undefined;
  const names = classes.map(({ metadata }) => metadata.name).sort(compareText);
  return names.length === 0 ? 'the cluster has no storage class' : `the cluster has ${names.join(', ')}`;
}

const hasConditionOfRefusal = (owner: KubernetesObject): boolean => refusalByCondition(owner) !== undefined;

function refusalIn(owner: KubernetesObject, events: readonly KubernetesEvent[]): Refusal | undefined {
  const message = latestText(events, 'FailedCreate');
  return refusalByCondition(owner) ?? (message === undefined ? undefined : refusalOf(message));
}

function refusedFinding(
  resource: ResourceId,
  levels: readonly KubernetesObject[],
  refusal: Refusal,
  events: readonly KubernetesEvent[],
): Finding {
  return {
    resource,
    chain: levels.map(nameOf),
    kind: 'refused',
    outlook: refusalOutlook(refusal, false),
    reason: `its pods cannot be created: ${refusal.message}`,
    ...nothingFound,
    events: warningTexts(events),
  };
}

/** What the object says of itself, where nothing below it explains it. */
async function ownFinding(
  resource: ResourceId,
  levels: readonly KubernetesObject[],
  events: readonly KubernetesEvent[],
  evidence: Evidence,
): Promise<Finding> {
  const object = levels.at(-1) as KubernetesObject;
  const common = { resource, chain: levels.map(nameOf), ...nothingFound, events: warningTexts(events) };
  if (object.metadata.deletionTimestamp) {
    const finalizers = object.metadata.finalizers ?? [];
    const why = finalizers.length === 0 ? '' : `: waiting for its finalizers: ${finalizers.join(', ')}`;
    return { ...common, kind: 'deletion', outlook: 'open', reason: `it is being deleted${why}` };
  }
  if (groupKindOf(object) === 'PersistentVolumeClaim') {
    return { ...common, kind: 'volume', ...(await claimCause(object, events, evidence)) };
  }
  const end = endOf(object);
  if (end !== undefined) return { ...common, kind: 'condition', outlook: 'never', reason: end };
  return { ...common, ...byConditions(object, evidence) };
}

/** How a Job says that it has ended badly. */
function endOf(object: KubernetesObject): string | undefined {
  if (groupKindOf(object) !== 'Job.batch') return undefined;
  const end = conditionsOf(object).find(
    ({ type, status }) => status === 'True' && ['Failed', 'FailureTarget'].includes(type),
  );
  return end === undefined ? undefined : `${end.reason}: ${end.message}`;
}

/** Its readiness, and the conditions that are not as they should be. */
function byConditions(object: KubernetesObject, { strategy }: Evidence): Pick<Finding, 'kind' | 'outlook' | 'reason'> {
  const state = readiness(object, { strategy, waitForJobs: true });
  // It may have failed by a condition of its own, where the built-in rules see nothing wrong.
  if (state.state === 'failed' && strategy === 'ordered')
    return { kind: 'condition', outlook: 'never', reason: state.reason };
  const told = conditionsOf(object).filter(({ message }) => message !== '');
  const bad =
    told.find(({ type, status }) => status === 'True' && /fail/i.test(type)) ??
    told.find(({ status }) => status === 'False');
  if (bad !== undefined) {
    return { kind: 'condition', outlook: 'open', reason: `${bad.reason || bad.type}: ${bad.message}` };
  }
  const reason = state.state === 'ready' ? 'nothing is wrong with it now' : state.reason;
  return { kind: 'nothing', outlook: 'open', reason };
}

const nameOf = ({ kind, metadata }: KubernetesObject): string => `${kind}/${metadata.name}`;

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
