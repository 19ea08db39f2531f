import { expect, test } from 'vitest';
import { auditOf } from './support/audit.ts';
import { job, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok, tshelm } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('audit');
const audit = auditOf(admin);
const { namespace } = admin;

/** What a program wrote, but for records and locks. */
async function objectsBy(userAgent: string): Promise<readonly string[]> {
  const written = await audit.writes(
    (write) => write.userAgent === userAgent && write.isNamespaced && !bookkeeping.has(write.resource),
  );
  return written.map(({ verb, object }) => `${verb} ${object}`);
}
const bookkeeping = new Set(['secrets', 'leases.coordination.k8s.io']);

test('the audit log tells who wrote what in which order, dry runs apart', async () => {
  const chart = writeChart(directory, 'audited', {
    'templates/job.yaml': job('task', { annotations: { 'helm.sh/hook': 'pre-install' } }),
    'templates/web.yaml': workload('Deployment', 'web'),
  });
  audit.begin();
  await ok(tshelm, ['install', 'one', chart, '-n', namespace, '--dry-run=server']);
  expect(await objectsBy('tshelm')).toEqual([]);
  await ok(tshelm, ['install', 'one', chart, '-n', namespace, '--wait']);
  expect(await objectsBy('tshelm')).toEqual([
    'delete jobs.batch/one-task',
    'patch jobs.batch/one-task',
    'patch deployments.apps/one-web',
  ]);
  const controllers = await audit.writes(({ resource }) => resource === 'pods');
  expect(controllers.map(({ userAgent }) => userAgent)).toContain('kube-controller-manager');

  audit.begin();
  await ok(helm, ['uninstall', 'one', '-n', namespace]);
  expect(await objectsBy('Helm')).toEqual(['delete deployments.apps/one-web']);
});
