import type { KubernetesObject } from '../../manifest/types.ts';
import { type Condition, conditionsOf, groupKindOf, listAt, numberAt, textAt, valueAt } from '../fields.ts';
import type { Readiness } from '../types.ts';
import { failed, of, ready, waiting } from './words.ts';

/**
 * Readiness as Helm 4's `watcher` sees it: kstatus' status.Compute, with Helm's own rule for Jobs under
 * --wait-for-jobs (internal/statusreaders). It differs where kstatus calls a Pod that ended in failure current,
 * and one that cannot be scheduled yet a failure: an autoscaler may still make room.
 */
export function watcherReadiness(object: KubernetesObject, waitForJobs: boolean): Readiness {
  // Helm leaves paused Deployments out of the wait.
  if (groupKindOf(object) === 'Deployment.apps' && valueAt(object, 'spec', 'paused') === true) return ready;
  const common = commonReadiness(object);
  if (common !== undefined) return common;
  if (groupKindOf(object) === 'Job.batch') return waitForJobs ? completedJob(object) : startedJob(object);
  return (rules[groupKindOf(object)] ?? byReadyCondition)(object);
}

const rules: Readonly<Record<string, (object: KubernetesObject) => Readiness>> = {
  Service: serviceReadiness,
  Pod: podReadiness,
  PersistentVolumeClaim: claimReadiness,
  'StatefulSet.apps': statefulSetReadiness,
  'DaemonSet.apps': daemonSetReadiness,
  'Deployment.apps': deploymentReadiness,
  'ReplicaSet.apps': replicaSetReadiness,
  'PodDisruptionBudget.policy': () => ready,
  'CronJob.batch': () => ready,
  ConfigMap: () => ready,
  Secret: () => ready,
  'CustomResourceDefinition.apiextensions.k8s.io': crdReadiness,
};

/** What holds for any kind; undefined where the kind itself decides. kstatus: checkGenericProperties. */
function commonReadiness(object: KubernetesObject): Readiness | undefined {
  if (object.metadata.deletionTimestamp) return waiting('it is being deleted');
  const generation = valueAt(object, 'metadata', 'generation');
  const observed = valueAt(object, 'status', 'observedGeneration');
  if (typeof generation === 'number' && typeof observed === 'number' && generation !== observed) {
    return waiting(`generation ${generation} is not observed yet, only ${observed}`);
  }
  for (const condition of conditionsOf(object)) {
    if (condition.status !== 'True') continue;
    if (condition.type === 'Reconciling') return waiting(wordsOf(condition, 'it is being reconciled'));
    if (condition.type === 'Stalled') return failed(wordsOf(condition, 'it is stalled'));
  }
  return undefined;
}

/** Custom resources and everything else: a Ready condition decides, if there is one. */
function byReadyCondition(object: KubernetesObject): Readiness {
  const condition = conditionsOf(object).find(({ type }) => type === 'Ready');
  if (condition === undefined || condition.status === 'True') return ready;
  if (condition.status !== 'False' && condition.status !== 'Unknown') return ready;
  return waiting(wordsOf(condition, 'its Ready condition is not true'));
}

const wordsOf = ({ reason, message }: Condition, otherwise: string): string => message || reason || otherwise;

function deploymentReadiness(object: KubernetesObject): Readiness {
  const conditions = conditionsOf(object);
  const progressing = conditions.find(({ type }) => type === 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') {
    return failed(`progress deadline exceeded: ${progressing.message || 'its pods did not become ready in time'}`);
  }
  const wanted = numberAt(object, 1, 'spec', 'replicas');
  const { replicas, updatedReplicas, readyReplicas, availableReplicas } = countsOf(object);
  if (replicas < wanted) return waiting(of(replicas, wanted, 'replicas created'));
  if (updatedReplicas < wanted) return waiting(of(updatedReplicas, wanted, 'replicas updated'));
  if (replicas > wanted) return waiting(`${replicas - wanted} old replicas are still terminating`);
  if (availableReplicas < updatedReplicas) return waiting(of(availableReplicas, updatedReplicas, 'replicas available'));
  if (readyReplicas < wanted) return waiting(of(readyReplicas, wanted, 'replicas ready'));
  // Without a deadline the controller sets no Progressing condition.
  const hasDeadline = numberAt(object, noDeadline, 'spec', 'progressDeadlineSeconds') !== noDeadline;
  const isRolledOut = progressing?.status === 'True' && progressing.reason === 'NewReplicaSetAvailable';
  if (hasDeadline && !isRolledOut) return waiting('its new ReplicaSet is not available yet');
  const isAvailable = conditions.some(({ type, status }) => type === 'Available' && status === 'True');
  return isAvailable ? ready : waiting('it is not available yet');
}

