import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ExecutionEvent } from '../../../src/execute/events.ts';
import { executePlan } from '../../../src/execute/execute.ts';
import type { LogSelection } from '../../../src/execute/logs/selection.ts';
import { parseManifests } from '../../../src/manifest/parse.ts';
import { planInstall } from '../../../src/plan/plan.ts';
import { FakeCluster, refusal } from '../../cluster/fake-cluster.ts';
import { hookOf } from '../../plan/manifests.ts';

const labels = { app: 'web' };
const owner = (kind: string, uid = '', name = uid) => [{ apiVersion: 'v1', kind, name, uid, controller: true }];

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
};
const manifests = parseManifests(`# Source: app/templates/web.yaml\n${JSON.stringify(deployment)}\n`);
const ofDeployment = planInstall({
  release: 'app',
  namespace: 'default',
  strategy: 'watcher',
  hooks: [],
  manifests,
});
const ofHook = planInstall({
  release: 'app',
  namespace: 'default',
  strategy: 'hookOnly',
  hooks: [hookOf('seed')],
  manifests: [],
});

interface Started {
  readonly cluster: FakeCluster;
  readonly events: ExecutionEvent[];
  readonly running: Promise<unknown>;
  readonly signal: AbortController;
}

async function started(plan = ofDeployment, logs: LogSelection = {}, name = 'web'): Promise<Started> {
  const cluster = new FakeCluster();
  const events: ExecutionEvent[] = [];
  const signal = new AbortController();
  const onEvent = (event: ExecutionEvent): void => void events.push(event);
  // The time at which the fake creates everything.
  const now = (): Date => new Date('2026-01-01T00:00:00Z');
  const running = executePlan(plan, { cluster, logs, onEvent, now, signal: signal.signal });
  running.catch(() => {});
  await cluster.sees(name);
  return { cluster, events, running, signal };
}

/** A ReplicaSet of the Deployment, with the revision that its controller gives it. */
function addReplicaSet(cluster: FakeCluster, name: string, revision: string): void {
  const { uid } = cluster.find('web', 'Deployment')?.metadata ?? {};
  const annotations = { 'deployment.kubernetes.io/revision': revision };
  const metadata = {
    name,
    namespace: 'default',
    uid: name,
    labels,
    annotations,
    ownerReferences: owner('Deployment', uid),
  };
  cluster.add({ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata });
}

function addPod(
  cluster: FakeCluster,
  name: string,
  ownerReferences: ReturnType<typeof owner>,
  status: object = {},
): void {
  cluster.add({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { ...labels, pod: name }, ownerReferences },
    spec: { containers: [{ name: 'main' }] },
    status: {
      phase: 'Running',
      containerStatuses: [{ name: 'main', restartCount: 0, state: { running: {} } }],
      ...status,
    },
  } as Parameters<FakeCluster['add']>[0]);
}

const uidOf = (cluster: FakeCluster, name: string, kind: string): string | undefined =>
  cluster.find(name, kind)?.metadata.uid;

const linesIn = (events: readonly ExecutionEvent[]): readonly string[] =>
  events.flatMap((event) => (event.kind === 'log-line' ? [`${event.id.name}/${event.container}: ${event.line}`] : []));

const until = (isSo: () => boolean): Promise<void> =>
  expect.poll(isSo, { timeout: 5000, interval: 5 }).toBe(true) as unknown as Promise<void>;

test('lines come as they are written, from the pods of the newest revision alone', async () => {
  const { cluster, events, running } = await started();
  const id = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' };
  await cluster.patch(id, 'merge', { metadata: { annotations: { 'deployment.kubernetes.io/revision': '2' } } });
  await setTimeout(10);
  addReplicaSet(cluster, 'web-1', '1');
  addReplicaSet(cluster, 'web-2', '2');
  addPod(cluster, 'old', owner('ReplicaSet', uidOf(cluster, 'web-1', 'ReplicaSet')));
  addPod(cluster, 'new', owner('ReplicaSet', uidOf(cluster, 'web-2', 'ReplicaSet')));
  addPod(cluster, 'foreign', owner('ReplicaSet', 'of-another-release'));
  for (const pod of ['old', 'new', 'foreign']) cluster.setLogs(pod, `I am ${pod}\n`, 'main');
  await until(() => linesIn(events).length > 0);
  cluster.setLogs('new', 'I am new\nand go on\n', 'main');
  await until(() => linesIn(events).length > 1);
  cluster.makeReady('web', 'Deployment');
  await running;
  expect(linesIn(events)).toEqual(['new/main: I am new', 'new/main: and go on']);
});

test('a pod that is ready at once is read before the wait ends', async () => {
  const { cluster, events, running } = await started();
  addReplicaSet(cluster, 'web-1', '1');
  addPod(cluster, 'quick', owner('ReplicaSet', uidOf(cluster, 'web-1', 'ReplicaSet')));
  cluster.setLogs('quick', 'up\n', 'main');
  cluster.makeReady('web', 'Deployment');
  await running;
  expect(linesIn(events)).toEqual(['quick/main: up']);
});

