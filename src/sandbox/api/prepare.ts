import { compact, equalJson, type JsonObject, objectAt, objectsIn, textMap } from '../../support/json.ts';
import { hasStatus, type Kind } from '../kinds/kind.ts';
import type { Metadata, Resource } from '../resource.ts';
import { allocateService, keepServiceAllocations } from './allocate.ts';
import type { Environment } from './environment.ts';
import { nodeStatus } from './nodes.ts';

/** What the server itself sets on a new object, after the client's fields are recorded. */
export function prepareNew(environment: Environment, kind: Kind, object: Resource): Resource {
  // Nodes allow a status on creation: a kubelet brings its own.
  const bare =
    hasStatus(kind) && kind.kind !== 'Node' ? (compact({ ...object, status: undefined }) as Resource) : object;
  const prepare = kind.custom === undefined ? preparations[`${kind.group}/${kind.kind}`] : undefined;
  return prepare === undefined ? bare : prepare(bare, environment);
}

/** What the server keeps or computes when an object changes. */
export function prepareChanged(environment: Environment, kind: Kind, before: Resource, after: Resource): Resource {
  if (kind.group === '' && kind.kind === 'Service') return keepServiceAllocations(environment, before, after);
  if (kind.group === '' && kind.kind === 'Secret') return { ...after, type: after.type ?? before.type };
  if (kind.group === 'apps' && kind.kind === 'DaemonSet') return countTemplates(before, after);
  return after;
}

/** DaemonSets count the changes of their template in an annotation of old. */
function countTemplates(before: Resource, after: Resource): Resource {
  const count = Number(before.metadata.annotations?.[templateGeneration] ?? 1);
  const changed = !equalJson(objectAt(before, 'spec', 'template'), objectAt(after, 'spec', 'template'));
  return withAnnotation(after, templateGeneration, String(changed ? count + 1 : count));
}

type Preparation = (object: Resource, environment: Environment) => Resource;

const templateGeneration = 'deprecated.daemonset.template.generation';

const withAnnotation = (object: Resource, name: string, value: string): Resource => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [name]: value } },
});

const withStatus = (object: Resource, status: JsonObject): Resource => ({ ...object, status });

const preparations: Readonly<Record<string, Preparation>> = {
  '/Node': (object, environment) => withStatus(object, nodeStatus(objectAt(object, 'status'), environment)),
  '/Namespace': prepareNamespace,
  '/Pod': (object) => withStatus(object, podStatus(object)),
  '/Service': (object, environment) => withStatus(allocateService(environment, object), { loadBalancer: {} }),
  '/PersistentVolumeClaim': (object, environment) =>
    withStatus(withFinalizer(withStorageClass(object, environment), 'kubernetes.io/pvc-protection'), {
      phase: 'Pending',
    }),
  '/PersistentVolume': (object) =>
    withStatus(withFinalizer(object, 'kubernetes.io/pv-protection'), { phase: 'Pending' }),
  'batch/Job': prepareJob,
  'batch/CronJob': (object) => withStatus(object, {}),
  'apps/Deployment': (object) => withStatus(object, {}),
  'apps/ReplicaSet': (object) => withStatus(object, { replicas: 0 }),
  'apps/StatefulSet': (object) => withStatus(object, { replicas: 0, availableReplicas: 0 }),
  'apps/DaemonSet': (object) =>
    withStatus(withAnnotation(object, templateGeneration, '1'), {
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
    }),
  'networking.k8s.io/Ingress': (object) => withStatus(object, { loadBalancer: {} }),
  'policy/PodDisruptionBudget': (object) =>
    withStatus(object, { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }),
  'autoscaling/HorizontalPodAutoscaler': (object) => withStatus(object, { desiredReplicas: 0, currentMetrics: null }),
  'apiextensions.k8s.io/CustomResourceDefinition': prepareDefinition,
};

function prepareNamespace(object: Resource): Resource {
  const { name, labels } = object.metadata;
  const metadata = { ...object.metadata, labels: { ...labels, 'kubernetes.io/metadata.name': name } };
  return { ...object, metadata, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } };
}

const withFinalizer = (object: Resource, finalizer: string): Resource => {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
};

const defaultClass = 'storageclass.kubernetes.io/is-default-class';

/** A claim that names no class gets the default one, if there is one. */
function withStorageClass(object: Resource, { store }: Environment): Resource {
  const spec = objectAt(object, 'spec') ?? {};
  if (spec.storageClassName !== undefined) return object;
  const classes = [...store.values('storage.k8s.io/storageclasses')];
  const found = classes.find((each) => each.metadata.annotations?.[defaultClass] === 'true');
  return found === undefined ? object : { ...object, spec: { ...spec, storageClassName: found.metadata.name } };
}

function podStatus(object: Resource): JsonObject {
  const { containers, schedulingGates } = objectAt(object, 'spec') ?? {};
  const isGated = objectsIn(schedulingGates).length > 0;
  return {
    phase: 'Pending',
    qosClass: qosClassOf(objectsIn(containers)),
    ...(isGated && { conditions: [{ ...gated, lastTransitionTime: object.metadata.creationTimestamp ?? null }] }),
  };
}

const gated = {
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};

function qosClassOf(containers: readonly JsonObject[]): string {
  const resources = containers.map((container) => objectAt(container, 'resources') ?? {});
  if (resources.every((each) => objectAt(each, 'requests') === undefined && objectAt(each, 'limits') === undefined)) {
    return 'BestEffort';
  }
  const guaranteed = resources.every((each) => {
    const limits = textMap(each.limits);
    const requests = textMap(each.requests ?? each.limits);
    return ['cpu', 'memory'].every((name) => limits[name] !== undefined && limits[name] === requests[name]);
  });
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

/** A Job selects its pods by its own uid, unless told otherwise. */
function prepareJob(object: Resource): Resource {
  const spec = objectAt(object, 'spec') ?? {};
  const bare = withStatus(object, {});
  if (spec.manualSelector === true) return bare;
  const { name, uid = '' } = object.metadata;
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  const template = objectAt(spec, 'template') ?? {};
  const templateMetadata = objectAt(template, 'metadata') ?? {};
  return {
    ...bare,
    metadata: { ...object.metadata, labels: { ...labels, ...object.metadata.labels } } as Metadata,
    spec: {
      ...spec,
      selector: {
        ...objectAt(spec, 'selector'),
        matchLabels: {
          ...textMap(objectAt(spec, 'selector')?.matchLabels),
          'batch.kubernetes.io/controller-uid': uid,
        },
      },
      template: {
        ...template,
        metadata: { ...templateMetadata, labels: { ...textMap(templateMetadata.labels), ...labels } },
      },
    },
  };
}

function prepareDefinition(object: Resource): Resource {
  const versions = objectsIn(objectAt(object, 'spec')?.versions);
  const stored = versions.filter((version) => version.storage === true).map((version) => version.name as string);
  return withStatus(object, { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: stored });
}
