import { type JsonObject, objectAt } from '../../support/json.ts';
import type { DaemonSet, Pod } from '../kubernetes.ts';
import {
  type ControllerContext,
  controllerOfKind,
  isFinished,
  isReady,
  podFromTemplate,
  refusalOf,
} from './context.ts';
import { templateHash } from './deployment.ts';
import { createFor } from './events.ts';
import type { Controller } from './manager.ts';
import { isAvailableNow } from './replica-set.ts';

const hashLabel = 'controller-revision-hash';

/** Keeps one pod of a DaemonSet on the one node, where its node selector admits it. */
export function daemonSetController(context: ControllerContext): Controller {
  const kind = context.kind('apps/v1', 'DaemonSet');
  return controllerOfKind<DaemonSet>(context, {
    name: 'daemonset',
    kind,
    owned: ['/pods'],
    reconcile(set, key) {
      const hash = templateHash(objectAt(set, 'spec', 'template'));
      const isKept = set.metadata.deletionTimestamp === undefined;
      const refusal = isKept ? refusalOf(() => arrange(context, set, hash)) : undefined;
      const current = context.find<DaemonSet>('apps/daemonsets', key);
      if (current !== undefined) context.setStatus(kind, current, statusOf(context, current, hash));
      if (refusal !== undefined) throw refusal;
    },
  });
}

function wantedNodes(context: ControllerContext, set: DaemonSet): number {
  const selector = set.spec?.template?.spec?.nodeSelector ?? {};
  const nodes = [...context.environment.store.values('/nodes')];
  return nodes.filter((node) => Object.entries(selector).every(([key, value]) => node.metadata.labels?.[key] === value))
    .length;
}

function arrange(context: ControllerContext, set: DaemonSet, hash: string): void {
  const podKind = context.kind('v1', 'Pod');
  const pods = context.controlled<Pod>('/pods', set);
  const onDelete = set.spec?.updateStrategy?.type === 'OnDelete';
  for (const pod of pods) {
    const outdated = pod.metadata.labels?.[hashLabel] !== hash && !onDelete;
    if (pod.metadata.deletionTimestamp === undefined && (outdated || isFinished(pod))) context.delete(podKind, pod);
  }
  // The old pod is gone from its node before the new one comes (maxUnavailable 1, maxSurge 0).
  const wanted = wantedNodes(context, set);
  for (const pod of pods.slice(wanted)) context.delete(podKind, pod);
  for (let index = pods.length; index < wanted; index++) {
    const metadata = {
      generateName: `${set.metadata.name}-`,
      labels: { [hashLabel]: hash, 'pod-template-generation': '1' },
    };
    const pod = podFromTemplate(set, objectAt(set, 'spec', 'template'), metadata);
    createFor(context, set, pod, { source: 'daemonset-controller' });
  }
}

function statusOf(context: ControllerContext, set: DaemonSet, hash: string): JsonObject {
  const wanted = wantedNodes(context, set);
  const pods = context.controlled<Pod>('/pods', set).filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const available = pods.filter((pod) => isAvailableNow(context, 'daemonset', set, pod)).length;
  const updated = pods.filter((pod) => pod.metadata.labels?.[hashLabel] === hash).length;
  return {
    currentNumberScheduled: pods.length,
    numberMisscheduled: 0,
    desiredNumberScheduled: wanted,
    numberReady: pods.filter(isReady).length,
    observedGeneration: set.metadata.generation,
    ...(updated === 0 ? {} : { updatedNumberScheduled: updated }),
    ...(available === 0 ? {} : { numberAvailable: available }),
    ...(wanted - available <= 0 ? {} : { numberUnavailable: wanted - available }),
  };
}
