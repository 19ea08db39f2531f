import type { Pod } from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { groupKindOf } from '../fields.ts';
import { currentPods, isObserved, podOwner, type Surroundings } from './verdict.ts';

type Related = Pick<Surroundings, 'related'>;

/** The pods of every revision of an object; of a pod, itself. Owners decide: other releases may have the same labels. */
export function allPods(object: KubernetesObject, { related }: Related): readonly Pod[] {
  if (groupKindOf(object) === 'Pod') return [object];
  const owned = related(object);
  const sets = owned.filter(({ kind }) => kind === 'ReplicaSet');
  return [...owned, ...sets.flatMap(related)].filter(({ kind }) => kind === 'Pod');
}

/**
 * The pods that the object's present specification asks for: of a Deployment those of the ReplicaSet of its newest
 * revision, of a StatefulSet or DaemonSet those of its update revision. None while its controller has not seen it.
 */
export function presentPods(object: KubernetesObject, around: Related): readonly Pod[] {
  switch (groupKindOf(object)) {
    case 'Deployment.apps':
    case 'StatefulSet.apps':
    case 'DaemonSet.apps': {
      const owner = isObserved(object) ? podOwner(object, around) : undefined;
      return owner === undefined ? [] : currentPods(object, owner, around);
    }
    default:
      return allPods(object, around);
  }
}
