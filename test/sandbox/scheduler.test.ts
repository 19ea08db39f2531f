import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deployment, pod, TestSandbox } from './support.ts';

const core = '/api/v1/namespaces/default';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(() => sandbox.sandbox.close());

const helpless =
  'no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';
const noVictims = helpless.replace(
  'Preemption is not helpful for scheduling',
  'No preemption victims found for incoming pod',
);

const requests = (resources: object) => ({
  containers: [{ name: 'c', image: 'i', resources: { requests: resources } }],
});
/** Devices are limited, and requested as much: the API server refuses a request alone. */
const limited = (resources: object) => ({ containers: [{ name: 'c', image: 'i', resources: { limits: resources } }] });
const required = (terms: object) => ({ requiredDuringSchedulingIgnoredDuringExecution: terms });
const mounting = (claimName: string) => ({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] });
const near = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { x: 'y' } } };
const spread = {
  maxSkew: 1,
  topologyKey: 'rack',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { x: 'y' } },
};
const onPort = { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort: 80 }] }] };

async function placementOf(name: string): Promise<{ node?: string; message?: string }> {
  const { body } = await sandbox.get(`${core}/pods/${name}`);
  const condition = body.status.conditions.find((one: { type: string }) => one.type === 'PodScheduled');
  return { node: body.spec.nodeName, message: condition.message };
}

// The words of kube-scheduler v1.36.3, asked with one node.
describe('a pod that no node takes', () => {
  test.each<[string, object, string]>([
    [
      'asks for too much',
      requests({ cpu: '64', memory: '2Ti' }),
      `1 Insufficient cpu, 1 Insufficient memory. ${helpless}`,
    ],
    ['asks for a device', limited({ 'nvidia.com/gpu': '1' }), `1 Insufficient nvidia.com/gpu. ${helpless}`],
    [
      'selects labels',
      { nodeSelector: { disk: 'ssd' } },
      `1 node(s) didn't match Pod's node affinity/selector. ${helpless}`,
    ],
    [
      'has a node affinity',
      {
        affinity: {
          nodeAffinity: required({
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] }],
          }),
        },
      },
      `1 node(s) didn't match Pod's node affinity/selector. ${helpless}`,
    ],
    [
      'wants to be near another',
      { affinity: { podAffinity: required([near]) } },
      `1 node(s) didn't match pod affinity rules. ${helpless}`,
    ],
    [
      'is spread over what nodes do not have',
      { topologySpreadConstraints: [spread] },
      `1 node(s) didn't match pod topology spread constraints (missing required label). ${helpless}`,
    ],
    ['mounts a claim that is not there', mounting('nope'), 'persistentvolumeclaim "nope" not found. not found'],
    [
      'mounts a claim without a volume',
      mounting('fast'),
      'pod has unbound immediate PersistentVolumeClaims. not found',
    ],
    [
      'mounts a local claim',
      mounting('local'),
      `1 node(s) didn't find available persistent volumes to bind. ${helpless}`,
    ],
  ])('%s', async (_what, spec, message) => {
    await sandbox.post(`${core}/persistentvolumeclaims`, claim('fast', 'fast'));
    await sandbox.post(
      '/apis/storage.k8s.io/v1/storageclasses',
      storageClass('local', { provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' }),
    );
    await sandbox.post(`${core}/persistentvolumeclaims`, claim('local', 'local'));
    await sandbox.post(`${core}/pods`, pod('p', {}, spec));
    await sandbox.elapse(60_000);
    expect(await placementOf('p')).toEqual({ node: undefined, message: `0/1 nodes are available: ${message}` });
    const { items } = (await sandbox.get(`${core}/events?fieldSelector=reason=FailedScheduling`)).body;
    expect(items.map((event: { message: string }) => event.message)).toEqual([`0/1 nodes are available: ${message}`]);
  });
});

const claim = (name: string, storageClassName?: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName },
});
const storageClass = (name: string, more: object) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  ...more,
});
const node = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name } },
  ...more,
});

