import { idOf } from '../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { messageOf } from '../support/errors.ts';
import { parseJson } from '../support/exact-json.ts';
import { SharedPromise } from '../support/shared-promise.ts';
import { isDigits } from '../support/text.ts';
import type { Timers } from '../support/timers.ts';
import { ApiError, clusterUnreachable, isApiError } from './api-error.ts';
import { Discovery } from './discovery.ts';
import {
  apiErrorOf,
  checked,
  jsonIn,
  type ListPage,
  listPageOf,
  objectOf,
  serverVersionOf,
  statusIn,
  typedObjectOf,
} from './http/answer.ts';
import type { ApiRequest, ApiResponse, OpenBody } from './http/exchange.ts';
import { logLineOf, textLines } from './http/text-lines.ts';
import type { Transport } from './http/transport.ts';
import { listPages, nextIn, type PageRequest } from './list-pages.ts';
import { isOwnObject } from './own-object.ts';
import { type Redact, redacted } from './redact.ts';
import { readTable, tableShape } from './table.ts';
import type {
  ApplyOptions,
  CallOptions,
  Cluster,
  DeleteOptions,
  ListedObjects,
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
} from './types.ts';
import { watchKind } from './watch.ts';

export interface ApiServerOptions {
  readonly namespace: string;
  readonly place?: Cluster['place'];
  readonly onDebug?: ((text: string) => void) | undefined;
  readonly redact?: Redact | undefined;
  readonly timers?: Timers | undefined;
  readonly mayReport?: Cluster['mayReport'];
}

type PatchOptions = WriteOptions & { readonly subresource?: string | undefined; readonly force?: boolean | undefined };
type OnAnswer = (response: ApiResponse) => void;
const createdStatus = 201;
/** A log that is followed is asked for anew when nothing was written for that long: its connection may be dead. */
const logSilenceMs = 3_600_000;

/** The Cluster port over HTTP. */
export class ApiServer implements Cluster {
  readonly namespace: string;
  readonly place: Cluster['place'];
  readonly timers: Timers | undefined;
  readonly mayReport: Cluster['mayReport'];
  readonly #transport: Transport;
  readonly #discovery: Discovery;
  readonly #onDebug: (text: string) => void;
  readonly #redact: Redact;
  readonly #closed = new AbortController();
  /** Of the objects that were answered so far: what a later write changes has a newer one. */
  #newestVersion = 0;
  readonly #version = new SharedPromise((signal) => this.#askVersion(signal));

  constructor(
    transport: Transport,
    { namespace, place, onDebug = () => {}, redact = (text) => text, timers, mayReport }: ApiServerOptions,
  ) {
    this.#transport = transport;
    this.timers = timers;
    this.mayReport = mayReport;
    this.namespace = namespace;
    this.place = place;
    this.#onDebug = onDebug;
    this.#redact = redact;
    this.#discovery = new Discovery(transport, onDebug);
  }

  async version({ signal }: CallOptions = {}): Promise<ServerVersion> {
    return this.#version.answer(signal);
  }

