import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { TshelmError } from '../support/errors.ts';
import { systemTimers } from '../support/timers.ts';
import { isApiError } from './api-error.ts';
import { groupKindOf } from './fields.ts';
import { type PodCounts, podCounts } from './pod-counts.ts';
import { sleepBy } from './retry.ts';
import type { Cluster, Readiness } from './types.ts';

/** What is known of one resource. */
export interface Observed {
  /** Undefined: it is not there. */
  readonly object: KubernetesObject | undefined;
  /** What it was before that, if it has been seen. */
  readonly last: KubernetesObject | undefined;
  /** The objects of the related kind that this one controls or selects. */
  readonly related: (object: KubernetesObject) => readonly KubernetesObject[];
}

export type OnState = (id: ResourceId, state: Readiness, pods: PodCounts | undefined) => void;

export interface ObserveOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Each change of a resource's state, or of its pod counts. */
  readonly onState?: OnState | undefined;
  /** Asked again at every change. The observation ends when all are ready, or one has failed. */
  readonly judge: (id: ResourceId, observed: Observed) => Readiness;
  /** By group kind: what has to be watched as well. */
  readonly relatedKinds?: Readonly<Record<string, { apiVersion: string; kind: string }>> | undefined;
  readonly metadataOnly?: boolean | undefined;
  /** `not ready`, `still exists`: Helm's words in the message. */
  readonly unmet: string;
}

/** Watches resources, with one watch for each kind and namespace, until the judge is content with all of them. */
export async function observe(cluster: Cluster, ids: readonly ResourceId[], options: ObserveOptions): Promise<void> {
  options.signal?.throwIfAborted();
  if (ids.length === 0) return;
  const wanted = await placed(cluster, ids, options.signal);
  options.signal?.throwIfAborted();
  await new Observation(cluster, options).run(wanted);
}

/** Ids with their namespaces filled in, or taken away from cluster-scoped kinds; each once. */
async function placed(
  cluster: Cluster,
  ids: readonly ResourceId[],
  signal: AbortSignal | undefined,
): Promise<ResourceId[]> {
  const found = new Map<string, ResourceId>();
  for (const id of ids) {
    const isNamespaced = (await cluster.mapping(id.apiVersion, id.kind, { signal }))?.namespaced ?? true;
    const full = { ...id, namespace: isNamespaced ? id.namespace || cluster.namespace : '' };
    found.set(`${full.apiVersion} ${titleOf(full)}`, full);
  }
  return [...found.values()];
}

interface Tracked {
  readonly id: ResourceId;
  object: KubernetesObject | undefined;
  last: KubernetesObject | undefined;
  /** Undefined until the resource has been looked for. */
  state: Readiness | undefined;
  pods: PodCounts | undefined;
}

/** A watch of one kind in one namespace, for the tracked resources of that kind or as related objects. */
interface Source {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly fieldSelector: string | undefined;
  readonly tracked: ReadonlyMap<string, Tracked>;
  /** Where the objects are related ones: keep them all. */
  readonly kept: Map<string, KubernetesObject> | undefined;
}

class Observation {
  readonly #cluster: Cluster;
  readonly #options: ObserveOptions;
  readonly #ended = new AbortController();
  readonly #kept = new Map<string, Map<string, KubernetesObject>>();
  #tracked: readonly Tracked[] = [];
  #finish: (error?: unknown) => void = () => {};

  constructor(cluster: Cluster, options: ObserveOptions) {
    this.#cluster = cluster;
    this.#options = options;
  }

  async run(ids: readonly ResourceId[]): Promise<void> {
    const { signal, timeoutMs } = this.#options;
    this.#tracked = ids.map((id) => ({ id, object: undefined, last: undefined, state: undefined, pods: undefined }));
    const finished = new Promise<void>((resolve, reject) => {
      this.#finish = (error) => (error === undefined ? resolve() : reject(error as Error));
    });
    const onAbort = (): void => this.#finish(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const timers = this.#cluster.timers ?? systemTimers;
    const timer =
      timeoutMs === undefined ? undefined : timers.setTimeout(() => this.#finish(this.#timeout(timeoutMs)), timeoutMs);
    try {
      for (const source of this.#sources()) {
        this.#watch(source).catch((error: unknown) => this.#finish(error));
      }
      await finished;
    } finally {
      if (timer !== undefined) timers.clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#ended.abort();
    }
  }

  #sources(): Source[] {
    const groups = new Map<string, Tracked[]>();
    for (const tracked of this.#tracked) {
      const key = `${tracked.id.apiVersion} ${tracked.id.kind} ${tracked.id.namespace}`;
      groups.set(key, [...(groups.get(key) ?? []), tracked]);
    }
    const sources = [...groups.values()].flatMap(watchedTogether);
    return [...sources, ...this.#relatedSources()];
  }

  #relatedSources(): Source[] {
    const sources = new Map<string, Source>();
    for (const { id } of this.#tracked) {
      const relation = this.#options.relatedKinds?.[groupKindOf(id)];
      if (relation === undefined) continue;
      const key = `${groupKindOf(relation)} ${id.namespace}`;
      const kept = this.#kept.get(key) ?? new Map<string, KubernetesObject>();
      this.#kept.set(key, kept);
      sources.set(key, { ...relation, namespace: id.namespace, fieldSelector: undefined, tracked: new Map(), kept });
    }
    return [...sources.values()];
  }

