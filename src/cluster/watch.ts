import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { KubernetesObject } from '../manifest/types.ts';
import { messageOf } from '../support/errors.ts';
import { parseJson } from '../support/exact-json.ts';
import { backoffMs, type Sleep, sleepBy, systemTimers, type Timers } from '../support/timers.ts';
import { ApiError, isApiError } from './api-error.ts';
import { apiErrorOf, checked, objectOf } from './http/answer.ts';
import type { Transport } from './http/transport.ts';
import { struct } from './shape.ts';
import type { ListedObjects, WatchEvent } from './types.ts';

export interface WatchTarget {
  readonly transport: Transport;
  /** The collection. */
  readonly path: string;
  /** What the objects are: answers with metadata alone do not say it. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly accept?: string | undefined;
  readonly list: () => Promise<ListedObjects>;
  /** Stands for the first list, where what is watched is this one object. */
  readonly from?: KubernetesObject | undefined;
  readonly selectors: Readonly<Record<string, string | undefined>>;
  readonly onDebug: (text: string) => void;
  readonly signal: AbortSignal;
  readonly random?: (() => number) | undefined;
  readonly sleep?: Sleep | undefined;
  readonly timers?: Timers | undefined;
}

/**
 * LIST then WATCH. A watch that ends is resumed where it stopped; when the server no longer knows that point (410 Gone)
 * the list is read again and compared, so that objects which went meanwhile are reported. Where watching is forbidden
 * the list is read every two seconds. Ends when the signal aborts; fails only when the list does.
 */
