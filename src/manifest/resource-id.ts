import type { KubernetesObject, ResourceId } from './types.ts';

/** The id of an object; `namespace` stands in for a namespaced object that does not name its own. */
export const idOf = (object: KubernetesObject, namespace = ''): ResourceId => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  namespace: object.metadata.namespace ?? namespace,
  name: object.metadata.name,
});

/** `Deployment/web`, or `Deployment/web in shop` where the namespace is known. */
export const formatId = (id: ResourceId): string =>
  id.namespace === '' ? `${id.kind}/${id.name}` : `${id.kind}/${id.name} in ${id.namespace}`;

/** A key for maps: the same for two ids exactly when they name the same object in the same API version. */
export const idKey = (id: ResourceId): string => [id.apiVersion, id.kind, id.namespace, id.name].join(' ');

/** The API group of an apiVersion: '' for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

/** As {@link idKey}, but without the version: what Helm compares when it looks for objects that a new revision lacks. */
export const objectKey = (id: ResourceId): string => [groupOf(id.apiVersion), id.kind, id.namespace, id.name].join(' ');
