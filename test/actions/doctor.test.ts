import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionContext } from '../../src/actions/action-context.ts';
import { examineCluster } from '../../src/actions/doctor.ts';
import { thisHolder } from '../../src/release/lock/holder.ts';
import { newLease } from '../../src/release/lock/lease.ts';
import { openSandboxCluster } from './sandbox-cluster.ts';

let sandbox: Awaited<ReturnType<typeof openSandboxCluster>>;
beforeAll(async () => {
  sandbox = await openSandboxCluster();
});
afterAll(() => sandbox.close());

const record = (name: string, status: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: `sh.helm.release.v1.${name}.v3`,
    namespace: 'default',
    labels: { owner: 'helm', name, status, version: '3' },
  },
});

const locksIn = async () => {
  const context = actionContext(sandbox.cluster, { namespace: 'default' });
  const { findings } = await examineCluster({ recordKind: 'Secret' }, context);
  return findings.filter(({ area }) => area === 'locks');
};

test('a run that renews its lock, one that does not, and a release whose last run did not end', async () => {
  const { cluster } = sandbox;
  const holder = { identity: 'ada@build-7 pid 4711 9f2c41d0' };
  const lease = (release: string, at: Date) => newLease({ release, namespace: 'default' }, 'upgrade', holder, at);
  await cluster.create(lease('web', new Date()));
  await cluster.create(lease('left', new Date('2026-01-02T03:04:05.000Z')));
  for (const name of ['web', 'left']) await cluster.create(record(name, 'pending-upgrade'));
  await cluster.create(record('stuck', 'pending-install'));
  await cluster.create(record('fine', 'deployed'));
  const locks = await locksIn();
  expect(locks).toHaveLength(3);
  expect(locks).toContainEqual({
    area: 'locks',
    level: 'note',
    text: expect.stringMatching(
      /^upgrade of web is running: ada@build-7 \(pid 4711\), since [\d-]+T[\d:.]+Z; last renewed \d+s ago by the server's clock$/,
    ),
  });
  expect(locks).toContainEqual({
    area: 'locks',
    level: 'warning',
    text: expect.stringMatching(
      /^upgrade of left did not end and left its lock: ada@build-7 .*; last renewed \d+h\d+m\d+s ago by /,
    ),
    unfinished: { release: 'left', operation: 'upgrade' },
  });
  expect(locks).toContainEqual(
    expect.objectContaining({
      level: 'warning',
      text: 'release stuck is pending-install (revision 3): its last run did not end, or plain Helm is running',
    }),
  );
});

test.runIf(process.platform === 'linux')('a lock just renewed by a process that has ended', async () => {
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  const mark = thisHolder({}).process?.replace(/\/\d+\//, `/${ended}/`);
  const holder = { identity: `ada@here pid ${ended} 9f2c41d0`, process: mark };
  await sandbox.cluster.create(newLease({ release: 'gone', namespace: 'default' }, 'install', holder, new Date()));
  expect(await locksIn()).toContainEqual({
    area: 'locks',
    level: 'warning',
    text: expect.stringMatching(/^install of gone did not end and left its lock: .*; its process has ended$/),
    unfinished: { release: 'gone', operation: 'install' },
  });
});
