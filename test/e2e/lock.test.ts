import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { configMap, documents, hook, job, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok, type Ran, tshelmPath, tshelmProcess } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('lock');
const here = (): string[] => ['-n', admin.namespace, '--timeout', '60s'];

/** A ConfigMap, and a Deployment that gets ready as late as is asked for. */
const chart = writeChart(directory, 'app', {
  'templates/all.yaml': documents(
    configMap('one', '{{ .Values.k | default "1" | quote }}'),
    workload('Deployment', 'app', { readyAfter: '{{ .Values.readyAfter | default `0s` }}' }),
  ),
});

interface Revision {
  readonly revision: number;
  readonly status: string;
  readonly description: string;
}
const historyOf = async (name: string): Promise<Revision[]> =>
  JSON.parse(await ok(helm, ['history', name, '-o', 'json', '-n', admin.namespace, '--max', '100'])) as Revision[];
const statuses = async (name: string): Promise<string[]> =>
  (await historyOf(name)).map(({ revision, status }) => `${revision} ${status}`);
const lease = (name: string): Promise<KubernetesObject | undefined> =>
  admin.object('coordination.k8s.io/v1', 'Lease', `tshelm.${name}`);

const start = (program: string, words: readonly string[]): ChildProcess =>
  spawn(program, [...words, ...here()], { stdio: 'ignore' });
const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.on('close', () => resolve());
  });

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries > 600) throw new Error('it has not come to that');
    await delay(50);
  }
}

const isPending = async (name: string): Promise<boolean> =>
  (await admin.names('v1', 'Secret', `owner=helm,name=${name},status in (pending-install,pending-upgrade)`)).length > 0;

async function killed(program: string, words: readonly string[], when: () => Promise<boolean>): Promise<void> {
  const child = start(program, words);
  const end = ended(child);
  await Promise.race([until(when), end]);
  if (!child.kill('SIGKILL')) throw new Error(`${program} ${words.join(' ')} ended too early`);
  await end;
}

