import { listOf, numberOr, textOr } from '../../manifest/fields.ts';
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
import { countOf } from '../../support/text.ts';
import { type Condition, conditionsOf, groupKindOf, groupOf } from '../fields.ts';
import type { Readiness } from '../types.ts';
import { customReadiness, isCustom } from './custom.ts';
import { generationOf } from './kinds/status.ts';
import { ruleOfKind } from './kinds/table.ts';
import { countOfWanted, failed, ready, waiting } from './words.ts';

/**
 * Readiness as Helm 4's `watcher` sees it: kstatus' status.Compute, with Helm's own rule for Jobs under
 * --wait-for-jobs (internal/statusreaders). It differs where kstatus calls a Pod that ended in failure current,
 * and one that cannot be scheduled yet a failure: an autoscaler may still make room.
 */
export function watcherReadiness(object: KubernetesObject, waitForJobs: boolean): Readiness {
  // Helm leaves paused Deployments out of the wait.
  if (groupKindOf(object) === 'Deployment.apps' && isPaused(object)) return paused;
  const common = commonReadiness(object);
  if (common !== undefined) return common;
  if (groupKindOf(object) === 'Job.batch') return waitForJobs ? completedJob(object) : startedJob(object);
  return (rules[groupKindOf(object)] ?? (isCustom(object) ? customReadiness : byReadyCondition))(object);
}

/** Whether there is a rule for the kind itself. */
export const hasOwnRule = (object: KubernetesObject): boolean =>
  groupKindOf(object) === 'Job.batch' ||
  rules[groupKindOf(object)] !== undefined ||
  (isCustom(object) && ruleOfKind(groupOf(object), object.kind) !== undefined);

const isPaused = ({ spec }: Deployment): boolean => spec?.paused === true;

const paused: Readiness = {
  state: 'ready',
  facts: [{ outlook: 'open', code: 'paused', field: 'spec.paused', value: 'true' }],
};

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
function commonReadiness(object: WithConditions): Readiness | undefined {
  const pending = unsettled(object);
  if (pending !== undefined) return pending;
  for (const condition of conditionsOf(object)) {
    if (condition.status !== 'True') continue;
    if (condition.type === 'Reconciling') return waiting(wordsOf(condition, 'it is being reconciled'));
    if (condition.type === 'Stalled') return failed(wordsOf(condition, 'it is stalled'));
  }
  return undefined;
}

/** Waiting while the status cannot be about what was applied: the object is being deleted, or its controller is behind. */
export function unsettled(object: WithConditions): Readiness | undefined {
  if (object.metadata.deletionTimestamp) return waiting('it is being deleted');
  const { generation } = object.metadata;
  const given = object.status?.observedGeneration;
  const observed = generationOf(given);
  if (generation === undefined || observed === undefined || observed === generation) return undefined;
  // A text may be a hash that looks like a number, and 0 is the default of a CRD whose controller sets nothing.
  if (typeof given !== 'number' && observed > generation) return undefined;
  if (observed === 0 && isCustom(object)) return undefined;
  return waiting(`the controller has not picked up the change yet (generation ${generation}, seen ${observed})`);
}

/** Everything else: a Ready condition decides, if there is one. */
function byReadyCondition(object: KubernetesObject): Readiness {
  const condition = conditionsOf(object).find(({ type }) => type === 'Ready');
  if (condition === undefined || condition.status === 'True') return ready;
  if (condition.status !== 'False' && condition.status !== 'Unknown') return ready;
  return waiting(wordsOf(condition, 'its Ready condition is not true'));
}

const wordsOf = ({ reason, message }: Condition, otherwise: string): string => message || reason || otherwise;

