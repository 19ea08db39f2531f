import { type JsonObject, objectAt } from '../../support/json.ts';
import { type DaemonSet, isFinished, type Pod, type ReplicaSet, type StatefulSet } from '../kubernetes.ts';
import {
  availableAt,
  type ControllerContext,
  conditionOf,
  controllerOfKind,
  isReady,
  podFromTemplate,
  refusalOf,
  withCondition,
} from './context.ts';
import { createFor, recordEvent } from './events.ts';
import type { Controller } from './manager.ts';

/** Keeps as many pods of a ReplicaSet as it asks for. */
export function replicaSetController(context: ControllerContext): Controller {
  const kind = context.kind('apps/v1', 'ReplicaSet');
  return controllerOfKind<ReplicaSet>(context, {
    name: 'replicaset',
    kind,
    owned: ['/pods'],
    reconcile(set, key) {
      const isKept = set.metadata.deletionTimestamp === undefined;
      const refusal = isKept ? refusalOf(() => scale(context, set)) : undefined;
      const current = context.find<ReplicaSet>('apps/replicasets', key);
      if (current !== undefined) context.setStatus(kind, current, statusOf(context, current, refusal?.message));
      if (refusal !== undefined) throw refusal;
    },
  });
}

const wantedReplicas = (set: ReplicaSet): number => set.spec?.replicas ?? 1;

const activePods = (context: ControllerContext, set: ReplicaSet): Pod[] =>
  context
    .controlled<Pod>('/pods', set)
    .filter((pod) => !isFinished(pod) && pod.metadata.deletionTimestamp === undefined);

function scale(context: ControllerContext, set: ReplicaSet): void {
  const podKind = context.kind('v1', 'Pod');
  const pods = activePods(context, set);
  const missing = wantedReplicas(set) - pods.length;
  for (let index = 0; index < missing; index++) {
    const metadata = { generateName: `${set.metadata.name}-` };
    const wanted = podFromTemplate(set, objectAt(set, 'spec', 'template'), metadata);
    const pod = createFor(context, set, wanted, { source: 'replicaset-controller' });
    report(context, set, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
  }
  for (const pod of leastReadyFirst(pods).slice(0, Math.max(0, -missing))) {
    context.delete(podKind, pod);
    report(context, set, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
  }
}

const report = (context: ControllerContext, set: ReplicaSet, reason: string, message: string): void =>
  recordEvent(context, set, { type: 'Normal', reason, message, source: 'replicaset-controller' });

/** Pods that are not ready go first, then the newest. */
export const leastReadyFirst = (pods: readonly Pod[]): Pod[] =>
  [...pods].reverse().sort((a, b) => Number(isReady(a)) - Number(isReady(b)));

/** `refusal` is why the API server takes no more of its pods. */
function statusOf(context: ControllerContext, set: ReplicaSet, refusal: string | undefined): JsonObject {
  const pods = activePods(context, set);
  const ready = pods.filter(isReady);
  const available = ready.filter((pod) => isAvailableNow(context, 'replicaset', set, pod));
  return {
    replicas: pods.length,
    ...(pods.length === 0 ? {} : { fullyLabeledReplicas: pods.length }),
    ...(ready.length === 0 ? {} : { readyReplicas: ready.length }),
    ...(available.length === 0 ? {} : { availableReplicas: available.length }),
    ...(refusal === undefined ? {} : { conditions: replicaFailure(context, set, refusal) }),
    observedGeneration: set.metadata.generation,
  };
}

/** A failure that lasts keeps its first message (replica_set_utils.go, SetCondition): each try names another pod. */
function replicaFailure(context: ControllerContext, set: ReplicaSet, message: string): JsonObject[] {
  const condition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message } as const;
  const before = conditionOf(set, condition.type);
  return before === undefined ? withCondition(undefined, condition, context.timestamp) : [before];
}

/** Whether a ready pod has been so for long enough; if not, its owner is looked at again when it will have. */
export function isAvailableNow(
  context: ControllerContext,
  controller: string,
  owner: ReplicaSet | StatefulSet | DaemonSet,
  pod: Pod,
): boolean {
  const minReadySeconds = owner.spec?.minReadySeconds ?? 0;
  const at = availableAt(pod, minReadySeconds);
  if (at === undefined) return false;
  if (minReadySeconds === 0 || at <= context.now) return true;
  context.later(controller, `${owner.metadata.namespace}/${owner.metadata.name}`, at - context.now);
  return false;
}