const noDeadline = 2 ** 31 - 1;

const countsOf = (object: KubernetesObject) => ({
  replicas: numberAt(object, 0, 'status', 'replicas'),
  updatedReplicas: numberAt(object, 0, 'status', 'updatedReplicas'),
  readyReplicas: numberAt(object, 0, 'status', 'readyReplicas'),
  availableReplicas: numberAt(object, 0, 'status', 'availableReplicas'),
});

function replicaSetReadiness(object: KubernetesObject): Readiness {
  const failure = conditionsOf(object).find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  if (failure !== undefined) return waiting(`its pods cannot be created: ${wordsOf(failure, 'see its events')}`);
  const wanted = numberAt(object, 1, 'spec', 'replicas');
  const { replicas, readyReplicas, availableReplicas } = countsOf(object);
  const labelled = numberAt(object, 0, 'status', 'fullyLabeledReplicas');
  if (labelled < wanted) return waiting(of(labelled, wanted, 'replicas labelled'));
  if (availableReplicas < wanted) return waiting(of(availableReplicas, wanted, 'replicas available'));
  if (readyReplicas < wanted) return waiting(of(readyReplicas, wanted, 'replicas ready'));
  if (replicas > wanted) return waiting(`${replicas - wanted} old replicas are still terminating`);
  return ready;
}

function statefulSetReadiness(object: KubernetesObject): Readiness {
  // With OnDelete the user, not the controller, decides when pods are replaced.
  if (textAt(object, '', 'spec', 'updateStrategy', 'type') === 'OnDelete') return ready;
  const wanted = numberAt(object, 1, 'spec', 'replicas');
  const { replicas, updatedReplicas, readyReplicas } = countsOf(object);
  if (replicas < wanted) return waiting(of(replicas, wanted, 'replicas created'));
  if (readyReplicas < wanted) return waiting(of(readyReplicas, wanted, 'replicas ready'));
  if (replicas > wanted) return waiting(`${replicas - wanted} old replicas are still terminating`);
  const partition = numberAt(object, -1, 'spec', 'updateStrategy', 'rollingUpdate', 'partition');
  if (partition !== -1) {
    const expected = wanted - partition;
    return updatedReplicas < expected ? waiting(of(updatedReplicas, expected, 'replicas updated')) : ready;
  }
  const current = numberAt(object, 0, 'status', 'currentReplicas');
  if (current < wanted) return waiting(of(current, wanted, 'replicas current'));
  if (textAt(object, '', 'status', 'currentRevision') !== textAt(object, '', 'status', 'updateRevision')) {
    return waiting('its update revision is not the current one yet');
  }
  return ready;
}

function daemonSetReadiness(object: KubernetesObject): Readiness {
  const isObserved = typeof valueAt(object, 'status', 'observedGeneration') === 'number';
  const wanted = numberAt(object, -1, 'status', 'desiredNumberScheduled');
  if (!isObserved || wanted === -1) return waiting('its controller has not seen it yet');
  const scheduled = numberAt(object, 0, 'status', 'currentNumberScheduled');
  const updated = numberAt(object, 0, 'status', 'updatedNumberScheduled');
  const available = numberAt(object, 0, 'status', 'numberAvailable');
  const readyCount = numberAt(object, 0, 'status', 'numberReady');
  if (scheduled < wanted) return waiting(of(scheduled, wanted, 'pods scheduled'));
  if (updated < wanted) return waiting(of(updated, wanted, 'pods updated'));
  if (available < wanted) return waiting(of(available, wanted, 'pods available'));
  if (readyCount < wanted) return waiting(of(readyCount, wanted, 'pods ready'));
  return ready;
}

function podReadiness(object: KubernetesObject): Readiness {
  const phase = textAt(object, '', 'status', 'phase');
  const conditions = conditionsOf(object);
  switch (phase) {
    case 'Succeeded':
      return ready;
    case 'Failed':
      return failed(`it failed: ${podFailure(object)}`);
    case 'Running': {
      if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) return ready;
      const looping = containersWaitingFor(object, 'CrashLoopBackOff');
      if (looping.length > 0) return failed(`containers in CrashLoopBackOff: ${looping.join(', ')}`);
      const statuses = listAt(object, 'status', 'containerStatuses');
      const readyCount = statuses.filter((status) => status['ready'] === true).length;
      return waiting(`it is running but not ready (${of(readyCount, statuses.length, 'containers ready')})`);
    }
    case 'Pending': {
      const scheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
      return waiting(
        scheduled === undefined ? pendingReason(object) : `it is not scheduled: ${wordsOf(scheduled, 'no node')}`,
      );
    }
    default:
      return waiting(phase === '' ? 'it has not been seen yet' : `its phase is ${phase}`);
  }
}

