import {
  compact,
  type Json,
  type JsonObject,
  objectAt,
  objectsIn,
  textMap,
  textOf,
  without,
} from '../../support/json.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import { customDefaults } from './custom.ts';
import { defaulting, defaultPodSpec, defaultPodTemplate, withChanged, withDefaults } from './pod.ts';

/** The object with the values that the API server fills in where the client says nothing (SetDefaults_…). */
export function applyDefaults(kind: Kind, object: Resource): Resource {
  if (kind.custom !== undefined) return customDefaults(kind.custom, object);
  const defaults = defaultsByKind[`${kind.group}/${kind.kind}`];
  return defaults === undefined ? object : defaults(object);
}

type Defaults = (object: Resource) => Resource;

/** Defaults that only concern `spec`. */
const ofSpec =
  (defaults: (spec: JsonObject, object: Resource) => JsonObject): Defaults =>
  (object) => ({ ...object, spec: defaults(objectAt(object, 'spec') ?? {}, object) });

const rollingUpdate =
  (defaults: JsonObject) =>
  (strategy: JsonObject | undefined): JsonObject => {
    const type = strategy?.type || 'RollingUpdate';
    if (type !== 'RollingUpdate') return { ...strategy, type };
    return { ...strategy, type, rollingUpdate: withDefaults(objectAt(strategy, 'rollingUpdate'), defaults) };
  };

const deploymentStrategy = rollingUpdate({ maxSurge: '25%', maxUnavailable: '25%' });
const statefulSetStrategy = rollingUpdate({ partition: 0 });
const daemonSetStrategy = rollingUpdate({ maxSurge: 0, maxUnavailable: 1 });

const deployment = ofSpec((spec) => ({
  ...withDefaults(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
  strategy: deploymentStrategy(objectAt(spec, 'strategy')),
  template: defaultPodTemplate(spec.template),
}));

const replicaSet = ofSpec((spec) => ({
  ...withDefaults(spec, { replicas: 1 }),
  template: defaultPodTemplate(spec.template),
}));

const statefulSet = ofSpec((spec) => ({
  ...withChanged(withDefaults(spec, { replicas: 1, revisionHistoryLimit: 10, podManagementPolicy: 'OrderedReady' }), {
    volumeClaimTemplates: claimTemplate,
  }),
  persistentVolumeClaimRetentionPolicy: withDefaults(objectAt(spec, 'persistentVolumeClaimRetentionPolicy'), {
    whenDeleted: 'Retain',
    whenScaled: 'Retain',
  }),
  updateStrategy: statefulSetStrategy(objectAt(spec, 'updateStrategy')),
  template: defaultPodTemplate(spec.template),
}));

const claimTemplate = (template: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  ...template,
  spec: withDefaults(objectAt(template, 'spec'), { volumeMode: 'Filesystem' }),
  status: { phase: 'Pending' },
});

const daemonSet = ofSpec((spec) => ({
  ...withDefaults(spec, { revisionHistoryLimit: 10 }),
  updateStrategy: daemonSetStrategy(objectAt(spec, 'updateStrategy')),
  template: defaultPodTemplate(spec.template),
}));

function jobSpec(spec: JsonObject): JsonObject {
  const counts = { completions: spec.completions, parallelism: spec.parallelism };
  if (counts.completions === undefined && counts.parallelism === undefined) counts.completions = 1;
  return {
    ...withDefaults(spec, {
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      manualSelector: false,
      podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
    }),
    ...(counts.completions === undefined ? {} : { completions: counts.completions }),
    parallelism: counts.parallelism ?? 1,
    template: defaultPodTemplate(spec.template, 'none'),
  };
}

const cronJob = ofSpec((spec) => {
  const jobTemplate = objectAt(spec, 'jobTemplate') ?? {};
  const template = objectAt(jobTemplate, 'spec') ?? {};
  return {
    ...withDefaults(spec, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    }),
    jobTemplate: {
      metadata: {},
      ...jobTemplate,
      spec: { ...template, template: defaultPodTemplate(template.template, 'none') },
    },
  };
});

/** What Go has for a port that nobody names. */
const isZero = (port: Json | undefined): boolean => port === undefined || port === 0 || port === '';

const service = ofSpec((spec) => {
  const type = textOf(spec.type) || 'ClusterIP';
  const defaults = {
    sessionAffinity: 'None',
    type,
    ...(type === 'ExternalName' ? {} : { internalTrafficPolicy: 'Cluster' }),
    ...(type === 'LoadBalancer' || type === 'NodePort' ? { externalTrafficPolicy: 'Cluster' } : {}),
    ...(type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: true } : {}),
  };
  const complete = withChanged(withDefaults(spec, defaults), {
    ports: (port) => ({
      ...withDefaults(port, { protocol: 'TCP' }),
      targetPort: isZero(port.targetPort) ? port.port : port.targetPort,
    }),
    sessionAffinityConfig: (config) => ({
      ...config,
      clientIP: withDefaults(objectAt(config, 'clientIP'), { timeoutSeconds: 10_800 }),
    }),
  });
  // Without affinity its configuration counts for nothing.
  return complete.sessionAffinity === 'None' ? without(complete, 'sessionAffinityConfig') : complete;
});

