import type { KubernetesObject } from '../manifest/types.ts';
import type { Cluster, WatchEvent, WatchOptions } from './types.ts';

type SharedOptions = Omit<WatchOptions, 'from'>;

/**
 * Watches of the same objects are one, as long as anybody reads it: who comes later is told first what is known. What is
 * known may be a moment old, so this is for what is looked at besides, not for what was just written.
 */
export class SharedWatches {
  readonly #open = new Map<string, SharedWatch>();

  async *watch(cluster: Cluster, apiVersion: string, kind: string, options: SharedOptions): AsyncGenerator<WatchEvent> {
    const { namespace, labelSelector, fieldSelector, metadataOnly } = options;
    const key = JSON.stringify([apiVersion, kind, namespace, labelSelector, fieldSelector, metadataOnly]);
    const watch =
      this.#open.get(key) ??
      new SharedWatch(
        (signal) => cluster.watch(apiVersion, kind, { ...options, signal }),
        () => this.#open.delete(key),
      );
    this.#open.set(key, watch);
    yield* watch.read(options.signal);
  }
}

class SharedWatch {
  readonly #ended = new AbortController();
  readonly #onEnd: () => void;
  readonly #readers = new Set<Reader>();
  readonly #known = new Map<string, KubernetesObject>();
  #isSynced = false;

  constructor(open: (signal: AbortSignal) => AsyncIterable<WatchEvent>, onEnd: () => void) {
    this.#onEnd = onEnd;
    void this.#follow(open);
  }

  async *read(signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const reader = new Reader(signal);
    for (const object of this.#known.values()) reader.push({ kind: 'present', object });
    if (this.#isSynced) reader.push({ kind: 'synced' });
    this.#readers.add(reader);
    try {
      yield* reader.events();
    } finally {
      this.#readers.delete(reader);
      if (this.#readers.size === 0) this.#end();
    }
  }

  async #follow(open: (signal: AbortSignal) => AsyncIterable<WatchEvent>): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    try {
      for await (const event of open(this.#ended.signal)) this.#pass(event);
    } catch (error) {
      failure = { error };
    }
    this.#end();
    for (const reader of this.#readers) reader.end(failure);
  }

  #pass(event: WatchEvent): void {
    if (event.kind === 'synced') this.#isSynced = true;
    else if (event.kind === 'present') this.#known.set(keyOf(event.object), event.object);
    else this.#known.delete(keyOf(event.object));
    for (const reader of this.#readers) reader.push(event);
  }

  #end(): void {
    if (this.#ended.signal.aborted) return;
    this.#onEnd();
    this.#ended.abort();
  }
}

const keyOf = ({ metadata }: KubernetesObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

/** What a reader has not read yet. */
class Reader {
  readonly #signal: AbortSignal;
  #unread: WatchEvent[] = [];
  #ended: { readonly failure: { readonly error: unknown } | undefined } | undefined;
  #wake: () => void = () => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  push(event: WatchEvent): void {
    this.#unread.push(event);
    this.#wake();
  }

  end(failure: { readonly error: unknown } | undefined): void {
    this.#ended = { failure };
    this.#wake();
  }

  async *events(): AsyncGenerator<WatchEvent> {
    const onAbort = (): void => this.#wake();
    this.#signal.addEventListener('abort', onAbort, { once: true });
    try {
      while (!this.#signal.aborted) {
        const due = this.#unread;
        this.#unread = [];
        yield* due;
        if (this.#unread.length > 0 || this.#signal.aborted) continue;
        if (this.#ended?.failure !== undefined) throw this.#ended.failure.error;
        if (this.#ended !== undefined) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#signal.removeEventListener('abort', onAbort);
    }
  }
}
