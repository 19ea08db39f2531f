import type { JsonObject } from '../support/json.ts';

/** Any Kubernetes object that the sandbox stores. */
export interface Resource extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
}

export interface Metadata extends JsonObject {
  name: string;
  namespace?: string | undefined;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[] | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  managedFields?: ManagedFieldsEntry[] | undefined;
  generateName?: string;
}

export interface OwnerReference extends JsonObject {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry extends JsonObject {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

/** `namespace/name`, or `/name` for a cluster-scoped object: the key in the store and its order in lists. */
export const objectKey = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`;

export const keyOf = (object: Resource): string => objectKey(object.metadata.namespace, object.metadata.name);

/** The owner that controls the object, if any. */
export const controllerOf = (object: Resource): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find((reference) => reference.controller === true);

export const withMetadata = (object: Resource, metadata: Partial<Metadata>): Resource => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});

export function withoutFinalizer(object: Resource, finalizer: string): Resource {
  const rest = (object.metadata.finalizers ?? []).filter((each) => each !== finalizer);
  return withMetadata(object, { finalizers: rest.length === 0 ? undefined : rest });
}

/** metav1.Time: RFC 3339 in seconds. */
export const timestamp = (timeMs: number): string => `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
