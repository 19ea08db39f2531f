import { expect, test } from 'vitest';
import { FailFast } from '../../../src/cluster/diagnosis/fail-fast.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import { FakeCluster } from '../fake-cluster.ts';

const owner = (kind: string, name: string) => ({ ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: name }] });
const set: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web-1', uid: 'web-1', namespace: 'default', ...owner('Deployment', 'web') },
};
const deployment: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', uid: 'web', namespace: 'default' },
};
const pulling = (restarts = 0): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1-x', uid: 'pod', namespace: 'default', ...owner('ReplicaSet', 'web-1') },
  status: {
    phase: 'Pending',
    containerStatuses: [
      {
        name: 'app',
        restartCount: restarts,
        state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "a:1": not found' } },
      },
    ],
  },
});
const failed = (count: number): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e', uid: 'e', namespace: 'default' },
  involvedObject: { kind: 'Pod', name: 'web-1-x', uid: 'pod' },
  type: 'Warning',
  reason: 'Failed',
  message: 'Failed to pull image "a:1": not found',
  count,
});

/** How a Deployment is judged whose pod could not pull its image before the run, at these seconds with these events. */
async function judged(looks: readonly { readonly atS: number; readonly failures: number }[]) {
  let now = 0;
  const timers = { now: () => now } as ConstructorParameters<typeof FailFast>[0]['timers'];
  const failFast = new FailFast({ graceMs: 30_000, timers });
  const cluster = new FakeCluster();
  await cluster.apply(pulling());
  cluster.setStatus('web-1-x', pulling()['status'] as Record<string, unknown>);
  const [pod] = await cluster.list('v1', 'Pod', { namespace: 'default' });
  const uid = pod?.metadata.uid ?? '';
  await failFast.remember(cluster, ['default'], {});
  return looks.map(({ atS, failures }) => {
    now = atS * 1000;
    const there = { ...pulling(), metadata: { ...pulling().metadata, uid } };
    const related = new Map([
      ['web', [set]],
      ['web-1', [there]],
      [uid, [failed(failures)]],
    ]);
    const { state } = failFast.judge(
      { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' },
      { state: 'waiting', reason: '0 of 1 replicas are ready' },
      deployment,
      {
        object: deployment,
        last: deployment,
        related: ({ metadata }) => related.get(metadata.uid ?? '') ?? [],
        nearby: (kind) => (kind === 'Pod' ? [there] : []),
        leftMs: () => 300_000,
      },
    );
    return state;
  });
}

test('a pod that failed before the run and does not try again is waited for', async () => {
  expect(
    await judged([
      { atS: 0, failures: 3 },
      { atS: 60, failures: 3 },
      { atS: 200, failures: 3 },
    ]),
  ).toEqual(['waiting', 'waiting', 'waiting']);
});

test('one that fails again is given up after the grace', async () => {
  expect(
    await judged([
      { atS: 0, failures: 3 },
      { atS: 40, failures: 4 },
      { atS: 60, failures: 4 },
      { atS: 71, failures: 4 },
    ]),
  ).toEqual(['waiting', 'waiting', 'waiting', 'failed']);
});
