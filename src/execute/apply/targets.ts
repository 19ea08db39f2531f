import type { Cluster, ResourceMapping } from '../../cluster/types.ts';
import { itemsOf } from '../../manifest/items.ts';
import { apiVersionOf, groupOf, kindInGroup, kindKey } from '../../manifest/resource-id.ts';
import type { Hook, KubernetesObject, Manifest, ResourceId } from '../../manifest/types.ts';
import { manifestOfHook } from '../../plan/arrange.ts';
import { lacksVersion, type Part, unusable } from './unusable.ts';

/** An object that is about to be sent: `id` and `object` carry the namespace it goes to. */
export interface Target {
  readonly id: ResourceId;
  readonly object: KubernetesObject;
  /** The template that it comes from, with charts before it; '' where that is not known. */
  readonly source?: string | undefined;
  /** What the server answered, once it is sent. */
  readonly written?: KubernetesObject | undefined;
}

interface Where {
  readonly cluster: Pick<Cluster, 'mapping' | 'resources'>;
  /** For objects that name none. */
  readonly namespace: string;
  readonly signal?: AbortSignal | undefined;
}

/** Kinds that a release's own CRDs define, as `group/Kind`, and whether they are namespaced. */
export type DeclaredKinds = ReadonlyMap<string, boolean>;

/**
 * The objects of manifests, Lists taken apart, each with its namespace. Errors: `no-matches-for-kind`, naming every kind
 * that the server does not serve and that no CRD among `declared` defines; `malformed-object`, naming every part that no
 * object has as well.
 */
export async function resolveTargets(
  manifests: readonly Manifest[],
  where: Where,
  declared: DeclaredKinds = new Map(),
): Promise<readonly Target[]> {
  const parts = manifests.flatMap(({ object, source }) => itemsOf(object).map((item) => ({ object: item, source })));
  const objects = parts.map(({ object }) => object);
  const scopes = await scopesOf(objects.filter(saysKind), where, declared);
  const isUnknown = ({ object }: Part): boolean => saysKind(object) && scopes.get(kindKey(object)) === undefined;
  const unknown = parts.filter(isUnknown);
  if (unknown.length > 0 || manifests.some(({ malformed }) => malformed !== undefined))
    throw unusable(manifests, unknown, await servedKinds(unknown.length > 0 || manifests.some(lacksVersion), where));
  return parts.map(({ object, source }) => ({
    ...place(object, scopes.get(kindKey(object)) === true, where.namespace),
    source,
  }));
}

/**
 * As {@link resolveTargets}, for what was deployed once: a version that is not served any more stands for a served one of
 * the same kind. Objects of a kind that is not served at all cannot be there: they are left out, and `onGone` is called.
 */
export async function resolveServed(
  manifests: readonly Manifest[],
  where: Where,
  onGone: (object: KubernetesObject) => void = () => {},
): Promise<readonly Target[]> {
  const objects = manifests.flatMap((manifest) => itemsOf(manifest.object));
  const served = await mappingsByKind(objects, where);
  return objects.flatMap((object) => {
    const mapping = served.get(kindKey(object));
    if (mapping !== undefined)
      return [place({ ...object, apiVersion: apiVersionOf(mapping) }, mapping.namespaced, where.namespace)];
    onGone(object);
    return [];
  });
}

/** How each of these kinds is served today: its apiVersion, or undefined where it is not served at all. */
export async function servedMappings(
  objects: readonly KubernetesObject[],
  where: Where,
): Promise<(object: KubernetesObject) => string | undefined> {
  const served = await mappingsByKind(objects, where);
  return (object) => {
    const mapping = served.get(kindKey(object));
    return mapping === undefined ? undefined : apiVersionOf(mapping);
  };
}

