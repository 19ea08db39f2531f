import { itemsOf } from '../../manifest/items.ts';
import { groupOf, objectKey } from '../../manifest/resource-id.ts';
import type { Manifest, ResourceId } from '../../manifest/types.ts';
import { groupBy } from '../../support/group-by.ts';

/** A created object that takes the place of a deleted one. */
export interface Succession<T> {
  readonly created: T;
  readonly deleted: T;
}

/**
 * What a change may create in place of what it deletes: objects of one template and kind with other names, in their order.
 * It does so if the template makes other names each time, such as that of a Job with the revision in it. A template that
 * creates more of a kind than go, or fewer, says nothing.
 */
export function successions<T extends { readonly id: ResourceId }>(
  created: readonly T[],
  deleted: readonly T[],
  manifests: readonly Manifest[],
): readonly Succession<T>[] {
  const templates = namesIn(manifests);
  const originOf = ({ id }: T): string => [templates.get(nameKey(id)) ?? '', objectKey({ ...id, name: '' })].join(' ');
  const gone = groupBy(deleted, originOf);
  return [...groupBy(created, originOf)].flatMap(([origin, group]) => {
    const others = gone.get(origin) ?? [];
    if (others.length !== group.length) return [];
    return group.map((one, index) => ({ created: one, deleted: others[index] as T }));
  });
}

export const nameKey = ({ apiVersion, kind, name }: Pick<ResourceId, 'apiVersion' | 'kind' | 'name'>): string =>
  [groupOf(apiVersion), kind, name].join(' ');

/** The objects of manifests by kind and name, each with its template. */
export const namesIn = (manifests: readonly Manifest[]): ReadonlyMap<string, string> =>
  new Map(
    manifests.flatMap(({ object, source }) =>
      itemsOf(object).map(({ apiVersion, kind, metadata }) => [
        nameKey({ apiVersion, kind, name: metadata.name }),
        source,
      ]),
    ),
  );
