import { textOr } from '../../manifest/fields.ts';
import type { KubernetesEvent, Pod } from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { groupKindOf } from '../fields.ts';
import { type PodTrouble, podTroubles } from './pod-trouble.ts';
import { claimFailure, claimReason, claimsOf, mountFailure, probeText } from './telling-events.ts';
import { currentPods, podOwner, type Surroundings, troubleText } from './verdict.ts';

/**
 * What stands in the way of a resource and may still pass: a pod that fits on no node, a volume that is not provided, a
 * container that started again, a probe that fails. Undefined where it is only not done yet.
 */
export function hindranceOf(object: KubernetesObject, around: Surroundings): string | undefined {
  if (groupKindOf(object) === 'PersistentVolumeClaim') return claimFailure(around.related(object));
  const owner = podOwner(object, around);
  for (const pod of owner === undefined ? [] : currentPods(object, owner, around)) {
    if (around.before.troubled.has(pod.metadata.uid ?? '')) continue;
    const trouble = claimTrouble(pod, around) ?? podHindrance(pod, around.related(pod));
    if (trouble !== undefined) return `${object === pod ? '' : `Pod/${pod.metadata.name} `}${trouble}`;
  }
  return undefined;
}

/** What keeps a pod back, the words of its probes included. */
function podHindrance(pod: Pod, events: readonly KubernetesEvent[]): string | undefined {
  const mount = mountFailure(events);
  const texts = podTroubles(pod).flatMap((trouble) => {
    if (trouble.container === undefined && trouble.reason === 'it is pending' && mount !== undefined) return mount;
    const probe = trouble.isUnready ? probeText(events, trouble) : undefined;
    if (probe !== undefined) return `${troubleText(trouble, events)}: ${probe}`;
    return isTelling(pod, trouble) ? troubleText(trouble, events) : [];
  });
  return texts.length === 0 ? undefined : texts.join('; ');
}

/** Not that a pod is pending or that its probe has not passed yet: the counts say as much. */
function isTelling(pod: Pod, { container, isUnready, restarts = 0, reason }: PodTrouble): boolean {
  if (container === undefined) return textOr(pod.status?.phase, '') !== 'Failed' && !reason.startsWith('it is ');
  return isUnready !== true || restarts > 0;
}

/** The claim that keeps a pod from being placed, and why it has no volume: the scheduler names neither. */
function claimTrouble(pod: Pod, { nearby }: Surroundings): string | undefined {
  const [trouble] = podTroubles(pod);
  if (trouble === undefined || !/PersistentVolumeClaim/i.test(trouble.reason)) return undefined;
  for (const name of claimsOf(pod)) {
    const events = nearby('Event').filter(({ involvedObject }: KubernetesEvent) => {
      return involvedObject?.kind === 'PersistentVolumeClaim' && involvedObject.name === name;
    });
    if (claimFailure(events) !== undefined) return `PersistentVolumeClaim/${name}: ${claimReason(undefined, events)}`;
  }
  return undefined;
}
