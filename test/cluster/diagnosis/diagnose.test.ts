import { describe, expect, test } from 'vitest';
import { type Diagnosis, diagnose } from '../../../src/cluster/diagnosis/diagnose.ts';
import {
  causesText,
  causeText,
  evidenceOf,
  type Finding,
  problemText,
} from '../../../src/cluster/diagnosis/finding.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import { FakeCluster, refusal } from '../fake-cluster.ts';

const linesOf = (finding: Finding): readonly string[] => {
  const { log, events } = evidenceOf(finding);
  const hint = finding.hint === undefined ? '' : `; ${finding.hint}`;
  return [
    `${finding.chain.join(' → ')}: ${problemText(finding).replace(/^(?:init )?container \w+: |^PersistentVolumeClaim\/\w+: /, '')}${hint}`,
    ...events.map((event) => `  event: ${event}`),
    ...log.map((line) => `  log: ${line}`),
  ];
};
const textOf = ({ findings, gaps }: Diagnosis): string =>
  [...findings.flatMap(linesOf), ...gaps.map((gap) => `(${gap})`)].join('\n');
const summaryOf = (diagnosis: Diagnosis): string => textOf(diagnosis).split('\n')[0] ?? '';

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
  expect(diagnosis.findings).toMatchObject([{ exitCode: 2, restarts: 4 }]);
  expect(textOf(diagnosis)).toBe(
    [
      'Deployment/web → ReplicaSet/web-new → Pod/web-new-x → container app: CrashLoopBackOff (OOMKilled), exit code 2, 4 restarts',
      '  log: starting',
      '  log: no database at db:5432',
    ].join('\n'),
  );
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
    'Deployment/web → ReplicaSet/web-new → Pod/web-new-x → container app: ImagePullBackOff: no such image',
  ],
  [
    'no node to run on',
    {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }],
    },
    'Deployment/web → ReplicaSet/web-new → Pod/web-new-x: Unschedulable: 0/3 nodes',
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
    'Deployment/web → ReplicaSet/web-new → Pod/web-new-x → container migrate: Error, exit code 1',
  ],
  [
    'a probe that fails',
    { containerStatuses: [{ name: 'app', ready: false, restartCount: 0, state: { running: {} } }] },
    'Deployment/web → ReplicaSet/web-new → Pod/web-new-x → container app: it runs but is not ready',
  ],
])('%s', async (_what, status, summary) => {
  expect(summaryOf(await diagnose(clusterWithPod(status), [web]))).toBe(summary);
});

test('a probe that fails is told in its own words', async () => {
  const cluster = clusterWithPod({
    containerStatuses: [{ name: 'app', ready: false, restartCount: 0, state: { running: {} } }],
  });
  cluster.add(event('e1', 'Pod', 'web-new-x', 'Unhealthy', 'Readiness probe failed: statuscode: 503', 3));
  const [finding] = (await diagnose(cluster, [web])).findings;
  expect(finding).toMatchObject({ kind: 'probe', probe: 'Readiness probe failed: statuscode: 503' });
  expect(finding?.reason).toBe('it runs but is not ready: Readiness probe failed: statuscode: 503');
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
  expect(summaryOf(await diagnose(cluster, [web]))).toBe(
    `Deployment/web → ReplicaSet/web-new → Pod/web-new-x → PersistentVolumeClaim/data: its volume is not bound: ProvisioningFailed: ${missing}; the cluster has no storage class`,
  );
  cluster.add({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'standard' } });
  cluster.add({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'gp3' } });
  expect(summaryOf(await diagnose(cluster, [web]))).toMatch(/ not found; the cluster has gp3, standard$/);
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
  const { findings } = await diagnose(cluster, [web]);
  const missing = 'also missing: key mode of ConfigMap/settings, Secret/tls';
  expect(causesText(findings)).toBe(
    `Pod/web-new-x, container app: CreateContainerConfigError: secret "db" not found; ${missing}; container proxy: ErrImagePull: no such tag; also missing: Secret/db, key mode of ConfigMap/settings, Secret/tls`,
  );
  expect(findings.map(({ events }) => events)).toEqual([['Config: of the app (x2)'], ['Pull: of the proxy']]);
});