function deploymentReadiness(object: Deployment): Readiness {
  const conditions = conditionsOf(object);
  const progressing = conditions.find(({ type }) => type === 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') {
    return failed(`progress deadline exceeded: ${progressing.message || 'its pods did not become ready in time'}`);
  }
  const wanted = numberOr(object.spec?.replicas, 1);
  const { replicas, updatedReplicas, readyReplicas, availableReplicas } = countsOf(object);
  if (replicas < wanted) return waiting(countOfWanted(replicas, wanted, 'replicas created'));
  if (updatedReplicas < wanted) return waiting(countOfWanted(updatedReplicas, wanted, 'replicas updated'));
  if (replicas > wanted) return waiting(`${replicas - wanted} old replicas are still terminating`);
  if (availableReplicas < updatedReplicas)
    return waiting(countOfWanted(availableReplicas, updatedReplicas, 'replicas available'));
  if (readyReplicas < wanted) return waiting(countOfWanted(readyReplicas, wanted, 'replicas ready'));
  // Without a deadline the controller sets no Progressing condition.
  const hasDeadline = numberOr(object.spec?.progressDeadlineSeconds, noDeadline) !== noDeadline;
  const isRolledOut = progressing?.status === 'True' && progressing.reason === 'NewReplicaSetAvailable';
  if (hasDeadline && !isRolledOut) return waiting('its new ReplicaSet is not available yet');
  const isAvailable = conditions.some(({ type, status }) => type === 'Available' && status === 'True');
  return isAvailable ? ready : waiting('it is not available yet');
}

const noDeadline = 2 ** 31 - 1;

const countsOf = ({ status }: Deployment | StatefulSet) => ({
  replicas: numberOr(status?.replicas, 0),
  updatedReplicas: numberOr(status?.updatedReplicas, 0),
  readyReplicas: numberOr(status?.readyReplicas, 0),
  availableReplicas: numberOr(status?.availableReplicas, 0),
});

function replicaSetReadiness(object: ReplicaSet): Readiness {
  const failure = conditionsOf(object).find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  if (failure !== undefined) return waiting(`its pods cannot be created: ${wordsOf(failure, 'see its events')}`);
  const wanted = numberOr(object.spec?.replicas, 1);
  const { replicas, readyReplicas, availableReplicas } = countsOf(object);
  const labelled = numberOr(object.status?.fullyLabeledReplicas, 0);
  if (labelled < wanted) return waiting(countOfWanted(labelled, wanted, 'replicas labelled'));
  if (availableReplicas < wanted) return waiting(countOfWanted(availableReplicas, wanted, 'replicas available'));
  if (readyReplicas < wanted) return waiting(countOfWanted(readyReplicas, wanted, 'replicas ready'));
  if (replicas > wanted) return waiting(`${replicas - wanted} old replicas are still terminating`);
  return ready;
}

function statefulSetReadiness(object: StatefulSet): Readiness {
  // With OnDelete the user, not the controller, decides when pods are replaced.
  if (textOr(object.spec?.updateStrategy?.type, '') === 'OnDelete') return ready;
  const wanted = numberOr(object.spec?.replicas, 1);
  const { replicas, updatedReplicas, readyReplicas } = countsOf(object);
  if (replicas < wanted) return waiting(countOfWanted(replicas, wanted, 'replicas created'));
  if (readyReplicas < wanted) return waiting(countOfWanted(readyReplicas, wanted, 'replicas ready'));
  if (replicas > wanted) return waiting(`${replicas - wanted} old replicas are still terminating`);
  const partition = numberOr(object.spec?.updateStrategy?.rollingUpdate?.partition, -1);
  if (partition !== -1) {
    const expected = wanted - partition;
    return updatedReplicas < expected ? waiting(countOfWanted(updatedReplicas, expected, 'replicas updated')) : ready;
  }
  const current = numberOr(object.status?.currentReplicas, 0);
  if (current < wanted) return waiting(countOfWanted(current, wanted, 'replicas current'));
  if (textOr(object.status?.currentRevision, '') !== textOr(object.status?.updateRevision, '')) {
    return waiting('its update revision is not the current one yet');
  }
  return ready;
}

function daemonSetReadiness(object: DaemonSet): Readiness {
  const isObserved = typeof object.status?.observedGeneration === 'number';
  const wanted = numberOr(object.status?.desiredNumberScheduled, -1);
  if (!isObserved || wanted === -1) return waiting('its controller has not seen it yet');
  const scheduled = numberOr(object.status?.currentNumberScheduled, 0);
  const updated = numberOr(object.status?.updatedNumberScheduled, 0);
  const available = numberOr(object.status?.numberAvailable, 0);
  const readyCount = numberOr(object.status?.numberReady, 0);
  if (scheduled < wanted) return waiting(countOfWanted(scheduled, wanted, 'pods scheduled'));
  if (updated < wanted) return waiting(countOfWanted(updated, wanted, 'pods updated'));
  if (available < wanted) return waiting(countOfWanted(available, wanted, 'pods available'));
  if (readyCount < wanted) return waiting(countOfWanted(readyCount, wanted, 'pods ready'));
  return ready;
}

