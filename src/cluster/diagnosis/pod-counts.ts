import type { KubernetesObject } from '../../manifest/types.ts';
import { groupKindOf, numberAt } from '../fields.ts';

/** How many of a workload's wanted pods are ready; of a Job, how many have completed. */
export interface PodCounts {
  readonly ready: number;
  readonly desired: number;
}

/** The counts in a workload's status; undefined for a kind that has no pods, or whose controller has not counted yet. */
export function podCounts(object: KubernetesObject): PodCounts | undefined {
  switch (groupKindOf(object)) {
    case 'Deployment.apps':
    case 'StatefulSet.apps':
      return updatedPods(object);
    case 'ReplicaSet.apps':
      return { ready: status(object, 'readyReplicas'), desired: numberAt(object, 1, 'spec', 'replicas') };
    case 'DaemonSet.apps': {
      const desired = numberAt(object, -1, 'status', 'desiredNumberScheduled');
      return desired === -1 ? undefined : { ready: status(object, 'numberReady'), desired };
    }
    case 'Job.batch': {
      const desired = numberAt(object, numberAt(object, 1, 'spec', 'parallelism'), 'spec', 'completions');
      return { ready: status(object, 'succeeded'), desired };
    }
    default:
      return undefined;
  }
}

/** In a rollout the old pods, which are ready too, do not count: the status tells only how many are new, not which are ready. */
function updatedPods(object: KubernetesObject): PodCounts {
  const old = Math.max(0, status(object, 'replicas') - status(object, 'updatedReplicas'));
  const ready = Math.max(0, status(object, 'readyReplicas') - old);
  return { ready, desired: numberAt(object, 1, 'spec', 'replicas') };
}

const status = (object: KubernetesObject, field: string): number => numberAt(object, 0, 'status', field);
