import { textOr } from '../../manifest/fields.ts';
import type { KubernetesEvent, Pod } from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import type { WorkloadFact } from '../../problem/workload-fact.ts';
import { groupKindOf } from '../fields.ts';
import { claimFailure, claimsOf, mountFailure } from './pod-events.ts';
import { podFacts } from './pod-facts.ts';
import { failuresToCount } from './probes.ts';
import { currentPods, inPod, podOwner, type Surroundings } from './verdict.ts';

/**
 * What is in the way of a resource and may still pass: a pod that fits on no node, a volume that is not provided, a
 * container that started again, a probe that fails. Empty where it is only not done yet.
 */
export function hindrancesOf(object: KubernetesObject, around: Surroundings): readonly WorkloadFact[] {
  if (groupKindOf(object) === 'PersistentVolumeClaim')
    return [claimFailure(object.metadata.name, around.related(object)) ?? []].flat();
  const owner = podOwner(object, around);
  for (const pod of owner === undefined ? [] : currentPods(object, owner, around)) {
    const facts = podHindrances(pod, around);
    if (facts.length > 0) return inPod(facts, pod, object);
  }
  return [];
}

function podHindrances(pod: Pod, around: Surroundings): readonly WorkloadFact[] {
  const events: readonly KubernetesEvent[] = around.related(pod);
  return podFacts(pod, events).flatMap((fact) => {
    if (fact.code === 'pod-unschedulable' && fact.obstacles.includes('claim')) return claimFact(pod, around) ?? fact;
    if (fact.code === 'pod-pending') return mountFailure(events) ?? (fact.reason === undefined ? [] : fact);
    if (fact.code === 'probe-failed' && fact.failures < failuresToCount) return fact.restarts === undefined ? [] : fact;
    // That it is not ready yet says no more than the counts do.
    if (fact.code === 'container-not-ready' && fact.restarts === undefined) return [];
    return textOr(pod.status?.phase, '') === 'Failed' && fact.container === undefined ? [] : fact;
  });
}

/** The claim that keeps a pod from being placed, and why it has no volume: the scheduler names neither. */
function claimFact(pod: Pod, { nearby }: Surroundings): WorkloadFact | undefined {
  for (const name of claimsOf(pod)) {
    const events = nearby('Event').filter(({ involvedObject }: KubernetesEvent) => {
      return involvedObject?.kind === 'PersistentVolumeClaim' && involvedObject.name === name;
    });
    const failure = claimFailure(name, events);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