describe('twenty processes start the same upgrade at once', () => {
  const twenty = (words: (index: number) => string[]): Promise<Ran[]> =>
    Promise.all(Array.from({ length: 20 }, (_, index) => tshelmProcess.run([...words(index), ...here()])));

  test('one wins, nineteen are refused with the name of the holder', async () => {
    await ok(tshelmProcess, ['install', 'crowd', chart, ...here()]);
    // The winner holds the release for longer than the others need to start.
    const ran = await twenty((index) => [
      'upgrade',
      'crowd',
      chart,
      '--wait',
      '--set',
      `k=r${index},readyAfter=15s,tag=2`,
    ]);
    expect(ran.filter(({ code }) => code === 0)).toHaveLength(1);
    const refused = ran.filter(({ code }) => code === 1);
    expect(refused).toHaveLength(19);
    const winner = /since (\S+)\n/.exec(refused[0]?.stderr ?? '')?.[1];
    for (const { stderr } of refused) {
      expect(stderr).toMatch(
        /UPGRADE FAILED: another operation \(install\/upgrade\/rollback\) is in progress: upgrade of "crowd" by \S+@\S+ \(pid \d+(, \S+)?\), since /,
      );
      expect(stderr).toContain(`since ${winner}\n`);
    }
    expect(await statuses('crowd')).toEqual(['1 superseded', '2 deployed']);
    expect(await lease('crowd')).toBeUndefined();
  });

  test('with --wait-lock they run one after another', async () => {
    await ok(tshelmProcess, ['install', 'queue', chart, ...here()]);
    const ran = await twenty((index) => [
      'upgrade',
      'queue',
      chart,
      '--set',
      `k=r${index}`,
      '--wait-lock',
      '5m',
      '--history-max',
      '0',
    ]);
    expect(ran.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(Array.from({ length: 20 }, () => ''));
    const expected = Array.from(
      { length: 21 },
      (_, index) => `${index + 1} ${index === 20 ? 'deployed' : 'superseded'}`,
    );
    expect(await statuses('queue')).toEqual(expected);
    expect(await lease('queue')).toBeUndefined();
  });

  test('installs too: one wins', async () => {
    const ran = await twenty((index) => ['install', 'birth', chart, '--set', `k=r${index}`]);
    expect(ran.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(await statuses('birth')).toEqual(['1 deployed']);
  });
});

describe('what a killed run leaves', () => {
  test('an upgrade is taken over at once by the next one on the same machine, and Helm reads the history', async () => {
    await ok(tshelmProcess, ['install', 'killed', chart, ...here()]);
    await killed(tshelmPath, ['upgrade', 'killed', chart, '--wait', '--set', 'readyAfter=60s,tag=2'], () =>
      isPending('killed'),
    );
    expect(await lease('killed')).toBeDefined();
    const ran = await tshelmProcess.run(['upgrade', 'killed', chart, ...here()]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(/held the lock on "killed" but is gone; taking over/);
    expect(ran.stderr).toMatch(/revision 2 is marked as failed: the upgrade by .+ did not finish; taken over by /);
    expect(await statuses('killed')).toEqual(['1 superseded', '2 failed', '3 deployed']);
    expect(await lease('killed')).toBeUndefined();
    await ok(helm, ['upgrade', 'killed', chart, '-n', admin.namespace]);
  });

  test('an install does not keep the name', async () => {
    await killed(tshelmPath, ['install', 'stillborn', chart, '--wait', '--set', 'readyAfter=60s'], () =>
      isPending('stillborn'),
    );
    await ok(tshelmProcess, ['install', 'stillborn', chart, ...here()]);
    expect(await statuses('stillborn')).toEqual(['1 failed', '2 deployed']);
  });

  test('an uninstall is simply done again, and leaves nothing', async () => {
    await ok(tshelmProcess, ['install', 'doomed', chart, ...here()]);
    await admin
      .cluster()
      .patch({ apiVersion: 'v1', kind: 'ConfigMap', namespace: admin.namespace, name: 'doomed-one' }, 'merge', {
        metadata: { finalizers: ['e2e.tshelm.dev/hold'] },
      });
    const isMarked = async (): Promise<boolean> =>
      (await admin.object('v1', 'ConfigMap', 'doomed-one'))?.metadata.deletionTimestamp !== undefined;
    await killed(tshelmPath, ['uninstall', 'doomed', '--wait'], isMarked);
    await admin
      .cluster()
      .patch({ apiVersion: 'v1', kind: 'ConfigMap', namespace: admin.namespace, name: 'doomed-one' }, 'merge', {
        metadata: { finalizers: null },
      });
    await ok(tshelmProcess, ['uninstall', 'doomed', ...here()]);
    expect(await admin.records('doomed')).toEqual([]);
    expect(await lease('doomed')).toBeUndefined();
    expect((await admin.names('v1', 'ConfigMap')).filter((name) => name.startsWith('doomed'))).toEqual([]);
  });

  test('by Helm: refused while it may be alive, taken over when nothing moved for --stale-after', async () => {
    await ok(helm, ['install', 'helms', chart, '-n', admin.namespace]);
    await killed(
      `${process.env['TSHELM_E2E_BIN']}/helm`,
      ['upgrade', 'helms', chart, '--wait', '--set', 'readyAfter=60s,tag=2'],
      () => isPending('helms'),
    );
    const refused = await tshelmProcess.run(['upgrade', 'helms', chart, ...here()]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /another operation \(install\/upgrade\/rollback\) is in progress: revision 2 has been pending-upgrade since .+, started by Helm [^]+--stale-after/,
    );
    const ran = await tshelmProcess.run([
      'upgrade',
      'helms',
      chart,
      '--stale-after',
      '2s',
      '--wait-lock',
      '30s',
      ...here(),
    ]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('revision 2 is marked as failed: the upgrade by Helm did not finish');
    expect(await statuses('helms')).toEqual(['1 superseded', '2 failed', '3 deployed']);
  });
});

test("the Lease of a dead holder on another machine lapses, by this machine's clock alone", async () => {
  await ok(tshelmProcess, ['install', 'far', chart, ...here()]);
  const time = '2036-01-02T03:04:05.000000Z';
  await admin.cluster().create({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'tshelm.far', namespace: admin.namespace },
    spec: { holderIdentity: 'bob@far pid 7 cafe', leaseDurationSeconds: 15, acquireTime: time, renewTime: time },
  } as KubernetesObject);
  const ran = await tshelmProcess.run(['upgrade', 'far', chart, ...here()]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('bob@far (pid 7) held the lock on "far" and has not renewed it for 15 s');
});

test('who may not use Leases deploys all the same, and is told what is missing', async () => {
  await admin.grant('robot', [{ apiGroups: ['', 'apps', 'batch'], resources: ['*'], verbs: ['*'] }]);
  const asRobot = ['--kube-as-user', 'robot', ...here()];
  const ran = await tshelmProcess.run(['install', 'humble', chart, ...asRobot]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toMatch(
    /only the pending record locks the release, because Leases cannot be used: .*forbidden.*tshelm needs create/,
  );
  expect(await statuses('humble')).toEqual(['1 deployed']);
  // The record alone still tells a dead run on this machine from a living one.
  await killed(
    tshelmPath,
    ['upgrade', 'humble', chart, '--wait', '--set', 'readyAfter=60s,tag=2', '--kube-as-user', 'robot'],
    () => isPending('humble'),
  );
  await ok(tshelmProcess, ['upgrade', 'humble', chart, ...asRobot]);
  expect(await statuses('humble')).toEqual(['1 superseded', '2 failed', '3 deployed']);
});

describe('--resume', () => {
  const group = (name: string, after = ''): Readonly<Record<string, string>> => ({
    'helm.sh/resource-group': name,
    ...(after === '' ? {} : { 'helm.sh/depends-on/resource-groups': JSON.stringify([after]) }),
  });
  const ordered = writeChart(directory, 'ordered', {
    'templates/all.yaml': documents(
      workload('Deployment', 'db', { annotations: group('db') }),
      workload('Deployment', 'app', {
        annotations: group('app', 'db'),
        readyAfter: '{{ .Values.readyAfter | default `0s` }}',
      }),
      job('migrate', { annotations: hook('pre-install,pre-upgrade') }),
      job('smoke', { annotations: hook('post-install,post-upgrade') }),
    ),
  });
  const uidOf = async (name: string): Promise<string | undefined> =>
    (await admin.object('batch/v1', 'Job', name))?.metadata.uid;

  test('an upgrade that was killed goes on after its last finished batch; finished hooks do not run again', async () => {
    await ok(tshelmProcess, ['install', 'resumed', ordered, '--wait=ordered', ...here()]);
    const words = ['upgrade', 'resumed', ordered, '--wait=ordered', '--set', 'tag=2,readyAfter=5s'];
    const appIsUnderWay = async (): Promise<boolean> => {
      const app = await admin.object('apps/v1', 'Deployment', 'resumed-app');
      return JSON.stringify(app?.['spec']).includes('example.com/main:2');
    };
    await killed(tshelmPath, words, appIsUnderWay);
    const [migrate, smoke] = [await uidOf('resumed-migrate'), await uidOf('resumed-smoke')];
    const db = await admin.object('apps/v1', 'Deployment', 'resumed-db');

    const refused = await tshelmProcess.run(['upgrade', 'resumed', ordered, '--set', 'tag=3', '--resume', ...here()]);
    expect(refused.stderr).toContain('cannot be resumed: the values are not the same');

    const ran = await tshelmProcess.run([...words, '--resume', ...here()]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('revision 3 continues where revision 2 failed; already finished: 2');
    expect(await uidOf('resumed-migrate')).toBe(migrate);
    expect(await uidOf('resumed-smoke')).not.toBe(smoke);
    expect((await admin.object('apps/v1', 'Deployment', 'resumed-db'))?.metadata.generation).toBe(
      db?.metadata.generation,
    );
    expect(await statuses('resumed')).toEqual(['1 superseded', '2 failed', '3 deployed']);

    const again = await tshelmProcess.run([...words, '--resume', ...here()]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('has nothing to resume: its last revision is 3, and its status is deployed');
  });
});
