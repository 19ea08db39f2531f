import { expect, test, vi } from 'vitest';
import type { ExecutionEvent } from '../../../src/execute/events.ts';
import { executePlan } from '../../../src/execute/execute.ts';
import { parseManifests } from '../../../src/manifest/parse.ts';
import { planInstall } from '../../../src/plan/plan.ts';
import { FakeCluster } from '../../cluster/fake-cluster.ts';
import { hookOf } from '../../plan/manifests.ts';

const plan = planInstall({
  release: 'web',
  namespace: 'default',
  strategy: 'hookOnly',
  hooks: [hookOf('seed')],
  manifests: [],
});

const controller = (kind: string, name: string) => ({ apiVersion: 'v1', kind, name, uid: name, controller: true });

async function runWithPod(followLogs: boolean, log = 'one\ntwo\n', status: object = {}) {
  const cluster = new FakeCluster();
  const events: ExecutionEvent[] = [];
  const running = executePlan(plan, { cluster, followLogs, onEvent: (event) => events.push(event) });
  await cluster.sees('seed');
  cluster.add({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'seed-1', labels: { 'job-name': 'seed' }, ownerReferences: [controller('Job', 'seed')] },
    spec: { containers: [{ name: 'main' }] },
    status: { phase: 'Running', ...status },
  });
  cluster.setLogs('seed-1', log, 'main');
  return { cluster, events, running };
}

const tails = (events: readonly ExecutionEvent[]) => events.filter(({ kind }) => kind === 'log-tail');

test('what a hook writes is told while it is waited for, each time it has written more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { cluster, events, running } = await runWithPod(true);
  await vi.advanceTimersByTimeAsync(6000);
  const told = { kind: 'log-tail', of: { name: 'seed' }, id: { kind: 'Pod', name: 'seed-1' }, container: 'main' };
  expect(tails(events)).toMatchObject([{ ...told, lines: ['one', 'two'] }]);
  cluster.setLogs('seed-1', 'one\ntwo\nthree\n', 'main');
  await vi.advanceTimersByTimeAsync(2000);
  expect(tails(events)).toMatchObject([told, { ...told, lines: ['one', 'two', 'three'] }]);
  vi.useRealTimers();
  cluster.makeReady('seed', 'Job');
  await running;
});

test.each([
  ['ended', { state: { terminated: { exitCode: 1 } } }],
  ['runs again', { restartCount: 1, state: { running: {} }, lastState: { terminated: { exitCode: 1 } } }],
])('of a program that %s, the lines that tell, though a stack follows them', async (_what, state) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const log = ['start', 'Error: no host db', ...Array.from({ length: 20 }, () => '  at f (a.js:1:1)'), 'bye'].join(
    '\n',
  );
  const ended = { name: 'main', ...state };
  const { cluster, events, running } = await runWithPod(true, log, { containerStatuses: [ended] });
  await vi.advanceTimersByTimeAsync(2000);
  expect(tails(events)).toMatchObject([{ lines: ['start', 'Error: no host db', '… 20 lines', 'bye'] }]);
  vi.useRealTimers();
  cluster.makeReady('seed', 'Job');
  await running;
});

test('nobody asks for logs that nobody shows', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { cluster, events, running } = await runWithPod(false);
  await vi.advanceTimersByTimeAsync(6000);
  expect(tails(events)).toEqual([]);
  expect(cluster.calls.filter(({ verb }) => verb === 'logs')).toEqual([]);
  vi.useRealTimers();
  cluster.makeReady('seed', 'Job');
  await running;
});

test('pods of other releases with the same labels are left alone', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const cluster = new FakeCluster();
  const events: ExecutionEvent[] = [];
  const labels = { app: 'web' };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'mine' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
  };
  const ofDeployment = planInstall({
    release: 'web',
    namespace: 'default',
    strategy: 'watcher',
    hooks: [],
    manifests: parseManifests(`# Source: app/templates/mine.yaml\n${JSON.stringify(deployment)}\n`),
  });
  const running = executePlan(ofDeployment, { cluster, followLogs: true, onEvent: (event) => events.push(event) });
  await cluster.sees('mine');
  const crashed = { name: 'main', restartCount: 2, state: { running: {} }, lastState: { terminated: { exitCode: 1 } } };
  for (const name of ['mine', 'theirs']) {
    const owned = { labels, namespace: 'default' };
    cluster.add({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: `${name}-1`, ...owned, ownerReferences: [controller('Deployment', name)] },
    });
    cluster.add({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `${name}-1-x`, ...owned, ownerReferences: [controller('ReplicaSet', `${name}-1`)] },
      spec: { containers: [{ name: 'main' }] },
      status: { phase: 'Running', containerStatuses: [crashed] },
    });
    cluster.setLogs(`${name}-1-x`, `I am of ${name}\n`, 'main');
  }
  await vi.advanceTimersByTimeAsync(2000);
  expect(tails(events)).toMatchObject([{ id: { name: 'mine-1-x' }, lines: ['I am of mine'] }]);
  vi.useRealTimers();
  cluster.makeReady('mine', 'Deployment');
  await running;
});
