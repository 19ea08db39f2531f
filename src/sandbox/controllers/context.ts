import { equalJson, type Json, type JsonObject, objectAt, objectsIn } from '../../support/json.ts';
import { createObject } from '../api/create.ts';
import { deleteObject } from '../api/delete.ts';
import type { Environment } from '../api/environment.ts';
import { changeObject } from '../api/update.ts';
import { type Kind, storageKey } from '../kinds/kind.ts';
import type { Pod } from '../kubernetes.ts';
import { controllerOf, keyOf, type OwnerReference, objectKey, type Resource, timestamp } from '../resource.ts';
import { StatusError } from '../status.ts';
import type { Change } from '../store/store.ts';
import type { Controller, Later } from './manager.ts';

/** What controllers do to the cluster: they read the store and write as kube-controller-manager does. */
export class ControllerContext {
  readonly environment: Environment;
  readonly later: Later;

  constructor(environment: Environment, later: Later) {
    this.environment = environment;
    this.later = later;
  }

  get now(): number {
    return this.environment.clock.now();
  }

  /** Now, as objects note it. */
  get timestamp(): string {
    return timestamp(this.now);
  }

  kind(apiVersion: string, name: string): Kind {
    return this.environment.kinds.builtIn(apiVersion, name);
  }

  /** The object of a key `NAMESPACE/NAME`. */
  find<T extends Resource = Resource>(storage: string, key: string): T | undefined {
    const slash = key.indexOf('/');
    const namespace = key.slice(0, slash);
    return this.environment.store.get(storage, namespace === '' ? undefined : namespace, key.slice(slash + 1)) as
      | T
      | undefined;
  }

  /** The object of an id `GROUP/PLURAL NAMESPACE/NAME`, with its kind. */
  findStored(id: string): { readonly kind: Kind; readonly object: Resource } | undefined {
    const [storage = '', key = ''] = id.split(' ');
    const kind = this.environment.kinds.byStorageKey(storage);
    const object = kind && this.find(storage, key);
    return object && { kind, object };
  }

  /** The objects of a kind that an object controls, oldest first. */
  controlled<T extends Resource = Resource>(storage: string, owner: Resource): T[] {
    const { uid, namespace } = owner.metadata;
    const all = [...this.environment.store.values(storage, namespace)] as T[];
    return all.filter((object) => controllerOf(object)?.uid === uid);
  }

  create(kind: Kind, namespace: string | undefined, object: JsonObject): Resource {
    return createObject(this.environment, { kind, namespace }, object, { fieldManager: manager });
  }

  /** Changes an object, if there is something to change. */
  change(kind: Kind, before: Resource, after: Resource): Resource {
    return changeObject(this.environment, kind, { before, after }, { fieldManager: manager });
  }

  setStatus(kind: Kind, object: Resource, status: JsonObject, fieldManager = manager): Resource {
    const known = JSON.parse(JSON.stringify(status)) as JsonObject;
    if (equalJson(object.status, known)) return object;
    const options = { fieldManager, subresource: 'status' };
    return changeObject(this.environment, kind, { before: object, after: { ...object, status: known } }, options);
  }

  /** Deletes an object; one that is gone already is no failure. */
  delete(kind: Kind, object: Resource, propagationPolicy = 'Background', gracePeriodSeconds?: number): void {
    const { namespace, name, uid } = object.metadata;
    const options = { propagationPolicy, preconditions: { uid }, gracePeriodSeconds };
    try {
      deleteObject(this.environment, { kind, namespace, name }, options);
    } catch (error) {
      if (!(error instanceof StatusError) || (error.reason !== 'NotFound' && error.reason !== 'Conflict')) throw error;
    }
  }
}

const manager = 'kube-controller-manager';

/** An ownerReference that makes `owner` the controller. */
export const controlledBy = (owner: Resource): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid as string,
  controller: true,
  blockOwnerDeletion: true,
});

/** What looks after the objects of one kind. */
interface Reconciler<T> {
  readonly name: string;
  readonly kind: Kind;
  /** The storage keys of what its objects control. */
  readonly owned?: readonly string[];
  /** Other keys that a change concerns. */
  readonly also?: (change: Change) => Iterable<string>;
  readonly reconcile: (object: T, key: string) => void;
}

/** A controller that looks at an object when the object, or something that it controls, changes. */
export function controllerOfKind<T extends Resource>(
  context: ControllerContext,
  { name, kind, owned = [], also, reconcile }: Reconciler<T>,
): Controller {
  const storage = storageKey(kind);
  return {
    name,
    *affected(change) {
      if (change.storageKey === storage) yield keyOf(change.object);
      const owner = owned.includes(change.storageKey) ? controllerOf(change.object) : undefined;
      if (owner?.kind === kind.kind) yield objectKey(change.object.metadata.namespace, owner.name);
      if (also !== undefined) yield* also(change);
    },
    *all() {
      for (const object of context.environment.store.values(storage)) yield keyOf(object);
    },
    reconcile(key) {
      const object = context.find<T>(storage, key);
      if (object !== undefined) reconcile(object, key);
    },
  };
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

/** The list with a condition set; the transition time moves only when the status does. */
export function withCondition(
  conditions: Json | undefined,
  { type, status, reason, message }: Condition,
  now: string,
  extra: JsonObject = {},
): JsonObject[] {
  const list = objectsIn(conditions);
  const before = list.find((condition) => condition.type === type);
  const condition: JsonObject = {
    type,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
    ...extra,
    lastTransitionTime: before?.status === status ? (before.lastTransitionTime ?? now) : now,
  };
  if (before === undefined) return [...list, condition];
  const same = before.status === status && before.reason === reason && before.message === message;
  return same ? list : list.map((each) => (each === before ? { ...each, ...condition } : each));
}

export const conditionOf = (object: Resource, type: string): JsonObject | undefined =>
  objectsIn(objectAt(object, 'status')?.conditions).find((condition) => condition.type === type);

export const isReady = (pod: Pod): boolean =>
  conditionOf(pod, 'Ready')?.status === 'True' && pod.metadata.deletionTimestamp === undefined;

/** When a pod has been ready for minReadySeconds; undefined while it is not ready. */
export function availableAt(pod: Pod, minReadySeconds: number): number | undefined {
  if (!isReady(pod)) return undefined;
  const since = conditionOf(pod, 'Ready')?.lastTransitionTime;
  return typeof since === 'string' ? Date.parse(since) + minReadySeconds * 1000 : 0;
}

/** Does what the API server may refuse; returns its refusal, to be thrown once the status tells of it. */
export function refusalOf(task: () => void): StatusError | undefined {
  try {
    task();
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

/** A pod from a template, owned by a controller. */
export function podFromTemplate(owner: Resource, template: JsonObject | undefined, metadata: JsonObject): JsonObject {
  const given = objectAt(template, 'metadata') ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(given.annotations === undefined ? {} : { annotations: given.annotations }),
      ...(given.finalizers === undefined ? {} : { finalizers: given.finalizers }),
      ...metadata,
      labels: { ...objectAt(given, 'labels'), ...objectAt(metadata, 'labels') },
      ownerReferences: [controlledBy(owner)],
    },
    spec: objectAt(template, 'spec') ?? {},
  };
}
