import { formatId, idOf } from '../../manifest/resource-id.ts';
import type { Manifest } from '../../manifest/types.ts';
import type { ReleaseId } from '../../release/types.ts';
import { TshelmError } from '../../support/errors.ts';
import { printableLine } from '../../support/printable.ts';
import type { Context } from '../context.ts';
import type { MovedObject } from './moves.ts';
import { namesOf, refusal } from './named-objects.ts';

/** Errors: `ownership-conflict` for objects that belong to another release than the ones of the move. */
export function refuseForeign(objects: readonly MovedObject[], to: ReleaseId): void {
  const conflicts = objects
    .filter(({ state }) => state === 'foreign')
    .map(({ owner, ...id }) => {
      // Anybody may write these annotations: a line break in them begins no line of ours.
      const [release, namespace] = [owner?.release, owner?.namespace].map((text = '') => printableLine(text));
      return `${formatId(id)} belongs to release "${release}" in ${namespace}`;
    });
  if (conflicts.length === 0) return;
  throw new TshelmError('ownership-conflict', {
    message: `${conflicts.join('\n')}\nmove them from there with tshelm move`,
    details: { ...to, conflicts },
  });
}

/**
 * An object whose manifest names no namespace goes where its release is: moved to a release elsewhere, the next upgrade
 * would make a second one there. Errors: `move-refused`.
 */
export async function refuseWithoutNamespace(
  manifests: readonly Manifest[],
  { release, namespace }: ReleaseId,
  context: Context,
): Promise<void> {
  const placed = await withoutNamespace(manifests, context);
  if (placed.length === 0) return;
  throw refusal(release, 'no-namespace', {
    message: `the manifests of ${namesOf(placed).join(', ')} name no namespace, so a release in another namespace would create them there again; set metadata.namespace to ${namespace} in the templates and upgrade release "${release}" first`,
    objects: namesOf(placed),
  });
}

/** The manifests whose objects are where their release is. */
export async function withoutNamespace(
  manifests: readonly Manifest[],
  { cluster: open, signal }: Context,
): Promise<readonly Manifest[]> {
  const cluster = await open();
  const isPlaced = await Promise.all(
    manifests.map(async ({ object }) => {
      if (idOf(object).namespace !== '') return false;
      return (await cluster.mapping(object.apiVersion, object.kind, { signal }))?.namespaced === true;
    }),
  );
  return manifests.filter((_, index) => isPlaced[index]);
}
