import { ApiError } from '../../src/cluster/api-error.ts';
import type {
  ApplyOptions,
  CallOptions,
  ChangeOptions,
  Cluster,
  DeleteOptions,
  ListOptions,
  LogLine,
  LogLinesOptions,
  LogOptions,
  ObjectTable,
  PatchType,
  PodPlace,
  ResourceMapping,
  ServerVersion,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../../src/cluster/types.ts';
import { splitApiVersion, wellKnownMapping, wellKnownMappings } from '../../src/cluster/well-known-kinds.ts';
import type { KubernetesObject, ResourceId } from '../../src/manifest/types.ts';
import { applyJsonPatch, contains, matchesFields, matchesLabels, mergePatch, withoutLeaves } from './fake-objects.ts';
import { failedStatus, readyStatus } from './fake-status.ts';

export type FakeVerb = 'get' | 'list' | 'create' | 'replace' | 'apply' | 'patch' | 'delete' | 'watch' | 'logs';

export interface FakeCall {
  readonly verb: FakeVerb;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export interface FakeClusterOptions {
  readonly namespace?: string;
  /** Makes every workload ready as soon as it is written; by default a test says so with {@link FakeCluster.makeReady}. */
  readonly readyAtOnce?: boolean;
  /** Refuses objects in namespaces that do not exist, as a real API server does. */
  readonly strictNamespaces?: boolean;
}

/**
 * A cluster in memory, for tests that decide themselves when things become ready. It keeps objects, generations,
 * resource versions, owner references, finalizers and watches; it has no controllers, admission or validation.
 */
export class FakeCluster implements Cluster {
  readonly namespace: string;
  /** Names of the objects written (created, replaced, applied, patched), in order. */
  readonly seen: string[] = [];
  /** Every call, in order. */
  readonly calls: FakeCall[] = [];
  /** Kinds served beside the well-known ones; a CustomResourceDefinition that is made ready adds its kinds. */
  readonly extraKinds: ResourceMapping[] = [];
  serverVersion: ServerVersion = { major: '1', minor: '36', gitVersion: 'v1.36.0' };
  isClosed = false;

  readonly #options: FakeClusterOptions;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #applied = new Map<string, Map<string, KubernetesObject>>();
  readonly #logs = new Map<string, string>();
  readonly #failures: { matches: (call: FakeCall) => boolean; error: Error; timesLeft: number }[] = [];
  readonly #listeners = new Set<(object: KubernetesObject, isGone: boolean) => void>();
  readonly #history: { object: KubernetesObject; isGone: boolean; version: number }[] = [];
  #lastVersion = 0;
  #lastUid = 0;

  constructor(options: FakeClusterOptions = {}) {
    this.#options = options;
    this.namespace = options.namespace ?? 'default';
    for (const name of new Set(['default', 'kube-system', this.namespace])) {
      this.#store({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
  }

  // --- what a test says ---

  /** Gives the object of this name (the last one written, unless `kind` says which) the status of a ready one. */
  makeReady(name: string, kind?: string): void {
    const object = this.#named(name, kind);
    this.setStatus(name, readyStatus(object), object.kind);
    if (object.kind === 'CustomResourceDefinition') this.extraKinds.push(...kindsOf(object));
  }

  /** Gives it the status of one that has failed for good: a failed Job or Pod, a Deployment past its deadline. */
  makeFailed(name: string, reason = 'made to fail', kind?: string): void {
    const object = this.#named(name, kind);
    this.setStatus(name, failedStatus(object, reason), object.kind);
  }

  setStatus(name: string, status: Record<string, unknown>, kind?: string): void {
    const object = this.#named(name, kind);
    this.#store({ ...object, status: { ...(object['status'] as object | undefined), ...status } });
  }

  /** Puts an object there without it counting as seen. */
  add(object: KubernetesObject): KubernetesObject {
    return this.#store(this.#placed(object));
  }

  /** Takes an object away, finalizers or not. */
  remove(name: string, kind?: string): void {
    this.#erase(this.#named(name, kind));
  }

  /** The object of this name, if it is there. */
  find(name: string, kind?: string): KubernetesObject | undefined {
    return [...this.#objects.values()]
      .filter((object) => object.metadata.name === name && (kind === undefined || object.kind === kind))
      .at(-1);
  }

  /** Every object that is there, as `Kind/name`, sorted; namespaces left out. */
  names(): string[] {
    return [...this.#objects.values()]
      .filter((object) => object.kind !== 'Namespace')
      .map((object) => `${object.kind}/${object.metadata.name}`)
      .sort();
  }

  /** Resolves when an object of this name has been written, now or earlier. */
  async sees(name: string): Promise<void> {
    await this.#until(() => this.seen.includes(name));
  }

  /** Resolves when no object of this name is there. */
  async loses(name: string): Promise<void> {
    await this.#until(() => this.find(name) === undefined);
  }

  setLogs(pod: string, text: string, container = ''): void {
    this.#logs.set(`${pod}/${container}`, text);
    const written = this.find(pod, 'Pod');
    if (written !== undefined) for (const listener of this.#listeners) listener(written, false);
  }

  /** Makes matching calls fail: `failOn('apply', 'my-app', forbidden('my-app'))`; `times` of them, all by default. */
  failOn(verb: FakeVerb, name: string, error: Error, times = Number.POSITIVE_INFINITY): void {
    this.#failures.push({ matches: (call) => call.verb === verb && call.name === name, error, timesLeft: times });
  }

  // --- the port ---

  async version(): Promise<ServerVersion> {
    return this.serverVersion;
  }

  async resources(): Promise<readonly ResourceMapping[]> {
    return [...wellKnownMappings(), ...this.extraKinds];
  }

  async mapping(apiVersion: string, kind: string): Promise<ResourceMapping | undefined> {
    return this.#mappingOf(apiVersion, kind);
  }

  async get(id: ResourceId, options?: CallOptions): Promise<KubernetesObject | undefined> {
    this.#begin('get', id.kind, this.#namespaceOf(id), id.name, options);
    return copyOf(this.#objects.get(this.#keyOf(id)));
  }

  async table(id: ResourceId, options?: CallOptions): Promise<ObjectTable | undefined> {
    this.#begin('get', id.kind, this.#namespaceOf(id), id.name, options);
    return this.#objects.has(this.#keyOf(id)) ? { columns: ['NAME'], rows: [[id.name]] } : undefined;
  }

  async list(apiVersion: string, kind: string, options: ListOptions = {}): Promise<readonly KubernetesObject[]> {
    this.#served(apiVersion, kind, 'GET');
    this.#begin('list', kind, options.namespace ?? '', '', options);
    return this.#matching(apiVersion, kind, options).map((object) => structuredClone(object));
  }

  async *pages(apiVersion: string, kind: string, options?: ListOptions): AsyncGenerator<readonly KubernetesObject[]> {
    for (const object of await this.list(apiVersion, kind, options)) yield [object];
  }

  async create(object: KubernetesObject, options?: WriteOptions): Promise<KubernetesObject> {
    await mayWrite(options);
    const placed = this.#beginWrite('create', object, options);
    if (this.#objects.has(this.#keyOf(idOf(placed)))) throw refusal(409, 'AlreadyExists', placed, 'already exists');
    return this.#written(placed, options);
  }

  async replace(object: KubernetesObject, options?: WriteOptions): Promise<KubernetesObject> {
    await mayWrite(options);
    const placed = this.#beginWrite('replace', object, options);
    const current = this.#current(idOf(placed));
    const asked = placed.metadata.resourceVersion;
    if (asked !== undefined && asked !== current.metadata.resourceVersion) {
      throw refusal(409, 'Conflict', placed, staleText);
    }
    return this.#written({ ...placed, status: placed['status'] ?? current['status'] }, options);
  }

  async apply(object: KubernetesObject, options?: ApplyOptions): Promise<KubernetesObject> {
    await mayWrite(options);
    const placed = this.#beginWrite('apply', object, options);
    const key = this.#keyOf(idOf(placed));
    const manager = options?.fieldManager ?? 'helm';
    const managers = this.#applied.get(key) ?? new Map<string, KubernetesObject>();
    const current = this.#objects.get(key);
    const before = managers.get(manager);
    const kept = current && before ? (withoutLeaves(current, before, placed) as KubernetesObject) : current;
    const merged = kept === undefined ? placed : (mergePatch(kept, placed) as KubernetesObject);
    if (options?.dryRun !== true) this.#applied.set(key, new Map(managers).set(manager, structuredClone(placed)));
    if (current === undefined) options?.onCreated?.();
    const written = this.#written(merged, options);
    if (written.metadata.resourceVersion === current?.metadata.resourceVersion) options?.onUnchanged?.();
    return written;
  }

  async patch(
    id: ResourceId,
    type: PatchType,
    patch: unknown,
    options?: WriteOptions & { subresource?: string; force?: boolean },
  ): Promise<KubernetesObject> {
    await mayWrite(options);
    this.#begin('patch', id.kind, this.#namespaceOf(id), id.name, options);
    if (type === 'apply') return this.apply(patch as KubernetesObject, options);
    const current = this.#current(id);
    const changed = type === 'json' ? applyJsonPatch(current, patch) : mergePatch(current, patch);
    const asked = (changed as KubernetesObject).metadata.resourceVersion;
    if (asked !== current.metadata.resourceVersion) throw refusal(409, 'Conflict', current, staleText);
    return this.#written(changed as KubernetesObject, options);
  }

  async delete(id: ResourceId, options: DeleteOptions = {}): Promise<boolean> {
    await mayWrite(options);
    this.#begin('delete', id.kind, this.#namespaceOf(id), id.name, options);
    const object = this.#objects.get(this.#keyOf(id));
    if (object === undefined) return false;
    if (options.uid !== undefined && options.uid !== object.metadata.uid) {
      throw refusal(409, 'Conflict', object, `Precondition failed: UID in precondition: ${options.uid}`);
    }
    if (options.resourceVersion !== undefined && options.resourceVersion !== object.metadata.resourceVersion) {
      const asked = `Precondition failed: ResourceVersion in precondition: ${options.resourceVersion}`;
      throw refusal(409, 'Conflict', object, asked);
    }
    if (options.dryRun === true) return true;
    if ((object.metadata.finalizers ?? []).length === 0) {
      this.#erase(object, options.propagation);
      options.onGone?.();
    } else this.#store({ ...object, metadata: { ...object.metadata, deletionTimestamp: fakeTime } });
    return true;
  }

  async *watch(apiVersion: string, kind: string, options: WatchOptions): AsyncGenerator<WatchEvent> {
    this.#served(apiVersion, kind, 'GET');
    this.#begin('watch', kind, options.namespace ?? '', '', undefined);
    const { from } = options;
    const start = from === undefined ? this.#matching(apiVersion, kind, options) : [from];
    const pending: WatchEvent[] = start.map((object) => ({ kind: 'present', object }));
    pending.push({ kind: 'synced' });
    const since = Number(from?.metadata.resourceVersion ?? this.#lastVersion);
    for (const { object, isGone, version } of this.#history) {
      if (version <= since || !isOfKind(object, apiVersion, kind) || !isSelected(object, options)) continue;
      pending.push({ kind: isGone ? 'gone' : 'present', object });
    }
    let wake = (): void => {};
    const listen = (object: KubernetesObject, isGone: boolean): void => {
      if (!isOfKind(object, apiVersion, kind) || !isSelected(object, options)) return;
      pending.push({ kind: isGone ? 'gone' : 'present', object: structuredClone(object) });
      wake();
    };
    const onAbort = (): void => wake();
    this.#listeners.add(listen);
    options.signal.addEventListener('abort', onAbort);
    try {
      while (!options.signal.aborted) {
        const event = pending.shift();
        if (event !== undefined) yield event;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#listeners.delete(listen);
      options.signal.removeEventListener('abort', onAbort);
    }
  }

  async logs(pod: PodPlace, options: LogOptions = {}): Promise<string> {
    this.#begin('logs', 'Pod', pod.namespace, pod.name, options);
    const text = this.#logOf(pod.name, options.container);
    if (options.tailLines === undefined) return text;
    return text
      .split('\n')
      .slice(-options.tailLines - (text.endsWith('\n') ? 1 : 0))
      .join('\n');
  }

  /** Each line a second after the one before. Goes on with `setLogs` until the pod has ended, or is gone. */
  async *logLines(pod: PodPlace, options: LogLinesOptions = {}): AsyncGenerator<LogLine> {
    const { signal, follow, sinceTime = '', tailLines = Number.POSITIVE_INFINITY } = options;
    const timeOf = (index: number): string => new Date(Date.parse(fakeTime) + index * 1000).toISOString();
    this.#begin('logs', 'Pod', pod.namespace, pod.name, options);
    const linesNow = (): string[] => this.#logOf(pod.name, options.container).split('\n').slice(0, -1);
    const hasEnded = (): boolean => {
      const status = this.find(pod.name, 'Pod')?.['status'] as { phase?: string } | undefined;
      return status?.phase !== 'Running';
    };
    let told = Math.max(0, linesNow().length - tailLines);
    for (;;) {
      for (const text of linesNow().slice(told)) {
        const time = timeOf(told++);
        if (time >= sinceTime) yield { time, text };
      }
      if (!follow || hasEnded()) return;
      const aborted = new Promise<never>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
      await Promise.race([this.#until(() => hasEnded() || linesNow().length > told), aborted]);
    }
  }

  #logOf(pod: string, container = ''): string {
    return this.#logs.get(`${pod}/${container}`) ?? this.#logs.get(`${pod}/`) ?? '';
  }

  close(): void {
    this.isClosed = true;
  }

  // --- inside ---

  #begin(verb: FakeVerb, kind: string, namespace: string, name: string, options: CallOptions | undefined): void {
    options?.signal?.throwIfAborted();
    const call = { verb, kind, namespace, name };
    this.calls.push(call);
    const failure = this.#failures.find((candidate) => candidate.timesLeft > 0 && candidate.matches(call));
    if (failure === undefined) return;
    failure.timesLeft -= 1;
    throw failure.error;
  }

  #beginWrite(verb: FakeVerb, object: KubernetesObject, options: WriteOptions | undefined): KubernetesObject {
    const placed = this.#placed(object);
    this.#begin(verb, placed.kind, placed.metadata.namespace ?? '', placed.metadata.name, options);
    const namespace = placed.metadata.namespace;
    if (this.#options.strictNamespaces && namespace !== undefined && !this.#objects.has(`Namespace//${namespace}`)) {
      throw refusal(404, 'NotFound', { ...placed, kind: 'Namespace', apiVersion: 'v1', metadata: { name: namespace } });
    }
    return placed;
  }

  /** The object with its namespace filled in, or taken away from a cluster-scoped one. */
  #placed(object: KubernetesObject): KubernetesObject {
    const mapping = this.#served(object.apiVersion, object.kind, 'PATCH');
    const { namespace, ...metadata } = structuredClone(object.metadata);
    if (!mapping.namespaced) return { ...structuredClone(object), metadata };
    return { ...structuredClone(object), metadata: { ...metadata, namespace: namespace || this.namespace } };
  }

  #written(object: KubernetesObject, options: WriteOptions | undefined): KubernetesObject {
    if (options?.dryRun === true) return structuredClone(this.#revised(object));
    this.seen.push(object.metadata.name);
    const stored = this.#store(object);
    if (isEstablished(stored)) this.extraKinds.push(...kindsOf(stored));
    if (this.#options.readyAtOnce) this.makeReady(stored.metadata.name, stored.kind);
    return structuredClone(stored);
  }

  #store(object: KubernetesObject): KubernetesObject {
    const stored = this.#revised(object);
    const isFreed = stored.metadata.deletionTimestamp !== undefined && (stored.metadata.finalizers ?? []).length === 0;
    if (isFreed) this.#erase(stored);
    else {
      this.#objects.set(this.#keyOf(idOf(stored)), stored);
      this.#notify(stored, false);
    }
    return stored;
  }

  /** As the API server would store it; the same object when nothing changes. */
  #revised(object: KubernetesObject): KubernetesObject {
    const current = this.#objects.get(this.#keyOf(idOf(object)));
    if (current !== undefined && contains(current, object) && contains(object, current)) return current;
    this.#lastVersion += 1;
    const isSpecChanged =
      current === undefined || !contains(specOf(current), specOf(object)) || !contains(specOf(object), specOf(current));
    return {
      ...object,
      metadata: {
        ...object.metadata,
        uid: current?.metadata.uid ?? `uid-${++this.#lastUid}`,
        creationTimestamp: current?.metadata.creationTimestamp ?? fakeTime,
        generation: (current?.metadata.generation ?? 0) + (isSpecChanged ? 1 : 0),
        resourceVersion: String(this.#lastVersion),
      },
    };
  }

  #erase(object: KubernetesObject, propagation: DeleteOptions['propagation'] = 'Background'): void {
    this.#objects.delete(this.#keyOf(idOf(object)));
    this.#applied.delete(this.#keyOf(idOf(object)));
    this.#lastVersion += 1;
    this.#notify(object, true);
    if (propagation === 'Orphan') return;
    const isInside = (child: KubernetesObject): boolean =>
      object.kind === 'Namespace' && child.metadata.namespace === object.metadata.name;
    for (const child of this.#objects.values()) {
      const isOwned = child.metadata.ownerReferences?.some((owner) => owner.uid === object.metadata.uid) ?? false;
      if (isOwned || isInside(child)) this.#erase(child);
    }
  }

  #notify(object: KubernetesObject, isGone: boolean): void {
    this.#history.push({ object: structuredClone(object), isGone, version: this.#lastVersion });
    for (const listener of this.#listeners) listener(object, isGone);
  }

  async #until(isSo: () => boolean): Promise<void> {
    if (isSo()) return;
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (!isSo()) return;
        this.#listeners.delete(check);
        resolve();
      };
      this.#listeners.add(check);
    });
  }

  #matching(apiVersion: string, kind: string, options: ListOptions): KubernetesObject[] {
    return [...this.#objects.values()].filter(
      (object) => isOfKind(object, apiVersion, kind) && isSelected(object, options),
    );
  }

  #current(id: ResourceId): KubernetesObject {
    const current = this.#objects.get(this.#keyOf(id));
    if (current === undefined) throw refusal(404, 'NotFound', { ...id, metadata: { name: id.name } });
    return structuredClone(current);
  }

  #named(name: string, kind: string | undefined): KubernetesObject {
    const object = this.find(name, kind);
    if (object === undefined)
      throw new Error(`FakeCluster has no ${kind ?? 'object'} "${name}", only ${this.names().join(', ')}`);
    return object;
  }

  #mappingOf(apiVersion: string, kind: string): ResourceMapping | undefined {
    const { group, version } = splitApiVersion(apiVersion);
    return (
      wellKnownMapping(apiVersion, kind) ??
      this.extraKinds.find((extra) => extra.group === group && extra.version === version && extra.kind === kind)
    );
  }

  #served(apiVersion: string, kind: string, method: string): ResourceMapping {
    const mapping = this.#mappingOf(apiVersion, kind);
    if (mapping !== undefined) return mapping;
    throw new ApiError({
      status: 404,
      reason: 'NotServed',
      message: `no matches for kind "${kind}" in version "${apiVersion}"; ensure CRDs are installed first`,
      causes: [],
      method,
      path: '/apis',
    });
  }

  #namespaceOf(id: ResourceId): string {
    return this.#mappingOf(id.apiVersion, id.kind)?.namespaced === false ? '' : id.namespace || this.namespace;
  }

  #keyOf(id: ResourceId): string {
    const { group } = splitApiVersion(id.apiVersion);
    return `${id.kind}${group && `.${group}`}/${this.#namespaceOf(id)}/${id.name}`;
  }
}

