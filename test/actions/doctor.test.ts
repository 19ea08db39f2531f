import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionContext } from '../../src/actions/action-context.ts';
import { examineCluster } from '../../src/actions/doctor.ts';
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

test('a run that holds a lock is named, and a release whose last run did not end', async () => {
  const { cluster } = sandbox;
  const holder = { identity: 'ada@build-7 pid 4711 9f2c41d0' };
  const at = new Date('2026-01-02T03:04:05.000Z');
  await cluster.create(newLease({ release: 'web', namespace: 'default' }, 'upgrade', holder, at));
  await cluster.create(record('web', 'pending-upgrade'));
  await cluster.create(record('stuck', 'pending-install'));
  await cluster.create(record('fine', 'deployed'));
  const { findings } = await examineCluster({ recordKind: 'Secret' }, actionContext(cluster, { namespace: 'default' }));
  expect(findings.filter(({ area }) => area === 'locks')).toEqual([
    {
      area: 'locks',
      level: 'note',
      text: 'upgrade of web is running: ada@build-7 (pid 4711), since 2026-01-02T03:04:05.000000Z',
    },
    expect.objectContaining({
      level: 'warning',
      text: 'release stuck is pending-install (revision 3): its last run did not end, or plain Helm is running',
    }),
  ]);
});
