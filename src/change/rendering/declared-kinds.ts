import type { GoMap, Value } from '../../go/value.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import type { Capabilities } from '../../render/capabilities.ts';
import type { FetchObject } from '../../render/lookup.ts';
import { compareText } from '../../support/order.ts';

interface CrdSpec {
  readonly group?: string;
  readonly names?: { readonly kind?: string };
  readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[];
}

/**
 * The capabilities that a cluster will have when the chart's CRDs are there. A chart is rendered before its CRDs are
 * sent, so that its mistakes are found while nothing has been changed.
 */
export const withDeclaredKinds = (capabilities: Capabilities, crds: readonly Manifest[]): Capabilities => {
  const apiVersions = new Set([...capabilities.apiVersions, ...crds.flatMap(({ object }) => apiVersionsOf(object))]);
  if (apiVersions.size === capabilities.apiVersions.length) return capabilities;
  return { ...capabilities, apiVersions: [...apiVersions].sort(compareText) };
};

/** `lookup` that finds no objects of kinds which only the chart's CRDs will define. */
export function withoutDeclaredKinds(
  fetchObject: FetchObject,
  { apiVersions }: Capabilities,
  crds: readonly Manifest[],
): FetchObject {
  const served = new Set(apiVersions);
  const declared = new Set(crds.flatMap(({ object }) => apiVersionsOf(object)).filter((name) => !served.has(name)));
  if (declared.size === 0) return fetchObject;
  return async (apiVersion, kind, namespace, name) => {
    if (!declared.has(`${apiVersion}/${kind}`)) return fetchObject(apiVersion, kind, namespace, name);
    return name === '' ? emptyList(apiVersion, kind) : undefined;
  };
}

const emptyList = (apiVersion: string, kind: string): GoMap =>
  new Map<string, Value>([
    ['apiVersion', apiVersion],
    ['kind', `${kind}List`],
    ['metadata', new Map()],
    ['items', []],
  ]);

function apiVersionsOf(crd: KubernetesObject): readonly string[] {
  if (crd.kind !== 'CustomResourceDefinition') return [];
  const { group, names, versions = [] } = (crd['spec'] ?? {}) as CrdSpec;
  return versions
    .filter(({ served }) => served === true)
    .flatMap(({ name }) => [`${group}/${name}`, `${group}/${name}/${names?.kind}`]);
}