test('what needs a node of its own gets one more like the first', async () => {
  const anti = {
    affinity: {
      podAntiAffinity: required([
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
      ]),
    },
  };
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }], ...anti } };
  await sandbox.post(
    '/apis/apps/v1/namespaces/default/deployments',
    deployment('web', { replicas: 3, spec: { template } }),
  );
  await sandbox.post(`${core}/pods`, pod('big', {}, requests({ cpu: '15' })));
  await sandbox.post(`${core}/pods`, pod('bigger', {}, requests({ cpu: '15' })));
  await sandbox.elapse(1000);
  const { items } = (await sandbox.get(`${core}/pods`)).body;
  expect(
    new Set(
      items
        .filter((one: { metadata: { labels?: object } }) => one.metadata.labels)
        .map((one: { spec: { nodeName: string } }) => one.spec.nodeName),
    ).size,
  ).toBe(3);
  expect((await placementOf('big')).node).not.toBe((await placementOf('bigger')).node);
});

describe('nodes that one describes', () => {
  beforeEach(async () => {
    await sandbox.post(
      '/api/v1/nodes',
      node('small', { status: { capacity: { cpu: '2', memory: '4Gi', pods: '10' } } }),
    );
    await sandbox.delete('/api/v1/nodes/node-1');
  });

  test.each<[string, object, object, string]>([
    ['are as large as they say', {}, requests({ cpu: '3' }), `1 Insufficient cpu. ${helpless}`],
    [
      'are not multiplied',
      onPort,
      onPort,
      `1 node(s) didn't have free ports for the requested pod ports. ${noVictims}`,
    ],
  ])('%s', async (_what, first, second, message) => {
    await sandbox.post(`${core}/pods`, pod('first', {}, first));
    await sandbox.elapse(1000);
    await sandbox.post(`${core}/pods`, pod('second', {}, second));
    await sandbox.elapse(1000);
    expect(await placementOf('first')).toMatchObject({ node: 'small' });
    expect((await placementOf('second')).message).toBe(`0/1 nodes are available: ${message}`);
  });

  test('keep off what does not tolerate their taints', async () => {
    await sandbox.merge('/api/v1/nodes/small', {
      spec: { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
    });
    await sandbox.post(`${core}/pods`, pod('plain'));
    await sandbox.post(`${core}/pods`, pod('tolerant', {}, { tolerations: [{ key: 'gpu', operator: 'Exists' }] }));
    await sandbox.elapse(1000);
    expect((await placementOf('plain')).message).toBe(
      `0/1 nodes are available: 1 node(s) had untolerated taint(s). ${helpless}`,
    );
    expect((await placementOf('tolerant')).node).toBe('small');
  });

  test('a DaemonSet has a pod on each, and a pod that waits goes where a new one suits it', async () => {
    const spec = {
      selector: { matchLabels: { app: 'd' } },
      template: { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    };
    await sandbox.post('/apis/apps/v1/namespaces/default/daemonsets', {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'd' },
      spec,
    });
    await sandbox.post(`${core}/pods`, pod('p', {}, { nodeSelector: { disk: 'ssd' } }));
    await sandbox.elapse(1000);
    expect((await placementOf('p')).node).toBeUndefined();
    await sandbox.post('/api/v1/nodes', { ...node('fast'), metadata: { name: 'fast', labels: { disk: 'ssd' } } });
    await sandbox.elapse(1000);
    expect((await placementOf('p')).node).toBe('fast');
    expect((await sandbox.get('/apis/apps/v1/namespaces/default/daemonsets/d')).body.status).toMatchObject({
      desiredNumberScheduled: 2,
      numberReady: 2,
    });
  });
});

// kwok and kube-scheduler v1.36.3 leave both without a condition.
describe('a pod that nobody looks after', () => {
  const statusOf = async (name: string) => (await sandbox.get(`${core}/pods/${name}`)).body.status;

  test('names a node that is not there, until it is', async () => {
    await sandbox.post(`${core}/pods`, pod('lost', {}, { nodeName: 'far' }));
    await sandbox.elapse(5000);
    expect(await statusOf('lost')).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
    await sandbox.post('/api/v1/nodes', { ...node('far'), metadata: { name: 'far' } });
    await sandbox.elapse(5000);
    expect((await statusOf('lost')).phase).toBe('Running');
  });

  test.each([
    ['claim of devices', { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gone' }] }],
    ['template of one', { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gone' }] }],
  ])('names a %s that is not there', async (_what, spec) => {
    await sandbox.post(`${core}/pods`, pod('gpu', {}, spec));
    await sandbox.elapse(5000);
    expect(await statusOf('gpu')).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  test('is held back by a gate, until it is taken away', async () => {
    const { containers } = requests({});
    await sandbox.post(`${core}/pods`, pod('gated', {}, { containers, schedulingGates: [{ name: 'a.io/gate' }] }));
    await sandbox.elapse(5000);
    expect(await placementOf('gated')).toEqual({
      node: undefined,
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    });
    await sandbox.merge(`${core}/pods/gated`, { spec: { schedulingGates: null } });
    await sandbox.elapse(5000);
    expect((await statusOf('gated')).phase).toBe('Running');
  });

  test('names a scheduler that is not there, until a program that may bind pods has run', async () => {
    await sandbox.post(`${core}/pods`, pod('other', {}, { schedulerName: 'other' }));
    await sandbox.elapse(5000);
    expect(await statusOf('other')).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
    await sandbox.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'scheduler' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:kube-scheduler' },
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
    });
    await sandbox.post(`${core}/pods`, pod('scheduler'));
    await sandbox.elapse(5000);
    expect((await statusOf('other')).phase).toBe('Running');
  });
});

// The words of kube-controller-manager v1.36.3.
describe('a claim', () => {
  const stateOf = async (name: string) => {
    const { status } = (await sandbox.get(`${core}/persistentvolumeclaims/${name}`)).body;
    const { items } = (await sandbox.get(`${core}/events?fieldSelector=involvedObject.name=${name}`)).body;
    return [
      status.phase,
      ...items.map(
        (event: { type: string; reason: string; message: string }) => `${event.type} ${event.reason}: ${event.message}`,
      ),
    ];
  };

  test.each<[string, string | undefined, string[]]>([
    ['of the default class is bound', undefined, ['Bound']],
    [
      'of an unknown class is pending',
      'fast',
      ['Pending', 'Warning ProvisioningFailed: storageclass.storage.k8s.io "fast" not found'],
    ],
    [
      'of no class is pending',
      '',
      ['Pending', 'Normal FailedBinding: no persistent volumes available for this claim and no storage class is set'],
    ],
    [
      'waits for its pod where the class says so',
      'late',
      ['Pending', 'Normal WaitForFirstConsumer: waiting for first consumer to be created before binding'],
    ],
    [
      'of a class that makes no volumes',
      'manual',
      ['Pending', 'Warning ProvisioningFailed: no volume plugin matched name: kubernetes.io/no-provisioner'],
    ],
  ])('%s', async (_what, name, state) => {
    await sandbox.post(
      '/apis/storage.k8s.io/v1/storageclasses',
      storageClass('late', { provisioner: 'example.com/x', volumeBindingMode: 'WaitForFirstConsumer' }),
    );
    await sandbox.post(
      '/apis/storage.k8s.io/v1/storageclasses',
      storageClass('manual', { provisioner: 'kubernetes.io/no-provisioner' }),
    );
    await sandbox.post(`${core}/persistentvolumeclaims`, claim('c', name));
    await sandbox.elapse(1000);
    expect(await stateOf('c')).toEqual(state);
    await sandbox.post(`${core}/pods`, pod('p', {}, mounting('c')));
    await sandbox.elapse(1000);
    const isBound = name === undefined || name === 'late';
    expect((await placementOf('p')).node).toBe(isBound ? 'node-1' : undefined);
  });

  test('takes the volume that suits it, and its pod goes on', async () => {
    await sandbox.post(`${core}/persistentvolumeclaims`, claim('c', ''));
    await sandbox.post(`${core}/pods`, pod('p', {}, mounting('c')));
    await sandbox.elapse(1000);
    const volume = (name: string, storage: string) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/' } },
    });
    await sandbox.post('/api/v1/persistentvolumes', volume('small', '1Mi'));
    await sandbox.elapse(1000);
    expect((await placementOf('p')).node).toBeUndefined();
    await sandbox.post('/api/v1/persistentvolumes', volume('large', '2Gi'));
    await sandbox.elapse(1000);
    expect((await placementOf('p')).node).toBe('node-1');
    const { spec, status } = (await sandbox.get(`${core}/persistentvolumeclaims/c`)).body;
    expect({ volume: spec.volumeName, capacity: status.capacity }).toEqual({
      volume: 'large',
      capacity: { storage: '2Gi' },
    });
  });
});
