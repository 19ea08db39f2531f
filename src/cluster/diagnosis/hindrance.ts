import { textOr } from '../../manifest/fields.ts';
import type { KubernetesEvent, Pod } from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { groupKindOf } from '../fields.ts';
import { type PodTrouble, podTrouble } from './pod-trouble.ts';
import { eventTimeMs } from './refused-pods.ts';
import { currentPods, podOwner, type Surroundings, troubleText } from './verdict.ts';

/**
 * What stands in the way of a resource and may still pass: a pod that fits on no node, a volume that is not provided, a
 * container that started again. Undefined where it is only not done yet.
 */
export function hindranceOf(
  object: KubernetesObject,
  around: Pick<Surroundings, 'related' | 'before'>,
): string | undefined {
  if (groupKindOf(object) === 'PersistentVolumeClaim') return claimTrouble(around.related(object));
  const owner = podOwner(object, around);
  for (const pod of owner === undefined ? [] : currentPods(object, owner, around)) {
    if (around.before.troubled.has(pod.metadata.uid ?? '')) continue;
    const trouble = podTrouble(pod);
    if (trouble !== undefined && isTelling(pod, trouble))
      return `${object === pod ? '' : `Pod/${pod.metadata.name} `}${troubleText(trouble)}`;
  }
  return undefined;
}

/** Not that a pod is pending or that its probe has not passed yet: the counts say as much. */
function isTelling(pod: Pod, { container, isUnready, restarts = 0, reason }: PodTrouble): boolean {
  if (container === undefined) return textOr(pod.status?.phase, '') !== 'Failed' && !reason.startsWith('it is ');
  return isUnready !== true || restarts > 0;
}

const claimReasons: ReadonlySet<string> = new Set(['ProvisioningFailed', 'FailedBinding', 'VolumeMismatch']);

/** What the volume's controller said last. */
function claimTrouble(events: readonly KubernetesEvent[]): string | undefined {
  const latest = events
    .filter((event) => claimReasons.has(textOr(event.reason, '')))
    .sort((a, b) => eventTimeMs(a) - eventTimeMs(b))
    .at(-1);
  return latest === undefined ? undefined : `${textOr(latest.reason, '')}: ${textOr(latest.message, '')}`;
}
