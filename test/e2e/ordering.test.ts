import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { expectHookOrder, hookFiles, hookTable } from '../plan/hook-table.ts';
import { orderingTables } from '../plan/ordering-tables.ts';
import { wrongOrder } from '../plan/wrong-order.ts';
import { scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import {
  batchesOf,
  deletedDuring,
  deploymentLives,
  inBatches,
  type Life,
  podLives,
  seconds,
  workload,
} from './support/order.ts';
import { ok, tshelm } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('ordering');
const { namespace } = admin;
const inNamespace = ['-n', namespace, '--timeout', '120s'];
const ordered = [...inNamespace, '--wait=ordered'];
const set = (values: string): readonly string[] => ['--set', values];

const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-settings}\ndata: {a: b}\n';

describe.each(orderingTables(workload))('$title', ({ title, files, batches }) => {
  const name = title.replaceAll(/\W+/g, '-').toLowerCase();
  const chart = writeChart(directory, name, { ...files, 'templates/settings.yaml': settings });
  const backwards = batches.toReversed();
  const count = batches.flat().length;

  test('is installed, upgraded, emptied, brought back and uninstalled in its order', async () => {
    await ok(tshelm, ['install', 'rel', chart, ...ordered, ...set('global.tag=1')]);
    expect(batchesOf(await deploymentLives(admin, '1'))).toEqual(batches);

    await ok(tshelm, ['upgrade', 'rel', chart, ...ordered, ...set('global.tag=2')]);
    expect(batchesOf(await podLives(admin, '2'))).toEqual(batches);

    const emptied = ['upgrade', 'rel', chart, ...ordered, ...set('global.tag=2,global.removed=true')];
    expect(inBatches(await deletedDuring(admin, () => ok(tshelm, emptied), count), backwards)).toEqual(backwards);

    await ok(tshelm, ['rollback', 'rel', '1', ...ordered]);
    expect(batchesOf(await deploymentLives(admin, '1'))).toEqual(batches);

    const uninstalled = await deletedDuring(admin, () => ok(tshelm, ['uninstall', 'rel', ...inNamespace]), count);
    expect(inBatches(uninstalled, backwards)).toEqual(backwards);
    expect(await admin.records('rel')).toEqual([]);
  });
});

test('with --eager, layer2 of seed 002 does not wait for X, and layer3 does', async () => {
  const { files } = orderingTables(workload)[1] as { readonly files: Readonly<Record<string, string>> };
  const chart = writeChart(directory, 'eager', files);
  await ok(tshelm, ['install', 'rel', chart, ...ordered, '--eager', ...set('global.tag=1,global.after.x=7s')]);
  const lives = new Map((await deploymentLives(admin, '1')).map((life) => [life.name, life]));
  const [foo, bar, fizz, x] = ['foo', 'bar', 'fizz', 'x'].map((each) => lives.get(each) as Life) as [
    Life,
    Life,
    Life,
    Life,
  ];
  expect(bar.began).toBeGreaterThanOrEqual(foo.ready);
  expect(bar.ready).toBeLessThan(x.ready);
  expect(fizz.began).toBeGreaterThanOrEqual(x.ready);
  await ok(tshelm, ['uninstall', 'rel', ...inNamespace, '--wait']);
});

