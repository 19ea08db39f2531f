import { expect, test } from 'vitest';
import { diagnose, diagnosisText } from '../../src/cluster/diagnose.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { FakeCluster, refusal } from './fake-cluster.ts';

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
function clusterWithPod(podStatus: object): FakeCluster {
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
  const diagnosis = await diagnose(cluster, web);
  expect(diagnosis.findings).toMatchObject([{ exitCode: 2, restarts: 4 }]);
  expect(diagnosisText(diagnosis)).toBe(
    [
      'Deployment/web → ReplicaSet/web-new → Pod/web-new-x → container app: CrashLoopBackOff (OOMKilled), exit code 2, 4 restarts',
      '  event: BackOff: Back-off restarting failed container (x4)',
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
  expect((await diagnose(clusterWithPod(status), web)).summary).toBe(summary);
});

test('a ReplicaSet that cannot make pods speaks for itself', async () => {
  const cluster = clusterWithPod({});
  cluster.remove('web-new-x');
  cluster.setStatus('web-new', {
    conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota' }],
  });
  expect((await diagnose(cluster, web)).summary).toBe(
    'Deployment/web → ReplicaSet/web-new: FailedCreate: exceeded quota',
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
  expect((await diagnose(cluster, web)).gaps).toEqual([
    'the log of Pod/web-new-x could not be read: pods "web-new-x" is forbidden',
  ]);
});

test('a resource that is not there', async () => {
  expect(diagnosisText(await diagnose(new FakeCluster(), web))).toBe('Deployment/web: it was not found');
});

test('the caller’s signal ends it', async () => {
  const controller = new AbortController();
  controller.abort(new Error('interrupted'));
  await expect(diagnose(new FakeCluster(), web, { signal: controller.signal })).rejects.toThrow('interrupted');
});
