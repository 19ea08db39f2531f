import { groupKey } from '../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import type { WorkloadFact } from '../problem/workload-fact.ts';
import { TshelmError } from '../support/errors.ts';
import { groupBy } from '../support/group-by.ts';
import { sleepBy, systemTimers } from '../support/timers.ts';
import { isApiError } from './api-error.ts';
import { type PodCounts, podCounts } from './diagnosis/pod-counts.ts';
import { RelatedObjects } from './diagnosis/related-objects.ts';
import { groupKindOf } from './fields.ts';
import type { SharedWatches } from './shared-watches.ts';
import { timedOut } from './timed-out.ts';
import type { Cluster, Readiness, WatchEvent } from './types.ts';

/** What is known of one resource. */
export interface Observed {
  /** Undefined: it is not there. */
  readonly object: KubernetesObject | undefined;
  /** What it was before that, if it has been seen, or as it was written. */
  readonly last: KubernetesObject | undefined;
  /** Of the related objects, those that this one owns, and the events that speak of it. */
  readonly related: (object: KubernetesObject) => readonly KubernetesObject[];
  /** All related objects of a kind in the resource's namespace. */
  readonly nearby: (kind: string) => readonly KubernetesObject[];
  /** Until the wait is given up. */
  readonly leftMs: () => number;
}

/** What is thought of a resource. `againInMs`: to be thought of again after that time, even if nothing changes. */
export type Judgement = Readiness & { readonly againInMs?: number | undefined };

/** A kind that is watched because it tells of the resources that are waited for. */
export interface RelatedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** It only explains: where it may not be read the wait goes on without, and a wait that is soon over does not ask. */
  readonly isOptional?: boolean | undefined;
}

export type OnState = (id: ResourceId, state: Readiness, pods: PodCounts | undefined) => void;

export interface ObserveOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Each change of a resource's state, or of its pod counts. */
  readonly onState?: OnState | undefined;
  /** Asked again at every change. The observation ends when all are ready, or one has failed. */
  readonly judge: (id: ResourceId, observed: Observed) => Judgement;
  /** What has to be watched as well. */
  readonly relatedKinds?: ((id: ResourceId) => readonly RelatedKind[]) | undefined;
  /** Where other observations run beside this one: what only explains is watched once for all of them. */
  readonly sharedWatches?: SharedWatches | undefined;
  /** Waits on for the others when one has failed, as Helm does. */
  readonly goesOnAfterFailure?: boolean | undefined;
  /** The objects as they were written: what happened since then is not missed. */
  readonly written?: readonly KubernetesObject[] | undefined;
  readonly metadataOnly?: boolean | undefined;
  /** Of objects whose state costs less to ask for elsewhere than to watch. */
  readonly elsewhere?: StateSource | undefined;
  /** `not ready`, `still exists`: Helm's words in the message. */
  readonly unmet: string;
}

export interface StateSource {
  /** The objects as they were sent. */
  readonly sent: readonly KubernetesObject[];
  /** What these have become; undefined when that cannot be told, and they are to be watched after all. */
  readonly ask: (
    objects: readonly KubernetesObject[],
    signal: AbortSignal,
  ) => Promise<readonly KubernetesObject[] | undefined>;
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
  again: unknown;
}

/** A watch of one kind in one namespace, for the tracked resources of that kind or as related objects. */
interface Source {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector: string | undefined;
  readonly tracked: ReadonlyMap<string, Tracked>;
  /** Where the objects are related ones: keep them all. */
  readonly kept: RelatedObjects | undefined;
  readonly isOptional?: boolean | undefined;
}

class Observation {
  readonly #cluster: Cluster;
  readonly #options: ObserveOptions;
  readonly #ended = new AbortController();
  /** By namespace. */
  readonly #kept = new Map<string, RelatedObjects>();
  /** By title. */
  readonly #written: ReadonlyMap<string, KubernetesObject>;
  #tracked: readonly Tracked[] = [];
  #finish: (error?: unknown) => void = () => {};
  #endMs = Number.POSITIVE_INFINITY;

  constructor(cluster: Cluster, options: ObserveOptions) {
    this.#cluster = cluster;
    this.#options = options;
    this.#written = byTitle(options.written);
  }