  async #askVersion(signal: AbortSignal): Promise<ServerVersion> {
    try {
      const request = { method: 'GET', path: '/version', repeat: 'always', signal } as const;
      return serverVersionOf({ ...request, value: await this.#call(request) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw clusterUnreachable(messageOf(error), error, { asked: error.failure.asked });
    }
  }

  /** Asks at once what will be asked first: who wants to know it later shares the answer. What goes wrong shows then. */
  askAhead(): void {
    const { signal } = this.#closed;
    // Whoever asks for them is told of the failure.
    void Promise.all([this.version({ signal }), this.resources({ signal })]).catch(() => {});
  }

  async resources(options?: CallOptions & { fresh?: boolean }): Promise<readonly ResourceMapping[]> {
    return this.#discovery.all(options);
  }

  async mapping(apiVersion: string, kind: string, { signal }: CallOptions = {}): Promise<ResourceMapping | undefined> {
    return this.#discovery.mapping(apiVersion, kind, signal);
  }

  async get(id: ResourceId, { signal }: CallOptions = {}): Promise<KubernetesObject | undefined> {
    const path = await this.#pathOf(id, signal);
    try {
      return await this.#object({ method: 'GET', path, repeat: 'always', signal });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async list(apiVersion: string, kind: string, options: ListOptions = {}): Promise<readonly KubernetesObject[]> {
    const path = await this.#collectionPath(apiVersion, kind, options.namespace ?? '', options.signal);
    return (await this.#listAll(path, apiVersion, kind, options)).items;
  }

  async *pages(
    apiVersion: string,
    kind: string,
    options: ListOptions = {},
  ): AsyncGenerator<readonly KubernetesObject[]> {
    const path = await this.#collectionPath(apiVersion, kind, options.namespace ?? '', options.signal);
    const { signal } = options;
    const ask = (page: PageRequest): Promise<OpenBody> => this.#openPage(path, { ...options, ...page });
    // The items of a list leave out what is the same for all of them.
    const objectIn = (item: Buffer): KubernetesObject => ({
      ...objectOf({ method: 'GET', path, value: parseJson(item.toString('utf8')) }),
      apiVersion,
      kind,
    });
    const read = (text: string): ListPage =>
      listPageOf({ method: 'GET', path, value: jsonIn('GET', path, { status: 200, text }) });
    for await (const items of listPages({ ask, read, signal })) yield items.map(objectIn);
  }

  async #openPage(path: string, { limit, next, ...options }: ListOptions & PageRequest): Promise<OpenBody> {
    const request = {
      method: 'GET',
      path,
      query: { ...selectorQuery(options), limit, continue: next },
      accept: options.metadataOnly ? metadataAccept('PartialObjectMetadataList') : undefined,
      repeat: 'always',
      signal: options.signal,
    } as const;
    const response = await this.#transport.stream(request);
    if (response.open === undefined) throw this.#refusal(request, response);
    return response.open;
  }

  async table(id: ResourceId, { signal }: CallOptions = {}): Promise<ObjectTable | undefined> {
    const path = await this.#pathOf(id, signal);
    try {
      const request = { method: 'GET', path, accept: metadataAccept('Table'), repeat: 'always', signal } as const;
      return readTable(checked({ ...request, value: await this.#call(request) }, tableShape));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async create(object: KubernetesObject, options: WriteOptions = {}): Promise<KubernetesObject> {
    const { signal, fence } = options;
    const { apiVersion, kind, metadata } = object;
    const path = await this.#collectionPath(apiVersion, kind, metadata.namespace || this.namespace, signal);
    const request = {
      method: 'POST',
      path,
      query: writeQuery(options),
      accept: writeAccept(options),
      body: object,
      // A second object of the same name cannot come into being.
      repeat: metadata.name ? 'always' : 'unprocessed',
      signal,
      fence,
    } as const;
    const response = await this.#transport.send(request);
    if (response.status < 400) {
      return this.#seen(typedObjectOf({ method: 'POST', path, value: jsonIn(request.method, request.path, response) }));
    }
    const refusal = this.#refusal(request, response);
    const own = await this.#createdInDoubt(object, response, refusal, options);
    return own ?? this.#whenUnserved(Promise.reject(refusal), object, signal);
  }

  /** The object that an attempt created whose answer was lost; undefined when there was none, or it is somebody else's. */
  async #createdInDoubt(
    sent: KubernetesObject,
    { inDoubtForMs, headers }: ApiResponse,
    refusal: ApiError,
    { fieldManager = defaultFieldManager, signal }: WriteOptions,
  ): Promise<KubernetesObject | undefined> {
    if (inDoubtForMs === undefined || !isApiError(refusal, 'AlreadyExists')) return undefined;
    const live = await this.get(idOf(sent), { signal });
    if (live === undefined) return undefined;
    const answeredAt = headers.date ?? (await this.#serverTime(sent, signal));
    return isOwnObject(live, { sent, fieldManager, inDoubtForMs, answeredAt }) ? live : undefined;
  }

  /**
   * The server's time where a proxy has taken away the Date header: what would be created now, in a dry run, says when.
   * Undefined where the server does not say.
   */
  async #serverTime(sent: KubernetesObject, signal: AbortSignal | undefined): Promise<string | undefined> {
    const { name, ...metadata } = sent.metadata;
    const probe = { ...sent, metadata: { ...metadata, generateName: `${name}-` } } as unknown as KubernetesObject;
    try {
      return (await this.create(probe, { dryRun: true, signal })).metadata.creationTimestamp;
    } catch (error) {
      if (isApiError(error)) return undefined;
      throw error;
    }
  }

  async replace(object: KubernetesObject, options: WriteOptions = {}): Promise<KubernetesObject> {
    const path = await this.#pathOf(idOf(object), options.signal);
    return this.#object({
      method: 'PUT',
      path,
      query: writeQuery(options),
      accept: writeAccept(options),
      body: object,
      // With a resourceVersion a second PUT meets a conflict where the first was carried out.
      repeat: 'always',
      signal: options.signal,
      fence: options.fence,
    });
  }

  async apply(object: KubernetesObject, options: ApplyOptions = {}): Promise<KubernetesObject> {
    const { onCreated } = options;
    const onAnswer =
      onCreated && (({ status }: ApiResponse): void => (status === createdStatus ? onCreated() : undefined));
    const newest = this.#newestVersion;
    const call = this.#patch(idOf(object), 'apply', object, { ...options, onAnswer });
    const applied = await this.#whenUnserved(call, object, options.signal);
    if (versionOf(applied) <= newest) options.onUnchanged?.();
    return applied;
  }

  patch(id: ResourceId, type: PatchType, patch: unknown, options: PatchOptions = {}): Promise<KubernetesObject> {
    return this.#patch(id, type, patch, options);
  }

  async #patch(
    id: ResourceId,
    type: PatchType,
    patch: unknown,
    options: PatchOptions & { readonly onAnswer?: OnAnswer | undefined },
  ): Promise<KubernetesObject> {
    const path = await this.#pathOf(id, options.signal);
    const isApply = type === 'apply';
    return this.#object(
      {
        method: 'PATCH',
        path: options.subresource === undefined ? path : `${path}/${options.subresource}`,
        query: {
          ...writeQuery(options),
          force: isApply && options.force === true ? 'true' : undefined,
        },
        contentType: patchContentTypes[type],
        accept: writeAccept(options),
        body: patch,
        repeat: type === 'json' && !isGuarded(patch) ? 'unprocessed' : 'always',
        signal: options.signal,
        fence: options.fence,
      },
      options.onAnswer,
    );
  }

  async delete(id: ResourceId, options: DeleteOptions = {}): Promise<boolean> {
    const path = await this.#pathOf(id, options.signal);
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: options.propagation ?? 'Background',
      ...((options.uid ?? options.resourceVersion) !== undefined && {
        preconditions: { uid: options.uid, resourceVersion: options.resourceVersion },
      }),
      ...(options.gracePeriodSeconds !== undefined && { gracePeriodSeconds: options.gracePeriodSeconds }),
      ...(options.dryRun && { dryRun: ['All'] }),
    };
    // The API server reads the body alone. Its audit log keeps the address, which tells a dry run from a deletion.
    const query = { dryRun: options.dryRun ? 'All' : undefined };
    const { signal, fence } = options;
    const response = await this.#transport.send({
      method: 'DELETE',
      path,
      query,
      body,
      repeat: 'always',
      signal,
      fence,
    });
    if (response.status < 400) {
      // Of one that waits for finalizers or its processes, the server answers with what it is now.
      if (statusIn(response.text) !== undefined) options.onGone?.();
      return true;
    }
    const refusal = apiErrorOf('DELETE', path, response);
    // Where an earlier attempt got no answer, it is that one which deleted the object.
    const isInDoubt = response.inDoubtForMs !== undefined;
    if (isMissing(refusal)) return isInDoubt;
    if (isInDoubt && options.uid !== undefined && isApiError(refusal, 'Conflict')) return true;
    throw refusal;
  }

  async *watch(apiVersion: string, kind: string, options: WatchOptions): AsyncGenerator<WatchEvent> {
    const signal = AbortSignal.any([options.signal, this.#closed.signal]);
    const path = await this.#collectionPath(apiVersion, kind, options.namespace ?? '', signal).catch(whenEnded(signal));
    if (path === undefined) return;
    yield* watchKind({
      transport: this.#transport,
      path,
      apiVersion,
      kind,
      accept: options.metadataOnly ? metadataAccept('PartialObjectMetadata') : undefined,
      list: () => this.#listAll(path, apiVersion, kind, { ...options, signal }),
      from: options.from,
      selectors: selectorQuery(options),
      onDebug: this.#onDebug,
      timers: this.timers,
      signal,
    });
  }

  async logs(pod: PodPlace, options: LogOptions = {}): Promise<string> {
    const request = this.#logRequest(pod, options);
    const response = await this.#transport.send(request);
    if (response.status >= 400) throw apiErrorOf('GET', request.path, response);
    return this.#redact(response.text);
  }

  async *logLines(pod: PodPlace, options: LogLinesOptions = {}): AsyncGenerator<LogLine> {
    const { follow, sinceTime, signal = this.#closed.signal } = options;
    const request = this.#logRequest(pod, { ...options, signal: AbortSignal.any([signal, this.#closed.signal]) });
    const query = { ...request.query, follow: follow ? 'true' : undefined, sinceTime, timestamps: 'true' };
    const silence = follow ? ({ silenceMs: logSilenceMs, mayBeSilent: true } as const) : {};
    const response = await this.#transport.stream({ ...request, query, repeat: 'never', ...silence });
    if (response.open === undefined) throw apiErrorOf('GET', request.path, response);
    try {
      for await (const line of textLines(response.open.body)) {
        const { time, text } = logLineOf(line);
        yield { time, text: this.#redact(text) };
      }
    } finally {
      response.open.stop();
    }
  }

  #logRequest(pod: PodPlace, { container, tailLines, previous, signal }: LogOptions): ApiRequest {
    return {
      method: 'GET',
      path: `/api/v1/namespaces/${segment('namespace', pod.namespace || this.namespace)}/pods/${segment('resource name', pod.name)}/log`,
      query: { container, tailLines: tailLines?.toString(), previous: previous ? 'true' : undefined },
      accept: 'text/plain, */*',
      repeat: 'unprocessed',
      signal,
    };
  }

  serverTime(): Date | undefined {
    return this.#transport.serverTime();
  }

  limitAbsence(limitMs: number): () => void {
    return this.#transport.limitAbsence(limitMs);
  }

  close(): void {
    this.#closed.abort();
    this.#transport.close();
  }

  /** An answer 404 about no object at all: the kind, thought to be served, may be gone. */
  async #whenUnserved<T>(
    call: Promise<T>,
    { apiVersion, kind }: KubernetesObject,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (!isMissing(error) || error.failure.about !== undefined) throw error;
      this.#discovery.forget();
      if ((await this.#discovery.served(apiVersion, kind, signal)) === undefined) throw notServed(apiVersion, kind);
      throw error;
    }
  }

  async #call(request: ApiRequest, onAnswer?: OnAnswer): Promise<unknown> {
    const response = await this.#transport.send(request);
    if (response.status >= 400) throw this.#refusal(request, response);
    onAnswer?.(response);
    return jsonIn(request.method, request.path, response);
  }

  #refusal(request: ApiRequest, response: ApiResponse): ApiError {
    return redacted(apiErrorOf(request.method, request.path, response), request, this.#redact);
  }

  async #object(request: ApiRequest, onAnswer?: OnAnswer): Promise<KubernetesObject> {
    return this.#seen(typedObjectOf({ ...request, value: await this.#call(request, onAnswer) }));
  }

  #seen(object: KubernetesObject): KubernetesObject {
    const version = versionOf(object);
    if (Number.isFinite(version)) this.#newestVersion = Math.max(this.#newestVersion, version);
    return object;
  }

  /** Every page of a list, and the resource version that a watch goes on from. */
  async #listAll(path: string, apiVersion: string, kind: string, options: ListOptions): Promise<ListedObjects> {
    const items: KubernetesObject[] = [];
    let limit: string | undefined = pageSize;
    let next: string | undefined;
    const seen = new Set<string>();
    for (;;) {
      const page: ListPage | undefined = await this.#page(path, { ...options, limit, next });
      if (page === undefined) {
        // The pages are too old to go on with, so it is read again in one piece.
        [limit, next] = [undefined, undefined];
        items.length = 0;
        seen.clear();
        continue;
      }
      // The items of a list leave out what is the same for all of them.
      for (const item of page.items ?? []) items.push({ ...item, apiVersion, kind });
      next = nextIn(page, seen);
      if (next === undefined) return { items, resourceVersion: page.metadata?.resourceVersion ?? '' };
    }
  }

  /** One page; undefined when the server has forgotten where the next one begins (410 Gone). */
  async #page(path: string, options: ListOptions & PageRequest): Promise<ListPage | undefined> {
    try {
      const request = {
        method: 'GET',
        path,
        query: { ...selectorQuery(options), limit: options.limit, continue: options.next },
        accept: options.metadataOnly ? metadataAccept('PartialObjectMetadataList') : undefined,
        repeat: 'always',
        signal: options.signal,
      } as const;
      return listPageOf({ ...request, value: await this.#call(request) });
    } catch (error) {
      if (options.next !== undefined && isApiError(error) && error.failure.status === 410) return undefined;
      throw error;
    }
  }

  async #pathOf(id: ResourceId, signal: AbortSignal | undefined): Promise<string> {
    const collection = await this.#collectionPath(id.apiVersion, id.kind, id.namespace || this.namespace, signal);
    // Without a name the path would be that of the whole collection.
    if (id.name === '') throw unusable('resource name may not be empty', collection);
    return `${collection}/${segment('resource name', id.name)}`;
  }

  async #collectionPath(
    apiVersion: string,
    kind: string,
    namespace: string,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const mapping = await this.#discovery.mapping(apiVersion, kind, signal);
    if (mapping === undefined) throw notServed(apiVersion, kind);
    const root = mapping.group === '' ? `/api/${mapping.version}` : `/apis/${mapping.group}/${mapping.version}`;
    const inNamespace = mapping.namespaced && namespace !== '' ? `/namespaces/${segment('namespace', namespace)}` : '';
    return `${root}${inNamespace}/${mapping.plural}`;
  }
}

