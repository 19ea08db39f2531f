import { describe, expect, test } from 'vitest';
import { FailFast } from '../../src/cluster/diagnosis/fail-fast.ts';
import { SharedWatches } from '../../src/cluster/shared-watches.ts';
import type { WatchEvent } from '../../src/cluster/types.ts';
import { waitUntilReady } from '../../src/cluster/wait.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { FakeCluster, refusal } from './fake-cluster.ts';

const pod = (name: string): KubernetesObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });
const inDefault = { namespace: 'default' };
const watchesOf = (cluster: FakeCluster, kind: string): number =>
  cluster.calls.filter((call) => call.verb === 'watch' && call.kind === kind).length;

const titleOf = (event: WatchEvent): string =>
  event.kind === 'synced' ? 'synced' : `${event.object.metadata.name} ${event.kind}`;

/** Reads so many events, and goes. */
async function read(watch: AsyncIterable<WatchEvent>, count: number): Promise<readonly string[]> {
  const seen: string[] = [];
  for await (const event of watch) if (seen.push(titleOf(event)) === count) break;
  return seen;
}

/** A cluster with pods a and b, and readers of a shared watch of them. */
async function twoPods() {
  const cluster = new FakeCluster();
  for (const name of ['a', 'b']) await cluster.apply(pod(name));
  const watches = new SharedWatches();
  const end = new AbortController();
  const reader = (signal = end.signal): AsyncGenerator<WatchEvent> =>
    watches.watch(cluster, 'v1', 'Pod', { ...inDefault, signal });
  return { cluster, end, reader };
}

describe('watches of the same objects', () => {
  test('are one; who comes later is told first what is known', async () => {
    const { cluster, reader } = await twoPods();
    const first = reader();
    expect(await Promise.all([1, 2, 3].map(async () => titleOf((await first.next()).value as WatchEvent)))).toEqual([
      'a present',
      'b present',
      'synced',
    ]);
    await cluster.delete({ ...pod('a'), namespace: 'default', name: 'a' });
    expect(titleOf((await first.next()).value as WatchEvent)).toBe('a gone');
    expect(await read(reader(), 2)).toEqual(['b present', 'synced']);
    expect(watchesOf(cluster, 'Pod')).toBe(1);
    await first.return(undefined);
  });

  test('end with their last reader, and begin anew', async () => {
    const { cluster, reader } = await twoPods();
    await Promise.all([read(reader(), 3), read(reader(), 3)]);
    expect(watchesOf(cluster, 'Pod')).toBe(1);
    await read(reader(), 3);
    expect(watchesOf(cluster, 'Pod')).toBe(2);
  });

  test('an interrupted reader ends, the others read on', async () => {
    const { cluster, end, reader } = await twoPods();
    const own = new AbortController();
    const [mine, other] = [read(reader(own.signal), 9), read(reader(), 4)];
    own.abort();
    expect(await mine).not.toContain('c present');
    await cluster.apply(pod('c'));
    expect(await other).toContain('c present');
    end.abort();
  });

  test('a refusal is told to every reader', async () => {
    const { cluster, reader } = await twoPods();
    cluster.failOn('watch', '', refusal(403, 'Forbidden', pod(''), 'forbidden'), 1);
    const outcomes = await Promise.allSettled([read(reader(), 3), read(reader(), 3)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await read(reader(), 3)).toHaveLength(3);
  });
});

test('waits of one run look at pods and ReplicaSets together', async () => {
  const cluster = new FakeCluster();
  const names = ['a', 'b', 'c'];
  for (const name of names)
    await cluster.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: { replicas: 1 } });
  const failFast = new FailFast({ graceMs: 30_000 });
  const waits = names.map((name) =>
    waitUntilReady(cluster, [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name }], { failFast }),
  );
  await expect.poll(() => watchesOf(cluster, 'ReplicaSet')).toBeGreaterThan(0);
  for (const name of names) cluster.makeReady(name);
  await Promise.all(waits);
  expect(['Deployment', 'Pod', 'ReplicaSet'].map((kind) => watchesOf(cluster, kind))).toEqual([3, 1, 1]);
});