/** The objects of manifests in the versions that are served today; those of kinds that nothing serves stay as they are. */
export async function inServedVersions(manifests: readonly Manifest[], where: Where): Promise<readonly Manifest[]> {
  const parts = manifests.flatMap((manifest) => itemsOf(manifest.object).map((object) => ({ ...manifest, object })));
  const servedAs = await servedMappings(
    parts.map(({ object }) => object),
    where,
  );
  return parts.map((part) => {
    const { object } = part;
    return { ...part, object: { ...object, apiVersion: servedAs(object) ?? object.apiVersion } };
  });
}

async function mappingsByKind(
  objects: readonly KubernetesObject[],
  where: Where,
): Promise<ReadonlyMap<string, ResourceMapping | undefined>> {
  const kinds = new Map(objects.map((object) => [kindKey(object), object]));
  return new Map(
    await Promise.all([...kinds].map(async ([key, object]) => [key, await servedAs(object, where)] as const)),
  );
}

/** Groups whose kinds have moved, and where to. */
const movedGroups: Readonly<Record<string, readonly string[]>> = {
  extensions: ['apps', 'networking.k8s.io', 'policy'],
};

/** How a kind is served: in the version asked for, or else in another one of its group. */
async function servedAs(
  { apiVersion, kind }: KubernetesObject,
  { cluster, signal }: Where,
): Promise<ResourceMapping | undefined> {
  const mapping = await cluster.mapping(apiVersion, kind, { signal });
  if (mapping !== undefined) return mapping;
  const group = groupOf(apiVersion);
  const groups = [group, ...(movedGroups[group] ?? [])];
  return (await cluster.resources({ signal })).find(
    (resource) => resource.kind === kind && groups.includes(resource.group) && resource.verbs.includes('delete'),
  );
}

async function scopesOf(
  objects: readonly KubernetesObject[],
  { cluster, signal }: Where,
  declared: DeclaredKinds,
): Promise<ReadonlyMap<string, boolean | undefined>> {
  const kinds = new Map(objects.map((object) => [kindKey(object), object]));
  const scopes = [...kinds].map(async ([key, { apiVersion, kind }]): Promise<[string, boolean | undefined]> => {
    const mapping = await cluster.mapping(apiVersion, kind, { signal });
    return [key, mapping?.namespaced ?? declared.get(kindInGroup({ apiVersion, kind }))];
  });
  return new Map(await Promise.all(scopes));
}

function place(object: KubernetesObject, isNamespaced: boolean, fallback: string): Target {
  const { apiVersion, kind } = object;
  const { name, namespace: own } = object.metadata;
  const namespace = isNamespaced ? own || fallback : '';
  const id: ResourceId = { apiVersion, kind, namespace, name: name ?? '' };
  const isPlaced = !isNamespaced || own === namespace;
  return { id, object: isPlaced ? object : { ...object, metadata: { ...object.metadata, namespace } } };
}

/** The kinds that the CRDs among these manifests and hooks define. */
export function declaredKinds(manifests: readonly Manifest[], hooks: readonly Hook[] = []): DeclaredKinds {
  const hookManifests = hooks.filter(isCrd).map(manifestOfHook);
  const crds = [...manifests, ...hookManifests].flatMap((manifest) => itemsOf(manifest.object)).filter(isCrd);
  return new Map(crds.map(declaredKind));
}

export const isCrd = (object: { readonly kind: string }): boolean => object.kind === 'CustomResourceDefinition';

function declaredKind(crd: KubernetesObject): [string, boolean] {
  const spec = crd['spec'] as { group?: string; scope?: string; names?: { kind?: string } } | undefined;
  return [`${spec?.group}/${spec?.names?.kind}`, spec?.scope !== 'Cluster'];
}

const saysKind = ({ apiVersion, kind }: KubernetesObject): boolean =>
  apiVersion !== '' && apiVersion.split('/').length <= 2 && kind !== '';

/** All kinds that the server has, where some of them are asked about. They are for hints alone, so a failure is no harm. */
const servedKinds = (isAsked: boolean, { cluster, signal }: Where): Promise<readonly ResourceMapping[]> =>
  isAsked ? cluster.resources({ signal }).catch(() => []) : Promise.resolve([]);
