import { keyOf, objectKey, type Resource, withMetadata } from '../resource.ts';

/** One write. `previous` is what was there before a change; `object` of a deletion is its last state. */
export interface Change {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly storageKey: string;
  readonly object: Resource;
  readonly previous: Resource | undefined;
}

export type ChangeListener = (change: Change) => void;

/** As many changes, and at most twice as many, are kept for watches that resume; who is later lists again. */
export const historyLength = 1_000;

/** The objects by kind, the revision counter, and the recent changes. Knows nothing of kinds' rules. */
export class Store {
  readonly #kinds = new Map<string, Map<string, Resource>>();
  readonly #history: Change[] = [];
  readonly #listeners = new Set<ChangeListener>();
  #revision: number;
  #forgottenRevision: number;

  constructor(revision = 1) {
    this.#revision = revision;
    this.#forgottenRevision = revision;
  }

  /** The resourceVersion of the last write. */
  get revision(): number {
    return this.#revision;
  }

  get(storageKey: string, namespace: string | undefined, name: string): Resource | undefined {
    return this.#kinds.get(storageKey)?.get(objectKey(namespace, name));
  }

  /** The objects of a kind, in all namespaces or one, by namespace and name. */
  list(storageKey: string, namespace?: string): Resource[] {
    const objects = this.#kinds.get(storageKey);
    if (objects === undefined) return [];
    const found: [string, Resource][] = [];
    for (const entry of objects) {
      if (namespace === undefined || entry[1].metadata.namespace === namespace) found.push(entry);
    }
    return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  /** The objects of a kind in the order in which they were created. */
  *values(storageKey: string, namespace?: string): Generator<Resource> {
    for (const object of this.#kinds.get(storageKey)?.values() ?? []) {
      if (namespace === undefined || object.metadata.namespace === namespace) yield object;
    }
  }

  /** Every object of every kind, with its storage key. */
  *everything(): Generator<readonly [storageKey: string, object: Resource]> {
    for (const [storageKey, objects] of this.#kinds) for (const object of objects.values()) yield [storageKey, object];
  }

  storageKeys(): string[] {
    return [...this.#kinds.keys()];
  }

  /** Stores an object, new or changed, under the next resourceVersion, and returns it as stored. */
  put(storageKey: string, object: Resource): Resource {
    const previous = this.get(storageKey, object.metadata.namespace, object.metadata.name);
    const revision = ++this.#revision;
    const stored = withMetadata(object, { resourceVersion: String(revision) });
    this.#objects(storageKey).set(keyOf(stored), stored);
    this.#record({
      revision,
      type: previous === undefined ? 'ADDED' : 'MODIFIED',
      storageKey,
      object: stored,
      previous,
    });
    return stored;
  }

  /** Removes an object; its last state carries the resourceVersion of the deletion. */
  remove(storageKey: string, object: Resource): void {
    if (!this.#objects(storageKey).delete(keyOf(object))) return;
    const revision = ++this.#revision;
    const last = withMetadata(object, { resourceVersion: String(revision) });
    this.#record({ revision, type: 'DELETED', storageKey, object: last, previous: object });
  }

  /** Puts back what was stored before, as it was. */
  restore(storageKey: string, object: Resource): void {
    this.#objects(storageKey).set(keyOf(object), object);
  }

  /** The changes after a revision, oldest first; undefined when they are no longer known. */
  changesSince(revision: number): readonly Change[] | undefined {
    if (revision < this.#forgottenRevision) return undefined;
    let from = this.#history.length;
    while (from > 0 && (this.#history[from - 1] as Change).revision > revision) from -= 1;
    return this.#history.slice(from);
  }

  /** The oldest revision from which a watch can resume. */
  get oldestRevision(): number {
    return this.#forgottenRevision;
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #objects(storageKey: string): Map<string, Resource> {
    let objects = this.#kinds.get(storageKey);
    if (objects === undefined) {
      objects = new Map();
      this.#kinds.set(storageKey, objects);
    }
    return objects;
  }

  #record(change: Change): void {
    this.#history.push(change);
    if (this.#history.length > historyLength * 2) {
      const dropped = this.#history.splice(0, historyLength);
      this.#forgottenRevision = (dropped.at(-1) as Change).revision;
    }
    for (const listener of this.#listeners) listener(change);
  }
}
