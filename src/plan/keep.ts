import { annotations, keepPolicy } from '../manifest/annotations.ts';
import type { KubernetesObject, Manifest } from '../manifest/types.ts';

export interface Sorted {
  readonly kept: readonly Manifest[];
  readonly deleted: readonly Manifest[];
}

/** Which resources an uninstall keeps and which it deletes (action.filterManifestsToKeep). */
export function sortByResourcePolicy(manifests: readonly Manifest[]): Sorted {
  const isKept = (manifest: Manifest): boolean => isProtected(manifest.object);
  return { kept: manifests.filter(isKept), deleted: manifests.filter((manifest) => !isKept(manifest)) };
}

/** Whether `helm.sh/resource-policy: keep` protects an object. A manifest may hold any YAML value there. */
export function isProtected(object: KubernetesObject): boolean {
  const policy: unknown = object.metadata.annotations?.[annotations.resourcePolicy];
  return typeof policy === 'string' && policy.trim().toLowerCase() === keepPolicy;
}
