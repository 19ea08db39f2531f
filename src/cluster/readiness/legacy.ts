import { numberOr, textOr } from '../../manifest/fields.ts';
import type {
  CustomResourceDefinition,
  DaemonSet,
  Deployment,
  Job,
  PersistentVolumeClaim,
  Pod,
  ReplicaSet,
  Service,
  StatefulSet,
  WithConditions,
} from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { equalJson } from '../../support/json.ts';
import { compareText } from '../../support/order.ts';
import { conditionsOf, groupKindOf } from '../fields.ts';
import type { Readiness } from '../types.ts';
import { countOfWanted, failed, ready, waiting } from './words.ts';

/** Readiness by Helm 3's rules (kube.ReadyChecker). Kinds that it does not know are always ready. */
export function legacyReadiness(
  object: KubernetesObject,
  waitForJobs: boolean,
  related: readonly KubernetesObject[],
): Readiness {
  switch (groupKindOf(object)) {
    case 'Pod':
      return podReadiness(object);
    case 'Job.batch':
      return waitForJobs ? jobReadiness(object) : ready;
    case 'Deployment.apps':
      return deploymentReadiness(object, related);
    case 'PersistentVolumeClaim':
      return claimReadiness(object);
    case 'Service':
      return serviceReadiness(object);
    case 'DaemonSet.apps':
      return daemonSetReadiness(object);
    case 'CustomResourceDefinition.apiextensions.k8s.io':
      return crdReadiness(object);
    case 'StatefulSet.apps':
      return statefulSetReadiness(object);
    case 'ReplicationController':
    case 'ReplicaSet.apps':
      return unobserved(object) ?? podsReadiness(related);
    default:
      return ready;
  }
}

function podReadiness(object: Pod): Readiness {
  const isReady = conditionsOf(object).some(({ type, status }) => type === 'Ready' && status === 'True');
  return isReady ? ready : waiting(`pod ${object.metadata.name} is not ready`);
}

function podsReadiness(pods: readonly Pod[]): Readiness {
  const readyCount = pods.filter((pod) => podReadiness(pod).state === 'ready').length;
  return readyCount === pods.length ? ready : waiting(countOfWanted(readyCount, pods.length, 'pods ready'));
}

function jobReadiness(object: Job): Readiness {
  const failures = numberOr(object.status?.failed, 0);
  if (failures > numberOr(object.spec?.backoffLimit, 6)) {
    return failed(`job is failed: ${object.metadata.namespace}/${object.metadata.name} (${failures} failed pods)`);
  }
  const completions = numberOr(object.spec?.completions, 0);
  const succeeded = numberOr(object.status?.succeeded, 0);
  return succeeded < completions ? waiting(countOfWanted(succeeded, completions, 'completions')) : ready;
}

/** Waiting while the controller has not seen the newest generation. */
function unobserved(object: WithConditions): Readiness | undefined {
  const generation = numberOr(object.metadata?.generation, 0);
  const observed = numberOr(object.status?.observedGeneration, 0);
  return generation === observed
    ? undefined
    : waiting(`the controller has not picked up the change yet (generation ${generation}, seen ${observed})`);
}

function deploymentReadiness(object: Deployment, replicaSets: readonly ReplicaSet[]): Readiness {
  if (object.spec?.paused === true) return ready;
  const newest = newReplicaSet(object, replicaSets);
  if (newest === undefined) return waiting('its new ReplicaSet does not exist yet');
  const behind = unobserved(newest) ?? unobserved(object);
  if (behind !== undefined) return behind;
  const expected = numberOr(object.spec?.replicas, 1) - maxUnavailable(object);
  const readyCount = numberOr(newest.status?.readyReplicas, 0);
  return readyCount < expected ? waiting(countOfWanted(readyCount, expected, 'pods ready')) : ready;
}

/** The oldest ReplicaSet of this Deployment with its pod template (deploymentutil.FindNewReplicaSet). */
function newReplicaSet(object: Deployment, replicaSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const template = object.spec?.template;
  return replicaSets
    .filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ uid, controller }) => controller && uid === object.metadata.uid),
    )
    .sort((a, b) =>
      compareText(
        `${a.metadata.creationTimestamp} ${a.metadata.name}`,
        `${b.metadata.creationTimestamp} ${b.metadata.name}`,
      ),
    )
    .find((replicaSet) => equalJson(withoutHash(replicaSet.spec?.template), withoutHash(template)));
}

