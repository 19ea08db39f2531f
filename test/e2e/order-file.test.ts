import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditOf } from './support/audit.ts';
import { scratchDirectory, writeChart } from './support/charts.ts';
import { deletions, expectDeleted } from './support/deletions.ts';
import { adminOf } from './support/namespaces.ts';
import { batchesOf, deploymentLives, workload } from './support/order.ts';
import { helm, helm3, ok, tshelm } from './support/programs.ts';

// A chart that declares no order, in the order of a file, with the API server's audit log as the witness.
const directory = scratchDirectory();
const admin = adminOf('order-file');
const audit = auditOf(admin);
const inNamespace = ['-n', admin.namespace, '--timeout', '60s'];
const set = ['--set', 'global.tag=1,global.ready=1s,global.gone=1s'];

const subchart = (name: string) => ({
  [`charts/${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
  [`charts/${name}/templates/${name}.yaml`]: workload(name),
});
const chart = writeChart(directory, 'foreign', {
  'Chart.yaml': 'apiVersion: v2\nname: foreign\nversion: 1.0.0\n',
  ...subchart('api'),
  ...subchart('web'),
  'templates/first.yaml': workload('first'),
  'templates/second.yaml': workload('second'),
});
const file = join(directory, 'order.yaml');
writeFileSync(
  file,
  `resources:
  - select: {kind: Deployment, name: first}
    group: one
  - select: {name: sec*}
    dependsOn: [one]
charts:
  - chart: web
    dependsOn: [api]
`,
);
const batches = [['api'], ['web'], ['first'], ['second']];

test.each([
  ['Helm 4', helm],
  ['Helm 3', helm3],
])(
  'the batches start one after another, and rollback and uninstall follow the order without the file, over a revision of %s',
  async (_name, between) => {
    await ok(tshelm, ['install', 'rel', chart, '--order', file, ...inNamespace, ...set]);
    expect(batchesOf(await deploymentLives(admin, '1'))).toEqual(batches);

    // Helm keeps the annotations, and drops what else a record says of an order.
    await ok(between, ['upgrade', 'rel', chart, ...inNamespace, '--reuse-values']);
    await ok(tshelm, ['rollback', 'rel', '1', ...inNamespace]);
    audit.begin();
    await ok(tshelm, ['uninstall', 'rel', ...inNamespace]);
    expectDeleted(await deletions(audit), batches.toReversed());
  },
);

test('a file that selects nothing is refused, and nothing is sent', async () => {
  const wrong = join(directory, 'wrong.yaml');
  writeFileSync(wrong, 'resources:\n- select: {kind: DaemonSet}\n  group: one\n');
  audit.begin();
  const { code, stderr } = await tshelm.run(['install', 'none', chart, '--order', wrong, ...inNamespace, ...set]);
  expect(code).toBe(1);
  expect(stderr).toContain(`${wrong}:2: this rule selects no resource of the release`);
  const sent = await audit.writes(
    ({ userAgent, resource, isNamespaced }) => userAgent === 'tshelm' && isNamespaced && !resource.startsWith('leases'),
  );
  expect(sent).toEqual([]);
});
