import { compact, type Json, type JsonObject } from '../../support/json.ts';
import { apiVersionOf, type Kind, subresourceOf } from '../kinds/kind.ts';

/** `/api`. */
export const coreVersions = (): JsonObject => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1' }],
});

/** Kinds by group in discovery's order, and in each group by version. */
function byGroup(kinds: readonly Kind[]): Map<string, Map<string, Kind[]>> {
  const groups = new Map<string, Map<string, Kind[]>>();
  for (const kind of kinds) {
    const versions = groups.get(kind.group) ?? new Map<string, Kind[]>();
    groups.set(kind.group, versions);
    versions.set(kind.version, [...(versions.get(kind.version) ?? []), kind]);
  }
  return groups;
}

/** Versions as clients prefer them: v2 before v1 before v1beta1 before v1alpha1 (version.CompareKubeAwareVersionStrings). */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionRank(a), versionRank(b)];
  for (let index = 0; index < 3; index++) {
    const difference = (right[index] as number) - (left[index] as number);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : a === b ? 0 : 1;
}

function versionRank(version: string): [stability: number, major: number, minor: number] {
  const found = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (found === null) return [-1, 0, 0];
  const stability = found[2] === undefined ? 2 : found[2] === 'beta' ? 1 : 0;
  return [stability, Number(found[1]), Number(found[3] ?? 0)];
}

const sortedVersions = (versions: ReadonlyMap<string, Kind[]>): [string, Kind[]][] =>
  [...versions].sort(([a], [b]) => compareVersions(a, b));

/** `/apis`. */
export function groupList(kinds: readonly Kind[]): JsonObject {
  const groups = [...byGroup(kinds)].filter(([group]) => group !== '');
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.map(([group, versions]) => groupOf(group, versions)),
  };
}

function groupOf(group: string, versions: ReadonlyMap<string, Kind[]>): JsonObject {
  const served = sortedVersions(versions).map(([version]) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: served, preferredVersion: served[0] };
}

/** `/apis/GROUP`; undefined for an unknown group. */
export function oneGroup(kinds: readonly Kind[], group: string): JsonObject | undefined {
  const versions = byGroup(kinds).get(group);
  return versions === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group, versions) };
}

/** `/apis/GROUP/VERSION`; undefined when it is not served. */
export function resourceList(kinds: readonly Kind[], group: string, version: string): JsonObject | undefined {
  const served = kinds.filter((kind) => kind.group === group && kind.version === version);
  if (served.length === 0) return undefined;
  const resources = served.flatMap((kind) => [legacyResource(kind), ...legacySubresources(kind)]);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersionOf({ group, version }), resources };
}

const texts = (list: readonly string[]): string[] | undefined => (list.length === 0 ? undefined : [...list]);

const legacyResource = (kind: Kind): JsonObject =>
  compact({
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: [...kind.verbs],
    shortNames: texts(kind.shortNames),
    categories: texts(kind.categories),
  });

const legacySubresources = (kind: Kind): JsonObject[] =>
  kind.subresources.map((name) => {
    const sub = subresourceOf(kind, name);
    return compact({
      name: `${kind.plural}/${name}`,
      singularName: '',
      namespaced: kind.namespaced,
      group: sub.group === '' ? undefined : sub.group,
      version: sub.version === '' ? undefined : sub.version,
      kind: sub.kind,
      verbs: [...sub.verbs],
    });
  });

export const aggregatedContentType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** The aggregated document: for `/api` the core group, for `/apis` all others. */
export function aggregatedDiscovery(kinds: readonly Kind[], isCore: boolean): JsonObject {
  const groups = [...byGroup(kinds)].filter(([group]) => (group === '') === isCore);
  const items: Json[] = groups.map(([group, versions]) => ({
    metadata: compact({ name: group === '' ? undefined : group, creationTimestamp: null }),
    versions: sortedVersions(versions).map(([version, served]) => ({
      version,
      resources: served.map(aggregatedResource),
      freshness: 'Current',
    })),
  }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

const aggregatedResource = (kind: Kind): JsonObject =>
  compact({
    resource: kind.plural,
    responseKind: {
      group: kind.custom === undefined ? '' : kind.group,
      version: kind.custom === undefined ? '' : kind.version,
      kind: kind.kind,
    },
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: [...kind.verbs],
    shortNames: texts(kind.shortNames),
    categories: texts(kind.categories),
    subresources:
      kind.subresources.length === 0
        ? undefined
        : kind.subresources.map((name) => {
            const { group, version, kind: responseKind, verbs } = subresourceOf(kind, name);
            return { subresource: name, responseKind: { group, version, kind: responseKind }, verbs: [...verbs] };
          }),
  });
