import { describe, expect, test } from 'vitest';
import { type Diagnosis, diagnose } from '../../../src/cluster/diagnosis/diagnose.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import { FakeCluster, refusal } from '../fake-cluster.ts';

/** As programs get them. */
const problemsIn = ({ problems }: Diagnosis): readonly Record<string, unknown>[] =>
  JSON.parse(JSON.stringify(problems)) as Record<string, unknown>[];
/** The cause of each, and what it rests on: `BackOff: text`, `log: line`. */
const causesOf = (diagnosis: Diagnosis): readonly unknown[] => problemsIn(diagnosis).map(({ cause }) => cause);
const evidenceOf = ({ problems }: Diagnosis): readonly (readonly string[])[] =>
  problems.map(({ evidence }) =>
    evidence.flatMap(({ kind, reason, lines }) => lines.map((line) => `${reason ?? kind}: ${line.toJSON()}`)),
  );

const ownedBy = (owner: KubernetesObject) => [
  {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid ?? '',
    controller: true,
  },
];
const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' };

/** A Deployment with an old ReplicaSet, a new one, and one pod of the new one. */
function clusterWithPod(podStatus: object, spec: object = {}): FakeCluster {
  const cluster = new FakeCluster();
  const labels = { app: 'web' };
  const deployment = cluster.add({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 1, selector: { matchLabels: labels } },
  });
  const set = (name: string, revision: string): KubernetesObject =>
    cluster.add({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name,
        labels,
        ownerReferences: ownedBy(deployment),
        annotations: { 'deployment.kubernetes.io/revision': revision },
      },
    });
  set('web-old', '1');
  const newest = set('web-new', '2');
  cluster.add({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-new-x', labels, ownerReferences: ownedBy(newest) },
    spec,
    status: { phase: 'Running', ...podStatus },
  });
  return cluster;
}

const event = (
  name: string,
  kind: string,
  on: string,
  reason: string,
  message: string,
  count: number,
): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name },
  type: 'Warning',
  involvedObject: { kind, name: on },
  reason,
  message,
  count,
  lastTimestamp: `2026-01-01T00:00:0${count}Z`,
});

test('from the deployment down to the container, its exit code, its last words and its events', async () => {
  const cluster = clusterWithPod({
    containerStatuses: [
      { name: 'sidecar', ready: true, restartCount: 0, state: { running: {} } },
      {
        name: 'app',
        ready: false,
        restartCount: 4,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 2, reason: 'OOMKilled' } },
      },
    ],
  });
  cluster.setLogs('web-new-x', 'starting\nno database at db:5432\n', 'app');
  cluster.add(event('e1', 'Pod', 'web-new-x', 'BackOff', 'Back-off restarting failed container', 3));
  cluster.add(event('e2', 'Pod', 'web-new-x', 'BackOff', 'Back-off restarting failed container', 4));
  const diagnosis = await diagnose(cluster, [web]);
  const where = {
    chain: ['Deployment/web', 'ReplicaSet/web-new', 'Pod/web-new-x'],
    pod: 'web-new-x',
    container: 'app',
  };
  const cause = { ...where, outlook: 'doubtful', code: 'out-of-memory', reason: 'CrashLoopBackOff' };
  expect(causesOf(diagnosis)).toEqual([{ ...cause, exitCode: 2, restarts: 4 }]);
  expect(evidenceOf(diagnosis)).toEqual([['log: starting', 'log: no database at db:5432']]);
  expect(problemsIn(diagnosis)).toMatchObject([{ subject: { kind: 'object', id: web } }]);
});

test.each([
  [
    'an image that cannot be pulled',
    {
      phase: 'Pending',
      containerStatuses: [
        { name: 'app', restartCount: 0, state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } } },
      ],
    },
    { code: 'image-pull-failed', container: 'app', reason: 'ImagePullBackOff', words: 'no such image' },
  ],
  [
    'no node to run on',
    {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }],
    },
    { code: 'pod-unschedulable', pod: 'web-new-x', words: '0/3 nodes' },
  ],
  [
    'an init container that fails',
    {
      phase: 'Pending',
      initContainerStatuses: [
        { name: 'migrate', restartCount: 0, state: { terminated: { exitCode: 1, reason: 'Error' } } },
      ],
      containerStatuses: [{ name: 'app', restartCount: 0, state: { waiting: { reason: 'PodInitializing' } } }],
    },
    { code: 'program-ended', container: 'migrate', reason: 'Error', exitCode: 1 },
  ],
  [
    'a probe that fails',
    { containerStatuses: [{ name: 'app', ready: false, restartCount: 0, state: { running: {} } }] },
    { code: 'container-not-ready', container: 'app' },
  ],
])('%s', async (_what, status, cause) => {
  expect(causesOf(await diagnose(clusterWithPod(status), [web]))).toMatchObject([cause]);
});

