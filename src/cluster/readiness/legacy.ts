import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../manifest/types.ts';
import { compareText } from '../../support/order.ts';
import { conditionsOf, groupKindOf, listAt, numberAt, textAt, valueAt } from '../fields.ts';
import type { Readiness } from '../types.ts';
import { failed, of, ready, waiting } from './words.ts';

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
      return textAt(object, '', 'status', 'phase') === 'Bound' ? ready : waiting('its volume is not bound');
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

function podReadiness(object: KubernetesObject): Readiness {
  const isReady = conditionsOf(object).some(({ type, status }) => type === 'Ready' && status === 'True');
  return isReady ? ready : waiting(`pod ${object.metadata.name} is not ready`);
}

function podsReadiness(pods: readonly KubernetesObject[]): Readiness {
  const readyCount = pods.filter((pod) => podReadiness(pod).state === 'ready').length;
  return readyCount === pods.length ? ready : waiting(of(readyCount, pods.length, 'pods ready'));
}

function jobReadiness(object: KubernetesObject): Readiness {
  const failures = numberAt(object, 0, 'status', 'failed');
  if (failures > numberAt(object, 6, 'spec', 'backoffLimit')) {
    return failed(`job is failed: ${object.metadata.namespace}/${object.metadata.name} (${failures} failed pods)`);
  }
  const completions = numberAt(object, 0, 'spec', 'completions');
  const succeeded = numberAt(object, 0, 'status', 'succeeded');
  return succeeded < completions ? waiting(of(succeeded, completions, 'completions')) : ready;
}

/** Waiting while the controller has not seen the newest generation. */
function unobserved(object: KubernetesObject): Readiness | undefined {
  const generation = numberAt(object, 0, 'metadata', 'generation');
  const observed = numberAt(object, 0, 'status', 'observedGeneration');
  return generation === observed
    ? undefined
    : waiting(`generation ${generation} is not observed yet, only ${observed}`);
}

function deploymentReadiness(object: KubernetesObject, replicaSets: readonly KubernetesObject[]): Readiness {
  if (valueAt(object, 'spec', 'paused') === true) return ready;
  const newest = newReplicaSet(object, replicaSets);
  if (newest === undefined) return waiting('its new ReplicaSet does not exist yet');
  const behind = unobserved(newest) ?? unobserved(object);
  if (behind !== undefined) return behind;
  const expected = numberAt(object, 1, 'spec', 'replicas') - maxUnavailable(object);
  const readyCount = numberAt(newest, 0, 'status', 'readyReplicas');
  return readyCount < expected ? waiting(of(readyCount, expected, 'pods ready')) : ready;
}

/** The oldest ReplicaSet of this Deployment with its pod template (deploymentutil.FindNewReplicaSet). */
function newReplicaSet(
  object: KubernetesObject,
  replicaSets: readonly KubernetesObject[],
): KubernetesObject | undefined {
  const template = valueAt(object, 'spec', 'template');
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
    .find((replicaSet) =>
      isDeepStrictEqual(withoutHash(valueAt(replicaSet, 'spec', 'template')), withoutHash(template)),
    );
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
function maxUnavailable(object: KubernetesObject): number {
  const replicas = numberAt(object, 1, 'spec', 'replicas');
  if (textAt(object, '', 'spec', 'strategy', 'type') !== 'RollingUpdate' || replicas === 0) return 0;
  const surge = scaled(valueAt(object, 'spec', 'strategy', 'rollingUpdate', 'maxSurge'), replicas, Math.ceil);
  const unavailable = scaled(
    valueAt(object, 'spec', 'strategy', 'rollingUpdate', 'maxUnavailable'),
    replicas,
    Math.floor,
  );
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

function serviceReadiness(object: KubernetesObject): Readiness {
  const type = textAt(object, '', 'spec', 'type');
  if (type === 'ExternalName') return ready;
  if (textAt(object, '', 'spec', 'clusterIP') === '') return waiting('it has no cluster IP yet');
  if (type !== 'LoadBalancer' || listAt(object, 'spec', 'externalIPs').length > 0) return ready;
  const hasIngress = Array.isArray(valueAt(object, 'status', 'loadBalancer', 'ingress'));
  return hasIngress ? ready : waiting('its load balancer has no address yet');
}

function daemonSetReadiness(object: KubernetesObject): Readiness {
  const behind = unobserved(object);
  if (behind !== undefined) return behind;
  if (textAt(object, '', 'spec', 'updateStrategy', 'type') !== 'RollingUpdate') return ready;
  const wanted = numberAt(object, 0, 'status', 'desiredNumberScheduled');
  const updated = numberAt(object, 0, 'status', 'updatedNumberScheduled');
  if (updated !== wanted) return waiting(of(updated, wanted, 'pods updated'));
  const allowed = valueAt(object, 'spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable');
  const expected = wanted - (scaled(allowed, wanted, Math.ceil) ?? wanted);
  const readyCount = numberAt(object, 0, 'status', 'numberReady');
  return readyCount < expected ? waiting(of(readyCount, expected, 'pods ready')) : ready;
}

function statefulSetReadiness(object: KubernetesObject): Readiness {
  const behind = unobserved(object);
  if (behind !== undefined) return behind;
  if (textAt(object, '', 'spec', 'updateStrategy', 'type') !== 'RollingUpdate') return ready;
  const wanted = numberAt(object, 1, 'spec', 'replicas');
  const partition = numberAt(object, 0, 'spec', 'updateStrategy', 'rollingUpdate', 'partition');
  const updated = numberAt(object, 0, 'status', 'updatedReplicas');
  if (updated < wanted - partition) return waiting(of(updated, wanted - partition, 'replicas updated'));
  const readyCount = numberAt(object, 0, 'status', 'readyReplicas');
  if (readyCount !== wanted) return waiting(of(readyCount, wanted, 'replicas ready'));
  const isOneRevision =
    textAt(object, '', 'status', 'currentRevision') === textAt(object, '', 'status', 'updateRevision');
  return partition === 0 && !isOneRevision ? waiting('its update revision is not the current one yet') : ready;
}

function crdReadiness(object: KubernetesObject): Readiness {
  const isSettled = conditionsOf(object).some(
    ({ type, status }) =>
      (type === 'Established' && status === 'True') || (type === 'NamesAccepted' && status === 'False'),
  );
  return isSettled ? ready : waiting('it is not established yet');
}