  async run(ids: readonly ResourceId[]): Promise<void> {
    const { signal, timeoutMs } = this.#options;
    this.#tracked = ids.map((id) => ({
      id,
      object: undefined,
      last: this.#written.get(titleOf(id)),
      state: undefined,
      pods: undefined,
      again: undefined,
    }));
    const finished = new Promise<void>((resolve, reject) => {
      this.#finish = (error) => (error === undefined ? resolve() : reject(error as Error));
    });
    const onAbort = (): void => this.#finish(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const timers = this.#cluster.timers ?? systemTimers;
    const sources = this.#sources();
    if (timeoutMs !== undefined) this.#endMs = timers.now() + timeoutMs;
    const timer =
      timeoutMs === undefined
        ? undefined
        : timers.setTimeout(() => void this.#timeIsOver(sources, timeoutMs), timeoutMs);
    try {
      for (const source of sources) {
        this.#start(source).catch((error: unknown) => this.#finish(error));
      }
      await finished;
    } finally {
      if (timer !== undefined) timers.clearTimeout(timer);
      for (const tracked of this.#tracked) this.#judgeAgain(tracked, undefined);
      signal?.removeEventListener('abort', onAbort);
      this.#ended.abort();
    }
  }

  /** What is between may keep back what a watch would tell: the objects themselves are asked before it is given up. */
  async #timeIsOver(sources: readonly Source[], timeoutMs: number): Promise<void> {
    const timers = this.#cluster.timers ?? systemTimers;
    const patience = new AbortController();
    const giveUp = (): void => {
      patience.abort();
      this.#finish(this.#timeout(timeoutMs));
    };
    const limit = timers.setTimeout(giveUp, Math.min(timeoutMs, lastLookMs));
    const signal = AbortSignal.any([patience.signal, this.#ended.signal]);
    const isAsked = ({ tracked, kept, isOptional }: Source): boolean =>
      kept === undefined ? [...tracked.values()].some(({ state }) => state?.state !== 'ready') : !isOptional;
    // Related objects first: they are part of what the others are judged by.
    for (const related of [true, false]) {
      const asked = sources.filter((source) => isAsked(source) && (source.kept !== undefined) === related);
      // What is not seen in this last look stays as it was seen before.
      await Promise.all(asked.map((source) => this.#lookAt(source, signal).catch(() => {})));
    }
    timers.clearTimeout(limit);
    giveUp();
  }

  /** Reads a source once, in place of the watch. What fails here changes nothing. */
  async #lookAt(source: Source, signal: AbortSignal): Promise<void> {
    const { apiVersion, kind, namespace, labelSelector, fieldSelector, tracked, kept } = source;
    const { metadataOnly } = this.#options;
    const options = { namespace, labelSelector, fieldSelector, metadataOnly, signal };
    const objects = await this.#cluster.list(apiVersion, kind, options);
    if (signal.aborted) return;
    for (const object of objects) this.#changed(source, object, false);
    const there = new Set(objects.map(({ metadata }) => metadata.name));
    for (const [name, one] of tracked) if (kept === undefined && !there.has(name)) this.#update(one, undefined);
    this.#conclude();
  }

  #sources(): Source[] {
    const groups = groupBy(this.#tracked, ({ id }) => groupKey(id));
    const sources = [...groups.values()].flatMap((group) => {
      const isWritten = group.every(({ id }) => this.#written.has(titleOf(id)));
      return watchedTogether(group, isWritten ? maxWrittenWatches : maxNamedWatches);
    });
    return [...sources, ...this.#relatedSources()];
  }

  #relatedSources(): Source[] {
    const sources = new Map<string, Source>();
    for (const { id } of this.#tracked) {
      for (const related of this.#options.relatedKinds?.(id) ?? []) {
        const { labelSelector = '', fieldSelector = '' } = related;
        const key = `${groupKindOf(related)} ${id.namespace} ${labelSelector} ${fieldSelector}`;
        const kept = this.#kept.get(id.namespace) ?? new RelatedObjects();
        this.#kept.set(id.namespace, kept);
        const own = { namespace: id.namespace, fieldSelector: related.fieldSelector, tracked: new Map(), kept };
        sources.set(key, { ...related, ...own });
      }
    }
    return [...sources.values()];
  }

  async #start(source: Source): Promise<void> {
    const { signal } = this.#ended;
    // A sleep fails only when the wait has ended, which is looked at next.
    if (source.isOptional) await sleepBy(this.#cluster.timers)(optionalDelayMs, signal).catch(() => {});
    const isSettled = !signal.aborted && (await this.#isSettledElsewhere(source));
    if (!signal.aborted && !isSettled) await this.#watch(source);
  }

  /** Whether what is told elsewhere of all objects of a source ends the wait for them. */
  async #isSettledElsewhere({ tracked, kept }: Source): Promise<boolean> {
    const { elsewhere } = this.#options;
    const { signal } = this.#ended;
    const all = [...tracked.values()];
    const known = byTitle(elsewhere?.sent);
    const sent = all.flatMap(({ id }) => known.get(titleOf(id)) ?? []);
    if (elsewhere === undefined || kept !== undefined || sent.length < all.length) return false;
    const now = await elsewhere.ask(sent, signal);
    if (now === undefined || signal.aborted) return false;
    for (const [index, one] of all.entries()) this.#update(one, now[index]);
    this.#conclude();
    return all.every(({ state }) => state?.state === 'ready');
  }

  async #watch(source: Source): Promise<void> {
    try {
      for await (const event of this.#eventsOf(source)) {
        if (this.#ended.signal.aborted) return;
        if (event.kind === 'synced') this.#judgeUnseen(source);
        else this.#changed(source, event.object, event.kind === 'gone');
      }
    } catch (error) {
      if (this.#ended.signal.aborted || source.isOptional) return;
      if (source.kept !== undefined || !isApiError(error, 'Forbidden')) throw error;
      await this.#poll(source);
    }
  }

  #eventsOf(source: Source): AsyncIterable<WatchEvent> {
    const { apiVersion, kind, namespace, labelSelector, fieldSelector, isOptional } = source;
    const { metadataOnly, sharedWatches } = this.#options;
    const options = { namespace, labelSelector, fieldSelector, metadataOnly, signal: this.#ended.signal };
    if (isOptional && sharedWatches !== undefined) return sharedWatches.watch(this.#cluster, apiVersion, kind, options);
    return this.#cluster.watch(apiVersion, kind, { ...options, from: this.#writtenOf(source) });
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
      // It fails only when the wait has ended: the loop sees that.
      if (!signal.aborted) await sleep(pollIntervalMs, signal).catch(() => {});
    }
  }

  #changed(source: Source, object: KubernetesObject, isGone: boolean): void {
    if (source.kept !== undefined) {
      this.#relatedChanged(source.kept, object, isGone);
      return;
    }
    const tracked = source.tracked.get(object.metadata.name);
    if (tracked === undefined) return;
    // What it was when it went says more than what was seen before.
    if (isGone) tracked.last = object;
    this.#update(tracked, isGone ? undefined : object);
    this.#conclude();
  }

  #relatedChanged(kept: RelatedObjects, object: KubernetesObject, isGone: boolean): void {
    const concerned = kept.change(object, isGone);
    for (const tracked of this.#tracked) {
      const uid = tracked.object?.metadata.uid;
      if (uid !== undefined && concerned.has(uid)) this.#update(tracked, tracked.object);
    }
    this.#conclude();
  }

  /** After the list: what was not in it is not there. */
  #judgeUnseen(source: Source): void {
    for (const tracked of source.tracked.values()) if (tracked.state === undefined) this.#update(tracked, undefined);
    this.#conclude();
  }

  #update(tracked: Tracked, object: KubernetesObject | undefined): void {
    const before = tracked.state;
    const kept = this.#kept.get(tracked.id.namespace);
    const { againInMs, ...state } = this.#options.judge(tracked.id, {
      object,
      last: tracked.last,
      related: (owner) => kept?.of(owner) ?? [],
      nearby: (kind) => kept?.ofKind(kind) ?? [],
      leftMs: () => this.#endMs - (this.#cluster.timers ?? systemTimers).now(),
    });
    tracked.state = state;
    tracked.object = object;
    tracked.last = object ?? tracked.last;
    this.#judgeAgain(tracked, againInMs);
    const { pods } = tracked;
    tracked.pods = object && podCounts(object);
    if (!isSameState(before, state) || !areSamePods(pods, tracked.pods))
      this.#options.onState?.(tracked.id, state, tracked.pods);
  }

  #judgeAgain(tracked: Tracked, afterMs: number | undefined): void {
    const timers = this.#cluster.timers ?? systemTimers;
    if (tracked.again !== undefined) timers.clearTimeout(tracked.again);
    tracked.again = undefined;
    if (afterMs === undefined || this.#ended.signal.aborted) return;
    tracked.again = timers.setTimeout(() => {
      this.#update(tracked, tracked.object);
      this.#conclude();
    }, afterMs);
  }

  /** The object to watch on from, where the source is for that one alone. */
  #writtenOf({ tracked, kept }: Source): KubernetesObject | undefined {
    const [only, ...others] = kept === undefined ? [...tracked.values()] : [];
    return only === undefined || others.length > 0 ? undefined : this.#written.get(titleOf(only.id));
  }

  #conclude(): void {
    const states = this.#tracked.map(({ state }) => state?.state);
    if (states.every((state) => state === 'ready')) this.#finish();
    else if (states.includes('failed') && (!this.#options.goesOnAfterFailure || states.every(isSettled))) {
      this.#finish(this.#failure());
    }
  }

  #failure(): TshelmError {
    const unready = this.#unready();
    const failed = unready.filter(({ state }) => state === 'failed');
    return new TshelmError('wait-failed', {
      message: failed.map(({ line }) => line).join('\n'),
      details: { unready },
    });
  }

  #timeout(timeoutMs: number): TshelmError {
    const unready = this.#unready();
    return new TshelmError('wait-timeout', {
      message: [...unready.map(({ line }) => line), timedOut(timeoutMs)].join('\n'),
      details: { timeoutMs, unready },
    });
  }

  /** Those that have failed first. */
  #unready(): readonly Unready[] {
    const unready = this.#tracked
      .filter(({ state }) => state?.state !== 'ready')
      .map((tracked) => this.#describe(tracked));
    return [...unready].sort((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'));
  }

  #describe(tracked: Tracked): Unready {
    const { id, state } = tracked;
    const reason = state === undefined ? 'no status has been received for it' : reasonOf(state);
    const { unmet } = this.#options;
    const described = { id, state: state?.state === 'failed' ? 'failed' : 'waiting', status: statusOf(tracked), unmet };
    const facts = state === undefined || state.state === 'ready' ? undefined : state.facts;
    return { ...described, reason, facts, line: unreadyLine({ ...described, reason }) } as Unready;
  }
}

