import { describe, expect, test } from 'vitest';
import { FailFast } from '../../src/cluster/diagnosis/fail-fast.ts';
import {
  kindsDefinedBy,
  waitForHook,
  waitUntilDeleted,
  waitUntilEstablished,
  waitUntilReady,
} from '../../src/cluster/wait.ts';
import type { KubernetesObject, ResourceId } from '../../src/manifest/types.ts';
import { SimulatedTime } from '../../src/support/simulated-time.ts';
import { systemTimers } from '../../src/support/timers.ts';
import { FakeCluster, refusal } from './fake-cluster.ts';

const object = (apiVersion: string, kind: string, name: string, more: object = {}): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...more,
});
const deployment = (name: string) => object('apps/v1', 'Deployment', name, { spec: { replicas: 2 } });
const job = (name: string) => object('batch/v1', 'Job', name, { spec: {} });
const idOf = ({ apiVersion, kind, metadata }: KubernetesObject): ResourceId => ({
  apiVersion,
  kind,
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

async function clusterWith(...objects: KubernetesObject[]): Promise<FakeCluster> {
  const cluster = new FakeCluster();
  for (const one of objects) await cluster.apply(one);
  return cluster;
}

/** The states that a wait reports, and a way to wait for one of them. */
function states() {
  const seen: string[] = [];
  const waiters: { text: string; resolve: () => void }[] = [];
  return {
    seen,
    onState: (id: ResourceId, state: { state: string; reason?: string }) => {
      seen.push(`${id.name} ${state.state}${state.reason === undefined ? '' : `: ${state.reason}`}`);
      for (const { text, resolve } of waiters) if (seen.includes(text)) resolve();
    },
    has: (text: string) =>
      new Promise<void>((resolve) => (seen.includes(text) ? resolve() : waiters.push({ text, resolve }))),
  };
}

describe('until ready', () => {
  const serviceAndBudget = [object('v1', 'Service', 'web'), object('policy/v1', 'PodDisruptionBudget', 'limit')];

  test.each([
    ['watcher', []],
    ['ordered', ['watch', 'watch']],
  ] as const)('what is ready as it was written is not asked for (%s)', async (strategy, calls) => {
    const cluster = await clusterWith();
    const written = await Promise.all(serviceAndBudget.map((one) => cluster.apply(one)));
    const { seen, onState } = states();
    const before = cluster.calls.length;
    await waitUntilReady(cluster, serviceAndBudget.map(idOf), { onState, strategy, written });
    expect(seen).toEqual(expect.arrayContaining(['web ready', 'limit ready']));
    expect(cluster.calls.slice(before).map(({ verb }) => verb)).toEqual(calls);
  });

  test.each([
    ['of a longer wait are looked at once more, with one request for each kind', 2_000, ['list', 'list', 'watch']],
    ['of a short wait are not', 1_999, []],
  ])('those that were ready as they were written, %s', async (_what, elapsedMs, calls) => {
    let nowMs = 0;
    const cluster = Object.assign(await clusterWith(), { timers: { ...systemTimers, now: () => nowMs } });
    const all = [...serviceAndBudget, object('v1', 'Service', 'api'), deployment('a')];
    const written = await Promise.all(all.map((one) => cluster.apply(one)));
    const { seen, onState, has } = states();
    const wait = waitUntilReady(cluster, all.map(idOf), { onState, written, timeoutMs: 60_000 });
    await has('a waiting: 0 of 2 replicas created');
    await cluster.delete(idOf(serviceAndBudget[0] as KubernetesObject));
    const before = cluster.calls.length;
    nowMs = elapsedMs;
    cluster.makeReady('a');
    if (calls.length > 0) {
      await has('web waiting: it was deleted during the wait');
      await cluster.apply(serviceAndBudget[0] as KubernetesObject);
    }
    await wait;
    const asked = cluster.calls.slice(before).map(({ verb }) => verb);
    expect(asked.filter((verb) => verb !== 'apply')).toEqual(calls);
    expect(seen.at(-1)).toBe(calls.length > 0 ? 'web ready' : 'a ready');
  });

  test('one that is being deleted, or whose change no controller has seen, is waited for', async () => {
    const [service, budget] = [object('v1', 'Service', 'web'), object('policy/v1', 'PodDisruptionBudget', 'limit')];
    const cluster = await clusterWith();
    const written = [
      await cluster.apply({ ...service, metadata: { name: 'web', deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      await cluster.apply({ ...budget, status: { observedGeneration: 7 } }),
    ];
    const { onState, has } = states();
    const ended = new AbortController();
    const wait = waitUntilReady(cluster, written.map(idOf), { onState, written, signal: ended.signal });
    await has('web waiting: it is being deleted');
    await has('limit waiting: the controller has not picked up the change yet (generation 1, seen 7)');
    ended.abort();
    await expect(wait).rejects.toThrow();
  });

  test('it ends when the last one is ready, and reports each change', async () => {
    const objects = [deployment('a'), deployment('b'), job('c')];
    const cluster = await clusterWith(...objects);
    const { seen, onState, has } = states();
    const wait = waitUntilReady(cluster, objects.map(idOf), { onState, waitForJobs: true });
    await has('c waiting: 0 of 1 completions');
    cluster.makeReady('a');
    cluster.makeReady('c');
    await has('c ready');
    cluster.makeReady('b');
    await wait;
    expect(seen).toEqual([
      'a waiting: 0 of 2 replicas created',
      'b waiting: 0 of 2 replicas created',
      'c waiting: 0 of 1 completions',
      'a ready',
      'c ready',
      'b ready',
    ]);
  });

  test('what is ready already does not hold it up; nothing to wait for neither', async () => {
    const cluster = await clusterWith(deployment('a'));
    cluster.makeReady('a');
    await waitUntilReady(cluster, [idOf(deployment('a'))]);
    await waitUntilReady(cluster, []);
  });

  test('kinds without a status are not asked for', async () => {
    const cluster = await clusterWith(object('v1', 'Secret', 's'));
    await waitUntilReady(cluster, [idOf(object('v1', 'Secret', 's'))]);
    expect(cluster.calls.map(({ verb }) => verb)).toEqual(['apply']);
  });

  test('one watch for each kind and namespace', async () => {
    const objects = [1, 2, 3, 4, 5].flatMap((number) => [deployment(`d${number}`), job(`j${number}`)]);
    const cluster = await clusterWith(...objects);
    for (const one of objects) cluster.makeReady(one.metadata.name);
    await waitUntilReady(cluster, objects.map(idOf), { waitForJobs: true });
    expect(cluster.calls.filter(({ verb }) => verb === 'watch').map(({ kind }) => kind)).toEqual(['Deployment', 'Job']);
  });

  test('it fails at once when one has failed', async () => {
    const cluster = await clusterWith(deployment('a'), job('b'));
    const wait = waitUntilReady(cluster, [idOf(deployment('a')), idOf(job('b'))]);
    cluster.makeFailed('b', 'too many retries');
    await expect(wait).rejects.toMatchObject({
      code: 'wait-failed',
      message:
        'resource Job/default/b not ready. status: Failed, message: the job failed: BackoffLimitExceeded: too many retries (1 failed pod)',
    });
  });

  test('when the time is up it names all that are not ready', async () => {
    const cluster = await clusterWith(deployment('a'), deployment('b'));
    cluster.makeReady('b');
    const ids = [idOf(deployment('a')), idOf(deployment('b')), idOf(deployment('c'))];
    await expect(waitUntilReady(cluster, ids, { timeoutMs: 20 })).rejects.toMatchObject({
      code: 'wait-timeout',
      message: [
        'resource Deployment/default/a not ready. status: InProgress, message: 0 of 2 replicas created',
        'resource Deployment/default/c not ready. status: NotFound, message: it was not found',
        'timed out after 20ms (context deadline exceeded)',
      ].join('\n'),
    });
  });

  test.each([
    ['at once', new FailFast({ graceMs: 30_000, timers: systemTimers })],
    ['at any time, without fail-fast', undefined],
  ])('one that somebody deletes and creates again %s is waited for', async (_when, failFast) => {
    const cluster = await clusterWith(deployment('a'));
    const { onState, has } = states();
    const wait = waitUntilReady(cluster, [idOf(deployment('a'))], { onState, failFast });
    await has('a waiting: 0 of 2 replicas created');
    cluster.remove('a');
    await has('a waiting: it was deleted during the wait');
    await cluster.apply(deployment('a'));
    cluster.makeReady('a');
    await wait;
  });

  test.each(['watcher', 'ordered', 'legacy'] as const)('one that somebody deletes has failed: %s', async (strategy) => {
    const [cluster, timers] = [await clusterWith(deployment('a')), new SimulatedTime(0)];
    Object.assign(cluster, { timers });
    const { seen, onState } = states();
    const failFast = new FailFast({ graceMs: 30_000, timers });
    const options = { strategy, onState, failFast, timeoutMs: 600_000 };
    const wait = waitUntilReady(cluster, [idOf(deployment('a'))], options);
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    cluster.remove('a');
    timers.begin();
    await expect(wait).rejects.toMatchObject({
      code: 'wait-failed',
      details: { unready: [{ id: { name: 'a' }, reason: 'it was deleted during the wait' }] },
    });
    expect(timers.now()).toBe(2_000);
    timers.end();
  });

  test('one that is gone before the wait has seen it has failed, since it was written', async () => {
    // So many of a kind are watched together, which begins with a list.
    const all = [...'abcdefghi'].map((name) => deployment(name));
    const [cluster, timers] = [await clusterWith(...all), new SimulatedTime(0)];
    Object.assign(cluster, { timers });
    for (const { metadata } of all.slice(1)) cluster.makeReady(metadata.name);
    cluster.remove('a');
    const { seen, onState } = states();
    const written = all.map((one) => ({ ...one, metadata: { ...one.metadata, namespace: 'default' } }));
    const failFast = new FailFast({ graceMs: 30_000, timers });
    const wait = waitUntilReady(cluster, written.map(idOf), { failFast, onState, timeoutMs: 600_000, written });
    await expect.poll(() => seen.length).toBeGreaterThan(8);
    timers.begin();
    await expect(wait).rejects.toMatchObject({
      code: 'wait-failed',
      details: { unready: [{ id: { name: 'a' }, reason: 'it was deleted during the wait' }] },
    });
    expect(timers.now()).toBe(2_000);
    timers.end();
  });

  describe('a custom resource', () => {
    const widget = object('example.com/v1', 'Widget', 'w');
    const kind = {
      group: 'example.com',
      version: 'v1',
      kind: 'Widget',
      plural: 'widgets',
      namespaced: true,
      verbs: [],
    };
    const missing = 'its controller has not reported a status yet';

    /** A wait for the widget, in simulated time. */
    async function waitFor(hasStatus: boolean, status?: Record<string, unknown>) {
      const cluster = new FakeCluster();
      cluster.extraKinds.push({ ...kind, hasStatus });
      const timers = new SimulatedTime(0);
      Object.assign(cluster, { timers });
      await cluster.apply(widget);
      if (status !== undefined) cluster.setStatus('w', status);
      const { seen, onState } = states();
      const failFast = new FailFast({ graceMs: 60_000, timers });
      const wait = waitUntilReady(cluster, [idOf(widget)], { onState, failFast, timeoutMs: 600_000 });
      const ended = wait.then(
        () => 'ready',
        (error: unknown) => error,
      );
      await expect.poll(() => seen.length).toBeGreaterThan(0);
      timers.begin();
      const end = await ended;
      timers.end();
      return { seen, end, tookMs: timers.now() };
    }

    test('on which nobody reports is ready after a time of grace', async () => {
      const { seen, end, tookMs } = await waitFor(true);
      expect([seen, end, tookMs]).toEqual([[`w waiting: ${missing}`, 'w ready'], 'ready', 30_000]);
    });

    test('whose kind has no status is ready at once', async () => {
      expect(await waitFor(false)).toMatchObject({ seen: ['w ready'], end: 'ready', tookMs: 0 });
    });

    test('that looks broken has failed when nothing improves', async () => {
      const { end, tookMs } = await waitFor(true, { phase: 'Failed', message: 'no such image' });
      expect(end).toMatchObject({
        code: 'wait-failed',
        details: { unready: [{ reason: 'Failed: no such image (no progress for 60 s)' }] },
      });
      expect(tookMs).toBe(60_000);
    });
  });

  test.each([
    ['ordered', 'WaitForFirstConsumer', 'data ready'],
    ['ordered', 'ProvisioningFailed', 'data waiting: '],
    ['watcher', 'WaitForFirstConsumer', 'data waiting: '],
  ] as const)('a claim that nothing mounts yet: %s, %s', async (strategy, reason, state) => {
    const claim = object('v1', 'PersistentVolumeClaim', 'data', { spec: {} });
    const cluster = await clusterWith(claim);
    cluster.setStatus('data', { phase: 'Pending' });
    const { uid } = cluster.find('data')?.metadata ?? {};
    await cluster.apply(object('v1', 'Event', 'told', { reason, message: '', involvedObject: { uid } }));
    const { seen, onState } = states();
    const signal = AbortSignal.timeout(1_000);
    const failFast = new FailFast({ graceMs: 30_000 });
    const wait = waitUntilReady(cluster, [idOf(claim)], { strategy, onState, failFast, signal }).catch(() => undefined);
    await wait;
    expect(seen.at(-1)).toMatch(state);
  });

  test('a signal ends it with its reason', async () => {
    const cluster = await clusterWith(deployment('a'));
    const controller = new AbortController();
    const wait = waitUntilReady(cluster, [idOf(deployment('a'))], { signal: controller.signal });
    controller.abort(new Error('interrupted'));
    await expect(wait).rejects.toThrow('interrupted');
  });

  test('who may not list reads one by one', async () => {
    const cluster = await clusterWith(deployment('a'));
    cluster.makeReady('a');
    cluster.failOn('watch', '', refusal(403, 'Forbidden', deployment('a'), 'is forbidden'));
    await waitUntilReady(cluster, [idOf(deployment('a'))]);
    expect(cluster.calls.at(-1)).toMatchObject({ verb: 'get', name: 'a' });
  });

  test('legacy looks at the ReplicaSet of a deployment', async () => {
    const cluster = await clusterWith(deployment('a'));
    cluster.makeReady('a');
    const owner = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: 'a',
      uid: cluster.find('a')?.metadata.uid ?? '',
      controller: true,
    };
    const replicaSet = {
      ...object('apps/v1', 'ReplicaSet', 'a-1'),
      metadata: { name: 'a-1', ownerReferences: [owner] },
    };
    const { onState, has } = states();
    const wait = waitUntilReady(cluster, [idOf(deployment('a'))], { strategy: 'legacy', onState });
    await has('a waiting: its new ReplicaSet does not exist yet');
    cluster.add(replicaSet);
    await has('a waiting: the controller has not picked up the change yet (generation 1, seen 0)');
    cluster.setStatus('a-1', { observedGeneration: 1, readyReplicas: 2 });
    await wait;
  });
});

describe('among what is waited for', () => {
  const crd = object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.example.com', {
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [{ name: 'v1', served: true, storage: true }],
    },
  });
  const [id, definitions] = [idOf(crd), [crd]];

  test('a definition is ready once its kinds are served, and is not read for that', async () => {
    const cluster = await clusterWith(crd);
    const before = cluster.calls.length;
    const { seen, onState } = states();
    const wait = waitUntilReady(cluster, [id], { definitions, onState });
    cluster.makeReady(crd.metadata.name);
    await wait;
    expect(seen).toEqual(['widgets.example.com ready']);
    expect(cluster.calls).toHaveLength(before);
  });

  test('as long as the last one is not served, the others are not asked for again', async () => {
    const timers = new SimulatedTime(0);
    const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1' }));
    const two = { ...crd, spec: { ...(crd['spec'] as object), versions } };
    const cluster = Object.assign(await clusterWith(two), { timers });
    const asked: string[] = [];
    const mapping = cluster.mapping.bind(cluster);
    cluster.mapping = async (apiVersion: string, kind: string) => {
      if (kind === 'Widget') asked.push(apiVersion);
      if (asked.length === 3) cluster.makeReady(crd.metadata.name);
      return mapping(apiVersion, kind);
    };
    timers.begin();
    await waitUntilReady(cluster, [id], { definitions: [two] });
    timers.end();
    expect(asked).toEqual(['example.com/v2', 'example.com/v2', 'example.com/v2', 'example.com/v1']);
  });

  test('one that is not served is looked at, and says why', async () => {
    const timers = new SimulatedTime(0);
    const cluster = Object.assign(await clusterWith(crd), { timers });
    const why = { type: 'NamesAccepted', status: 'False', reason: 'x', message: '"widgets" is already in use' };
    cluster.setStatus(crd.metadata.name, { conditions: [why] });
    timers.begin();
    await expect(waitUntilReady(cluster, [id], { definitions })).rejects.toThrow('"widgets" is already in use');
    timers.end();
  });

  test('one that is going, one that serves nothing and one with rules of its own are watched', async () => {
    const unserved = { ...crd, spec: { ...(crd['spec'] as object), versions: [] } };
    const annotations = {
      'helm.sh/readiness-success': '["{.phase} == \\"Good\\""]',
      'helm.sh/readiness-failure': '[]',
    };
    const ruled = { ...crd, metadata: { ...crd.metadata, annotations } };
    const going = { ...crd, metadata: { ...crd.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    for (const [definition, status] of [
      [going, { conditions: [{ type: 'Established', status: 'True' }] }],
      [unserved, { conditions: [{ type: 'Established', status: 'True' }] }],
      [ruled, { conditions: [{ type: 'Established', status: 'True' }], phase: 'Good' }],
    ] as const) {
      const cluster = await clusterWith(definition === going ? crd : definition);
      const wait = waitUntilReady(cluster, [id], { definitions: [definition], strategy: 'ordered' });
      cluster.setStatus(crd.metadata.name, status);
      await wait;
      expect(cluster.calls.map(({ verb }) => verb)).toContain('watch');
    }
  });

  test.each([
    [8, 8],
    [9, 0],
  ])('of %i as they were written, %i are watched by name and not listed', async (count, named) => {
    const cluster = await clusterWith();
    const names = Array.from({ length: count }, (_, index) => `web-${index}`);
    const written = await Promise.all(names.map((name) => cluster.apply(deployment(name))));
    const watched: (KubernetesObject | undefined)[] = [];
    const watch = cluster.watch.bind(cluster);
    cluster.watch = (apiVersion, kind, options) => {
      watched.push(options.from);
      return watch(apiVersion, kind, options);
    };
    const wait = waitUntilReady(cluster, written.map(idOf), { written });
    for (const name of names) cluster.makeReady(name);
    await wait;
    expect(watched.filter((from) => from !== undefined)).toHaveLength(named);
  });
});

describe('where a proxy keeps watches silent', () => {
  /** What is there is told, and nothing after that. */
  async function silent(...objects: KubernetesObject[]): Promise<FakeCluster> {
    const cluster = await clusterWith(...objects);
    const watch = cluster.watch.bind(cluster);
    cluster.watch = async function* (apiVersion, kind, options) {
      for await (const event of watch(apiVersion, kind, options)) {
        yield event;
        if (event.kind === 'synced') break;
      }
      await new Promise<void>((resolve) => options.signal.addEventListener('abort', () => resolve()));
    };
    return cluster;
  }

  test('a last look finds what is ready', async () => {
    const cluster = await silent(deployment('web'));
    const { has, onState } = states();
    const waiting = waitUntilReady(cluster, [idOf(deployment('web'))], { timeoutMs: 100, onState });
    await has('web waiting: 0 of 2 replicas created');
    cluster.makeReady('web');
    await waiting;
  });

  test('a last look tells what it is like now', async () => {
    const cluster = await silent(deployment('web'));
    const { has, onState } = states();
    const waiting = waitUntilReady(cluster, [idOf(deployment('web'))], { timeoutMs: 100, onState });
    await has('web waiting: 0 of 2 replicas created');
    cluster.setStatus('web', { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 1 });
    await expect(waiting).rejects.toThrow('1 of 2 replicas available');
  });

  test('a last look finds what is gone', async () => {
    const cluster = await silent(deployment('web'));
    const { has, onState } = states();
    const waiting = waitUntilDeleted(cluster, [idOf(deployment('web'))], { timeoutMs: 100, onState });
    await has('web waiting: its deletion has not started');
    cluster.remove('web');
    await waiting;
  });

  test.each([
    ['refused', async () => Promise.reject(refusal(403, 'Forbidden', deployment('web'), 'no'))],
    ['not answered', () => new Promise<never>(() => {})],
  ])('a last look that is %s changes nothing', async (_what, list) => {
    const cluster = await silent(deployment('web'));
    const waiting = waitUntilReady(cluster, [idOf(deployment('web'))], { timeoutMs: 50 });
    cluster.list = list;
    await expect(waiting).rejects.toMatchObject({ code: 'wait-timeout' });
  });
});

describe('a wait that cannot succeed', () => {
  const pod = object('v1', 'Pod', 'p', { spec: {} });
  const failFast = (graceMs: number): FailFast => new FailFast({ graceMs });
  const owner = (kind: string, uid = '') => ({ apiVersion: 'apps/v1', kind, name: '', uid, controller: true });
  const looping = {
    phase: 'Running',
    containerStatuses: [{ name: 'app', restartCount: 1, state: { waiting: { reason: 'CrashLoopBackOff' } } }],
  };

  test('of a Deployment, by the pods of its newest ReplicaSet', async () => {
    const cluster = await clusterWith(deployment('a'));
    const controls = (one: KubernetesObject | undefined) => [owner(one?.kind ?? '', one?.metadata.uid)];
    const set = { name: 'a-1', ownerReferences: controls(cluster.find('a')) };
    cluster.add({ ...object('apps/v1', 'ReplicaSet', 'a-1'), metadata: set });
    cluster.add({ ...pod, metadata: { name: 'a-1-x', ownerReferences: controls(cluster.find('a-1')) } });
    const wait = waitUntilReady(cluster, [idOf(deployment('a'))], { failFast: failFast(60_000) });
    cluster.setStatus('a-1-x', {
      phase: 'Pending',
      containerStatuses: [{ name: 'app', state: { waiting: { reason: 'InvalidImageName' } } }],
    });
    await expect(wait).rejects.toMatchObject({
      code: 'wait-failed',
      message:
        'resource Deployment/default/a not ready. status: Failed, message: Pod/a-1-x, container app: InvalidImageName',
    });
  });

  test('in doubt it waits for the time of grace, though nothing changes', async () => {
    const cluster = await clusterWith(pod);
    cluster.setStatus('p', looping);
    const { seen, onState } = states();
    await expect(waitUntilReady(cluster, [idOf(pod)], { failFast: failFast(30), onState })).rejects.toThrow(
      'container app: CrashLoopBackOff, 1 restart (no progress for 0.03 s)',
    );
    expect(seen[0]).toBe('p waiting: container app: CrashLoopBackOff, 1 restart');
  });

  const ended = (restartCount: number, backOff: string): Record<string, unknown> => {
    const [at, finishedAt] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];
    const message = `back-off ${backOff} restarting failed container=app pod=p_default(u)`;
    const lastState = { terminated: { exitCode: 1, reason: 'Error', startedAt: at, finishedAt } };
    const state = { waiting: { reason: 'CrashLoopBackOff', message } };
    return { phase: 'Running', containerStatuses: [{ name: 'app', restartCount, state, lastState }] };
  };

  /** A cluster with a set whose pod crashes, beside others. */
  async function crashing(...others: KubernetesObject[]) {
    const set = object('apps/v1', 'StatefulSet', 'db', { spec: { replicas: 1 } });
    const cluster = await clusterWith(set);
    const owners = [owner('StatefulSet', cluster.find('db')?.metadata.uid)];
    for (const one of [{ ...pod, metadata: { name: 'p', ownerReferences: owners } }, ...others]) cluster.add(one);
    return { set, cluster };
  }

  test('a crash loop that was tried for the time of grace has failed', async () => {
    const { set, cluster } = await crashing();
    cluster.setStatus('p', ended(3, '40s'));
    await expect(waitUntilReady(cluster, [idOf(set)], { failFast: failFast(30_000) })).rejects.toThrow(
      /container app: CrashLoopBackOff, exit code 1, 3 restarts$/,
    );
  });

  test.each([
    ['another resource of the same wait', deployment('a'), {}],
    ['a Job', { ...pod, metadata: { name: 'migrate-x', ownerReferences: [owner('Job')] } }, { phase: 'Running' }],
  ])('but not while %s is on its way', async (_what, other, status) => {
    const { set, cluster } = await crashing(other);
    cluster.setStatus(other.metadata.name, status);
    const ids = [set, ...(other.kind === 'Pod' ? [] : [other])].map(idOf);
    const { onState, seen } = states();
    const wait = waitUntilReady(cluster, ids, { failFast: failFast(30_000), onState });
    for (const [restarts, said] of [
      [1, '1 restart'],
      [2, '2 restarts'],
      [3, '3 restarts'],
    ] as const) {
      cluster.setStatus('p', ended(restarts, `${10 * 2 ** (restarts - 1)}s`));
      await expect.poll(() => seen.at(-1)).toContain(`exit code 1, ${said}`);
    }
    cluster.makeReady(other.metadata.name);
    cluster.makeReady('db');
    await wait;
  });

  test('a crash loop whose next restart comes after the timeout has failed', async () => {
    const cluster = await clusterWith(pod);
    cluster.setStatus('p', ended(1, '10s'));
    await expect(
      waitUntilReady(cluster, [idOf(pod)], { failFast: failFast(30_000), timeoutMs: 9_000 }),
    ).rejects.toThrow(
      'container app: CrashLoopBackOff, exit code 1, 1 restart (the next restart comes after the timeout)',
    );
  });

  test('who recovers meanwhile is ready', async () => {
    const cluster = await clusterWith(pod);
    cluster.setStatus('p', looping);
    const { onState, has } = states();
    const wait = waitUntilReady(cluster, [idOf(pod)], { failFast: failFast(60_000), onState });
    await has('p waiting: container app: CrashLoopBackOff, 1 restart');
    cluster.makeReady('p');
    await wait;
  });

  test('pods that may not be read are no reason to fail', async () => {
    const cluster = await clusterWith(deployment('a'));
    cluster.failOn('watch', '', refusal(403, 'Forbidden', deployment('a'), 'is forbidden'), 3);
    const { onState, has } = states();
    const wait = waitUntilReady(cluster, [idOf(deployment('a'))], { failFast: failFast(0), onState });
    await has('a waiting: 0 of 2 replicas created');
    await new Promise((resolve) => setTimeout(resolve, 400));
    cluster.makeReady('a');
    await wait;
  });

  test('without it, a failure is told when the others are done, as by Helm', async () => {
    const cluster = await clusterWith(deployment('a'), job('b'));
    const { onState, has } = states();
    const wait = waitUntilReady(cluster, [idOf(deployment('a')), idOf(job('b'))], {
      goesOnAfterFailure: true,
      onState,
    });
    const ended = expect(wait).rejects.toMatchObject({ code: 'wait-failed' });
    cluster.makeFailed('b', 'too many retries');
    await has('b failed: the job failed: BackoffLimitExceeded: too many retries (1 failed pod)');
    cluster.makeReady('a');
    await has('a ready');
    await ended;
  });
});

test('a Job that was complete and is gone is done', async () => {
  const cluster = await clusterWith(job('a'), deployment('b'));
  const { onState, has } = states();
  const wait = waitUntilReady(cluster, [idOf(job('a')), idOf(deployment('b'))], { onState, waitForJobs: true });
  cluster.makeReady('a');
  await has('a ready');
  cluster.remove('a');
  cluster.makeReady('b');
  await wait;
});

describe('until deleted', () => {
  test('it ends when all are gone', async () => {
    const kept = { ...deployment('a'), metadata: { name: 'a', finalizers: ['example.com/slow'] } };
    const cluster = await clusterWith(kept, deployment('b'));
    await cluster.delete(idOf(kept));
    const { seen, onState, has } = states();
    const wait = waitUntilDeleted(cluster, [idOf(kept), idOf(deployment('b')), idOf(deployment('c'))], { onState });
    await has('a waiting: waiting for its finalizers: example.com/slow');
    cluster.remove('b');
    cluster.remove('a');
    await wait;
    expect(seen).toContain('c ready');
  });

  test('one that is created anew was deleted all the same', async () => {
    const cluster = await clusterWith(deployment('a'));
    const { onState, has } = states();
    const wait = waitUntilDeleted(cluster, [idOf(deployment('a')), idOf(deployment('b'))], { onState });
    await has('b ready');
    cluster.remove('a');
    await cluster.apply(deployment('a'));
    await wait;
  });

  test('what is left when the time is up is named', async () => {
    const cluster = await clusterWith(deployment('a'));
    await expect(waitUntilDeleted(cluster, [idOf(deployment('a'))], { timeoutMs: 20 })).rejects.toMatchObject({
      code: 'wait-timeout',
      message:
        'resource Deployment/default/a still exists. status: InProgress, message: its deletion has not started\ntimed out after 20ms (context deadline exceeded)',
    });
  });
});

describe('a hook', () => {
  test('a job is done when it is complete', async () => {
    const cluster = await clusterWith(job('j'));
    const { onState, has } = states();
    const wait = waitForHook(cluster, idOf(job('j')), { onState });
    await has('j waiting: 0 of 1 completions');
    cluster.makeReady('j');
    await wait;
  });

  test('a pod is done when it has succeeded, not when it is ready', async () => {
    const pod = object('v1', 'Pod', 'p', { spec: {} });
    const cluster = await clusterWith(pod);
    cluster.makeReady('p');
    const { onState, has } = states();
    const wait = waitForHook(cluster, idOf(pod), { onState });
    await has('p waiting: it has not completed yet');
    cluster.setStatus('p', { phase: 'Succeeded' });
    await wait;
  });

  test('any other kind is done at once', async () => {
    await waitForHook(new FakeCluster(), idOf(deployment('nowhere')));
  });

  test.each([
    [
      'that fails',
      (cluster: FakeCluster) => cluster.makeFailed('j', 'boom'),
      'the job failed: BackoffLimitExceeded: boom',
    ],
    ['that is deleted', (cluster: FakeCluster) => cluster.remove('j'), 'it was deleted before it finished'],
  ])('a job %s ends the wait', async (_what, change, message) => {
    const cluster = await clusterWith(job('j'));
    const { onState, has } = states();
    const wait = waitForHook(cluster, idOf(job('j')), { onState });
    const ended = expect(wait).rejects.toThrow(message);
    await has('j waiting: 0 of 1 completions');
    change(cluster);
    await ended;
  });
});

describe('a hook that vanishes', () => {
  test('is done when it was complete, though nobody was looking', async () => {
    const cluster = new FakeCluster();
    const written = await cluster.apply(job('j'));
    cluster.makeReady('j');
    cluster.remove('j');
    await waitForHook(cluster, idOf(job('j')), { written });
  });

  test('has failed when it was not', async () => {
    const cluster = new FakeCluster();
    const written = await cluster.apply(job('j'));
    cluster.remove('j');
    await expect(waitForHook(cluster, idOf(job('j')), { written })).rejects.toMatchObject({
      code: 'wait-failed',
    });
  });

  test('has failed when it was never seen', async () => {
    await expect(waitForHook(new FakeCluster(), idOf(job('j')))).rejects.toMatchObject({ code: 'wait-failed' });
  });
});

describe('a CRD is established', () => {
  const crd = object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.example.com', {
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [{ name: 'v1', served: true, storage: true }],
    },
  });
  const name = crd.metadata.name;
  const kinds = kindsDefinedBy(crd);

  test('when its kinds can be used', async () => {
    const cluster = await clusterWith(crd);
    const wait = waitUntilEstablished(cluster, [name]);
    cluster.makeReady(name);
    await wait;
    expect(await cluster.mapping('example.com/v1', 'Widget')).toMatchObject({ plural: 'widgets' });
  });

  test('which is asked, and not the definition', async () => {
    const cluster = await clusterWith(crd);
    const before = cluster.calls.length;
    const { seen, onState } = states();
    const wait = waitUntilEstablished(cluster, [name], { kinds, onState });
    cluster.makeReady(name);
    await wait;
    expect(seen).toEqual([`${name} ready`]);
    expect(cluster.calls).toHaveLength(before);
  });

  test('and not that of another definition, which has its name', async () => {
    const timers = new SimulatedTime(0);
    const cluster = Object.assign(await clusterWith(crd), { timers });
    cluster.makeReady(name);
    const others = kinds.map((kind) => ({ ...kind, plural: 'gadgets' }));
    const why = { type: 'NamesAccepted', status: 'False', reason: 'x', message: 'the name is in use' };
    const other = 'gadgets.example.com';
    await cluster.apply(object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', other, { spec: {} }));
    cluster.setStatus(other, { conditions: [why] });
    timers.begin();
    await expect(waitUntilEstablished(cluster, [other], { kinds: others })).rejects.toThrow('the name is in use');
    timers.end();
  });

  test('or takes long: then it is looked at, and says why', async () => {
    const timers = new SimulatedTime(0);
    const cluster = Object.assign(await clusterWith(crd), { timers });
    const why = { type: 'NamesAccepted', status: 'False', reason: 'x', message: '"widgets" is already in use' };
    cluster.setStatus(name, { conditions: [why] });
    timers.begin();
    await expect(waitUntilEstablished(cluster, [name], { kinds })).rejects.toThrow('"widgets" is already in use');
    timers.end();
    expect(timers.now()).toBeGreaterThanOrEqual(1_000);
    expect(timers.now()).toBeLessThan(2_000);
  });
});
