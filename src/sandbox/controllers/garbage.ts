import type { Kind } from '../kinds/kind.ts';
import { keyOf, type Resource, withoutFinalizer } from '../resource.ts';
import type { Change } from '../store/store.ts';
import type { ControllerContext } from './context.ts';
import type { Controller } from './manager.ts';

const foreground = 'foregroundDeletion';
const orphan = 'orphan';

/** Deletes dependents before their owner (foreground) or after it (background), or removes their owner (orphan). */
export function garbageCollector(context: ControllerContext): Controller {
  const graph = new OwnerGraph();
  const collector = new Collector(context, graph);
  return {
    name: 'garbage',
    *affected(change) {
      graph.note(change);
      const { uid = '' } = change.object.metadata;
      if (change.type === 'DELETED') {
        yield* graph.dependents(uid);
        for (const owner of change.object.metadata.ownerReferences ?? []) yield* graph.find(owner.uid);
      } else if (change.object.metadata.ownerReferences !== undefined || hasCollectorFinalizer(change.object)) {
        yield idOf(change.storageKey, change.object);
      }
    },
    *all() {
      for (const [key, object] of context.environment.store.everything()) {
        graph.add(key, object);
        yield idOf(key, object);
      }
    },
    reconcile: (id) => collector.look(id),
  };
}

/** `GROUP/PLURAL NAMESPACE/NAME` */
const idOf = (key: string, object: Resource): string => `${key} ${keyOf(object)}`;

const hasCollectorFinalizer = (object: Resource): boolean =>
  object.metadata.finalizers?.some((finalizer) => finalizer === foreground || finalizer === orphan) === true;

/** Which objects there are by uid, and which belong to whom. */
class OwnerGraph {
  readonly #byUid = new Map<string, string>();
  readonly #dependents = new Map<string, Set<string>>();

  note({ type, storageKey, object }: Change): void {
    if (type === 'DELETED') this.#remove(storageKey, object);
    else this.add(storageKey, object);
  }

  add(key: string, object: Resource): void {
    const id = idOf(key, object);
    this.#byUid.set(object.metadata.uid ?? '', id);
    for (const owner of object.metadata.ownerReferences ?? []) {
      const dependents = this.#dependents.get(owner.uid) ?? new Set();
      this.#dependents.set(owner.uid, dependents.add(id));
    }
  }

  #remove(key: string, object: Resource): void {
    this.#byUid.delete(object.metadata.uid ?? '');
    for (const owner of object.metadata.ownerReferences ?? [])
      this.#dependents.get(owner.uid)?.delete(idOf(key, object));
  }

  exists(uid: string): boolean {
    return this.#byUid.has(uid);
  }

  find(uid: string): string[] {
    const id = this.#byUid.get(uid);
    return id === undefined ? [] : [id];
  }

  dependents(uid: string): string[] {
    return [...(this.#dependents.get(uid) ?? [])];
  }
}

class Collector {
  readonly #context: ControllerContext;
  readonly #graph: OwnerGraph;

  constructor(context: ControllerContext, graph: OwnerGraph) {
    this.#context = context;
    this.#graph = graph;
  }

  look(id: string): void {
    const found = this.#context.findStored(id);
    if (found === undefined) return;
    const { kind, object } = found;
    if (object.metadata.deletionTimestamp !== undefined) this.#finish(kind, object);
    else this.#collect(kind, object);
  }

  /** An object whose owners are all gone goes too; one that keeps an owner only forgets the others. */
  #collect(kind: Kind, object: Resource): void {
    const owners = object.metadata.ownerReferences ?? [];
    if (owners.length === 0) return;
    const alive = owners.filter((owner) => this.#graph.exists(owner.uid));
    if (alive.length === owners.length) return this.#collectForeground(kind, object);
    if (alive.length === 0) return this.#context.delete(kind, object);
    this.#context.change(kind, object, { ...object, metadata: { ...object.metadata, ownerReferences: alive } });
  }

  /** A dependent of an owner that waits for it is deleted before its owner. */
  #collectForeground(kind: Kind, object: Resource): void {
    const owners = object.metadata.ownerReferences ?? [];
    const waiting = owners.every((owner) => {
      const found = this.#graph.find(owner.uid).map((id) => this.#context.findStored(id));
      return found.some((each) => each !== undefined && isWaiting(each.object));
    });
    if (waiting) this.#context.delete(kind, object, 'Foreground');
  }

  #finish(kind: Kind, object: Resource): void {
    const { uid = '', finalizers = [] } = object.metadata;
    if (finalizers.includes(orphan)) {
      for (const id of this.#graph.dependents(uid)) this.#release(id, uid);
      this.#dropFinalizer(kind, object, orphan);
    } else if (finalizers.includes(foreground)) {
      const dependents = this.#graph.dependents(uid);
      if (dependents.length === 0) this.#dropFinalizer(kind, object, foreground);
      else for (const id of dependents) this.look(id);
    }
  }

  #release(id: string, ownerUid: string): void {
    const found = this.#context.findStored(id);
    if (found === undefined) return;
    const { kind, object } = found;
    const rest = (object.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== ownerUid);
    const ownerReferences = rest.length === 0 ? undefined : rest;
    this.#context.change(kind, object, { ...object, metadata: { ...object.metadata, ownerReferences } });
  }

  #dropFinalizer(kind: Kind, object: Resource, finalizer: string): void {
    this.#context.change(kind, object, withoutFinalizer(object, finalizer));
  }
}

const isWaiting = (owner: Resource): boolean =>
  owner.metadata.deletionTimestamp !== undefined && owner.metadata.finalizers?.includes(foreground) === true;
