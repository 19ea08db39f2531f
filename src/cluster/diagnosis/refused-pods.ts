import { numberOr, textOr } from '../../manifest/fields.ts';
import type {
  DaemonSet,
  Job,
  KubernetesEvent,
  ReplicaSet,
  StatefulSet,
  WithConditions,
} from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { conditionsOf, groupKindOf } from '../fields.ts';
import type { Outlook } from './pod-trouble.ts';

/** Why the API server does not let a controller create its pods. */
export interface Refusal {
  readonly kind: 'quota' | 'admission' | 'account' | 'other';
  /** The API server's sentence. */
  readonly message: string;
}

/**
 * By how the API server begins its sentence: what a webhook, a policy or a name adds behind that decides nothing. A
 * webhook that cannot be asked ("Internal error occurred") has not refused: it may be coming up.
 */
export function refusalOf(message: string): Refusal {
  const sentence = message.replace(controllersWords, '');
  const kind = beginnings.find(({ begins }) => begins.test(sentence))?.kind ?? 'other';
  return { kind, message };
}

/** What the controllers of workloads, and that of StatefulSets, put before it. */
const controllersWords =
  /^(?:Error creating|create (?:Pod|Claim) \S+ (?:for Pod \S+ )?in StatefulSet \S+ failed error): /;

const beginnings: readonly { readonly kind: Refusal['kind']; readonly begins: RegExp }[] = [
  { kind: 'quota', begins: /^\S+ "[^"]*" is forbidden: (?:exceeded|failed) quota: / },
  // The namespace's controller makes the account `default` a moment after the namespace; others may come late, too.
  { kind: 'account', begins: /^\S+ "[^"]*" is forbidden: error looking up service account / },
  {
    kind: 'admission',
    begins: /^admission webhook "[^"]*" denied the request|^\S+ "[^"]*" is (?:forbidden|invalid): /,
  },
];

/** What may be hoped for. A quota is freed by pods that are going; `isMakingWay` says that there are such. */
export function refusalOutlook({ kind }: Refusal, isMakingWay: boolean): Outlook {
  switch (kind) {
    case 'quota':
      return isMakingWay ? 'doubtful' : 'never';
    case 'admission':
      return 'never';
    case 'account':
      return 'doubtful';
    case 'other':
      return 'open';
    default:
      return kind satisfies never;
  }
}

/** A ReplicaSet says it of itself, as long as it is so. */
export function refusalByCondition(replicaSet: WithConditions): Refusal | undefined {
  const failure = conditionsOf(replicaSet).find(
    ({ type, status, reason }) => type === 'ReplicaFailure' && status === 'True' && reason === 'FailedCreate',
  );
  return failure === undefined ? undefined : refusalOf(failure.message);
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
  before: SeenCounts,
): Refusal | undefined {
  const active = pods.filter(({ metadata }) => !metadata.deletionTimestamp);
  if (active.length >= wantedPods(owner)) return undefined;
  const newestPod = Math.max(0, ...active.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '') || 0));
  const latest = events
    .filter((event) => textOr(event.reason, '') === 'FailedCreate')
    .filter((event) => eventCount(event) > (before.get(event.metadata.uid ?? '') ?? 0))
    .filter((event) => eventTimeMs(event) >= newestPod)
    .sort((a, b) => eventTimeMs(a) - eventTimeMs(b))
    .at(-1);
  return latest === undefined ? undefined : refusalOf(textOr(latest.message, ''));
}

/** How often an event has happened: `count`, or that of its series. */
export const eventCount = (event: KubernetesEvent): number => numberOr(event.count, numberOr(event.series?.count, 1));

/** When it happened last, in milliseconds since 1970; 0 where it does not say. */
export const eventTimeMs = (event: KubernetesEvent): number =>
  Date.parse(
    textOr(event.series?.lastObservedTime, '') ||
      textOr(event.lastTimestamp, '') ||
      textOr(event.eventTime, '') ||
      (event.metadata.creationTimestamp ?? ''),
  ) || 0;

function wantedPods(owner: KubernetesObject): number {
  switch (groupKindOf(owner)) {
    case 'DaemonSet.apps':
      return podsOfDaemonSet(owner);
    case 'Job.batch':
      return podsOfJob(owner);
    default:
      return podsOfReplicas(owner);
  }
}

const podsOfDaemonSet = ({ status }: DaemonSet): number => numberOr(status?.desiredNumberScheduled, 0);

const podsOfJob = ({ spec }: Job): number => (spec?.suspend === true ? 0 : 1);

const podsOfReplicas = ({ spec }: ReplicaSet | StatefulSet): number => numberOr(spec?.replicas, 1);
