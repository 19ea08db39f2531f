import { type JsonObject, objectAt, objectsIn } from '../../support/json.ts';
import { type DaemonSet, isFinished, type Node, type Pod } from '../kubernetes.ts';
import { keyOf } from '../resource.ts';
import { type ControllerContext, controllerOfKind, isReady, podFromTemplate, refusalOf } from './context.ts';
import { templateHash } from './deployment.ts';
import { createFor } from './events.ts';
import type { Controller } from './manager.ts';
import { isAvailableNow } from './replica-set.ts';
import { suitsNode, toleratesNode } from './scheduler.ts';

const hashLabel = 'controller-revision-hash';

/** Keeps one pod of a DaemonSet on each node that wants one. */
export function daemonSetController(context: ControllerContext): Controller {
  const kind = context.kind('apps/v1', 'DaemonSet');
  return controllerOfKind<DaemonSet>(context, {
    name: 'daemonset',
    kind,
    owned: ['/pods'],
    also: ({ storageKey }) =>
      storageKey === '/nodes' ? [...context.environment.store.values('apps/daemonsets')].map(keyOf) : [],
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

/** A DaemonSet's pods stay where others may not come (daemon_controller.go, AddOrUpdateDaemonPodTolerations). */
const tolerations = ['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) => ({
  key: `node.kubernetes.io/${name}`,
  operator: 'Exists',
  effect: 'NoSchedule',
}));

/** The nodes that want a pod: those that it asks for, and whose taints it tolerates. */
function wantedNodes(context: ControllerContext, set: DaemonSet): Node[] {
  const spec = set.spec?.template?.spec ?? {};
  const pod = { ...set, spec: { ...spec, tolerations: [...(spec.tolerations ?? []), ...tolerations] } } as Pod;
  const nodes: Node[] = [...context.environment.store.values('/nodes')];
  return nodes.filter((node) => suitsNode(pod, node) && toleratesNode(pod, node));
}

function arrange(context: ControllerContext, set: DaemonSet, hash: string): void {
  const podKind = context.kind('v1', 'Pod');
  const pods = context.controlled<Pod>('/pods', set);
  const onDelete = set.spec?.updateStrategy?.type === 'OnDelete';
  const wanted = wantedNodes(context, set).map(({ metadata }) => metadata.name);
  for (const pod of pods) {
    const outdated = pod.metadata.labels?.[hashLabel] !== hash && !onDelete;
    const isGoing = outdated || isFinished(pod) || !wanted.includes(nodeOf(pod));
    if (pod.metadata.deletionTimestamp === undefined && isGoing) context.delete(podKind, pod);
  }
  // The old pod is gone from its node before the new one comes (maxUnavailable 1, maxSurge 0).
  for (const node of wanted.filter((name) => !pods.some((pod) => nodeOf(pod) === name))) {
    const metadata = {
      generateName: `${set.metadata.name}-`,
      labels: { [hashLabel]: hash, 'pod-template-generation': '1' },
    };
    const pod = podFromTemplate(set, objectAt(set, 'spec', 'template'), metadata);
    createFor(context, set, onNode(pod, node), { source: 'daemonset-controller' });
  }
}

/** A pod that only one node takes, whichever others it asked for (ReplaceDaemonSetPodNodeNameNodeAffinity). */
function onNode(pod: JsonObject, node: string): JsonObject {
  const spec = objectAt(pod, 'spec') ?? {};
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] };
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } };
  const nodeAffinity = { ...objectAt(spec, 'affinity', 'nodeAffinity'), ...required };
  const affinity = { ...objectAt(spec, 'affinity'), nodeAffinity };
  return { ...pod, spec: { ...spec, affinity, tolerations: [...objectsIn(spec.tolerations), ...tolerations] } };
}

function nodeOf({ spec }: Pod): string {
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return spec?.nodeName ?? required?.nodeSelectorTerms?.[0]?.matchFields?.[0]?.values?.[0] ?? '';
}

function statusOf(context: ControllerContext, set: DaemonSet, hash: string): JsonObject {
  const wanted = wantedNodes(context, set).length;
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
