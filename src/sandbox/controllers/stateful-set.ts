import { type JsonObject, numberOf, objectAt, objectsIn, plain, textMap } from '../../support/json.ts';
import type { Pod, StatefulSet } from '../kubernetes.ts';
import {
  type ControllerContext,
  controlledBy,
  controllerOfKind,
  isReady,
  podFromTemplate,
  refusalOf,
} from './context.ts';
import { templateHash } from './deployment.ts';
import { createFor, recordEvent } from './events.ts';
import type { Controller } from './manager.ts';
import { isAvailableNow } from './replica-set.ts';

const revisionLabel = 'controller-revision-hash';

/** Keeps a StatefulSet's numbered pods, one after another where the policy asks for it. */
export const statefulSetController = (context: ControllerContext): Controller =>
  controllerOfKind<StatefulSet>(context, {
    name: 'statefulset',
    kind: context.kind('apps/v1', 'StatefulSet'),
    owned: ['/pods'],
    reconcile(set, key) {
      const revision = ensureRevision(context, set);
      const isKept = set.metadata.deletionTimestamp === undefined;
      const refusal = isKept ? refusalOf(() => arrange(context, set, revision)) : undefined;
      const current = context.find<StatefulSet>('apps/statefulsets', key);
      if (current !== undefined) updateStatus(context, current, revision);
      if (refusal !== undefined) throw refusal;
    },
  });

const wanted = (set: StatefulSet): number => set.spec?.replicas ?? 1;
const firstOrdinal = (set: StatefulSet): number => set.spec?.ordinals?.start ?? 0;
const ordinalOf = (pod: Pod): number => Number(pod.metadata.name.slice(pod.metadata.name.lastIndexOf('-') + 1));
const podRevision = (pod: Pod): string | undefined => pod.metadata.labels?.[revisionLabel];
const podsOf = (context: ControllerContext, set: StatefulSet): Pod[] =>
  context.controlled<Pod>('/pods', set).sort((a, b) => ordinalOf(a) - ordinalOf(b));
const isAvailable = (context: ControllerContext, set: StatefulSet, pod: Pod): boolean =>
  isAvailableNow(context, 'statefulset', set, pod);

/** The name of the revision that the template stands for; its ControllerRevision is made where it is missing. */
function ensureRevision(context: ControllerContext, set: StatefulSet): string {
  const template = objectAt(set, 'spec', 'template') ?? {};
  const name = `${set.metadata.name}-${templateHash(template)}`;
  const storage = 'apps/controllerrevisions';
  const existing = context.environment.store.get(storage, set.metadata.namespace, name);
  if (existing !== undefined || set.metadata.deletionTimestamp !== undefined) return name;
  const known = context.controlled(storage, set);
  const labels = { ...textMap(objectAt(template, 'metadata')?.labels), [revisionLabel]: name };
  context.create(context.kind('apps/v1', 'ControllerRevision'), set.metadata.namespace, {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name, labels, ownerReferences: [controlledBy(set)] },
    data: { spec: { template: { ...template, $patch: 'replace' } } },
    revision: Math.max(0, ...known.map((revision) => numberOf(revision.revision) ?? 0)) + 1,
  });
  return name;
}

function arrange(context: ControllerContext, set: StatefulSet, revision: string): void {
  const start = firstOrdinal(set);
  const end = start + wanted(set);
  const pods = podsOf(context, set);
  const inOrder = set.spec?.podManagementPolicy !== 'Parallel';
  const podKind = context.kind('v1', 'Pod');
  for (let ordinal = start; ordinal < end; ordinal++) {
    const pod = pods.find((each) => ordinalOf(each) === ordinal);
    if (pod === undefined) createPod(context, set, ordinal, revision);
    const healthy = pod !== undefined && pod.metadata.deletionTimestamp === undefined && isAvailable(context, set, pod);
    if (!healthy && inOrder && !(pod !== undefined && isOutdatedAndBroken(pod, revision))) return;
    if (pod !== undefined && pod.status?.phase === 'Failed') context.delete(podKind, pod);
  }
  const excess = pods.filter((pod) => ordinalOf(pod) >= end || ordinalOf(pod) < start).reverse();
  for (const pod of inOrder ? excess.slice(0, 1) : excess) context.delete(podKind, pod);
  if (excess.length === 0) update(context, set, pods, revision);
}

/** A pod of an old revision that never became ready does not hold up its own replacement. */
const isOutdatedAndBroken = (pod: Pod, revision: string): boolean => podRevision(pod) !== revision && !isReady(pod);