describe('hooks, seed 000', () => {
  const hookJob = (name: string, weight: number): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: "${weight}"}
spec:
  template:
    metadata: {annotations: {e2e.tshelm.dev/ready-after: 1200ms}}
    spec: {restartPolicy: Never, containers: [{name: main, image: example.com/job:1}]}
`;
  const mode = (text: string): string => `runHooksInParallel: ${text}`;

  test.each(hookTable)('A $A, B $B, C $C: $order', async (row) => {
    const chart = writeChart(directory, `hooks-${row.A}-${row.B}`, hookFiles(row, hookJob, mode));
    await ok(tshelm, ['install', 'hooks', chart, ...inNamespace]);
    const jobs = await admin.cluster().list('batch/v1', 'Job', { namespace });
    expectHookOrder(row.order, new Map(jobs.map((job) => [job.metadata.name, jobLife(job)])));
    await ok(tshelm, ['uninstall', 'hooks', ...inNamespace, '--delete-hooks']);
  });

  const jobLife = ({ metadata, status }: KubernetesObject): Life => ({
    name: metadata.name,
    began: seconds(metadata.creationTimestamp),
    ready: seconds((status as { readonly completionTime: string }).completionTime),
  });
});

test('both readiness annotations replace the rules of the kind; what they call failed fails its batch', async () => {
  const rules = (success: string, failure: string): string =>
    `helm.sh/readiness-success: '["${success}"]', helm.sh/readiness-failure: '["${failure}"]'`;
  const chartWith = (name: string, success: string, failure: string): string =>
    writeChart(directory, name, {
      'templates/a.yaml': workload('a', `helm.sh/resource-group: a, ${rules(success, failure)}`),
      'templates/b.yaml': workload('b', 'helm.sh/resource-group: b, helm.sh/depends-on/resource-groups: a'),
    });
  const flags = [...ordered, ...set('global.tag=1,global.after.a=6s')];
  await ok(tshelm, ['install', 'ruled', chartWith('ruled', '{.observedGeneration} >= 1', '{.replicas} > 9'), ...flags]);
  const live = async (name: string) => admin.object('apps/v1', 'Deployment', name);
  expect((await live('a'))?.['status']).not.toHaveProperty('readyReplicas');
  await ok(tshelm, ['uninstall', 'ruled', ...inNamespace]);

  const failing = chartWith('failing', '{.readyReplicas} >= 1', '{.replicas} >= 1');
  const { code, stderr } = await tshelm.run(['install', 'ruled', failing, ...flags]);
  expect(code).toBe(1);
  expect(stderr).toContain('its failure condition {.replicas} >= 1 is true');
  expect(await live('b')).toBeUndefined();
  await ok(tshelm, ['uninstall', 'ruled', ...inNamespace, '--wait']);
});

test('everything wrong in a chart is told in one run, with file and line, and nothing is sent', async () => {
  const chart = writeChart(directory, 'wrong', wrongOrder.files);
  const { code, stderr } = await tshelm.run(['install', 'wrong', chart, ...ordered]);
  expect(code).toBe(1);
  for (const line of wrongOrder.told)
    expect(stderr).toContain(line.replace(/\bwrong\/(?=Chart|templates)/, `${chart}/`));
  expect(await admin.records('wrong')).toEqual([]);
  expect(await admin.object('v1', 'ConfigMap', 'alone')).toBeUndefined();
});

test('a switched-off subchart, an unknown group and a lone group only warn', async () => {
  const chart = writeChart(directory, 'warned', {
    'Chart.yaml':
      'apiVersion: v2\nname: warned\nversion: 1.0.0\ndependencies:\n- {name: idle, version: 1.0.0, condition: idle.enabled}\n- {name: busy, version: 1.0.0, depends-on: [idle]}\n',
    'values.yaml': 'idle: {enabled: false}\n',
    'charts/idle/Chart.yaml': 'apiVersion: v2\nname: idle\nversion: 1.0.0\n',
    'charts/idle/templates/idle.yaml': workload('idle'),
    'charts/busy/Chart.yaml': 'apiVersion: v2\nname: busy\nversion: 1.0.0\n',
    'charts/busy/templates/busy.yaml': workload('busy'),
    'templates/lone.yaml': workload('lone', 'helm.sh/resource-group: alone'),
    'templates/queue.yaml': workload(
      'queue',
      'helm.sh/resource-group: queue, helm.sh/depends-on/resource-groups: [gone]',
    ),
  });
  const { code, stderr } = await tshelm.run(['install', 'warned', chart, ...ordered, ...set('global.tag=1')]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain(' of Deployment/queue), but no resource of chart warned belongs to it; the name is ignored');
  expect(stderr).toContain(
    'resource group "alone" of chart warned does not depend on another group and no group depends on it',
  );
  expect(batchesOf(await deploymentLives(admin, '1'))).toEqual([['busy'], ['lone', 'queue']]);
  await ok(tshelm, ['uninstall', 'warned', ...inNamespace]);
});