function withoutHash(template: unknown): unknown {
  const { metadata, ...rest } = (template ?? {}) as { metadata?: { labels?: Record<string, string> } };
  const {
    labels,
    creationTimestamp: _none,
    ...others
  } = (metadata ?? {}) as { labels?: Record<string, string>; creationTimestamp?: unknown };
  const { 'pod-template-hash': _hash, ...ownLabels } = labels ?? {};
  return { ...rest, metadata: { ...others, labels: ownLabels } };
}

/** How many pods may be missing during a rolling update (deploymentutil.MaxUnavailable). */
function maxUnavailable(object: Deployment): number {
  const replicas = numberOr(object.spec?.replicas, 1);
  if (textOr(object.spec?.strategy?.type, '') !== 'RollingUpdate' || replicas === 0) return 0;
  const surge = scaled(object.spec?.strategy?.rollingUpdate?.maxSurge, replicas, Math.ceil);
  const unavailable = scaled(object.spec?.strategy?.rollingUpdate?.maxUnavailable, replicas, Math.floor);
  if (surge === undefined || unavailable === undefined) return 0;
  return surge === 0 && unavailable === 0 ? 1 : Math.min(unavailable, replicas);
}

/** A count, or a percentage of `total`; undefined for anything else. */
function scaled(value: unknown, total: number, round: (count: number) => number): number | undefined {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? undefined : round((Number(percent) * total) / 100);
}

function claimReadiness({ status }: PersistentVolumeClaim): Readiness {
  return status?.phase === 'Bound' ? ready : waiting('its volume is not bound');
}

function serviceReadiness(object: Service): Readiness {
  const type = textOr(object.spec?.type, '');
  if (type === 'ExternalName') return ready;
  if (textOr(object.spec?.clusterIP, '') === '') return waiting('it has no cluster IP yet');
  if (type !== 'LoadBalancer' || hasAny(object.spec?.externalIPs)) return ready;
  const hasIngress = Array.isArray(object.status?.loadBalancer?.ingress);
  return hasIngress ? ready : waiting('its load balancer has no address yet');
}

const hasAny = (list: unknown): boolean => Array.isArray(list) && list.length > 0;

function daemonSetReadiness(object: DaemonSet): Readiness {
  const behind = unobserved(object);
  if (behind !== undefined) return behind;
  if (textOr(object.spec?.updateStrategy?.type, '') !== 'RollingUpdate') return ready;
  const wanted = numberOr(object.status?.desiredNumberScheduled, 0);
  const updated = numberOr(object.status?.updatedNumberScheduled, 0);
  if (updated !== wanted) return waiting(countOfWanted(updated, wanted, 'pods updated'));
  const allowed = object.spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
  const expected = wanted - (scaled(allowed, wanted, Math.ceil) ?? wanted);
  const readyCount = numberOr(object.status?.numberReady, 0);
  return readyCount < expected ? waiting(countOfWanted(readyCount, expected, 'pods ready')) : ready;
}

function statefulSetReadiness(object: StatefulSet): Readiness {
  const behind = unobserved(object);
  if (behind !== undefined) return behind;
  if (textOr(object.spec?.updateStrategy?.type, '') !== 'RollingUpdate') return ready;
  const wanted = numberOr(object.spec?.replicas, 1);
  const partition = numberOr(object.spec?.updateStrategy?.rollingUpdate?.partition, 0);
  const updated = numberOr(object.status?.updatedReplicas, 0);
  if (updated < wanted - partition) return waiting(countOfWanted(updated, wanted - partition, 'replicas updated'));
  const readyCount = numberOr(object.status?.readyReplicas, 0);
  if (readyCount !== wanted) return waiting(countOfWanted(readyCount, wanted, 'replicas ready'));
  const isOneRevision = textOr(object.status?.currentRevision, '') === textOr(object.status?.updateRevision, '');
  return partition === 0 && !isOneRevision ? waiting('its update revision is not the current one yet') : ready;
}

function crdReadiness(object: CustomResourceDefinition): Readiness {
  const isSettled = conditionsOf(object).some(
    ({ type, status }) =>
      (type === 'Established' && status === 'True') || (type === 'NamesAccepted' && status === 'False'),
  );
  return isSettled ? ready : waiting('it is not established yet');
}
