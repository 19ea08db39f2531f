import { numberOr, textOr } from '../../manifest/fields.ts';
import type { Job, KubernetesEvent, ReplicaSet, WithConditions } from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { type Refusal, refusalIn } from '../../problem/foreign/controllers.ts';
import { Quote } from '../../problem/quote.ts';
import type { Outlook } from '../../problem/workload-fact.ts';
import { conditionsOf, groupKindOf } from '../fields.ts';
import { podCounts } from './pod-counts.ts';
import { eventCount, eventTimeMs, latestOf } from './pod-events.ts';

/** Why the API server does not let a controller create its pods. */
export function refusalOf(message: string, isMakingWay: boolean): Refusal {
  const cause = refusalIn(new Quote(message));
  return { outlook: outlookOf(cause.code, isMakingWay), ...cause };
}

/** A quota is freed by pods that are going; `isMakingWay` says that there are such. */
function outlookOf(code: Refusal['code'], isMakingWay: boolean): Outlook {
  switch (code) {
    case 'pods-exceed-quota':
      return isMakingWay ? 'doubtful' : 'never';
    case 'resources-unspecified':
    case 'pods-refused':
    case 'priority-class-missing':
      return 'never';
    case 'service-account-missing':
      return 'doubtful';
    case 'pods-not-created':
      return 'open';
    default:
      return code satisfies never;
  }
}

/** A ReplicaSet says it of itself, as long as it is so. */
export function refusalByCondition(replicaSet: WithConditions, isMakingWay = false): Refusal | undefined {
  const failure = conditionsOf(replicaSet).find(
    ({ type, status, reason }) => type === 'ReplicaFailure' && status === 'True' && reason === 'FailedCreate',
  );
  return failure === undefined ? undefined : refusalOf(failure.message, isMakingWay);
}

/** How often events had been seen, by their uid, before the deploy. */
export type SeenCounts = ReadonlyMap<string, number>;

/**
 * Other controllers leave a FailedCreate event, which stays when all is well again: it counts if it is newer than the
 * deploy and than the newest of `pods`, and pods are missing.
 */
export function refusalByEvents(
  owner: KubernetesObject,
  pods: readonly KubernetesObject[],
  events: readonly KubernetesEvent[],
  { before, isMakingWay }: { readonly before: SeenCounts; readonly isMakingWay: boolean },
): Refusal | undefined {
  const active = pods.filter(({ metadata }) => !metadata.deletionTimestamp);
  if (active.length >= wantedPods(owner)) return undefined;
  const newestPod = Math.max(0, ...active.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '') || 0));
  const isNew = (event: KubernetesEvent): boolean =>
    textOr(event.reason, '') === 'FailedCreate' &&
    eventCount(event) > (before.get(event.metadata.uid ?? '') ?? 0) &&
    eventTimeMs(event) >= newestPod;
  const latest = latestOf(events.filter(isNew));
  return latest === undefined ? undefined : refusalOf(textOr(latest.message, ''), isMakingWay);
}

/** A Job makes its pods a few at a time: one that is there is enough. */
function wantedPods(owner: KubernetesObject & Pick<Job & ReplicaSet, 'spec'>): number {
  if (groupKindOf(owner) === 'Job.batch') return owner.spec?.suspend === true ? 0 : 1;
  if (groupKindOf(owner) === 'DaemonSet.apps') return podCounts(owner)?.desired ?? 0;
  return numberOr(owner.spec?.replicas, 1);
}