/** stringData becomes data. It is write-only: no answer shows it. */
function secret(object: Resource): Resource {
  const texts = textMap(object.stringData);
  const encoded = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')] as const);
  const data = encoded.length === 0 ? object.data : { ...textMap(object.data), ...Object.fromEntries(encoded) };
  const rest = without(object, 'stringData') as Resource;
  return { ...rest, ...(data === undefined ? {} : { data }), type: object.type ?? 'Opaque' };
}

const rbacGroup = 'rbac.authorization.k8s.io';

const roleBinding = (object: Resource): Resource =>
  withChanged(
    { ...object, roleRef: objectAt(object, 'roleRef') ?? {} },
    {
      roleRef: defaulting({ apiGroup: rbacGroup }),
      subjects: (subject) =>
        subject.kind === 'ServiceAccount' ? subject : { ...subject, apiGroup: textOf(subject.apiGroup) || rbacGroup },
    },
  ) as Resource;

const storageClass = (object: Resource): Resource =>
  withDefaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }) as Resource;

function definition(object: Resource): Resource {
  const spec = objectAt(object, 'spec') ?? {};
  const names = objectAt(spec, 'names') ?? {};
  const kind = textOf(names.kind) ?? '';
  return {
    ...object,
    spec: {
      ...spec,
      conversion: withDefaults(objectAt(spec, 'conversion'), { strategy: 'None' }),
      names: kind === '' ? names : withDefaults(names, { singular: kind.toLowerCase(), listKind: `${kind}List` }),
    },
  };
}

const webhookDefaults = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

const withServicePort = (object: JsonObject): JsonObject => withChanged(object, { service: defaulting({ port: 443 }) });

const webhook = (webhook: JsonObject): JsonObject =>
  withChanged(withDefaults(webhook, webhookDefaults), {
    rules: defaulting({ scope: '*' }),
    clientConfig: withServicePort,
  });

const webhooks =
  (extra: JsonObject): Defaults =>
  (object) =>
    withChanged(object, { webhooks: (each) => ({ ...extra, ...webhook(each) }) }) as Resource;

const horizontalPodAutoscaler = ofSpec((spec) => withDefaults(spec, { minReplicas: 1 }));

const networkPolicy = ofSpec((spec) => {
  const types = spec.egress === undefined ? ['Ingress'] : ['Ingress', 'Egress'];
  // A pointer in Go: an empty protocol stays, and is refused.
  const port = (one: JsonObject): JsonObject => ({ ...one, protocol: one.protocol ?? 'TCP' });
  const rule = (one: JsonObject): JsonObject => withChanged(one, { ports: port });
  return withChanged(withDefaults(spec, { policyTypes: types, podSelector: {} }), { ingress: rule, egress: rule });
});

const persistentVolume = ofSpec((spec) =>
  withDefaults(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }),
);

const ensureSpec = ofSpec((spec) => spec);

/** SetDefaults_MatchResources, and of each rule its scope. */
function matchResources(given: JsonObject | undefined): JsonObject | undefined {
  const rules = (name: string): JsonObject =>
    given?.[name] === undefined
      ? {}
      : { [name]: objectsIn(given[name]).map((rule) => withDefaults(rule, { scope: '*' })) };
  return (
    given && {
      ...withDefaults(given, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} }),
      ...rules('resourceRules'),
      ...rules('excludeResourceRules'),
    }
  );
}

const admissionPolicy = ofSpec((spec) => ({
  ...withDefaults(spec, { failurePolicy: 'Fail' }),
  ...compact({ matchConstraints: matchResources(objectAt(spec, 'matchConstraints')) }),
}));

const admissionBinding = ofSpec((spec) => ({
  ...spec,
  ...compact({ matchResources: matchResources(objectAt(spec, 'matchResources')) }),
}));

const defaultsByKind: Readonly<Record<string, Defaults>> = {
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': admissionPolicy,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': admissionBinding,
  '/Pod': ofSpec((spec) => defaultPodSpec(spec, { isPod: true })),
  '/ReplicationController': replicaSet,
  '/Service': service,
  '/Secret': secret,
  '/PersistentVolumeClaim': ofSpec((spec) => withDefaults(spec, { volumeMode: 'Filesystem' })),
  '/PersistentVolume': persistentVolume,
  '/Namespace': ensureSpec,
  'apps/Deployment': deployment,
  'apps/ReplicaSet': replicaSet,
  'apps/StatefulSet': statefulSet,
  'apps/DaemonSet': daemonSet,
  'batch/Job': ofSpec(jobSpec),
  'batch/CronJob': cronJob,
  'autoscaling/HorizontalPodAutoscaler': horizontalPodAutoscaler,
  'networking.k8s.io/NetworkPolicy': networkPolicy,
  'networking.k8s.io/Ingress': ensureSpec,
  'rbac.authorization.k8s.io/RoleBinding': roleBinding,
  'rbac.authorization.k8s.io/ClusterRoleBinding': roleBinding,
  'storage.k8s.io/StorageClass': storageClass,
  'apiextensions.k8s.io/CustomResourceDefinition': definition,
  'apiregistration.k8s.io/APIService': ofSpec(withServicePort),
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhooks({}),
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhooks({ reinvocationPolicy: 'Never' }),
  'scheduling.k8s.io/PriorityClass': (object) =>
    withDefaults(object, { preemptionPolicy: 'PreemptLowerPriority' }) as Resource,
};
