import { idOf, objectKey, titleOf } from '../../manifest/resource-id.ts';
import { groupBy } from '../../support/group-by.ts';
import type { Hazard, HazardInput } from './hazard.ts';
import { comparePlaces, nodesThatDiffer, ownGroup, type PlacedObject } from './places.ts';
import { isReferable, podReferences } from './references.ts';

/**
 * Pods that are waited for before something that they need is applied: a hook's, those of a batch, or those that
 * post-hooks wait for.
 */
export function podHazards(input: HazardInput): readonly Hazard[] {
  const { objects, namespace } = input;
  const byKey = objectsByKey(input);
  return objects
    .filter((user) => isWaitedFor(user, input))
    .flatMap((user) =>
      podReferences(user.object, namespace).flatMap((needs) => {
        const candidates = byKey.get(objectKey(needs)) ?? [];
        const [needed] = candidates;
        const isInTime = candidates.some(({ place }) => comparePlaces(place, user.place) <= 0);
        return needed === undefined || isInTime ? [] : [{ ...podHazard(user, needed), needs }];
      }),
    );
}

const objectsByKey = ({ objects, namespace }: HazardInput): ReadonlyMap<string, readonly PlacedObject[]> =>
  groupBy(
    objects.filter(({ object }) => isReferable(object.kind)),
    ({ object }) => objectKey(idOf(object, namespace)),
  );

/** Of hooks, Pods and Jobs; of the rest what has pods, where batches or post-hooks wait for it. Jobs count as running without an order. */
function isWaitedFor({ object, hook }: PlacedObject, { strategy }: HazardInput): boolean {
  if (hook !== undefined) return object.kind === 'Pod' || object.kind === 'Job';
  return strategy === 'ordered' || (strategy !== 'hookOnly' && object.kind !== 'Job');
}

function podHazard(user: PlacedObject, needed: PlacedObject): Hazard {
  const common = { source: user.source, resource: titleOf(user.object) };
  if (user.hook !== undefined) return { ...common, kind: 'hook-before-object', message: hookText(user, needed) };
  if (needed.hook !== undefined) return { ...common, kind: 'hook-after-workload', message: lateHookText(user, needed) };
  return { ...common, kind: 'later-batch', message: laterBatchText(user, needed) };
}

function hookText(user: PlacedObject, needed: PlacedObject): string {
  const { event } = user.hook as NonNullable<PlacedObject['hook']>;
  const object = titleOf(needed.object);
  const head = `the ${event} hook ${titleOf(user.object)} uses ${object}`;
  if (needed.hook?.event === event)
    return `${head}, a ${event} hook that comes after it, so the hook cannot start; give ${object} a lower helm.sh/hook-weight`;
  const cause = needed.hook === undefined ? `which is applied after the ${event} hooks` : `a ${needed.hook.event} hook`;
  return `${head}, ${cause}, so the hook cannot start; make ${object} a ${event} hook with a lower helm.sh/hook-weight, or run ${titleOf(user.object)} as a ${event.replace('pre-', 'post-')} hook`;
}

function lateHookText(user: PlacedObject, needed: PlacedObject): string {
  const object = titleOf(needed.object);
  const event = needed.hook?.event ?? '';
  return `${titleOf(user.object)} needs ${object}, a ${event} hook, which runs only after ${titleOf(user.object)} is ready; make ${object} a ${event.replace('post-', 'pre-')} hook or an ordinary resource, or make the reference optional`;
}

function laterBatchText(user: PlacedObject, needed: PlacedObject): string {
  const object = titleOf(needed.object);
  const [own, later] = nodesThatDiffer(user, needed) ?? ['', ''];
  return `${titleOf(user.object)} (${own}) uses ${object}, which comes in a later batch (${later}), so ${titleOf(user.object)} cannot become ready; ${earlierText(object, user, own)}`;
}

const earlierText = (object: string, user: PlacedObject, own: string): string =>
  own === ownGroup
    ? `give ${titleOf(user.object)} a group and move ${object} into it, or into an earlier one`
    : `move ${object} into ${own} or an earlier batch`;