function podReadiness(object: Pod): Readiness {
  const phase = textOr(object.status?.phase, '');
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
      const statuses = listOf(object.status?.containerStatuses);
      const readyCount = statuses.filter((status) => status.ready === true).length;
      return waiting(`it is running but not ready (${countOfWanted(readyCount, statuses.length, 'containers ready')})`);
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

function pendingReason(object: Pod): string {
  const held = listOf(object.status?.containerStatuses).find((status) => status.state?.waiting?.reason);
  if (held === undefined) return 'it is pending';
  return `it is pending: container ${textOr(held.name, '')}: ${textOr(held.state?.waiting?.reason, '')}`;
}

const containersWaitingFor = (object: Pod, reason: string): string[] =>
  listOf(object.status?.containerStatuses)
    .filter((status) => status.state?.waiting?.reason === reason)
    .map((status) => textOr(status.name, ''));

/** Why a Pod failed, in a few words: its own message, or the first container with an exit code. */
function podFailure(object: Pod): string {
  const own = textOr(object.status?.message, '') || textOr(object.status?.reason, '');
  if (own !== '') return own;
  const statuses = [...listOf(object.status?.initContainerStatuses), ...listOf(object.status?.containerStatuses)];
  const ended = statuses.find((status) => numberOr(status.state?.terminated?.exitCode, 0) !== 0);
  if (ended === undefined) return 'no reason given';
  return `container ${textOr(ended.name, '')} exited with code ${numberOr(ended.state?.terminated?.exitCode, 0)}`;
}

function claimReadiness(object: PersistentVolumeClaim): Readiness {
  const phase = textOr(object.status?.phase, 'unknown');
  return phase === 'Bound' ? ready : waiting(`its volume is not bound (phase ${phase})`);
}

function serviceReadiness(object: Service): Readiness {
  const isBalanced = textOr(object.spec?.type, 'ClusterIP') === 'LoadBalancer';
  const hasAddress = textOr(object.spec?.clusterIP, '') !== '';
  return isBalanced && !hasAddress ? waiting('it has no cluster IP yet') : ready;
}

function crdReadiness(object: CustomResourceDefinition): Readiness {
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
function startedJob(object: Job): Readiness {
  const ended = endedJob(object);
  if (ended !== undefined) return ended;
  return textOr(object.status?.startTime, '') === '' ? waiting('it has not started yet') : ready;
}

/** A Job is waited for until it is complete (Helm's job reader). */
export function completedJob(object: Job): Readiness {
  const ended = endedJob(object);
  if (ended !== undefined) return ended;
  const completions = numberOr(object.spec?.completions, numberOr(object.spec?.parallelism, 1));
  const failures = numberOr(object.status?.failed, 0);
  const counts = countOfWanted(numberOr(object.status?.succeeded, 0), completions, 'completions');
  return waiting(failures === 0 ? counts : `${counts}, ${failedPods(failures)}`);
}

function endedJob(object: Job): Readiness | undefined {
  for (const condition of conditionsOf(object)) {
    if (condition.status !== 'True') continue;
    if (condition.type === 'Complete') return ready;
    if (condition.type === 'Failed') {
      const why = [condition.reason, condition.message].filter((words) => words !== '').join(': ');
      return failed(
        `the job failed${why === '' ? '' : `: ${why}`} (${failedPods(numberOr(object.status?.failed, 0))})`,
      );
    }
  }
  return undefined;
}

/** A Pod that is a hook has to end well (Helm's pod reader). */
export function completedPod(object: Pod): Readiness {
  const phase = textOr(object.status?.phase, '');
  if (phase === 'Succeeded') return ready;
  if (phase === 'Failed') return failed(`pod ${object.metadata.name} failed: ${podFailure(object)}`);
  return waiting(phase === 'Pending' ? pendingReason(object) : 'it has not completed yet');
}

const failedPods = (count: number): string => countOf(count, 'failed pod');