const pageSize = '500';

const metadataAccept = (as: string): string => `application/json;as=${as};g=meta.k8s.io;v=v1,application/json`;

const defaultFieldManager = 'helm';

/**
 * Versions of objects are revisions of etcd, which each write makes larger. Of a server with a storage of its own they may be
 * something else: then no object counts as older than another.
 */
function versionOf(object: KubernetesObject): number {
  const version = (object as Partial<KubernetesObject>).metadata?.resourceVersion ?? '';
  return isDigits(version) ? Number(version) : Number.POSITIVE_INFINITY;
}

const patchContentTypes: Readonly<Record<PatchType, string>> = {
  merge: 'application/merge-patch+json',
  'strategic-merge': 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
};

const writeQuery = (options: WriteOptions): Record<string, string | undefined> => ({
  fieldManager: options.fieldManager ?? defaultFieldManager,
  fieldValidation: options.fieldValidation,
  dryRun: options.dryRun ? 'All' : undefined,
});

const writeAccept = ({ metadataOnly }: WriteOptions): string | undefined =>
  metadataOnly ? metadataAccept('PartialObjectMetadata') : undefined;

const selectorQuery = (options: ListOptions): Record<string, string | undefined> => ({
  labelSelector: options.labelSelector || undefined,
  fieldSelector: options.fieldSelector || undefined,
});

