import type { KubernetesObject } from './types.ts';

/** The objects inside a List (`kind: List`, `ConfigMapList`); any other object itself. */
export function itemsOf(object: KubernetesObject): readonly KubernetesObject[] {
  const items = object['items'];
  if (!object.kind.endsWith('List') || !Array.isArray(items)) return [object];
  return (items as KubernetesObject[]).flatMap(itemsOf);
}
