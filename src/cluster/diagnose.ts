import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { messageOf } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import { systemTimers, timeoutSignal } from '../support/timers.ts';
import { isApiError } from './api-error.ts';
import { conditionsOf, groupKindOf, listAt, numberAt, textAt, valueAt } from './fields.ts';
import { readiness } from './readiness.ts';
import type { Cluster } from './types.ts';

/** Why a resource is not ready, as far as the cluster tells. */
export interface Diagnosis {
  readonly id: ResourceId;
  /** One line: `Deployment/web → Pod/web-7d-x → container app: CrashLoopBackOff, exit code 1, 4 restarts`. */
  readonly summary: string;
  /** What was found, the worst first; at most three that differ. */
  readonly findings: readonly Finding[];
  /** What could not be looked at (forbidden, no time left). */
  readonly gaps: readonly string[];
}

export interface Finding {
  /** From the resource down: `Deployment/web`, `ReplicaSet/web-7d`, `Pod/web-7d-x`, `container app`. */
  readonly chain: readonly string[];
  readonly reason: string;
  readonly exitCode?: number | undefined;
  readonly restarts?: number | undefined;
  /** The container's last words. */
  readonly logLines: readonly string[];
  /** Warnings about what is in the chain, the latest last: `FailedScheduling: 0/3 nodes are available (x4)`. */
  readonly events: readonly string[];
}

export interface DiagnoseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default 5 000. What is not found out by then stays unknown. */
  readonly budgetMs?: number | undefined;
}

const maxFindings = 3;
const maxEvents = 5;
const logTailLines = 10;

/** Looks from a resource down to the container at fault. It never fails because something cannot be read. */
export async function diagnose(cluster: Cluster, id: ResourceId, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const { signal: budget, cancel } = timeoutSignal(cluster.timers ?? systemTimers, options.budgetMs ?? 5_000);
  const signal = options.signal === undefined ? budget : AbortSignal.any([options.signal, budget]);
  const look = new Look(cluster, id.namespace || cluster.namespace, signal);
  const object = await look.at(() => cluster.get(id, { signal }), `${id.kind}/${id.name}`);
  const findings = object === undefined ? [] : await look.into(object);
  cancel();
  options.signal?.throwIfAborted();
  return { id, summary: summaryOf(id, findings, look.gaps), findings, gaps: look.gaps };
}

function summaryOf(id: ResourceId, findings: readonly Finding[], gaps: readonly string[]): string {
  const worst = findings[0];
  if (worst === undefined) return `${id.kind}/${id.name}: ${gaps[0] ?? 'it was not found'}`;
  return lineOf(worst);
}

function lineOf({ chain, reason, exitCode, restarts = 0 }: Finding): string {
  const exit = exitCode === undefined ? '' : `, exit code ${exitCode}`;
  return `${chain.join(' → ')}: ${reason}${exit}${restarts === 0 ? '' : `, ${restarts} restarts`}`;
}

/** The diagnosis as text for a terminal: one block for each finding, indented below the summary. */
export function diagnosisText({ summary, findings, gaps }: Diagnosis): string {
  const lines = findings.flatMap((finding, index) => [
    index === 0 ? summary : lineOf(finding),
    ...finding.events.map((event) => `  event: ${event}`),
    ...finding.logLines.map((line) => `  log: ${line}`),
  ]);
  return [
    ...(lines.length === 0 ? [summary] : lines),
    ...gaps.slice(findings.length === 0 ? 1 : 0).map((gap) => `  (${gap})`),
  ].join('\n');
}

class Look {
  readonly gaps: string[] = [];
  readonly #cluster: Cluster;
  readonly #namespace: string;
  readonly #signal: AbortSignal;

  constructor(cluster: Cluster, namespace: string, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#namespace = namespace;
    this.#signal = signal;
  }