/** Whether a JSON patch names the version that it was made for, and so cannot be carried out twice. */
const isGuarded = (patch: unknown): boolean =>
  Array.isArray(patch) && patch.some(({ path }: { path?: string }) => path === '/metadata/resourceVersion');

/** In client-go's words. */
const unusable = (message: string, path = ''): ApiError =>
  new ApiError({ status: 400, reason: 'BadRequest', message, causes: [], method: 'GET', path });

/**
 * A name as a part of a path. As in client-go, one that would lead to another path is refused: the server reads `%2F` as a
 * slash, so the namespace `shop/services/web/proxy` would reach a service.
 */
function segment(what: 'namespace' | 'resource name', name: string): string {
  const problems = ['.', '..'].filter((part) => name === part).map((part) => `may not be '${part}'`);
  problems.push(...['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`));
  if (problems.length > 0) throw unusable(`invalid ${what} ${JSON.stringify(name)}: [${problems.join(' ')}]`);
  return encodeURIComponent(name);
}

const isMissing = (error: unknown): error is ApiError => isApiError(error) && error.failure.status === 404;

/** Kubernetes' own words (meta.NoKindMatchError), with the hint that Helm adds. */
const notServed = (apiVersion: string, kind: string): ApiError =>
  new ApiError({
    status: 404,
    reason: 'NotServed',
    message: `no matches for kind "${kind}" in version "${apiVersion}"; ensure CRDs are installed first`,
    causes: [],
    method: 'GET',
    path: '/apis',
  });

function whenEnded(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
    return undefined;
  };
}