test('a probe that fails is told in its own words', async () => {
  const cluster = clusterWithPod({
    containerStatuses: [{ name: 'app', ready: false, restartCount: 0, state: { running: {} } }],
  });
  cluster.add(event('e1', 'Pod', 'web-new-x', 'Unhealthy', 'Readiness probe failed: statuscode: 503', 3));
  const probe = { kind: 'readiness', words: 'Readiness probe failed: statuscode: 503' };
  expect(causesOf(await diagnose(cluster, [web]))).toMatchObject([{ code: 'probe-failed', probe, failures: 3 }]);
});

test('a volume that is not bound goes before the pod that waits for it', async () => {
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'unbound claims' }];
  const cluster = clusterWithPod({ phase: 'Pending', conditions });
  const pod = cluster.find('web-new-x') as KubernetesObject;
  cluster.add({ ...pod, spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] } });
  cluster.add({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    status: { phase: 'Pending' },
  });
  const missing = 'storageclass.storage.k8s.io "fast" not found';
  cluster.add(event('e1', 'PersistentVolumeClaim', 'data', 'ProvisioningFailed', missing, 1));
  const cause = { code: 'storage-class-missing', claim: 'data', storageClass: 'fast', pod: 'web-new-x' };
  expect(causesOf(await diagnose(cluster, [web]))).toMatchObject([{ ...cause, classes: [] }]);
  cluster.add({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'standard' } });
  cluster.add({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'gp3' } });
  expect(causesOf(await diagnose(cluster, [web]))).toMatchObject([{ ...cause, classes: ['gp3', 'standard'] }]);
});

test('two containers that are broken are both told, each with its own events, and what its pod lacks beside them', async () => {
  const cluster = clusterWithPod({
    phase: 'Pending',
    containerStatuses: [
      {
        name: 'app',
        restartCount: 0,
        state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "db" not found' } },
      },
      { name: 'proxy', restartCount: 0, state: { waiting: { reason: 'ErrImagePull', message: 'no such tag' } } },
      { name: 'late', ready: false, restartCount: 0, state: { running: {} } },
    ],
  });
  const pod = cluster.find('web-new-x') as KubernetesObject;
  const valueFrom = { secretKeyRef: { name: 'db', key: 'password' } };
  const optional = { configMapRef: { name: 'maybe', optional: true } };
  const mode = { configMapKeyRef: { name: 'settings', key: 'mode' } };
  const env = [
    { name: 'PASSWORD', valueFrom },
    { name: 'MODE', valueFrom: mode },
  ];
  const volumes = [{ name: 'tls', secret: { secretName: 'tls' } }];
  cluster.add({ ...pod, spec: { volumes, containers: [{ name: 'app', env, envFrom: [optional] }] } });
  cluster.add({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { other: '1' } });
  const about = (container: string) => ({
    involvedObject: { kind: 'Pod', name: pod.metadata.name, fieldPath: `spec.containers{${container}}` },
  });
  cluster.add({ ...event('e1', 'Pod', 'web-new-x', 'Pull', 'of the proxy', 1), ...about('proxy') });
  cluster.add({ ...event('e2', 'Pod', 'web-new-x', 'Config', 'of the app', 2), ...about('app') });
  const diagnosis = await diagnose(cluster, [web]);
  const key = { kind: 'ConfigMap', name: 'settings', key: 'mode' };
  const [db, tls] = ['db', 'tls'].map((name) => ({ kind: 'Secret', name }));
  expect(causesOf(diagnosis)).toMatchObject([
    { container: 'app', code: 'reference-missing', missing: db, alsoMissing: [key, tls] },
    { container: 'proxy', code: 'image-pull-failed', alsoMissing: [db, key, tls] },
  ]);
  expect(evidenceOf(diagnosis)).toEqual([['Config: of the app'], ['Pull: of the proxy']]);
});

