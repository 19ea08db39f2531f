import { textOr } from '../../manifest/fields.ts';
import type { KubernetesEvent } from '../../manifest/kubernetes.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { Quote } from '../../problem/quote.ts';
import type { WorkloadFact } from '../../problem/workload-fact.ts';
import { messageOf } from '../../support/errors.ts';
import { isApiError } from '../api-error.ts';
import type { ReadinessOptions } from '../readiness.ts';
import type { Cluster, ListOptions } from '../types.ts';
import { eventTimeMs } from './pod-events.ts';
import { hasRun } from './pod-facts.ts';

const logTailLines = 20;

/** Asks the cluster about failed resources. What cannot be read becomes a gap, never a failure; the same is asked once. */
export class DiagnosisReader {
  /** By whose rules resources are ready. */
  readonly strategy: ReadinessOptions['strategy'];
  readonly userRules: ReadinessOptions['userRules'];
  readonly #cluster: Cluster;
  readonly #signal: AbortSignal;
  readonly #lists = new Map<string, Promise<readonly KubernetesObject[]>>();
  readonly #gaps = new Set<string>();
  readonly #unread = new Set<string>();

  constructor(
    cluster: Cluster,
    signal: AbortSignal,
    { strategy, userRules }: Pick<ReadinessOptions, 'strategy' | 'userRules'>,
  ) {
    this.#cluster = cluster;
    this.#signal = signal;
    this.strategy = strategy;
    this.userRules = userRules;
  }

  /** What could not be read, and why. */
  get gaps(): readonly string[] {
    return [...this.#gaps];
  }

  /** Whether {@link object} found nothing because it was not told: that does not mean that it is not there. */
  isUnread({ kind, name }: ResourceId): boolean {
    return this.#unread.has(`${kind}/${name}`);
  }

  get namespace(): string {
    return this.#cluster.namespace;
  }

  async object(id: ResourceId): Promise<KubernetesObject | undefined> {
    return this.#ask(() => this.#cluster.get(id, { signal: this.#signal }), `${id.kind}/${id.name}`);
  }

  list(apiVersion: string, kind: string, options: ListOptions): Promise<readonly KubernetesObject[]> {
    const key = JSON.stringify([apiVersion, kind, options]);
    const listed = this.#lists.get(key) ?? this.#list(apiVersion, kind, options);
    this.#lists.set(key, listed);
    return listed;
  }

  /** Of a kind without namespaces, which few may list: undefined for them, and no gap. */
  listIfAllowed(apiVersion: string, kind: string): Promise<readonly KubernetesObject[] | undefined> {
    return this.#cluster.list(apiVersion, kind, { signal: this.#signal }).catch(() => undefined);
  }

  async #list(apiVersion: string, kind: string, options: ListOptions): Promise<readonly KubernetesObject[]> {
    const ask = (): Promise<readonly KubernetesObject[]> =>
      this.#cluster.list(apiVersion, kind, { ...options, signal: this.#signal });
    return (await this.#ask(ask, `the ${kind.toLowerCase()}s`)) ?? [];
  }

  /** The events that speak of an object, the latest last. */
  async events(object: KubernetesObject): Promise<readonly KubernetesEvent[]> {
    const { name, namespace = this.namespace, uid } = object.metadata;
    const fieldSelector = `involvedObject.name=${name},involvedObject.kind=${object.kind}`;
    const events: readonly KubernetesEvent[] = await this.list('v1', 'Event', { namespace, fieldSelector });
    return events
      .filter((event) => [undefined, '', uid].includes(textOr(event.involvedObject?.uid, '')))
      .sort((a, b) => eventTimeMs(a) - eventTimeMs(b));
  }

  /** The last lines of a container, and of the one before its last restart. */
  async logs(
    pod: KubernetesObject,
    fact: WorkloadFact,
  ): Promise<{ log: readonly Quote[]; previousLog: readonly Quote[] }> {
    const { container, restarts = 0 } = fact;
    if (container === undefined || !hasRun(fact)) return { log: [], previousLog: [] };
    const { name, namespace = this.namespace } = pod.metadata;
    const options = { container, tailLines: logTailLines, signal: this.#signal };
    const read = (previous: boolean): Promise<string> =>
      this.#cluster.logs({ namespace, name }, { ...options, ...(previous && { previous }) });
    const [log, previousLog] = await Promise.all([
      this.#ask(() => read(false), `the log of Pod/${name}`),
      // The kubelet may have dropped the log of the container before.
      restarts > 0 ? read(true).catch(() => '') : '',
    ]);
    // While a container waits to be restarted both are the same.
    return { log: linesOf(log ?? ''), previousLog: previousLog === log ? [] : linesOf(previousLog) };
  }

  async #ask<T>(ask: () => Promise<T>, what: string): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      const why = this.#signal.aborted ? 'no time left' : isApiError(error) ? error.failure.message : messageOf(error);
      this.#unread.add(what);
      this.#gaps.add(`${what} could not be read: ${why}`);
      return undefined;
    }
  }
}

const linesOf = (text: string): readonly Quote[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => new Quote(line));
