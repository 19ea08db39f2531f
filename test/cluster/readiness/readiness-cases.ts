import type { KubernetesObject } from '../../../src/manifest/types.ts';

/** An object, and what kstatus' Compute and Helm 3's ReadyChecker say of it; `legacyJobs` where --wait-for-jobs matters. */
export interface ReadinessCase {
  readonly what: string;
  readonly object: KubernetesObject;
  readonly related?: readonly KubernetesObject[];
  readonly kstatus: 'Current' | 'InProgress' | 'Failed' | 'Terminating';
  readonly legacy: 'ready' | 'waiting' | 'failed';
  readonly legacyJobs?: 'ready' | 'waiting' | 'failed';
}

const meta = (name: string, generation = 2) => ({ name, namespace: 'default', uid: `uid-${name}`, generation });
const condition = (type: string, status: string, reason = '', message = '') => ({ type, status, reason, message });
const available = [condition('Available', 'True'), condition('Progressing', 'True', 'NewReplicaSetAvailable')];
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'x' }] } };
const selector = { matchLabels: { app: 'web' } };

const deployment = (status: object, spec: object = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: meta('web'),
  spec: { replicas: 3, selector, template, progressDeadlineSeconds: 600, ...spec },
  status: { observedGeneration: 2, ...status },
});
const counts = (replicas: number, updatedReplicas: number, readyReplicas: number, availableReplicas: number) => ({
  replicas,
  updatedReplicas,
  readyReplicas,
  availableReplicas,
});
const replicaSetOf = (readyReplicas: number, more: object = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: {
    ...meta('web-1'),
    labels: { app: 'web' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'uid-web', controller: true }],
  },
  spec: {
    replicas: 3,
    selector,
    template: { ...template, metadata: { labels: { app: 'web', 'pod-template-hash': '1' } } },
    ...more,
  },
  status: { observedGeneration: 2, readyReplicas, replicas: 3 },
});
const statefulSet = (status: object, spec: object = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: meta('db'),
  spec: { replicas: 3, selector, template, serviceName: 'db', updateStrategy: { type: 'RollingUpdate' }, ...spec },
  status: { observedGeneration: 2, currentRevision: 'a', updateRevision: 'a', ...status },
});
const daemonSet = (status: object, spec: object = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: meta('ds'),
  spec: {
    selector,
    template,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    ...spec,
  },
  status: { observedGeneration: 2, ...status },
});
const scheduled = (desired: number, current: number, updated: number, ready: number, availableCount: number) => ({
  desiredNumberScheduled: desired,
  currentNumberScheduled: current,
  updatedNumberScheduled: updated,
  numberReady: ready,
  numberAvailable: availableCount,
});
const job = (status: object, spec: object = {}): KubernetesObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: meta('job'),
  spec: { backoffLimit: 1, completions: 2, parallelism: 1, template, ...spec },
  status,
});
const pod = (phase: string, conditions: object[] = [], more: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...meta('pod'), labels: { app: 'web' }, creationTimestamp: '2020-01-01T00:00:00Z' },
  spec: { containers: [{ name: 'c', image: 'x' }] },
  status: { phase, conditions, ...more },
});
const service = (spec: object, status: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: meta('svc'),
  spec,
  status,
});
const claim = (phase: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: meta('pvc'),
  spec: {},
  status: { phase },
});
const custom = (status: object | undefined, metadata: object = {}): KubernetesObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { ...meta('w'), ...metadata },
  ...(status && { status }),
});
const crd = (...conditions: object[]): KubernetesObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {},
  status: { conditions },
});
const owned = (readyReplicas: number) => ({ related: [replicaSetOf(readyReplicas)] });