export async function* watchKind(watched: WatchTarget): AsyncGenerator<WatchEvent> {
  const { signal } = watched;
  const known = new KnownObjects();
  try {
    let { items, resourceVersion } = startOf(watched.from) ?? (await watched.list());
    yield* known.compare(items);
    yield { kind: 'synced' };
    let isListed = watched.from === undefined;
    for (let shortOnes = 0; !signal.aborted; ) {
      const started = (watched.timers ?? systemTimers).now();
      const ended = yield* follow(watched, resourceVersion, known);
      shortOnes = (watched.timers ?? systemTimers).now() - started > shortWatchMs ? 0 : shortOnes + 1;
      // Who may not watch mostly may not list either, and is to learn it at once.
      const isFirstList = ended === 'not-allowed' && !isListed;
      if (!isFirstList) await rest(watched, ended, shortOnes);
      ({ items, resourceVersion } = isFirstList ? await watched.list() : await listAgain(watched));
      isListed = true;
      yield* known.compare(items);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const pollIntervalMs = 2_000;

/** The pause before the list is read again. */
async function rest(watched: WatchTarget, ended: Ended, shortOnes: number): Promise<void> {
  const sleep = watched.sleep ?? sleepBy(watched.timers);
  if (ended === 'not-allowed') await sleep(pollIntervalMs, watched.signal);
  else if (shortOnes > 1) await sleep(backoffMs(shortOnes, watched.random ?? Math.random), watched.signal);
}

/** Why a watch cannot go on. */
type Ended = 'expired' | 'not-allowed';

function startOf(object: KubernetesObject | undefined): ListedObjects | undefined {
  const resourceVersion = object?.metadata.resourceVersion;
  return object === undefined || !resourceVersion ? undefined : { items: [object], resourceVersion };
}

/** What has been reported, to find out what a new list changes. */
class KnownObjects {
  readonly #objects = new Map<string, KubernetesObject>();

  *compare(items: readonly KubernetesObject[]): Generator<WatchEvent> {
    const listed = new Set(items.map(keyOf));
    for (const [key, object] of this.#objects) {
      if (listed.has(key)) continue;
      this.#objects.delete(key);
      yield { kind: 'gone', object };
    }
    for (const object of items) {
      const before = this.#objects.get(keyOf(object));
      if (before !== undefined && before.metadata.uid !== object.metadata.uid) yield { kind: 'gone', object: before };
      if (before?.metadata.resourceVersion !== object.metadata.resourceVersion) yield this.present(object);
    }
  }

  present(object: KubernetesObject): WatchEvent {
    this.#objects.set(keyOf(object), object);
    return { kind: 'present', object };
  }

  gone(object: KubernetesObject): WatchEvent {
    this.#objects.delete(keyOf(object));
    return { kind: 'gone', object };
  }
}

const keyOf = ({ metadata }: KubernetesObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

/**
 * Watches on from a resource version, over any number of connections, until the list must be read again. While a
 * connection is silent the list is compared now and then: a proxy may hold the connection open and pass nothing on.
 */
async function* follow(watched: WatchTarget, from: string, known: KnownObjects): AsyncGenerator<WatchEvent, Ended> {
  let resourceVersion = from;
  let failures = 0;
  let patienceMs = firstCheckMs;
  for (;;) {
    const started = (watched.timers ?? systemTimers).now();
    try {
      for await (const change of changesOrSilence(watched, resourceVersion, () => patienceMs)) {
        failures = 0;
        if (change === 'silence') {
          const missed = await missedChanges(watched, known);
          patienceMs = missed === undefined ? Math.min(2 * patienceMs, longestCheckMs) : firstCheckMs;
          if (missed === undefined) continue;
          yield* missed.events;
          resourceVersion = missed.resourceVersion;
          break;
        }
        patienceMs = Math.max(patienceMs, provenCheckMs);
        if (change.type === 'ERROR') return 'expired';
        resourceVersion = change.object.metadata.resourceVersion ?? resourceVersion;
        if (change.type === 'DELETED') yield known.gone(change.object);
        else if (change.type !== 'BOOKMARK') yield known.present(change.object);
      }
    } catch (error) {
      watched.signal.throwIfAborted();
      if (isApiError(error) && error.failure.status === 410) return 'expired';
      if (isApiError(error) && [403, 404, 405].includes(error.failure.status)) {
        watched.onDebug(
          `${watched.path} cannot be watched, so it is polled every ${pollIntervalMs / 1000} s: ${error.message}`,
        );
        return 'not-allowed';
      }
      watched.onDebug(`the watch of ${watched.path} broke off; resuming: ${messageOf(error)}`);
    }
    watched.signal.throwIfAborted();
    if ((watched.timers ?? systemTimers).now() - started > shortWatchMs) {
      failures = 0;
      continue;
    }
    failures += 1;
    // What cuts watches off at once may do so for ever, and what changes meanwhile is in the list.
    if (failures > mostShortWatches) return 'expired';
    await (watched.sleep ?? sleepBy(watched.timers))(
      backoffMs(failures, watched.random ?? Math.random),
      watched.signal,
    );
  }
}

// Of a connection that has brought something it is known that it passes things on.
const firstCheckMs = 3_000;
const provenCheckMs = 12_000;
const longestCheckMs = 60_000;

/** What the list shows and the watch did not; undefined when that is nothing, or the list cannot be read now. */
async function missedChanges(
  watched: WatchTarget,
  known: KnownObjects,
): Promise<{ readonly events: readonly WatchEvent[]; readonly resourceVersion: string } | undefined> {
  try {
    const { items, resourceVersion } = await watched.list();
    const events = [...known.compare(items)];
    if (events.length === 0) return undefined;
    watched.onDebug(`the watch of ${watched.path} missed changes; reopening it`);
    return { events, resourceVersion };
  } catch (error) {
    watched.signal.throwIfAborted();
    watched.onDebug(`${watched.path} cannot be listed: ${messageOf(error)}`);
    return undefined;
  }
}

/** The changes, and `silence` each time that nothing has come for so long. Left early, it lets go of the connection. */
async function* changesOrSilence(
  watched: WatchTarget,
  resourceVersion: string,
  patienceMs: () => number,
): AsyncGenerator<Change | 'silence'> {
  const left = new AbortController();
  const signal = AbortSignal.any([watched.signal, left.signal]);
  const changes = changesFrom({ ...watched, signal }, resourceVersion);
  try {
    for (;;) {
      const next = changes.next();
      let result = await within(patienceMs(), next, watched.timers);
      for (; result === undefined; result = await within(patienceMs(), next, watched.timers)) yield 'silence';
      if (result.done) return;
      yield result.value;
    }
  } finally {
    left.abort();
    // What is under way ends by the signal, and nobody waits for it.
    changes.return(undefined).catch(() => {});
  }
}

/** What the promise gives; undefined when it takes longer. */
function within<T>(limitMs: number, promise: Promise<T>, timers: Timers = systemTimers): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const handle = timers.setTimeout(() => resolve(undefined), limitMs);
    promise.then(resolve, reject).finally(() => timers.clearTimeout(handle));
  });
}

interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubernetesObject;
}