/** Replaces pods of old revisions from the highest ordinal down, each once the one before is available. */
function update(context: ControllerContext, set: StatefulSet, pods: readonly Pod[], revision: string): void {
  const strategy = set.spec?.updateStrategy;
  if (strategy?.type === 'OnDelete') return;
  const partition = strategy?.rollingUpdate?.partition ?? 0;
  for (const pod of [...pods].reverse()) {
    if (ordinalOf(pod) < partition) return;
    if (pod.metadata.deletionTimestamp !== undefined) return;
    if (podRevision(pod) !== revision) {
      context.delete(context.kind('v1', 'Pod'), pod);
      report(
        context,
        set,
        'SuccessfulDelete',
        `delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`,
      );
      return;
    }
    if (!isAvailable(context, set, pod)) return;
  }
}

const report = (context: ControllerContext, set: StatefulSet, reason: string, message: string): void =>
  recordEvent(context, set, { type: 'Normal', reason, message, source: 'statefulset-controller' });

function createPod(context: ControllerContext, set: StatefulSet, ordinal: number, newest: string): void {
  const { name } = set.metadata;
  const podName = `${name}-${ordinal}`;
  const claims = objectsIn(objectAt(set, 'spec')?.volumeClaimTemplates);
  for (const claim of claims) createClaim(context, set, claim, podName);
  const labels = {
    'apps.kubernetes.io/pod-index': String(ordinal),
    [revisionLabel]: revisionFor(context, set, ordinal, newest),
    'statefulset.kubernetes.io/pod-name': podName,
  };
  const template = templateOf(context, set, labels[revisionLabel] as string);
  const pod = podFromTemplate(set, template, { name: podName, labels });
  const spec = objectAt(pod, 'spec') ?? {};
  const volumes = claims.map((claim) => ({
    name: objectAt(claim, 'metadata')?.name,
    persistentVolumeClaim: { claimName: `${plain(objectAt(claim, 'metadata')?.name)}-${podName}` },
  }));
  const others = objectsIn(spec.volumes).filter((volume) => !volumes.some((own) => own.name === volume.name));
  const hosted = { ...spec, hostname: podName, subdomain: set.spec?.serviceName };
  const complete = {
    ...pod,
    spec: volumes.length + others.length === 0 ? hosted : { ...hosted, volumes: [...volumes, ...others] },
  };
  const words = `Create Pod ${podName} in StatefulSet ${name} failed error: `;
  createFor(context, set, complete, { source: 'statefulset-controller', words });
  report(context, set, 'SuccessfulCreate', `Create Pod ${podName} in StatefulSet ${name} successful`);
}

/** Below the partition pods keep the current revision, as long as its ControllerRevision is there. */
function revisionFor(context: ControllerContext, set: StatefulSet, ordinal: number, newest: string): string {
  const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  const current = set.status?.currentRevision;
  if (ordinal >= partition || current === undefined) return newest;
  const known = context.environment.store.get('apps/controllerrevisions', set.metadata.namespace, current);
  return known === undefined ? newest : current;
}

function templateOf(context: ControllerContext, set: StatefulSet, revision: string): JsonObject | undefined {
  const stored = context.environment.store.get('apps/controllerrevisions', set.metadata.namespace, revision);
  return objectAt(stored, 'data', 'spec', 'template') ?? objectAt(set, 'spec', 'template');
}

function createClaim(context: ControllerContext, set: StatefulSet, claim: JsonObject, podName: string): void {
  const metadata = objectAt(claim, 'metadata') ?? {};
  const name = `${plain(metadata.name)}-${podName}`;
  const { namespace } = set.metadata;
  if (context.environment.store.get('/persistentvolumeclaims', namespace, name) !== undefined) return;
  const labels = { ...textMap(metadata.labels), ...set.spec?.selector?.matchLabels };
  const object = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...metadata, name, labels },
    spec: objectAt(claim, 'spec') ?? {},
  };
  const words = `Create Claim ${name} for Pod ${podName} in StatefulSet ${set.metadata.name} failed error: `;
  createFor(context, set, object, { source: 'statefulset-controller', words });
}

function updateStatus(context: ControllerContext, set: StatefulSet, updateRevision: string): void {
  const pods = podsOf(context, set).filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const before = set.status ?? {};
  const ready = pods.filter(isReady);
  const available = ready.filter((pod) => isAvailable(context, set, pod));
  const updated = pods.filter((pod) => podRevision(pod) === updateRevision);
  const done = updated.length === wanted(set) && available.length === wanted(set) && pods.length === wanted(set);
  const currentRevision = done ? updateRevision : (before.currentRevision ?? updateRevision);
  const current = pods.filter((pod) => podRevision(pod) === currentRevision);
  const counts = {
    readyReplicas: ready.length,
    currentReplicas: current.length,
    updatedReplicas: updated.length,
  };
  const status: JsonObject = {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    availableReplicas: available.length,
    currentRevision,
    updateRevision,
    collisionCount: 0,
  };
  for (const [field, count] of Object.entries(counts)) if (count > 0) status[field] = count;
  context.setStatus(context.kind('apps/v1', 'StatefulSet'), set, status);
}
