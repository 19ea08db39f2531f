import { describe, expect, test } from 'vitest';
import { networkError, noAnswerError } from '../../../src/cluster/network-error.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import { leaseId, newLease } from '../../../src/release/lock/lease.ts';
import { leaseLocks } from '../../../src/release/lock/release-locks.ts';
import type { HeldLock, LockRequest } from '../../../src/release/lock/types.ts';
import { FakeCluster, refusal } from '../../cluster/fake-cluster.ts';
import { FakeClock } from './fake-clock.ts';

const lease = (metadata: object = {}): KubernetesObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'tshelm.web', ...metadata },
});

function world(cluster = new FakeCluster()) {
  const clock = new FakeClock();
  const notes: string[] = [];
  const take = (request: Partial<LockRequest> = {}): Promise<HeldLock> =>
    leaseLocks(cluster, {
      namespace: 'default',
      clock,
      random: () => 0.5,
      env: { CI_JOB_URL: 'https://ci/7' },
    }).acquire({
      release: 'web',
      operation: 'upgrade',
      waitMs: 0,
      onNote: (text) => notes.push(text),
      ...request,
    });
  /** The Lease of a process on another machine, which does not beat by itself. */
  const leaseOfAnother = (holder = { identity: 'bob@far pid 7 cafe' }) =>
    cluster.add(newLease({ release: 'web', namespace: 'default' }, 'install', holder, new Date(clock.wallMs())));
  const spec = () => cluster.find('tshelm.web')?.['spec'] as Record<string, string> | undefined;
  return { cluster, clock, notes, take, leaseOfAnother, spec };
}

test('the Lease names the holder and is gone after the release', async () => {
  const { cluster, take, spec } = world();
  const lock = await take();
  expect(lock.isLeased()).toBe(true);
  expect(spec()).toMatchObject({ holderIdentity: lock.holder.identity, leaseDurationSeconds: 15 });
  expect(lock.holder.identity).toMatch(new RegExp(`^.+@.+ pid ${process.pid} [0-9a-f]{8}$`));
  expect(cluster.find('tshelm.web')?.metadata).toMatchObject({
    labels: { 'app.kubernetes.io/managed-by': 'tshelm', 'tshelm.dev/release': 'web' },
    annotations: { 'tshelm.dev/operation': 'upgrade', 'tshelm.dev/job': 'https://ci/7' },
  });
  await lock.release();
  expect(cluster.names()).toEqual([]);
});

test('a short run costs two requests', async () => {
  const { cluster, clock, take } = world();
  const lock = await take();
  await clock.pass(4_000);
  await lock.confirm();
  await lock.release();
  expect(cluster.calls.map(({ verb }) => verb)).toEqual(['create', 'delete']);
});

test('of several that start together exactly one wins; the others name it', async () => {
  const { cluster } = world();
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => world(cluster).take()));
  const won = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(won).toHaveLength(1);
  for (const one of outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]) {
    expect(one.reason).toMatchObject({
      code: 'operation-in-progress',
      message: expect.stringMatching(
        /^another operation \(install\/upgrade\/rollback\) is in progress: upgrade of "web" by .+@.+ \(pid \d+, https:\/\/ci\/7\), since 2026-01-02T03:04:05Z$/,
      ),
    });
  }
});

test('the heartbeat renews the Lease', async () => {
  const { clock, take, spec } = world();
  const lock = await take();
  await clock.pass(5_000);
  expect(spec()).toMatchObject({
    acquireTime: '2026-01-02T03:04:05.000000Z',
    renewTime: '2026-01-02T03:04:10.000000Z',
  });
  await lock.release();
});

test('on another machine a holder lives when its heartbeat is seen, whatever its clock says', async () => {
  const { clock, take, leaseOfAnother } = world();
  clock.aheadMs = 3_600_000;
  leaseOfAnother();
  clock.aheadMs = 0;
  const stop = clock.every(5_000, () => leaseOfAnother());
  await expect(take()).rejects.toMatchObject({
    code: 'operation-in-progress',
    message: expect.stringContaining('install of "web" by bob@far (pid 7)'),
  });
  stop();
});