test('the lines of a hook, up to the last one', async () => {
  const { cluster, events, running } = await started(ofHook, {}, 'seed');
  addPod(cluster, 'seed-1', owner('Job', uidOf(cluster, 'seed', 'Job')));
  addPod(cluster, 'seed-0', owner('Job', 'an-earlier-job'));
  cluster.setLogs('seed-0', 'of an earlier Job\n', 'main');
  cluster.setLogs('seed-1', 'begun\n', 'main');
  await until(() => linesIn(events).length > 0);
  cluster.setLogs('seed-1', 'begun\ndone\n', 'main');
  cluster.makeReady('seed', 'Job');
  await running;
  expect(linesIn(events)).toEqual(['seed-1/main: begun', 'seed-1/main: done']);
});

test('each run of a container that restarts is read once', async () => {
  const { cluster, events, running } = await started(ofHook, {}, 'seed');
  const job = owner('Job', uidOf(cluster, 'seed', 'Job'));
  cluster.setLogs('seed-1', 'first\n', 'main');
  const crashed = { name: 'main', restartCount: 0, state: { terminated: { exitCode: 1 } } };
  addPod(cluster, 'seed-1', job, { containerStatuses: [crashed], phase: 'Failed' });
  await until(() => linesIn(events).length > 0);
  cluster.setLogs('seed-1', 'second\n', 'main');
  addPod(cluster, 'seed-1', job, {
    phase: 'Failed',
    containerStatuses: [{ name: 'main', restartCount: 1, state: { terminated: { exitCode: 1 } } }],
  });
  await until(() => linesIn(events).length > 1);
  cluster.makeReady('seed', 'Job');
  await running;
  expect(linesIn(events)).toEqual(['seed-1/main: first', 'seed-1/main: second']);
});

test('of a pod that writes more than 200 lines in a second, the others are counted', async () => {
  const { cluster, events, running } = await started(ofHook, {}, 'seed');
  cluster.setLogs('seed-1', 'line\n'.repeat(1_000), 'main');
  addPod(cluster, 'seed-1', owner('Job', uidOf(cluster, 'seed', 'Job')), { phase: 'Succeeded' });
  await until(() => linesIn(events).length > 0);
  cluster.makeReady('seed', 'Job');
  await running;
  const gaps = events.flatMap((event) => (event.kind === 'log-gap' ? [event.omitted] : []));
  const omitted = gaps.reduce((sum, count) => sum + count, 0);
  expect(linesIn(events).length).toBeLessThan(1_000);
  expect(linesIn(events).length + omitted).toBe(1_000);
});

test('logs that may not be read are told once and change nothing', async () => {
  const { cluster, events, running } = await started(ofHook, {}, 'seed');
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'seed-1' } };
  for (const name of ['seed-1', 'seed-2']) cluster.failOn('logs', name, refusal(403, 'Forbidden', pod, 'is forbidden'));
  for (const name of ['seed-1', 'seed-2']) addPod(cluster, name, owner('Job', uidOf(cluster, 'seed', 'Job')));
  await until(() => events.some(({ kind }) => kind === 'warning'));
  cluster.makeReady('seed', 'Job');
  await running;
  const warnings = events.filter(({ kind }) => kind === 'warning');
  expect(warnings).toEqual([
    { kind: 'warning', text: 'the log of seed-1/main cannot be read: pods "seed-1" is forbidden' },
  ]);
  expect(linesIn(events)).toEqual([]);
});

test('a selection by label, and by name', async () => {
  const chosen = async (selection: LogSelection): Promise<readonly string[]> => {
    const { cluster, events, running } = await started(ofHook, selection, 'seed');
    for (const name of ['one', 'two']) {
      cluster.setLogs(name, 'here\n', 'main');
      addPod(cluster, name, owner('Job', uidOf(cluster, 'seed', 'Job')));
    }
    cluster.makeReady('seed', 'Job');
    await running;
    const notes = events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
    return [...linesIn(events), ...notes].sort();
  };
  expect(await chosen({})).toEqual(['one/main: here', 'two/main: here']);
  expect(await chosen({ isOfPod: ({ metadata }) => metadata.labels?.['pod'] === 'two' })).toEqual(['two/main: here']);
  expect(await chosen({ isOfPod: () => false })).toEqual([
    'logs: no pod of this revision has the labels of the selector',
  ]);
  const named = (name: string): LogSelection => ({
    objects: [{ name, isMeant: (id) => `${id.kind}/${id.name}` === name }],
  });
  expect(await chosen(named('Job/seed'))).toEqual(['one/main: here', 'two/main: here']);
  expect(await chosen(named('Job/sed'))).toEqual(['logs: this plan has no Job/sed']);
});

test('an interrupted run waits for no lines', async () => {
  const { cluster, events, running, signal } = await started(ofHook, {}, 'seed');
  addPod(cluster, 'seed-1', owner('Job', uidOf(cluster, 'seed', 'Job')));
  cluster.setLogs('seed-1', 'begun\n', 'main');
  await until(() => linesIn(events).length > 0);
  const before = cluster.calls.length;
  signal.abort(new Error('interrupted'));
  await expect(running).rejects.toThrow('interrupted');
  expect(cluster.calls.slice(before).filter(({ verb }) => verb === 'list' || verb === 'logs')).toEqual([]);
});

test('without a wait, a note says why workloads are not shown', async () => {
  const plan = planInstall({ release: 'app', namespace: 'default', strategy: 'hookOnly', hooks: [], manifests });
  const { events, running } = await started(plan);
  await running;
  expect(events).toContainEqual({
    kind: 'note',
    parts: expect.arrayContaining([{ option: 'wait', value: 'watcher' }]),
    text: "logs of workloads are shown while they are waited for: add wait: 'watcher'",
  });
});
