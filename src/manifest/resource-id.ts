import type { KubernetesObject, ResourceId } from './types.ts';

/** The id of an object; `namespace` stands in for a namespaced object that does not name its own. */
export const idOf = (object: KubernetesObject, namespace = ''): ResourceId => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  namespace: object.metadata.namespace || namespace,
  name: object.metadata.name,
});

/** The id alone of what has more to say. */
export const idAlone = ({ apiVersion, kind, namespace, name }: ResourceId): ResourceId => ({
  apiVersion,
  kind,
  namespace,
  name,
});

/** `Deployment/web`, or `Deployment/web in shop` where the namespace is known. */
export const formatId = (id: ResourceId): string =>
  id.namespace === '' ? `${id.kind}/${id.name}` : `${id.kind}/${id.name} in ${id.namespace}`;

/** `Deployment/web` */
export const kindAndName = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  `${kind}/${name}`;

/** The same of an object. */
export const titleOf = ({ kind, metadata }: KubernetesObject): string => `${kind}/${metadata.name}`;

/** `apps/Deployment`, in whatever version. */
export const kindInGroup = ({ apiVersion, kind }: Pick<ResourceId, 'apiVersion' | 'kind'>): string =>
  `${groupOf(apiVersion)}/${kind}`;

/** A key for maps: the same for all objects of a kind in one version. */
export const kindKey = ({ apiVersion, kind }: Pick<ResourceId, 'apiVersion' | 'kind'>): string =>
  `${apiVersion} ${kind}`;

/** A key for maps: the same for all objects that are read together. */
export const groupKey = ({ apiVersion, kind, namespace }: ResourceId): string => `${apiVersion} ${kind} ${namespace}`;

/** The API group of an apiVersion: '' for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

/** A key for maps: the same for two ids that name the same object, in whatever version of its API. */
export const objectKey = (id: ResourceId): string => [groupOf(id.apiVersion), id.kind, id.namespace, id.name].join(' ');

/** `apps/v1`; of the core group `v1`. */
export const apiVersionOf = ({ group, version }: { readonly group: string; readonly version: string }): string =>
  group === '' ? version : `${group}/${version}`;

/** Whether it is one of these names. */
export const isNamedAmong = (id: ResourceId, names: readonly string[]): boolean =>
  names.some((text) => isNamed(id, text));

/**
 * name := [ NAMESPACE "/" ] KIND [ "." GROUP ] "/" NAME, as `Deployment/web`, `deployment.apps/web` or `shop/Deployment/web`,
 * in any case.
 */
export function isNamed({ apiVersion, kind, name, namespace }: ResourceId, text: string): boolean {
  const parts = text.toLowerCase().split('/');
  if (parts.length !== 2 && parts.length !== 3) return false;
  const [wantedName, wantedKind = '', wantedNamespace] = parts.toReversed();
  const own = kind.toLowerCase();
  return (
    wantedName === name.toLowerCase() &&
    (wantedKind === own || wantedKind === `${own}.${groupOf(apiVersion)}`) &&
    (wantedNamespace === undefined || wantedNamespace === namespace)
  );
}