test('on another machine a holder is dead when nothing beats for the whole duration, and is taken over', async () => {
  const { clock, notes, take, leaseOfAnother, spec } = world();
  clock.aheadMs = 3_600_000;
  leaseOfAnother();
  clock.aheadMs = 0;
  const lock = await take();
  expect(clock.nowMs()).toBeGreaterThan(15_000);
  expect(spec()).toMatchObject({ holderIdentity: lock.holder.identity });
  expect(notes).toEqual([
    'checking whether bob@far (pid 7) (install of "web") is still alive',
    'bob@far (pid 7) held the lock on "web" and has not renewed it for 15 s; taking over',
  ]);
  await lock.release();
});

test('a Lease that says that it lives for years is taken over like any other', async () => {
  const { cluster, clock, notes, take } = world();
  cluster.add({ ...lease(), spec: { holderIdentity: 'somebody', leaseDurationSeconds: 2_000_000_000 } });
  const taken = take();
  await clock.pass(62_000);
  await (await taken).release();
  expect(notes).toEqual([
    'checking whether somebody (an operation of "web") is still alive',
    'somebody held the lock on "web" and has not renewed it for 60 s; taking over',
  ]);
});

test('on this machine a process that is gone is known at once', async () => {
  const { clock, take, leaseOfAnother } = world();
  const alive = await world().take();
  const gone = alive.holder.process?.replace(/\/\d+\//, '/999999999/');
  leaseOfAnother({ identity: 'ada@here pid 999999999 beef', process: gone } as { identity: string });
  const lock = await take();
  expect(clock.nowMs()).toBe(0);
  await lock.release();
});

test.each([
  ['an hour ahead', 3_600_000],
  ['an hour behind', -3_600_000],
])('on this machine a holder lives when its heartbeat is seen, also by a clock that is %s', async (_what, aheadMs) => {
  const first = world();
  const lock = await first.take();
  const second = world(first.cluster);
  second.clock.aheadMs = aheadMs;
  second.clock.every(5_000, () => void first.clock.pass(5_000));
  await expect(second.take()).rejects.toMatchObject({ code: 'operation-in-progress' });
  expect(lock.lost.aborted).toBe(false);
  await lock.release();
});

test('a heartbeat changes the Lease even where the clock of its holder stands', async () => {
  const { cluster, clock, take } = world();
  const lock = await take();
  const before = cluster.find('tshelm.web')?.metadata.resourceVersion;
  clock.aheadMs = -5_000;
  await clock.pass(5_000);
  expect(cluster.find('tshelm.web')?.metadata.resourceVersion).not.toBe(before);
  await lock.release();
});

test.each([0, 3_600_000])(
  'a process of this machine that stands still is taken over by watching it (%i)',
  async (aheadMs) => {
    const first = world();
    first.clock.aheadMs = aheadMs;
    await first.take();
    const second = world(first.cluster);
    const lock = await second.take({ waitMs: 60_000 });
    expect(second.clock.nowMs()).toBeGreaterThan(15_000);
    expect(second.notes.at(-1)).toMatch(/held the lock on "web" and has not renewed it for 15 s; taking over$/);
    await lock.release();
  },
);

test('with --wait-lock the next one comes when the holder is done', async () => {
  const { cluster, clock, notes, take } = world();
  const first = await take();
  const second = take({ waitMs: 60_000 });
  await clock.pass(2_000);
  expect(notes[0]).toMatch(/^waiting for .+@.+ \(pid \d+, https:\/\/ci\/7\) \(upgrade of "web"\)$/);
  await first.release();
  await (await second).release();
  expect(cluster.names()).toEqual([]);
});

test('--wait-lock ends in the refusal, and by an interruption', async () => {
  const { take } = world();
  const held = await take();
  await expect(take({ waitMs: 3_000 })).rejects.toMatchObject({ code: 'operation-in-progress' });
  const stop = new AbortController();
  const waiting = take({ waitMs: 1e9, signal: stop.signal });
  setImmediate(() => stop.abort(new DOMException('interrupted by SIGINT', 'AbortError')));
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await held.release();
});

test('a run that stood still while another took over begins nothing more', async () => {
  const { cluster, clock, take } = world();
  const stalled = await take();
  clock.standStill(20_000);
  cluster.remove('tshelm.web');
  const other = await world(cluster).take();
  await expect(stalled.confirm()).rejects.toMatchObject({
    code: 'lock-lost',
    message: expect.stringContaining(`taken over by ${other.holder.identity}`),
  });
  expect(stalled.lost.aborted).toBe(true);
  await stalled.release();
  expect(cluster.find('tshelm.web')?.['spec']).toMatchObject({ holderIdentity: other.holder.identity });
});

test('a run that stood still and was left alone goes on, after it has asked', async () => {
  const { cluster, clock, take } = world();
  const lock = await take();
  clock.standStill(20_000);
  await lock.confirm();
  expect(cluster.calls.map(({ verb }) => verb)).toEqual(['create', 'replace']);
  await lock.release();
});

test('a Lease that an administrator deleted is made again; after a standstill nobody knows what happened in between', async () => {
  const { cluster, clock, take, spec } = world();
  const lock = await take();
  cluster.remove('tshelm.web');
  await clock.pass(5_000);
  expect(spec()).toMatchObject({ holderIdentity: lock.holder.identity });
  clock.standStill(20_000);
  cluster.remove('tshelm.web');
  await expect(lock.confirm()).rejects.toMatchObject({ code: 'lock-lost' });
});

test('while the API server cannot be reached the lock is neither lost nor confirmed', async () => {
  const { cluster, clock, take } = world();
  const lock = await take();
  cluster.failOn('replace', 'tshelm.web', refusal(503, 'ServiceUnavailable', lease(), 'is down'), 8);
  await clock.pass(16_000);
  await lock.confirm();
  expect(lock.lost.aborted).toBe(false);
  await lock.release();
});

test('an API server that stays away ends the waiting for it after a minute', async () => {
  const { cluster, clock, take } = world();
  const lock = await take();
  cluster.failOn('replace', 'tshelm.web', refusal(503, 'ServiceUnavailable', lease(), 'is down'));
  await clock.pass(16_000);
  await expect(lock.confirm()).rejects.toMatchObject({
    code: 'cluster-unreachable',
    message: expect.stringMatching(/"web" .* 60 s: .*is down/),
  });
  expect(clock.nowMs()).toBeLessThan(16_000 + 70_000);
  expect(lock.lost.aborted).toBe(false);
});

test('a heartbeat that is not answered is given up before the next one is sent', async () => {
  const cluster = new FakeCluster();
  const clock = new FakeClock();
  const underWay = new Set<AbortSignal>();
  cluster.replace = (_object, { signal } = {}) => {
    if (signal === undefined) throw new Error('a heartbeat without an end');
    underWay.add(signal);
    signal.addEventListener('abort', () => underWay.delete(signal));
    return new Promise(() => {});
  };
  clock.isPatient = false;
  const locks = leaseLocks(cluster, { namespace: 'default', clock, random: () => 0.5, env: {} });
  const lock = await locks.acquire({ release: 'web', operation: 'upgrade', waitMs: 0, onNote: () => {} });
  await clock.pass(60_000);
  expect(underWay.size).toBeLessThanOrEqual(1);
  await expect(lock.confirm()).rejects.toMatchObject({ code: 'cluster-unreachable' });
  await lock.release();
  expect(underWay.size).toBe(0);
});

test.each([
  ['no rights', 403, 'Forbidden', 'is forbidden'],
  ['not served', 404, 'NotServed', 'no matches for kind "Lease"'],
])('without Leases (%s) the record alone is left, and a hint says so', async (_why, status, reason, what) => {
  const { cluster, notes, take } = world();
  cluster.failOn('create', 'tshelm.web', refusal(status, reason, lease(), what));
  const lock = await take();
  expect(lock.isLeased()).toBe(false);
  await lock.confirm();
  await lock.release();
  expect(notes).toEqual([
    expect.stringMatching(/^only the pending record locks the release, .*tshelm needs create, get/),
  ]);
});

test('nothing is written 10 s after the last renewal, 5 s before another run may take over', async () => {
  const { cluster, clock, take } = world();
  const lock = await take();
  cluster.failOn('replace', 'tshelm.web', refusal(503, 'ServiceUnavailable', lease(), 'is down'), 2);
  await clock.pass(9_000);
  const { lapse } = lock.fence;
  await lock.fence.enter();
  expect(lapse.aborted).toBe(false);
  const before = cluster.calls.length;
  await clock.pass(500);
  clock.standStill(500);
  await lock.fence.enter();
  expect(cluster.calls.slice(before).map(({ verb }) => verb)).toEqual(['replace', 'replace']);
  expect(lock.fence.lapse.aborted).toBe(false);
  await lock.release();
});

test('what is under way ends when it is not certain any more that the lock is held', async () => {
  const { cluster, clock, take } = world();
  const lock = await take();
  const { lapse } = lock.fence;
  cluster.failOn('replace', 'tshelm.web', refusal(503, 'ServiceUnavailable', lease(), 'is down'));
  await clock.pass(9_000);
  expect(lapse.aborted).toBe(false);
  await clock.pass(2_000);
  expect(lapse.aborted).toBe(true);
  await lock.release();
});

test('whoever learns that it was taken over ends what is under way at once', async () => {
  const { cluster, clock, take } = world();
  const lock = await take();
  cluster.remove('tshelm.web');
  await world(cluster).take();
  const { lapse } = lock.fence;
  await clock.pass(5_000);
  expect(lapse.aborted).toBe(true);
  expect(lock.lost.aborted).toBe(true);
  await expect(lock.fence.enter()).rejects.toMatchObject({ code: 'lock-lost' });
});

describe('a Lease that may not be renewed', () => {
  const mayNot = refusal(403, 'Forbidden', lease(), 'cannot update leases');

  test('is given up once the record says that it alone locks the release', async () => {
    const { cluster, clock, notes, take } = world();
    cluster.failOn('replace', 'tshelm.web', mayNot);
    const written: string[] = [];
    const onUnleased = async (): Promise<void> => void written.push('alone');
    const lock = await take({ onUnleased });
    await clock.pass(4_000);
    expect(lock.isLeased()).toBe(true);
    await clock.pass(1_000);
    expect(written).toEqual(['alone']);
    expect(lock.isLeased()).toBe(false);
    expect(cluster.names()).toEqual([]);
    expect(notes).toEqual([
      expect.stringMatching(/^only the pending record locks the release, .*cannot update leases.*create, get, update/),
    ]);
    await clock.pass(60_000);
    await lock.fence.enter();
    await lock.release();
    expect(written).toEqual(['alone']);
  });

  test.each([
    ['the record cannot be written', () => Promise.reject(new Error('away'))],
    ['the record is not written in time', () => new Promise<void>(() => {})],
  ])('is lost when %s', async (_why, onUnleased) => {
    const { cluster, clock, take } = world();
    cluster.failOn('replace', 'tshelm.web', mayNot);
    const lock = await take({ onUnleased });
    await clock.pass(12_000);
    await expect(lock.fence.enter()).rejects.toMatchObject({
      code: 'lock-lost',
      message: expect.stringMatching(/"web".*\(.*cannot update leases\)/),
    });
    expect(lock.isLeased()).toBe(true);
  });

  test('is lost when that shows only after it may have lapsed', async () => {
    const { cluster, clock, take } = world();
    cluster.failOn('replace', 'tshelm.web', refusal(503, 'ServiceUnavailable', lease(), 'is down'), 3);
    const lock = await take({ onUnleased: async () => {} });
    await clock.pass(16_000);
    cluster.failOn('replace', 'tshelm.web', mayNot);
    await expect(lock.fence.enter()).rejects.toMatchObject({ code: 'lock-lost' });
  });
});

test('in a namespace that is not there yet the lock is taken once it is', async () => {
  const { cluster, take, spec } = world(new FakeCluster({ strictNamespaces: true }));
  cluster.remove('default', 'Namespace');
  const lock = await take();
  expect(lock.isLeased()).toBe(false);
  cluster.add({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  await lock.confirm();
  expect(lock.isLeased()).toBe(true);
  expect(spec()).toMatchObject({ holderIdentity: lock.holder.identity });
  await lock.release();
});

test('a namespace that is to be created is asked for, and nothing is sent to it before it is there', async () => {
  const { cluster, take } = world(new FakeCluster({ strictNamespaces: true }));
  cluster.remove('default', 'Namespace');
  const lock = await take({ createsNamespace: true });
  await lock.confirm();
  expect(cluster.calls.map(({ verb }) => verb)).toEqual(['get', 'get']);
  cluster.add({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  await lock.confirm();
  await lock.confirm();
  expect(lock.isLeased()).toBe(true);
  expect(cluster.calls.map(({ verb }) => verb)).toEqual(['get', 'get', 'get', 'create']);
  await lock.release();
});

test('a namespace that the run itself has created is not asked for', async () => {
  const { cluster, take } = world(new FakeCluster({ strictNamespaces: true }));
  cluster.remove('default', 'Namespace');
  const lock = await take({ createsNamespace: true });
  cluster.add({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  lock.namespaceIsThere();
  await lock.confirm();
  expect(lock.isLeased()).toBe(true);
  expect(cluster.calls.map(({ verb }) => verb)).toEqual(['get', 'create']);
  await lock.release();
});

test('who may not read namespaces takes the lock in one that is there', async () => {
  const { cluster, take } = world();
  cluster.failOn(
    'get',
    'default',
    refusal(403, 'Forbidden', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }, 'is forbidden'),
  );
  const lock = await take({ createsNamespace: true });
  expect(lock.isLeased()).toBe(true);
  await lock.release();
});

test('a lost answer: the Lease that was created all the same is our own', async () => {
  const { cluster, take, spec } = world();
  const create = cluster.create.bind(cluster);
  let calls = 0;
  cluster.create = async (object, options) => {
    const created = await create(object, options);
    if (++calls === 1) throw refusal(500, 'InternalError', object, 'timed out');
    return created;
  };
  const lock = await take();
  expect(spec()).toMatchObject({ holderIdentity: lock.holder.identity });
  await lock.release();
  expect(await cluster.get(leaseId('web', 'default'))).toBeUndefined();
});

test('an API server that is silent is asked once: the request has waited as long as it may', async () => {
  const { cluster, take } = world();
  const silence = networkError('POST', new URL('http://silent.example/'), noAnswerError(10_000), {
    isGuess: false,
    cluster: { server: 'https://host' },
  });
  cluster.failOn('create', 'tshelm.web', silence);
  await expect(take()).rejects.toThrow('no answer for 10 s');
  expect(cluster.calls).toHaveLength(1);
});

describe('a role that has not all rights to Leases', () => {
  const without = (cluster: FakeCluster, ...verbs: ('get' | 'replace' | 'delete')[]): void => {
    for (const verb of verbs)
      cluster.failOn(verb, 'tshelm.web', refusal(403, 'Forbidden', lease(), `cannot ${verb} leases`));
  };

  test.each([
    ['that has lapsed', 15_000, { identity: 'bob@far pid 7 cafe' }],
    ['that nobody holds', 0, { identity: '' }],
  ])('takes over by an update, or by a deletion, a Lease %s', async (_what, afterMs, holder) => {
    for (const missing of ['delete', 'replace'] as const) {
      const { cluster, clock, take, leaseOfAnother, spec } = world();
      leaseOfAnother(holder);
      without(cluster, missing);
      const lock = await take();
      expect(clock.nowMs()).toBeGreaterThanOrEqual(afterMs);
      expect(spec()).toMatchObject({ holderIdentity: lock.holder.identity });
      expect(lock.isLeased()).toBe(true);
    }
  });

  test('without the right to delete it leaves a Lease that nobody holds, and takes that at once', async () => {
    const { cluster, clock, notes, take, spec } = world();
    without(cluster, 'delete');
    await (await take()).release();
    expect(spec()).not.toHaveProperty('holderIdentity');
    await (await take()).release();
    expect(clock.nowMs()).toBe(0);
    expect(notes).toEqual([]);
  });

  test.each([[['replace', 'delete'] as const], [['get'] as const]])(
    'without %s the record alone is left, and a hint says so',
    async (verbs) => {
      const { cluster, notes, take, leaseOfAnother } = world();
      leaseOfAnother();
      without(cluster, ...verbs);
      const lock = await take();
      expect(lock.isLeased()).toBe(false);
      expect(notes.at(-1)).toMatch(
        /^only the pending record locks the release, because Leases cannot be used: .*cannot/,
      );
      await lock.release();
    },
  );

  test('a Lease that another run has taken over by an update is left to it', async () => {
    const { cluster, clock, take, spec } = world();
    const first = await take();
    clock.standStill(20_000);
    const second = world(cluster);
    const lock = await second.take({ waitMs: 60_000 });
    await first.release();
    expect(spec()).toMatchObject({ holderIdentity: lock.holder.identity });
    await lock.release();
  });
});