const changeShape = struct('WatchEvent', { type: 'string' });

// The server ends a watch after that long; it sends a bookmark about once a minute, so that silence means a dead connection.
const watchSeconds = 290;
const watchSilenceMs = 100_000;
// One that ends sooner is not opened again at once, lest a server that cannot keep it open be flooded.
const shortWatchMs = 1_000;
const mostShortWatches = 3;

async function* changesFrom(watched: WatchTarget, resourceVersion: string): AsyncGenerator<Change> {
  const { transport, path, selectors, accept, signal } = watched;
  const query = {
    ...selectors,
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion,
    timeoutSeconds: String(watchSeconds),
  };
  const response = await transport.stream({
    method: 'GET',
    path,
    query,
    accept,
    repeat: 'unprocessed',
    silenceMs: watchSilenceMs,
    signal,
  });
  if (response.open === undefined) throw apiErrorOf('GET', path, response);
  try {
    for await (const line of linesOf(response.open.body)) {
      const change = checked({ method: 'GET', path, value: parseJson(line) }, changeShape) as Change;
      if (change.type === 'ERROR') throwUnlessExpired(change, path);
      else objectOf({ method: 'GET', path, value: change.object });
      yield { ...change, object: { ...change.object, apiVersion: watched.apiVersion, kind: watched.kind } };
    }
  } finally {
    response.open.stop();
  }
}

/** The object of an ERROR event is a Status: 410 means that the resource version is too old. */
function throwUnlessExpired({ object }: Change, path: string): void {
  const { code, reason, message } = (object ?? {}) as unknown as Readonly<Record<string, unknown>>;
  if (code === 410) return;
  throw new ApiError({
    status: typeof code === 'number' ? code : 500,
    reason: typeof reason === 'string' ? reason : '',
    message: typeof message === 'string' ? message : '',
    causes: [],
    method: 'GET',
    path,
  });
}

/** Complete lines only: what a broken connection leaves over is no event. */
async function* linesOf(body: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  // A line may be megabytes long: it is put together once, at its end.
  let begun: string[] = [];
  for await (const chunk of body) {
    const lines = decoder.write(chunk as Buffer).split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      const whole = begun.length === 0 ? line : [...begun, line].join('');
      begun = [];
      if (whole !== '') yield whole;
    }
    if (rest !== '') begun.push(rest);
  }
}

/**
 * The list again; a server that is away for a while is waited for. A refusal is final, but what was allowed before may be
 * refused for a moment while the server starts anew and does not know everybody's rights yet.
 */
async function listAgain(watched: WatchTarget): Promise<ListedObjects> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await watched.list();
    } catch (error) {
      watched.signal.throwIfAborted();
      if (isFinal(error, attempt)) throw error;
      watched.onDebug(`${watched.path} cannot be listed; retrying: ${messageOf(error)}`);
      await (watched.sleep ?? sleepBy(watched.timers))(
        backoffMs(attempt, watched.random ?? Math.random),
        watched.signal,
      );
    }
  }
}

// About twenty seconds.
const refusedAttempts = 8;

function isFinal(error: unknown, attempt: number): boolean {
  if (!isApiError(error)) return false;
  const { status } = error.failure;
  if (status === 401 || status === 403) return attempt >= refusedAttempts;
  return status < 500 && status !== 429;
}