  /** Runs one question; what it cannot answer becomes a gap. */
  async at<T>(ask: () => Promise<T>, what: string): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      const why = this.#signal.aborted ? 'no time left' : isApiError(error) ? error.failure.message : messageOf(error);
      this.gaps.push(`${what} could not be read: ${why}`);
      return undefined;
    }
  }

  async into(object: KubernetesObject): Promise<Finding[]> {
    if (groupKindOf(object) === 'Pod') return this.#intoPods(object, [object]);
    const selector = selectorOf(object);
    const [pods, replicaSet] = await Promise.all([
      selector === undefined ? [] : this.#list('v1', 'Pod', { labelSelector: selector }),
      groupKindOf(object) === 'Deployment.apps' ? this.#newestReplicaSet(object, selector) : undefined,
    ]);
    const levels = replicaSet === undefined ? [object] : [object, replicaSet];
    const owner = levels.at(-1) as KubernetesObject;
    const isPartOf = (pod: KubernetesObject): boolean => groupKindOf(object) === 'Service' || isOwnedBy(pod, owner);
    const [events, findings] = await Promise.all([
      Promise.all(levels.map((level) => this.#eventsOf(level))).then((texts) => texts.flat()),
      this.#intoPods(object, pods.filter(isPartOf)),
    ]);
    const [worst, ...others] = findings;
    if (worst !== undefined) return [{ ...worst, events: lastOf([...events, ...worst.events]) }, ...others];
    return [{ chain: levels.map(nameOf), reason: objectReason(owner), logLines: [], events: lastOf(events) }];
  }

  async #newestReplicaSet(
    object: KubernetesObject,
    labelSelector: string | undefined,
  ): Promise<KubernetesObject | undefined> {
    const sets = await this.#list('apps/v1', 'ReplicaSet', { labelSelector });
    return sets.filter((set) => isOwnedBy(set, object)).sort((a, b) => revisionOf(b) - revisionOf(a))[0];
  }

  async #intoPods(top: KubernetesObject, pods: readonly KubernetesObject[]): Promise<Finding[]> {
    const troubled = pods
      .map((pod) => ({ pod, trouble: troubleOf(pod) }))
      .filter((entry) => entry.trouble !== undefined)
      .sort(
        (a, b) =>
          rankOf(b.trouble as Trouble) - rankOf(a.trouble as Trouble) || compareText(nameOf(a.pod), nameOf(b.pod)),
      );
    const distinct = new Map<string, { pod: KubernetesObject; trouble: Trouble }>();
    for (const { pod, trouble } of troubled) {
      if (trouble === undefined) continue;
      const key = `${trouble.container} ${trouble.reason.split(':')[0]}`;
      if (!distinct.has(key)) distinct.set(key, { pod, trouble });
    }
    const worst = [...distinct.values()].slice(0, maxFindings);
    return Promise.all(worst.map(({ pod, trouble }) => this.#finding(top, pod, trouble)));
  }

  async #finding(top: KubernetesObject, pod: KubernetesObject, trouble: Trouble): Promise<Finding> {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
    const between = owner !== undefined && owner.uid !== top.metadata.uid && top.metadata.uid !== pod.metadata.uid;
    const [events, logLines] = await Promise.all([this.#eventsOf(pod), this.#logsOf(pod, trouble)]);
    return {
      chain: [
        nameOf(top),
        ...(between ? [`${owner.kind}/${owner.name}`] : []),
        ...(top.metadata.uid === pod.metadata.uid ? [] : [nameOf(pod)]),
        ...(trouble.container === undefined ? [] : [`container ${trouble.container}`]),
      ],
      reason: trouble.reason,
      exitCode: trouble.exitCode,
      restarts: trouble.restarts,
      events,
      logLines,
    };
  }

  async #logsOf(pod: KubernetesObject, { container, hasRun, isRestarting }: Trouble): Promise<string[]> {
    if (container === undefined || !hasRun) return [];
    const place = { namespace: pod.metadata.namespace ?? this.#namespace, name: pod.metadata.name };
    const options = { container, tailLines: logTailLines, signal: this.#signal };
    const now = (): Promise<string> => this.#cluster.logs(place, options);
    const before = (): Promise<string> => this.#cluster.logs(place, { ...options, previous: true }).catch(now);
    const text = await this.at(isRestarting ? before : now, `the log of ${nameOf(pod)}`);
    return (text ?? '').split('\n').filter((line) => line.trim() !== '');
  }

  async #eventsOf(object: KubernetesObject): Promise<string[]> {
    const fieldSelector = `involvedObject.name=${object.metadata.name},involvedObject.kind=${object.kind},type=Warning`;
    const events = await this.#list('v1', 'Event', { fieldSelector });
    const sorted = [...events].sort((a, b) => compareText(timeOf(a), timeOf(b)));
    // The same complaint may stand there with several counts.
    const latest = new Map(
      sorted.map((event) => [`${textAt(event, '', 'reason')}: ${textAt(event, '', 'message')}`, event]),
    );
    return lastOf([...latest.values()].map(eventText));
  }

  async #list(
    apiVersion: string,
    kind: string,
    selectors: { labelSelector?: string | undefined; fieldSelector?: string | undefined },
  ): Promise<readonly KubernetesObject[]> {
    const options = { ...selectors, namespace: this.#namespace, signal: this.#signal };
    return (await this.at(() => this.#cluster.list(apiVersion, kind, options), `the ${kind.toLowerCase()}s`)) ?? [];
  }
}

const nameOf = ({ kind, metadata }: KubernetesObject): string => `${kind}/${metadata.name}`;

const isOwnedBy = (object: KubernetesObject, owner: KubernetesObject): boolean =>
  object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false;

const revisionOf = ({ metadata }: KubernetesObject): number =>
  Number(metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 0);

const lastOf = (texts: readonly string[]): string[] => [...new Set(texts)].slice(-maxEvents);

const timeOf = (event: KubernetesObject): string =>
  textAt(event, '', 'lastTimestamp') || textAt(event, '', 'eventTime') || event.metadata.creationTimestamp || '';

function eventText(event: KubernetesObject): string {
  const count = numberAt(event, 1, 'count');
  return `${textAt(event, '', 'reason')}: ${textAt(event, '', 'message')}${count > 1 ? ` (x${count})` : ''}`;
}

/** The label selector of a workload's pods (of a Service, too); undefined for kinds without pods. */
function selectorOf(object: KubernetesObject): string | undefined {
  const selector = valueAt(object, 'spec', 'selector');
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

/** What the object says of itself: its readiness, and the conditions that are not as they should be. */
function objectReason(object: KubernetesObject): string {
  const state = readiness(object, { strategy: 'watcher', waitForJobs: true });
  const told = conditionsOf(object).filter(({ message }) => message !== '');
  const bad =
    told.find(({ type, status }) => status === 'True' && /fail/i.test(type)) ??
    told.find(({ status }) => status === 'False');
  if (bad !== undefined) return `${bad.reason || bad.type}: ${bad.message}`;
  return state.state === 'ready' ? 'nothing is wrong with it now' : state.reason;
}

interface Trouble {
  readonly reason: string;
  readonly container?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly restarts?: number | undefined;
  readonly hasRun: boolean;
  /** It runs again, or waits to: what it said is in its previous log. */
  readonly isRestarting: boolean;
}

/** A pod that can be helped least stands first. */
const rankOf = ({ exitCode, container }: Trouble): number =>
  (exitCode === undefined ? 0 : 2) + (container === undefined ? 0 : 1);

/** What keeps a pod from being ready; undefined when it is ready, done, or on its way out. */
function troubleOf(pod: KubernetesObject): Trouble | undefined {
  if (pod.metadata.deletionTimestamp || textAt(pod, '', 'status', 'phase') === 'Succeeded') return undefined;
  const conditions = conditionsOf(pod);
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) return undefined;
  const containers = [...listAt(pod, 'status', 'initContainerStatuses'), ...listAt(pod, 'status', 'containerStatuses')];
  const troubles = containers.map(containerTrouble).filter((trouble) => trouble !== undefined);
  const worst = troubles.sort((a, b) => rankOf(b) - rankOf(a))[0];
  if (worst !== undefined) return worst;
  const unmet = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  const reason = unmet === undefined ? podReason(pod) : `${unmet.reason || 'not scheduled'}: ${unmet.message}`;
  return { reason, hasRun: false, isRestarting: false };
}

function podReason(pod: KubernetesObject): string {
  const own = textAt(pod, '', 'status', 'reason') || textAt(pod, '', 'status', 'message');
  return own === '' ? `it is ${textAt(pod, 'not seen yet', 'status', 'phase').toLowerCase()}` : own;
}

/** ` (OOMKilled)` where the container did not just exit by itself; the back-off's own message only repeats names. */
function deathOf(ended: unknown): string {
  const reason = textAt(ended, '', 'reason');
  return ['', 'Error', 'Completed'].includes(reason) ? '' : ` (${reason})`;
}

function containerTrouble(status: Record<string, unknown>): Trouble | undefined {
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
    isRestarting: held !== undefined && restarts > 0,
  };
  if (held !== undefined) {
    const reason = textAt(held, 'waiting', 'reason');
    if (reason === 'CrashLoopBackOff') return { ...common, reason: `${reason}${deathOf(ended)}` };
    const message = textAt(held, '', 'message');
    if (reason === 'PodInitializing' || (reason === 'ContainerCreating' && message === '')) return undefined;
    return { ...common, reason: message === '' ? reason : `${reason}: ${message}` };
  }
  if (valueAt(status, 'state', 'terminated') !== undefined) {
    if (exitCode === 0) return undefined;
    return { ...common, reason: textAt(ended, 'Error', 'reason') };
  }
  if (status['ready'] === true || valueAt(status, 'state', 'running') === undefined) return undefined;
  return { ...common, exitCode: undefined, hasRun: true, isRestarting: false, reason: 'it runs but is not ready' };
}