/** A resource that a wait ended without; `details.unready` of `wait-failed` and `wait-timeout`. */
export interface Unready {
  readonly id: ResourceId;
  readonly state: 'waiting' | 'failed';
  /** kstatus' word: `InProgress`, `Failed`, `NotFound`, … */
  readonly status: string;
  /** `not ready`, `still exists` */
  readonly unmet: string;
  readonly reason: string;
  /** The same as data, where fail-fast has judged it. */
  readonly facts?: readonly WorkloadFact[] | undefined;
  /** {@link unreadyLine} of it. */
  readonly line: string;
}

/** As Helm words it (statuswait.go). */
export const unreadyLine = (unready: Omit<Unready, 'line' | 'state'>): string =>
  `${unreadyHead(unready)}, message: ${unready.reason}`;

/** The same without its reason. */
export const unreadyHead = ({ id, unmet, status }: Pick<Unready, 'id' | 'unmet' | 'status'>): string =>
  `resource ${titleOf(id)} ${unmet}. status: ${status}`;

const isSettled = (state: Readiness['state'] | undefined): boolean => state === 'ready' || state === 'failed';

const pollIntervalMs = 2_000;
const lastLookMs = 5_000;
// Most waits are over by then: they cost no more than the watch of the resource itself.
const optionalDelayMs = 300;

// A few objects are watched by name, so that a crowded namespace is not read as a whole.
const maxNamedWatches = 3;
// Those that go on from what was written need no list first; together they would.
const maxWrittenWatches = 8;

function watchedTogether(group: readonly Tracked[], maxNamed: number): Source[] {
  const sourceOf = (members: readonly Tracked[], fieldSelector: string | undefined): Source => {
    const { apiVersion, kind, namespace } = (members[0] as Tracked).id;
    const tracked = new Map(members.map((member) => [member.id.name, member]));
    return { apiVersion, kind, namespace, fieldSelector, tracked, kept: undefined };
  };
  if (group.length > maxNamed) return [sourceOf(group, undefined)];
  return group.map((member) => sourceOf([member], `metadata.name=${member.id.name}`));
}

const byTitle = (objects: readonly KubernetesObject[] = []): ReadonlyMap<string, KubernetesObject> =>
  new Map(
    objects.map((object) => {
      const { name, namespace = '' } = object.metadata;
      return [titleOf({ kind: object.kind, namespace, name }), object];
    }),
  );

/** `Deployment/default/web` */
const titleOf = ({ kind, namespace, name }: Omit<ResourceId, 'apiVersion'>): string => `${kind}/${namespace}/${name}`;

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