  async #watch(source: Source): Promise<void> {
    const { apiVersion, kind, namespace, fieldSelector } = source;
    const options = { namespace, fieldSelector, metadataOnly: this.#options.metadataOnly, signal: this.#ended.signal };
    let isSynced = false;
    try {
      for await (const event of this.#cluster.watch(apiVersion, kind, options)) {
        if (this.#ended.signal.aborted) return;
        if (event.kind === 'synced') {
          isSynced = true;
          this.#judgeUnseen(source);
        } else this.#changed(source, event.object, event.kind === 'gone');
      }
    } catch (error) {
      if (this.#ended.signal.aborted) return;
      if (isSynced || source.kept !== undefined || !isApiError(error, 'Forbidden')) throw error;
      await this.#poll(source);
    }
  }

  /** Who may not list may still be allowed to read by name. */
  async #poll(source: Source): Promise<void> {
    const { signal } = this.#ended;
    const sleep = sleepBy(this.#cluster.timers);
    while (!signal.aborted) {
      for (const tracked of source.tracked.values()) {
        const object = await this.#cluster.get(tracked.id, { signal });
        this.#update(tracked, object);
      }
      this.#conclude();
      if (!signal.aborted) await sleep(pollIntervalMs, signal).catch(() => {});
    }
  }

  #changed(source: Source, object: KubernetesObject, isGone: boolean): void {
    if (source.kept !== undefined) {
      if (isGone) source.kept.delete(object.metadata.name);
      else source.kept.set(object.metadata.name, object);
      for (const tracked of this.#tracked) {
        if (tracked.object !== undefined && tracked.id.namespace === source.namespace)
          this.#update(tracked, tracked.object);
      }
      this.#conclude();
      return;
    }
    const tracked = source.tracked.get(object.metadata.name);
    if (tracked === undefined) return;
    this.#update(tracked, isGone ? undefined : object);
    this.#conclude();
  }

  /** After the list: what was not in it is not there. */
  #judgeUnseen(source: Source): void {
    for (const tracked of source.tracked.values()) if (tracked.state === undefined) this.#update(tracked, undefined);
    this.#conclude();
  }

  #update(tracked: Tracked, object: KubernetesObject | undefined): void {
    const before = tracked.state;
    const observed = { object, last: tracked.last, related: (of: KubernetesObject) => this.#relatedTo(tracked.id, of) };
    tracked.state = this.#options.judge(tracked.id, observed);
    tracked.object = object;
    tracked.last = object ?? tracked.last;
    const { pods } = tracked;
    tracked.pods = object && podCounts(object);
    if (!isSameState(before, tracked.state) || !areSamePods(pods, tracked.pods))
      this.#options.onState?.(tracked.id, tracked.state, tracked.pods);
  }

  #relatedTo(id: ResourceId, object: KubernetesObject): readonly KubernetesObject[] {
    const relation = this.#options.relatedKinds?.[groupKindOf(id)];
    if (relation === undefined) return [];
    const kept = this.#kept.get(`${groupKindOf(relation)} ${id.namespace}`) ?? new Map<string, KubernetesObject>();
    return [...kept.values()].filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid),
    );
  }

  #conclude(): void {
    if (this.#tracked.every(({ state }) => state?.state === 'ready')) this.#finish();
    else if (this.#tracked.some(({ state }) => state?.state === 'failed')) this.#finish(this.#failure());
  }

  #failure(): TshelmError {
    const failed = this.#tracked.filter(({ state }) => state?.state === 'failed');
    return new TshelmError('wait-failed', {
      message: failed.map((tracked) => this.#lineOf(tracked)).join('\n'),
      details: { failed: failed.map(({ id }) => id) },
    });
  }

  #timeout(timeoutMs: number): TshelmError {
    const unready = this.#tracked.filter(({ state }) => state?.state !== 'ready');
    return new TshelmError('wait-timeout', {
      message: [...unready.map((tracked) => this.#lineOf(tracked)), 'context deadline exceeded'].join('\n'),
      details: { timeoutMs, resources: unready.map(({ id, state }) => ({ ...id, reason: state && reasonOf(state) })) },
    });
  }

  /** As Helm words it (statuswait.go). */
  #lineOf(tracked: Tracked): string {
    const message = tracked.state === undefined ? 'nothing is known of it' : reasonOf(tracked.state);
    return `resource ${titleOf(tracked.id)} ${this.#options.unmet}. status: ${statusOf(tracked)}, message: ${message}`;
  }
}

const pollIntervalMs = 2_000;

// A few objects are watched by name, so that a crowded namespace is not read as a whole.
const maxNamedWatches = 3;

function watchedTogether(group: readonly Tracked[]): Source[] {
  const sourceOf = (members: readonly Tracked[], fieldSelector: string | undefined): Source => {
    const { apiVersion, kind, namespace } = (members[0] as Tracked).id;
    const tracked = new Map(members.map((member) => [member.id.name, member]));
    return { apiVersion, kind, namespace, fieldSelector, tracked, kept: undefined };
  };
  if (group.length > maxNamedWatches) return [sourceOf(group, undefined)];
  return group.map((member) => sourceOf([member], `metadata.name=${member.id.name}`));
}

/** `Deployment/default/web` */
const titleOf = ({ kind, namespace, name }: ResourceId): string => `${kind}/${namespace}/${name}`;

const reasonOf = (state: Readiness): string => (state.state === 'ready' ? 'ready' : state.reason);

function isSameState(a: Readiness | undefined, b: Readiness): boolean {
  return a !== undefined && a.state === b.state && reasonOf(a) === reasonOf(b);
}

const areSamePods = (a: PodCounts | undefined, b: PodCounts | undefined): boolean =>
  a?.ready === b?.ready && a?.desired === b?.desired;

/** kstatus' word for it. */
function statusOf({ state, object }: Tracked): string {
  if (state === undefined) return 'Unknown';
  if (state.state === 'failed') return 'Failed';
  if (object === undefined) return 'NotFound';
  return object.metadata.deletionTimestamp ? 'Terminating' : 'InProgress';
}
