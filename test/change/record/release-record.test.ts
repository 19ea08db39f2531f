import { expect, test } from 'vitest';
import { ReleaseRecord } from '../../../src/change/record/release-record.ts';
import type { Hook, HookExecution } from '../../../src/manifest/types.ts';
import { memoryStorage } from '../../../src/release/memory-storage.ts';
import type { Timers } from '../../../src/support/timers.ts';
import { hookOf } from '../../plan/manifests.ts';
import { releaseOf } from '../../release/releases.ts';

/** A record of these hooks; `written`: their phases, as each write had them. */
function recordOf(...hooks: readonly Hook[]) {
  const written: string[] = [];
  const storage = memoryStorage();
  const delays: (() => void)[] = [];
  const timers: Timers = { now: () => 0, setTimeout: (run) => delays.push(run), clearTimeout: () => {} };
  const record = new ReleaseRecord(
    releaseOf('web', 1, 'pending-install', { hooks }),
    {
      ...storage,
      update: async ({ hooks: now }) => void written.push(now.map(({ lastRun }) => lastRun.phase || '-').join(' ')),
    },
    undefined,
    timers,
  );
  const inPhase = (hook: Hook, phase: HookExecution['phase']): Hook => ({
    ...hook,
    lastRun: { startedAt: undefined, completedAt: undefined, phase },
  });
  const begin = (...next: readonly Hook[]): Promise<void> =>
    record.hooksBegin(next.map((hook) => inPhase(hook, 'Running')));
  const becomes = (hook: Hook, phase: HookExecution['phase']): void => record.hookChanged(inPhase(hook, phase));
  return { record, written, begin, becomes, delays };
}

const temporary = { deletePolicies: ['hook-succeeded'] } as const;
const account = hookOf('account', { kind: 'ServiceAccount', ...temporary });
const role = hookOf('role', { kind: 'Role', ...temporary });
const job = hookOf('job', { kind: 'Job', ...temporary });
const nextTurns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

test('hooks that begin one after another are written once, before the first of them begins', async () => {
  const { record, written, begin, becomes } = recordOf(account, role, job);
  await begin(account, role, job);
  expect(written).toEqual(['Running Running Running']);
  for (const hook of [account, role]) {
    becomes(hook, 'Running');
    becomes(hook, 'Succeeded');
  }
  becomes(job, 'Running');
  await nextTurns();
  expect(written).toHaveLength(1);
  becomes(job, 'Succeeded');
  await record.settle();
  expect(written.slice(1)).toEqual(['Succeeded Succeeded Succeeded']);
});

test('the end of a hook that only has to be loaded is written with the beginning of the next one', async () => {
  const { written, begin, becomes } = recordOf(account, job);
  await begin(account);
  becomes(account, 'Running');
  becomes(account, 'Succeeded');
  await begin(job);
  expect(written).toEqual(['Running -', 'Succeeded Running']);
});

test('where one fails, those that would have followed have never begun', async () => {
  const { record, written, begin, becomes } = recordOf(account, role, job);
  await begin(account, role, job);
  becomes(account, 'Running');
  becomes(account, 'Failed');
  await record.fail((release) => release);
  expect(written.at(-1)).toBe('Failed - -');
});

test('nobody waits for what is written of hooks whose objects stay', async () => {
  const lasting = hookOf('lasting', { kind: 'ConfigMap', deletePolicies: ['before-hook-creation'] });
  const { written, begin } = recordOf(lasting);
  await begin(lasting);
  expect(written).toEqual([]);
  await expect.poll(() => written).toEqual(['Running']);
});

test('where nothing follows it is written after a moment, or when all has to be written', async () => {
  const one = recordOf(account);
  one.becomes(account, 'Succeeded');
  await expect.poll(() => one.delays).toHaveLength(1);
  expect(one.written).toEqual([]);
  one.delays[0]?.();
  await expect.poll(() => one.written).toEqual(['Succeeded']);

  const other = recordOf(account);
  other.becomes(account, 'Succeeded');
  await other.record.settle();
  expect(other.written).toEqual(['Succeeded']);
});

test('the end of a hook that runs something is written at once', async () => {
  const { written, becomes } = recordOf(job);
  becomes(job, 'Succeeded');
  await nextTurns();
  expect(written).toEqual(['Succeeded']);
});

test('an object that is a hook twice is two hooks in the record', async () => {
  const manifest = (value: string) => `kind: ConfigMap\nmetadata: {name: same}\ndata: {k: ${value}}\n`;
  const before = hookOf('same', { kind: 'ConfigMap', events: ['pre-install'], manifest: manifest('1') });
  const after = hookOf('same', { kind: 'ConfigMap', events: ['post-install'], manifest: manifest('2') });
  const { record, becomes } = recordOf(before, after);
  becomes(before, 'Succeeded');
  becomes(after, 'Running');
  expect(record.release.hooks.map(({ events, lastRun }) => [...events, lastRun.phase])).toEqual([
    ['pre-install', 'Succeeded'],
    ['post-install', 'Running'],
  ]);
});