test('a claim that is mounted and does not exist', async () => {
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no claim' }];
  const cluster = clusterWithPod({ phase: 'Pending', conditions });
  const pod = cluster.find('web-new-x') as KubernetesObject;
  cluster.add({ ...pod, spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] } });
  expect((await diagnose(cluster, [web])).findings).toMatchObject([
    { outlook: 'doubtful', kind: 'volume', reason: 'it does not exist, and the pod mounts it' },
  ]);
});

test('a pod that cannot mount tells what', async () => {
  const cluster = clusterWithPod({
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'True' }],
    containerStatuses: [{ name: 'app', restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } }],
  });
  cluster.add(event('e1', 'Pod', 'web-new-x', 'FailedMount', 'secret "tls" not found', 2));
  expect(summaryOf(await diagnose(cluster, [web]))).toBe(
    'Deployment/web → ReplicaSet/web-new → Pod/web-new-x: FailedMount: secret "tls" not found',
  );
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
  const [finding] = (await diagnose(cluster, [id])).findings;
  expect(finding && causeText(finding)).toBe(
    'BackoffLimitExceeded: limit; Pod/migrate-x, container main: Error, exit code 3; its log ends: no such table',
  );
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
  expect((await diagnose(cluster, [web, db])).findings.map(({ chain }) => chain[0])).toEqual([
    'Pod/db',
    'Deployment/web',
  ]);
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
  expect(summaryOf(await diagnose(cluster, [web]))).toBe(
    'Deployment/web → ReplicaSet/web-new: its pods cannot be created: exceeded quota',
  );
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
  expect(textOf(await diagnose(new FakeCluster(), [web]))).toBe('Deployment/web: it was not found');
});

test('what could not be asked for does not count as missing', async () => {
  const cluster = new FakeCluster();
  cluster.failOn('get', 'web', refusal(503, 'ServiceUnavailable', { ...web, metadata: { name: 'web' } }, 'is down'));
  const { findings, gaps } = await diagnose(cluster, [web]);
  expect(findings).toMatchObject([{ kind: 'nothing', reason: 'the cause is unknown' }]);
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
  expect(summaryOf(await diagnose(cluster, [id], { strategy: 'ordered' }))).toContain(
    'its failure condition {.errors} >= 1 is true',
  );
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
    const { findings, gaps } = await diagnose(cluster, [web]);
    expect(findings.map((finding) => causeText(finding))).toEqual([
      'Pod/web-new-x: Unschedulable: 0/2 nodes: 2 Insufficient cpu; the largest node has cpu 8',
    ]);
    expect(gaps).toEqual([]);
  });

  test.each([
    ['6', 'the largest node has cpu 8, taken by other pods'],
    ['12', 'the largest node has cpu 8'],
  ])('whether that would do for a pod that requests cpu %s', async (cpu, hint) => {
    const cluster = clusterWithPod(unplaced, { containers: [{ name: 'app', resources: { requests: { cpu } } }] });
    cluster.add({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { allocatable: { cpu: '8' } } });
    const { findings } = await diagnose(cluster, [web]);
    expect(findings.map((finding) => finding.hint)).toEqual([hint]);
  });

  test('nodes that may not be listed are no gap', async () => {
    const cluster = clusterWithPod(unplaced);
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: '' } };
    const list = cluster.list.bind(cluster);
    cluster.list = async (apiVersion, kind, options) => {
      if (kind === 'Node') throw refusal(403, 'Forbidden', node, 'is forbidden');
      return list(apiVersion, kind, options);
    };
    const { findings, gaps } = await diagnose(cluster, [web]);
    expect(findings.map(({ hint }) => hint)).toEqual([undefined]);
    expect(gaps).toEqual([]);
  });
});