export const readinessCases: readonly ReadinessCase[] = [
  {
    what: 'a deployment that is rolled out',
    object: deployment({ ...counts(3, 3, 3, 3), conditions: available }),
    ...owned(3),
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a deployment with too few pods',
    object: deployment({ ...counts(2, 2, 2, 2), conditions: available }),
    ...owned(2),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a deployment that is being updated',
    object: deployment({ ...counts(3, 1, 3, 3), conditions: available }),
    ...owned(1),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a deployment with old pods left',
    object: deployment({ ...counts(4, 3, 4, 4), conditions: available }),
    ...owned(3),
    kstatus: 'InProgress',
    legacy: 'ready',
  },
  {
    what: 'a deployment with one pod to come',
    object: deployment({ ...counts(3, 3, 2, 2), conditions: available }),
    ...owned(2),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a deployment that may miss a pod',
    object: deployment(
      { ...counts(3, 3, 2, 2), conditions: available },
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '34%', maxSurge: 0 } } },
    ),
    ...owned(2),
    kstatus: 'InProgress',
    legacy: 'ready',
  },
  {
    what: 'a deployment not observed yet',
    object: deployment({ ...counts(3, 3, 3, 3), observedGeneration: 1, conditions: available }),
    ...owned(3),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a deployment past its deadline',
    object: deployment({
      ...counts(3, 3, 0, 0),
      conditions: [condition('Progressing', 'False', 'ProgressDeadlineExceeded')],
    }),
    ...owned(0),
    kstatus: 'Failed',
    legacy: 'waiting',
  },
  {
    what: 'a deployment whose ReplicaSet is not done',
    object: deployment({
      ...counts(3, 3, 3, 3),
      conditions: [condition('Available', 'True'), condition('Progressing', 'True', 'ReplicaSetUpdated')],
    }),
    ...owned(3),
    kstatus: 'InProgress',
    legacy: 'ready',
  },
  {
    what: 'a deployment without a deadline',
    object: deployment(
      { ...counts(3, 3, 3, 3), conditions: [condition('Available', 'True')] },
      { progressDeadlineSeconds: undefined },
    ),
    ...owned(3),
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a deployment that is not available',
    object: deployment({
      ...counts(3, 3, 3, 3),
      conditions: [condition('Available', 'False'), condition('Progressing', 'True', 'NewReplicaSetAvailable')],
    }),
    ...owned(3),
    kstatus: 'InProgress',
    legacy: 'ready',
  },
  {
    what: 'a deployment of no replicas',
    object: deployment({ ...counts(0, 0, 0, 0), conditions: available }, { replicas: 0 }),
    ...owned(0),
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a deployment without a ReplicaSet',
    object: deployment({ ...counts(3, 3, 3, 3), conditions: available }),
    kstatus: 'Current',
    legacy: 'waiting',
  },
  {
    what: 'a deployment whose ReplicaSet has another template',
    object: deployment({ ...counts(3, 3, 3, 3), conditions: available }),
    related: [replicaSetOf(3, { template: { ...template, spec: { containers: [] } } })],
    kstatus: 'Current',
    legacy: 'waiting',
  },
  {
    what: 'a ReplicaSet that is available',
    object: {
      ...replicaSetOf(3),
      status: { observedGeneration: 2, replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 3, availableReplicas: 3 },
    },
    related: [pod('Running', [condition('Ready', 'True')])],
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a ReplicaSet whose pod is not ready',
    object: {
      ...replicaSetOf(3),
      status: { observedGeneration: 2, replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 3, availableReplicas: 2 },
    },
    related: [pod('Running', [condition('Ready', 'False')])],
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a ReplicaSet that cannot make pods',
    object: {
      ...replicaSetOf(0),
      status: { observedGeneration: 2, conditions: [condition('ReplicaFailure', 'True', 'FailedCreate')] },
    },
    kstatus: 'InProgress',
    legacy: 'ready',
  },
  {
    what: 'a statefulset that is rolled out',
    object: statefulSet({ replicas: 3, readyReplicas: 3, currentReplicas: 3, updatedReplicas: 3 }),
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a statefulset with one pod',
    object: statefulSet({ replicas: 1, readyReplicas: 1, currentReplicas: 1, updatedReplicas: 1 }),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a statefulset with a pod not ready',
    object: statefulSet({ replicas: 3, readyReplicas: 2, currentReplicas: 3, updatedReplicas: 3 }),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a statefulset between revisions',
    object: statefulSet({ replicas: 3, readyReplicas: 3, currentReplicas: 3, updatedReplicas: 3, updateRevision: 'b' }),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a statefulset with too few current pods',
    object: statefulSet({ replicas: 3, readyReplicas: 3, currentReplicas: 2, updatedReplicas: 3 }),
    kstatus: 'InProgress',
    legacy: 'ready',
  },
  {
    what: 'a statefulset with too many pods',
    object: statefulSet({ replicas: 4, readyReplicas: 4, currentReplicas: 4, updatedReplicas: 3 }),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a statefulset updated up to its partition',
    object: statefulSet(
      { replicas: 3, readyReplicas: 3, currentReplicas: 2, updatedReplicas: 1, updateRevision: 'b' },
      { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } },
    ),
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a statefulset not updated up to its partition',
    object: statefulSet(
      { replicas: 3, readyReplicas: 3, currentReplicas: 3, updatedReplicas: 0 },
      { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } },
    ),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a statefulset that users update',
    object: statefulSet({ replicas: 0 }, { updateStrategy: { type: 'OnDelete' } }),
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a daemonset on all nodes',
    object: daemonSet(scheduled(2, 2, 2, 2, 2)),
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a daemonset on one of two nodes',
    object: daemonSet(scheduled(2, 1, 1, 1, 1)),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a daemonset with a pod not ready',
    object: daemonSet(scheduled(2, 2, 2, 1, 1)),
    kstatus: 'InProgress',
    legacy: 'ready',
  },
  {
    what: 'a daemonset with a pod not available',
    object: daemonSet(scheduled(2, 2, 2, 2, 1)),
    kstatus: 'InProgress',
    legacy: 'ready',
  },
  {
    what: 'a daemonset with no pod ready',
    object: daemonSet(scheduled(2, 2, 2, 0, 2)),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a daemonset that users update',
    object: daemonSet(scheduled(2, 2, 0, 0, 0), { updateStrategy: { type: 'OnDelete' } }),
    kstatus: 'InProgress',
    legacy: 'ready',
  },
  {
    what: 'a daemonset nobody has seen',
    object: daemonSet({ observedGeneration: undefined }),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  { what: 'a daemonset for no node', object: daemonSet(scheduled(0, 0, 0, 0, 0)), kstatus: 'Current', legacy: 'ready' },
  { what: 'a job not started', object: job({}), kstatus: 'InProgress', legacy: 'ready', legacyJobs: 'waiting' },
  {
    what: 'a job that runs',
    object: job({ startTime: '2026-01-01T00:00:00Z', active: 1, succeeded: 1 }),
    kstatus: 'Current',
    legacy: 'ready',
    legacyJobs: 'waiting',
  },
  {
    what: 'a job that is complete',
    object: job({ startTime: '2026-01-01T00:00:00Z', succeeded: 2, conditions: [condition('Complete', 'True')] }),
    kstatus: 'Current',
    legacy: 'ready',
    legacyJobs: 'ready',
  },
  {
    what: 'a job that failed',
    object: job({
      startTime: '2026-01-01T00:00:00Z',
      failed: 2,
      conditions: [condition('Failed', 'True', 'BackoffLimitExceeded')],
    }),
    kstatus: 'Failed',
    legacy: 'ready',
    legacyJobs: 'failed',
  },
  {
    what: 'a job that is suspended',
    object: job({ conditions: [condition('Suspended', 'True')] }, { suspend: true }),
    kstatus: 'InProgress',
    legacy: 'ready',
    legacyJobs: 'waiting',
  },
  {
    what: 'a pod that is ready',
    object: pod('Running', [condition('Ready', 'True')]),
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a pod that runs',
    object: pod('Running', [condition('Ready', 'False')]),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a pod in a crash loop',
    object: pod('Running', [], {
      containerStatuses: [
        {
          name: 'c',
          ready: false,
          restartCount: 3,
          image: 'x',
          imageID: '',
          state: { waiting: { reason: 'CrashLoopBackOff' } },
        },
      ],
    }),
    kstatus: 'Failed',
    legacy: 'waiting',
  },
  { what: 'a pod that is pending', object: pod('Pending'), kstatus: 'InProgress', legacy: 'waiting' },
  { what: 'a pod that has succeeded', object: pod('Succeeded'), kstatus: 'Current', legacy: 'waiting' },
  { what: 'a pod nobody has seen', object: pod(''), kstatus: 'InProgress', legacy: 'waiting' },
  { what: 'a claim that is bound', object: claim('Bound'), kstatus: 'Current', legacy: 'ready' },
  { what: 'a claim that is pending', object: claim('Pending'), kstatus: 'InProgress', legacy: 'waiting' },
  {
    what: 'a service with an address',
    object: service({ clusterIP: '10.0.0.1' }),
    kstatus: 'Current',
    legacy: 'ready',
  },
  { what: 'a service without an address', object: service({}), kstatus: 'Current', legacy: 'waiting' },
  { what: 'a headless service', object: service({ clusterIP: 'None' }), kstatus: 'Current', legacy: 'ready' },
  { what: 'an external name', object: service({ type: 'ExternalName' }), kstatus: 'Current', legacy: 'ready' },
  {
    what: 'a load balancer without an ingress',
    object: service({ type: 'LoadBalancer', clusterIP: '10.0.0.1' }),
    kstatus: 'Current',
    legacy: 'waiting',
  },
  {
    what: 'a load balancer without an address',
    object: service({ type: 'LoadBalancer' }),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a load balancer with an external address',
    object: service({ type: 'LoadBalancer', clusterIP: '10.0.0.1', externalIPs: ['1.2.3.4'] }),
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a load balancer with an ingress',
    object: service(
      { type: 'LoadBalancer', clusterIP: '10.0.0.1' },
      { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    ),
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a disruption budget',
    object: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: meta('pdb'),
      status: { observedGeneration: 2 },
    },
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a config map',
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cm' } },
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a config map being deleted',
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cm', deletionTimestamp: '2026-01-01T00:00:00Z' },
    },
    kstatus: 'Terminating',
    legacy: 'ready',
  },
  {
    what: 'a CRD that is established',
    object: crd(condition('NamesAccepted', 'True'), condition('Established', 'True')),
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a CRD that is being installed',
    object: crd(condition('Established', 'False', 'Installing')),
    kstatus: 'InProgress',
    legacy: 'waiting',
  },
  {
    what: 'a CRD whose names are taken',
    object: crd(
      condition('NamesAccepted', 'False', 'Conflict', 'taken'),
      condition('Established', 'False', 'NotAccepted'),
    ),
    kstatus: 'Failed',
    legacy: 'ready',
  },
  {
    what: 'a custom resource not observed yet',
    object: custom({ observedGeneration: 1 }),
    kstatus: 'InProgress',
    legacy: 'ready',
  },
  {
    what: 'a custom resource that is ready',
    object: custom({ conditions: [condition('Ready', 'True')] }),
    kstatus: 'Current',
    legacy: 'ready',
  },
  {
    what: 'a custom resource that is not ready',
    object: custom({ conditions: [condition('Ready', 'False', 'R', 'no')] }),
    kstatus: 'InProgress',
    legacy: 'ready',
  },
  {
    what: 'a custom resource that does not know',
    object: custom({ conditions: [condition('Ready', 'Unknown')] }),
    kstatus: 'InProgress',
    legacy: 'ready',
  },
  {
    what: 'a custom resource being reconciled',
    object: custom({ conditions: [condition('Ready', 'True'), condition('Reconciling', 'True')] }),
    kstatus: 'InProgress',
    legacy: 'ready',
  },
  {
    what: 'a custom resource that is stalled',
    object: custom({ conditions: [condition('Stalled', 'True', 'S', 'stuck')] }),
    kstatus: 'Failed',
    legacy: 'ready',
  },
];
