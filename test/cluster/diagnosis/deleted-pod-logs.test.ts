import { expect, test } from 'vitest';
import { DeletedPodLogs } from '../../../src/cluster/diagnosis/deleted-pod-logs.ts';
import type { Cluster } from '../../../src/cluster/types.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';

const job = (name: string) => ({ apiVersion: 'batch/v1', kind: 'Job', namespace: 'shop', name });
const pod = (restartCount: number, exitCode: number | undefined): KubernetesObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'shop', uid: 'u' },
    spec: { containers: [{ name: 'main' }] },
    status: {
      containerStatuses: [
        {
          name: 'main',
          restartCount,
          state: { waiting: { reason: exitCode === undefined ? 'ContainerCreating' : 'CrashLoopBackOff' } },
          ...(exitCode !== undefined && { lastState: { terminated: { exitCode, reason: 'Error' } } }),
        },
      ],
    },
  }) as KubernetesObject;

/** A cluster that answers requests for logs with these texts, one after another; undefined is a failure. */
function clusterOf(...texts: readonly (string | undefined)[]) {
  const left = [...texts];
  const asked: unknown[] = [];
  const logs = async (of: unknown, { container }: { readonly container?: string } = {}): Promise<string> => {
    asked.push([of, container]);
    const text = left.shift();
    if (text === undefined) throw new Error('gone');
    return text;
  };
  return { asked, words: new DeletedPodLogs({ logs } as unknown as Cluster, {}) };
}

/** As programs get it. */
const shown = (data: unknown): unknown => JSON.parse(JSON.stringify(data ?? null));

test('each end of a container is read once, and the last log is kept', async () => {
  const { words, asked } = clusterOf('first\n\n', 'second\nerror: no database\n');
  for (const restarts of [1, 1, 2, 2]) words.note(job('a'), pod(restarts, 1));
  expect(shown(await words.of(job('a')))).toMatchObject({
    log: ['second', 'error: no database'],
    fact: { exitCode: 1, restarts: 2, container: 'main' },
  });
  expect(asked).toEqual(Array(2).fill([{ namespace: 'shop', name: 'p' }, 'main']));
});

test('what cannot be read any more leaves what was read before', async () => {
  const { words } = clusterOf('first', undefined, '');
  for (const restarts of [1, 2, 3]) words.note(job('a'), pod(restarts, 1));
  expect(shown((await words.of(job('a')))?.log)).toEqual(['first']);
});

test('a container that has not ended is not asked, and another Job has no words', async () => {
  const { words, asked } = clusterOf('first');
  words.note(job('a'), pod(0, undefined));
  expect(asked).toEqual([]);
  words.note(job('a'), pod(1, 1));
  expect(await words.of(job('b'))).toBeUndefined();
  words.forget(job('a'));
  expect(await words.of(job('a'))).toBeUndefined();
});