/** An ApiError as the API server would word it, for {@link FakeCluster.failOn}. */
export function refusal(status: number, reason: string, object: KubernetesObject, what = 'not found'): ApiError {
  const plural = wellKnownMapping(object.apiVersion, object.kind)?.plural ?? `${object.kind.toLowerCase()}s`;
  const { group } = splitApiVersion(object.apiVersion);
  return new ApiError({
    status,
    reason,
    message: `${plural}${group && `.${group}`} "${object.metadata.name}" ${what}`,
    about: plural,
    causes: [],
    method: 'PATCH',
    path: `/fake/${plural}/${object.metadata.name}`,
  });
}

const fakeTime = '2026-01-01T00:00:00Z';
const staleText =
  'cannot be changed: the object has been modified; please apply your changes to the latest version and try again';

const copyOf = (object: KubernetesObject | undefined): KubernetesObject | undefined =>
  object === undefined ? undefined : structuredClone(object);

const idOf = (object: KubernetesObject): ResourceId => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  namespace: object.metadata.namespace ?? '',
  name: object.metadata.name,
});

const isOfKind = (object: KubernetesObject, apiVersion: string, kind: string): boolean =>
  object.kind === kind && splitApiVersion(object.apiVersion).group === splitApiVersion(apiVersion).group;

const isSelected = (object: KubernetesObject, options: ListOptions): boolean =>
  (!options.namespace || object.metadata.namespace === undefined || object.metadata.namespace === options.namespace) &&
  matchesLabels(object, options.labelSelector) &&
  matchesFields(object, options.fieldSelector);

const specOf = ({ metadata: _metadata, status: _status, ...rest }: KubernetesObject): object => rest;

const isEstablished = ({ kind, status }: KubernetesObject): boolean =>
  kind === 'CustomResourceDefinition' && JSON.stringify(status ?? {}).includes('"Established"');

function kindsOf(crd: KubernetesObject): ResourceMapping[] {
  const spec = crd['spec'] as {
    group: string;
    scope: string;
    names: { kind: string; plural: string };
    versions?: { name: string; served?: boolean }[];
  };
  return (spec.versions ?? [])
    .filter((version) => version.served !== false)
    .map((version) => ({
      group: spec.group,
      version: version.name,
      kind: spec.names.kind,
      plural: spec.names.plural,
      namespaced: spec.scope !== 'Cluster',
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    }));
}

async function mayWrite(options: ChangeOptions | undefined): Promise<void> {
  if (options?.fence !== undefined) await options.fence.enter(options.signal);
}