test('a claim that is mounted and does not exist', async () => {
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no claim' }];
  const cluster = clusterWithPod({ phase: 'Pending', conditions });
  const pod = cluster.find('web-new-x') as KubernetesObject;
  cluster.add({ ...pod, spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] } });
  expect(causesOf(await diagnose(cluster, [web]))).toMatchObject([
    { outlook: 'doubtful', code: 'claim-missing', claim: 'data' },
  ]);
});

test('a pod that cannot mount tells what', async () => {
  const cluster = clusterWithPod({
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'True' }],
    containerStatuses: [{ name: 'app', restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } }],
  });
  cluster.add(event('e1', 'Pod', 'web-new-x', 'FailedMount', 'secret "tls" not found', 2));
  const missing = { kind: 'Secret', name: 'tls' };
  expect(causesOf(await diagnose(cluster, [web]))).toMatchObject([
    { code: 'reference-missing', reason: 'FailedMount', missing, pod: 'web-new-x' },
  ]);
});

test('a Job tells how it ended, and its pod why', async () => {
  const cluster = new FakeCluster();
  const labels = { 'job-name': 'migrate' };
  const job = cluster.add({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate' },
    spec: { selector: { matchLabels: labels } },
    status: { conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'limit' }] },
  });
  cluster.add({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'migrate-x', labels, ownerReferences: ownedBy(job) },
    status: {
      phase: 'Failed',
      containerStatuses: [{ name: 'main', restartCount: 0, state: { terminated: { exitCode: 3, reason: 'Error' } } }],
    },
  });
  cluster.setLogs('migrate-x', 'starting\nno such table\n', 'main');
  const id = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'default', name: 'migrate' };
  const diagnosis = await diagnose(cluster, [id]);
  expect(causesOf(diagnosis)).toMatchObject([
    { code: 'program-ended', container: 'main', exitCode: 3, end: { reason: 'BackoffLimitExceeded', words: 'limit' } },
  ]);
  expect(evidenceOf(diagnosis)).toEqual([['log: starting', 'log: no such table']]);
});

test('the likely cause goes first, whatever was waited for first', async () => {
  const cluster = clusterWithPod({
    containerStatuses: [{ name: 'app', ready: false, restartCount: 0, state: { running: {} } }],
  });
  cluster.add({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'db' },
    status: {
      phase: 'Pending',
      containerStatuses: [{ name: 'db', restartCount: 0, state: { waiting: { reason: 'ImagePullBackOff' } } }],
    },
  });
  const db = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'db' };
  const { problems } = await diagnose(cluster, [web, db]);
  expect(problems.map(({ cause }) => cause.chain?.[0])).toEqual(['Pod/db', 'Deployment/web']);
});

test.each([
  ['BackOff', 'Back-off restarting failed container', []],
  ['Unhealthy', 'Readiness probe failed: connection refused', []],
  ['Unhealthy', 'Liveness probe failed: 500', ['Unhealthy: Liveness probe failed: 500']],
  ['Evicted', 'pod web-7d-lpcsz', ['Evicted: pod web-7d-rdgzb']],
])('of a program that ended the event %s: %s is an echo, or says more', async (reason, message, expected) => {
  const terminated = { exitCode: 1, reason: 'Error' };
  const cluster = clusterWithPod({ containerStatuses: [{ name: 'app', restartCount: 0, state: { terminated } }] });
  cluster.add(event('e1', 'Pod', 'web-new-x', reason, message, 1));
  // The same of another pod, as names are drawn at random.
  cluster.add(event('e2', 'Pod', 'web-new-x', reason, message.replace('lpcsz', 'rdgzb'), 2));
  expect(evidenceOf(await diagnose(cluster, [web]))).toEqual([expected]);
});

test('secrets are taken out of everything that is told', async () => {
  const cluster = clusterWithPod({
    containerStatuses: [
      {
        name: 'app',
        restartCount: 1,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 1 } },
      },
    ],
  });
  cluster.setLogs('web-new-x', 'cannot log in with hunter2', 'app');
  cluster.add(event('e1', 'Pod', 'web-new-x', 'Unhealthy', 'Get "http://x/?token=hunter2": refused', 1));
  const diagnosis = await diagnose(cluster, [web], { mask: (text) => text.replaceAll('hunter2', '***') });
  expect(JSON.stringify(diagnosis)).not.toContain('hunter2');
  expect(JSON.stringify(diagnosis)).toContain('cannot log in with ***');
});

