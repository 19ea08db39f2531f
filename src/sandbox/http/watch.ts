import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../support/json.ts';
import type { Collection, Environment } from '../api/environment.ts';
import { atVersion } from '../api/read.ts';
import { apiVersionOf, storageKey } from '../kinds/kind.ts';
import { type Resource, withMetadata } from '../resource.ts';
import { expired } from '../status.ts';
import type { Predicate } from '../store/selectors.ts';
import type { Change } from '../store/store.ts';
import type { Answer } from './answer.ts';
import { type Presentation, presentObject } from './form.ts';
import { selectorOf } from './list.ts';
import { flag } from './request.ts';

const bookmarkEveryMs = 30_000;

/** A watch: what is there or what changed since a version, then every change, one JSON line for each. */
export function watchAnswer(
  environment: Environment,
  { kind, namespace }: Collection,
  query: URLSearchParams,
  presentation: Presentation,
): Answer {
  const selected = selectorOf(kind, query);
  return {
    kind: 'stream',
    run: (response) => {
      // Looked at here, lest what changes in between be in neither part.
      const start = startOf(environment, query);
      const watch = new Watch(environment, { kind, namespace, selected, presentation }, response);
      if (start === undefined) watch.refuse(query);
      else watch.begin(start, query);
    },
  };
}

type Start = { readonly kind: 'everything' } | { readonly kind: 'changes'; readonly changes: readonly Change[] };

/** Where a watch begins: undefined when the version asked for is no longer known. */
function startOf({ store }: Environment, query: URLSearchParams): Start | undefined {
  const version = query.get('resourceVersion') ?? '';
  if (version === '' || version === '0' || flag(query, 'sendInitialEvents')) return { kind: 'everything' };
  const changes = store.changesSince(Number(version));
  return changes === undefined || Number(version) > store.revision ? undefined : { kind: 'changes', changes };
}

/** What a watch shows: the objects of a collection that its selectors choose, in the form asked for. */
interface Watched extends Collection {
  readonly selected: Predicate;
  readonly presentation: Presentation;
}

class Watch {
  readonly #environment: Environment;
  readonly #watched: Watched;
  readonly #response: ServerResponse;
  #columnsSent = false;

  constructor(environment: Environment, watched: Watched, response: ServerResponse) {
    this.#environment = environment;
    this.#watched = watched;
    this.#response = response;
  }

  /** What changed since that version is no longer known: the only event, a line as any other. */
  refuse(query: URLSearchParams): void {
    const { oldestRevision } = this.#environment.store;
    const message = `too old resource version: ${query.get('resourceVersion')} (${oldestRevision})`;
    this.#open();
    this.#line({ type: 'ERROR', object: expired(message).toStatus() });
    this.#response.end();
  }

  begin(start: Start, query: URLSearchParams): void {
    const { store } = this.#environment;
    this.#open();
    this.#sendStart(start);
    const wantsBookmarks = flag(query, 'allowWatchBookmarks');
    if (flag(query, 'sendInitialEvents')) {
      this.#bookmark(wantsBookmarks ? { 'k8s.io/initial-events-end': 'true' } : undefined);
    }
    const unsubscribe = store.subscribe((change) => this.#change(change));
    const bookmarks = wantsBookmarks ? setInterval(() => this.#bookmark(), bookmarkEveryMs) : undefined;
    const timeoutSeconds = Number(query.get('timeoutSeconds') ?? 0);
    const timeout = timeoutSeconds > 0 ? setTimeout(() => this.#response.end(), timeoutSeconds * 1000) : undefined;
    bookmarks?.unref();
    timeout?.unref();
    this.#response.on('close', () => {
      unsubscribe();
      clearInterval(bookmarks);
      clearTimeout(timeout);
    });
  }

  #open(): void {
    this.#response.writeHead(200, { 'Content-Type': 'application/json' });
    this.#response.flushHeaders();
  }

  #sendStart(start: Start): void {
    if (start.kind === 'changes') {
      for (const change of start.changes) this.#change(change);
      return;
    }
    const { kind, namespace, selected } = this.#watched;
    const objects = this.#environment.store.list(storageKey(kind), namespace);
    for (const object of objects) if (selected(object)) this.#send('ADDED', object);
  }

  /** An object that comes under the selector is ADDED, one that leaves it DELETED. */
  #change({ storageKey: key, type, object, previous }: Change): void {
    const { kind, namespace, selected } = this.#watched;
    if (key !== storageKey(kind)) return;
    if (namespace !== undefined && object.metadata.namespace !== namespace) return;
    const before = previous !== undefined && selected(previous);
    const now = type !== 'DELETED' && selected(object);
    if (now) this.#send(before ? 'MODIFIED' : 'ADDED', object);
    else if (before)
      this.#send('DELETED', withMetadata(previous, { resourceVersion: object.metadata.resourceVersion as string }));
  }

  #send(type: string, object: Resource): void {
    const { kind, presentation } = this.#watched;
    const shown = presentObject(kind, atVersion(kind, object), presentation);
    if (shown.kind === 'Table') {
      if (this.#columnsSent) delete shown.columnDefinitions;
      shown.columnDefinitions ??= null;
      this.#columnsSent = true;
    }
    this.#line({ type, object: shown });
  }

  #bookmark(annotations?: Record<string, string>): void {
    const metadata: JsonObject = {
      resourceVersion: String(this.#environment.store.revision),
      creationTimestamp: null,
      ...(annotations === undefined ? {} : { annotations }),
    };
    const { kind, presentation } = this.#watched;
    const object = { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata };
    this.#line({ type: 'BOOKMARK', object: presentation.form === 'table' ? tableBookmark(object) : object });
  }

  #line(event: JsonObject): void {
    if (!this.#response.writableEnded) this.#response.write(`${JSON.stringify(event)}\n`);
  }
}

const tableBookmark = (object: JsonObject): JsonObject => ({
  kind: 'Table',
  apiVersion: 'meta.k8s.io/v1',
  metadata: { resourceVersion: (object.metadata as JsonObject).resourceVersion },
  columnDefinitions: null,
  rows: [
    { cells: [], object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata } },
  ],
});