function pendingReason(object: KubernetesObject): string {
  const held = listAt(object, 'status', 'containerStatuses').find((status) =>
    valueAt(status, 'state', 'waiting', 'reason'),
  );
  if (held === undefined) return 'it is pending';
  return `it is pending: container ${textAt(held, '', 'name')}: ${textAt(held, '', 'state', 'waiting', 'reason')}`;
}

const containersWaitingFor = (object: KubernetesObject, reason: string): string[] =>
  listAt(object, 'status', 'containerStatuses')
    .filter((status) => valueAt(status, 'state', 'waiting', 'reason') === reason)
    .map((status) => textAt(status, '', 'name'));

/** Why a Pod failed, in a few words: its own message, or the first container with an exit code. */
export function podFailure(object: KubernetesObject): string {
  const own = textAt(object, '', 'status', 'message') || textAt(object, '', 'status', 'reason');
  if (own !== '') return own;
  const statuses = [
    ...listAt(object, 'status', 'initContainerStatuses'),
    ...listAt(object, 'status', 'containerStatuses'),
  ];
  const ended = statuses.find((status) => numberAt(status, 0, 'state', 'terminated', 'exitCode') !== 0);
  if (ended === undefined) return 'no reason given';
  return `container ${textAt(ended, '', 'name')} exited with code ${numberAt(ended, 0, 'state', 'terminated', 'exitCode')}`;
}

function claimReadiness(object: KubernetesObject): Readiness {
  const phase = textAt(object, 'unknown', 'status', 'phase');
  return phase === 'Bound' ? ready : waiting(`its volume is not bound (phase ${phase})`);
}

function serviceReadiness(object: KubernetesObject): Readiness {
  const isBalanced = textAt(object, 'ClusterIP', 'spec', 'type') === 'LoadBalancer';
  const hasAddress = textAt(object, '', 'spec', 'clusterIP') !== '';
  return isBalanced && !hasAddress ? waiting('it has no cluster IP yet') : ready;
}

function crdReadiness(object: KubernetesObject): Readiness {
  for (const condition of conditionsOf(object)) {
    if (condition.type === 'NamesAccepted' && condition.status === 'False') {
      return failed(wordsOf(condition, 'its names are not accepted'));
    }
    if (condition.type !== 'Established') continue;
    if (condition.status === 'True') return ready;
    if (condition.status === 'False' && condition.reason !== 'Installing') {
      return failed(wordsOf(condition, 'it cannot be established'));
    }
  }
  return waiting('it is not established yet');
}

/** A Job counts as current as soon as it has started (kstatus' jobConditions). */
function startedJob(object: KubernetesObject): Readiness {
  const ended = endedJob(object);
  if (ended !== undefined) return ended;
  return textAt(object, '', 'status', 'startTime') === '' ? waiting('it has not started yet') : ready;
}

/** A Job is waited for until it is complete (Helm's job reader). */
export function completedJob(object: KubernetesObject): Readiness {
  const ended = endedJob(object);
  if (ended !== undefined) return ended;
  const completions = numberAt(object, numberAt(object, 1, 'spec', 'parallelism'), 'spec', 'completions');
  const failures = numberAt(object, 0, 'status', 'failed');
  const counts = of(numberAt(object, 0, 'status', 'succeeded'), completions, 'completions');
  return waiting(failures === 0 ? counts : `${counts}, ${failures} failed pods`);
}

function endedJob(object: KubernetesObject): Readiness | undefined {
  for (const condition of conditionsOf(object)) {
    if (condition.status !== 'True') continue;
    if (condition.type === 'Complete') return ready;
    if (condition.type === 'Failed') {
      const why = [condition.reason, condition.message].filter((words) => words !== '').join(': ');
      return failed(
        `the job failed${why === '' ? '' : `: ${why}`} (${numberAt(object, 0, 'status', 'failed')} failed pods)`,
      );
    }
  }
  return undefined;
}

/** A Pod that is a hook has to end well (Helm's pod reader). */
export function completedPod(object: KubernetesObject): Readiness {
  const phase = textAt(object, '', 'status', 'phase');
  if (phase === 'Succeeded') return ready;
  if (phase === 'Failed') return failed(`pod ${object.metadata.name} failed: ${podFailure(object)}`);
  return waiting(phase === 'Pending' ? pendingReason(object) : 'it has not completed yet');
}
