import { numberOr } from '../../manifest/fields.ts';
import type { DaemonSet, Deployment, Job, ReplicaSet, StatefulSet } from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { groupKindOf } from '../fields.ts';

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
      return podsOfReplicaSet(object);
    case 'DaemonSet.apps':
      return podsOfDaemonSet(object);
    case 'Job.batch':
      return podsOfJob(object);
    default:
      return undefined;
  }
}

/** In a rollout the old pods, which are ready too, do not count: the status tells only how many are new, not which are ready. */
function updatedPods({ spec, status }: Deployment | StatefulSet): PodCounts {
  const old = Math.max(0, numberOr(status?.replicas, 0) - numberOr(status?.updatedReplicas, 0));
  const ready = Math.max(0, numberOr(status?.readyReplicas, 0) - old);
  return { ready, desired: numberOr(spec?.replicas, 1) };
}

const podsOfReplicaSet = ({ spec, status }: ReplicaSet): PodCounts => ({
  ready: numberOr(status?.readyReplicas, 0),
  desired: numberOr(spec?.replicas, 1),
});

function podsOfDaemonSet({ status }: DaemonSet): PodCounts | undefined {
  const desired = numberOr(status?.desiredNumberScheduled, -1);
  return desired === -1 ? undefined : { ready: numberOr(status?.numberReady, 0), desired };
}

const podsOfJob = ({ spec, status }: Job): PodCounts => ({
  ready: numberOr(status?.succeeded, 0),
  desired: numberOr(spec?.completions, numberOr(spec?.parallelism, 1)),
});