test('a ReplicaSet that cannot make pods speaks for itself', async () => {
  const cluster = clusterWithPod({});
  cluster.remove('web-new-x');
  cluster.setStatus('web-new', {
    conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota' }],
  });
  expect(causesOf(await diagnose(cluster, [web]))).toMatchObject([
    { chain: ['Deployment/web', 'ReplicaSet/web-new'], code: 'pods-not-created', words: 'exceeded quota' },
  ]);
});

test('what cannot be read is a gap, not a failure', async () => {
  const cluster = clusterWithPod({
    containerStatuses: [{ name: 'app', ready: false, restartCount: 0, state: { running: {} } }],
  });
  cluster.failOn(
    'logs',
    'web-new-x',
    refusal(403, 'Forbidden', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-new-x' } }, 'is forbidden'),
  );
  expect((await diagnose(cluster, [web])).gaps).toEqual([
    'the log of Pod/web-new-x could not be read: pods "web-new-x" is forbidden',
  ]);
});

test('a resource that is not there', async () => {
  expect(causesOf(await diagnose(new FakeCluster(), [web]))).toMatchObject([{ code: 'not-found' }]);
});

test('what could not be asked for does not count as missing', async () => {
  const cluster = new FakeCluster();
  cluster.failOn('get', 'web', refusal(503, 'ServiceUnavailable', { ...web, metadata: { name: 'web' } }, 'is down'));
  const { problems, gaps } = await diagnose(cluster, [web]);
  expect(problems).toMatchObject([{ code: 'not-readable' }]);
  expect(gaps).toEqual([expect.stringMatching(/^Deployment\/web could not be read: .*is down/)]);
});

test('the caller’s signal ends it', async () => {
  const controller = new AbortController();
  controller.abort(new Error('interrupted'));
  await expect(diagnose(new FakeCluster(), [web], { signal: controller.signal })).rejects.toThrow('interrupted');
});

test('what failed by a condition of its own says so, and not that nothing is wrong with it', async () => {
  const cluster = new FakeCluster();
  cluster.add({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'w',
      annotations: {
        'helm.sh/readiness-success': '["{.phase} == Ready"]',
        'helm.sh/readiness-failure': '["{.errors} >= 1"]',
      },
    },
    status: { phase: 'Ready', errors: 2 },
  });
  const id = { apiVersion: 'v1', kind: 'Service', namespace: 'default', name: 'w' };
  expect(causesOf(await diagnose(cluster, [id], { strategy: 'ordered' }))).toMatchObject([
    { outlook: 'never', code: 'not-ready', words: 'its failure condition {.errors} >= 1 is true' },
  ]);
});

describe('what explains it further', () => {
  const unplaced = {
    phase: 'Pending',
    conditions: [
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/2 nodes: 2 Insufficient cpu' },
    ],
  };
  test('what the largest node has', async () => {
    const cluster = clusterWithPod(unplaced);
    for (const cpu of ['800m', '8', '4'])
      cluster.add({ apiVersion: 'v1', kind: 'Node', metadata: { name: `n${cpu}` }, status: { allocatable: { cpu } } });
    const diagnosis = await diagnose(cluster, [web]);
    expect(causesOf(diagnosis)).toMatchObject([{ lacking: [{ resource: 'cpu', requested: [], largest: '8' }] }]);
    expect(diagnosis.gaps).toEqual([]);
  });

  test.each([
    ['6', true],
    ['12', false],
  ])('whether that would do for a pod that requests cpu %s', async (cpu, isTaken) => {
    const cluster = clusterWithPod(unplaced, { containers: [{ name: 'app', resources: { requests: { cpu } } }] });
    cluster.add({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { allocatable: { cpu: '8' } } });
    const lacking = [{ resource: 'cpu', requested: [cpu], largest: '8', isTaken }];
    expect(causesOf(await diagnose(cluster, [web]))).toMatchObject([{ lacking }]);
  });

  test('nodes that may not be listed are no gap', async () => {
    const cluster = clusterWithPod(unplaced);
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: '' } };
    const list = cluster.list.bind(cluster);
    cluster.list = async (apiVersion, kind, options) => {
      if (kind === 'Node') throw refusal(403, 'Forbidden', node, 'is forbidden');
      return list(apiVersion, kind, options);
    };
    const diagnosis = await diagnose(cluster, [web]);
    expect(causesOf(diagnosis)).toMatchObject([{ lacking: [{ resource: 'cpu', requested: [] }] }]);
    expect(diagnosis.gaps).toEqual([]);
  });
});
