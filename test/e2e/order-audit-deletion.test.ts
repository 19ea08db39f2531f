import { describe, expect, test } from 'vitest';
import { orderingTables } from '../plan/ordering-tables.ts';
import { auditOf } from './support/audit.ts';
import { scratchDirectory, writeChart } from './support/charts.ts';
import { deletions, expectDeleted } from './support/deletions.ts';
import { adminOf } from './support/namespaces.ts';
import { workload } from './support/order.ts';
import { helm, ok, tshelm } from './support/programs.ts';

// What is deleted in which order, pods and all, with the API server's audit log as the witness.
const directory = scratchDirectory();
const admin = adminOf('order-gone');
const audit = auditOf(admin);
const { namespace } = admin;
const inNamespace = ['-n', namespace, '--timeout', '60s'];
const ordered = [...inNamespace, '--wait=ordered'];
const set = (values: string): readonly string[] => [
  '--set',
  `global.tag=1,global.ready=0s,global.gone=1500ms${values}`,
];

describe.each(orderingTables(workload))('$title', ({ title, files, batches }) => {
  const chart = writeChart(directory, title.replaceAll(/\W+/g, '-').toLowerCase(), files);
  const backwards = batches.toReversed();

  test('an uninstall, and an upgrade that removes, delete no batch before the pods of the one before are gone', async () => {
    await ok(tshelm, ['install', 'rel', chart, ...ordered, ...set('')]);
    audit.begin();
    await ok(tshelm, ['upgrade', 'rel', chart, ...ordered, ...set(',global.removed=true')]);
    expectDeleted(await deletions(audit), backwards);

    await ok(tshelm, ['rollback', 'rel', '1', ...ordered]);
    audit.begin();
    await ok(tshelm, ['uninstall', 'rel', ...inNamespace]);
    expectDeleted(await deletions(audit), backwards);
  });
});

const chain = (last: string) => ({
  'templates/a.yaml': workload('a', 'helm.sh/resource-group: a'),
  'templates/b.yaml': workload('b', 'helm.sh/resource-group: b, helm.sh/depends-on/resource-groups: a'),
  'templates/c.yaml': `${workload('c', 'helm.sh/resource-group: c, helm.sh/depends-on/resource-groups: b')}---\n${last}`,
});

test('a failed install is undone in order', async () => {
  const failing = `apiVersion: batch/v1
kind: Job
metadata: {name: fails, annotations: {helm.sh/resource-group: c}}
spec:
  backoffLimit: 0
  template:
    metadata: {annotations: {e2e.tshelm.dev/fate: fail}}
    spec: {restartPolicy: Never, containers: [{name: main, image: example.com/job:1}]}
`;
  const chart = writeChart(directory, 'undone', chain(failing));
  audit.begin();
  const { code } = await tshelm.run(['install', 'undone', chart, ...ordered, '--rollback-on-failure', ...set('')]);
  expect(code).toBe(1);
  expectDeleted(await deletions(audit), [['c'], ['b'], ['a']]);
  expect(await admin.records('undone')).toEqual([]);
});

test.each([
  ['--rollback-on-failure', ['--rollback-on-failure']],
  ['--cleanup-on-fail', ['--cleanup-on-fail']],
  ['both', ['--cleanup-on-fail', '--rollback-on-failure']],
])('what a failed upgrade brought is taken away in order: %s', async (_which, flags) => {
  const job = `apiVersion: batch/v1
kind: Job
metadata: {name: fails, annotations: {helm.sh/resource-group: d, helm.sh/depends-on/resource-groups: c}}
spec:
  backoffLimit: 0
  template:
    metadata: {annotations: {e2e.tshelm.dev/fate: fail}}
    spec: {restartPolicy: Never, containers: [{name: main, image: example.com/job:1}]}
`;
  const { 'templates/a.yaml': first, ...later } = chain(job);
  const only = (text: string): string => `{{ if .Values.more }}\n${text}{{ end }}\n`;
  const chart = writeChart(directory, 'grown', {
    'templates/a.yaml': first,
    ...Object.fromEntries(Object.entries(later).map(([file, text]) => [file, only(text)])),
  });
  await ok(tshelm, ['install', 'grown', chart, ...ordered, ...set('')]);
  audit.begin();
  const grown = ['upgrade', 'grown', chart, ...ordered, ...flags, ...set(',more=true')];
  expect((await tshelm.run(grown)).code).toBe(1);
  expectDeleted(await deletions(audit), [['c'], ['b']]);
  expect(await admin.names('apps/v1', 'Deployment')).toEqual(['a']);
  expect(await admin.names('batch/v1', 'Job')).toEqual([]);
  await ok(tshelm, ['uninstall', 'grown', ...inNamespace]);
});

test('a batch that is not gone in time stops an uninstall before later batches and post-delete hooks', async () => {
  const hook = `apiVersion: v1
kind: ConfigMap
metadata: {name: dropped, annotations: {helm.sh/hook: post-delete}}
`;
  const chart = writeChart(directory, 'halfway', { ...chain(''), 'templates/hook.yaml': hook });
  const slow = set('').map((values) => values.replace('gone=1500ms', 'gone=5s'));
  await ok(tshelm, ['install', 'halfway', chart, ...ordered, ...slow]);
  const { code, stderr } = await tshelm.run(['uninstall', 'halfway', '-n', namespace, '--timeout', '2s']);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('batch 1 of 3') });
  expect(await admin.names('apps/v1', 'Deployment')).toEqual(['a', 'b', 'c']);
  expect(await admin.names('v1', 'ConfigMap')).not.toContain('dropped');
  const status = await ok(tshelm, ['status', 'halfway', '-n', namespace]);
  expect(status).toContain('STATUS: uninstalling');
  expect(status).not.toContain('ready ');
  audit.begin();
  await ok(tshelm, ['uninstall', 'halfway', ...inNamespace]);
  expect(
    (await audit.writes()).filter(({ resource, verb }) => resource === 'configmaps' && verb !== 'delete'),
  ).toMatchObject([{ name: 'dropped' }]);
  expectDeleted(await deletions(audit), [['c'], ['b'], ['a']]);
});

describe('what is still being deleted when the next change comes', () => {
  const removable = (text: string): string => `{{ if not .Values.without }}\n${text}{{ end }}\n`;
  const { 'templates/a.yaml': a, 'templates/b.yaml': b } = chain('');
  const chart = writeChart(directory, 'going', { 'templates/a.yaml': a, 'templates/b.yaml': removable(b) });
  const slow = set('').map((values) => values.replace('gone=1500ms', 'gone=6s'));
  const place = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'b' };
  const uidOf = async (): Promise<string | undefined> => (await admin.cluster().get(place))?.metadata.uid;

  test('an upgrade that gives it up brings it back', async () => {
    await ok(tshelm, ['install', 'going', chart, ...ordered, ...slow]);
    const before = await uidOf();
    const shrink = ['upgrade', 'going', chart, '-n', namespace, '--timeout', '4s', '--rollback-on-failure', ...slow];
    const { code, stderr } = await tshelm.run([...shrink, '--set', 'without=true']);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('has been rolled back') });
    expect(await admin.names('apps/v1', 'Deployment')).toEqual(['a', 'b']);
    expect(await uidOf()).not.toBe(before);
  });

  test.each([
    ['an upgrade', ['upgrade', 'going', chart, ...slow]],
    ['a rollback', ['rollback', 'going', '1']],
    ['client-side apply', ['upgrade', 'going', chart, '--server-side=false', ...slow]],
  ])('%s creates it anew', async (_what, words) => {
    const before = await uidOf();
    await admin.cluster().delete(place, { propagation: 'Foreground' });
    await ok(tshelm, [...words, ...inNamespace]);
    const live = await admin.cluster().get(place);
    expect(live?.metadata).toMatchObject({ name: 'b', uid: expect.not.stringMatching(before ?? '') });
    expect(live?.status).toMatchObject({ readyReplicas: 1 });
  });

  test('what somebody deletes during the wait fails the batch at once', async () => {
    const running = tshelm.run([
      'upgrade',
      'going',
      chart,
      ...ordered,
      ...set('').map((values) => values.replace('tag=1,global.ready=0s', 'tag=9,global.ready=50s')),
    ]);
    const first = { ...place, name: 'a' };
    await expect
      .poll(async () => JSON.stringify(await admin.cluster().get(first)), { timeout: 20_000 })
      .toContain('main:9');
    await admin.cluster().delete(first);
    const { code, stderr } = await running;
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it was deleted during the wait'),
    });
    await ok(tshelm, ['uninstall', 'going', ...inNamespace]);
  });
});

test('--cascade has the last word', async () => {
  const chart = writeChart(directory, 'cascade', chain(''));
  await ok(tshelm, ['install', 'cascade', chart, ...ordered, ...set('')]);
  await ok(tshelm, ['uninstall', 'cascade', ...inNamespace, '--cascade', 'background']);
  expect(await admin.names('apps/v1', 'Deployment')).toEqual([]);
  expect(await admin.names('v1', 'Pod')).not.toEqual([]);
});

describe('a release that Helm installed', () => {
  const [seed004] = orderingTables(workload);
  const files = (annotation: string) => ({
    ...seed004?.files,
    'Chart.yaml': (seed004?.files['Chart.yaml'] ?? '').replace(/annotations: .*\n/, `annotations: {${annotation}}\n`),
  });
  const packaged = async (name: string, annotation: string): Promise<string> => {
    const chart = writeChart(directory, name, files(annotation));
    const said = await ok(helm, ['package', chart, '-d', `${directory}/${name}-packed`]);
    return said.trim().split(' ').at(-1) as string;
  };
  const key = 'helm.sh/depends-on/subcharts';

  test('of a chart with the map is uninstalled by it', async () => {
    const archive = await packaged('mapped', `${key}: '{"bar": ["nginx", "rabbitmq"], ".": ["bar", "rabbitmq"]}'`);
    await ok(helm, ['install', 'mapped', archive, ...inNamespace, '--wait', ...set('')]);
    audit.begin();
    await ok(tshelm, ['uninstall', 'mapped', ...ordered]);
    expectDeleted(await deletions(audit), [['foo', 'orphaned'], ['bar'], ['nginx', 'rabbitmq']]);
  });

  test('of a chart whose edges Helm dropped goes one by one, which is said', async () => {
    const archive = await packaged('dropped', `${key}: '["bar", "rabbitmq"]'`);
    const installed = await tshelm.run(['template', 'dropped', archive, '--wait=ordered', ...set('')]);
    expect(installed.stderr).toContain('dropped the order of the subcharts of foo when it packaged');
    await ok(helm, ['install', 'dropped', archive, ...inNamespace, '--wait', ...set('')]);
    audit.begin();
    const { code, stderr } = await tshelm.run(['uninstall', 'dropped', ...ordered]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('warning: revision 1 of dropped does not record the order of the subcharts of foo');
    expect(stderr).toContain('bar, nginx, orphaned, rabbitmq run one after another');
    expectDeleted(await deletions(audit), [['foo'], ['rabbitmq'], ['orphaned'], ['nginx'], ['bar']]);
  });

  test('and one that tshelm installed in order keeps its batches when Helm has upgraded it without the edges', async () => {
    const chart = writeChart(directory, 'kept', seed004?.files ?? {});
    await ok(tshelm, ['install', 'kept', chart, ...ordered, ...set('')]);
    await ok(helm, ['upgrade', 'kept', chart, ...inNamespace, '--wait', ...set('')]);
    audit.begin();
    const { code, stderr } = await tshelm.run(['uninstall', 'kept', ...ordered]);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') });
    expectDeleted(await deletions(audit), [['foo', 'orphaned'], ['bar'], ['nginx', 'rabbitmq']]);
  });

  test('and one that tshelm installed in order keeps its batches when Helm has rolled it back', async () => {
    const chart = writeChart(directory, 'back', seed004?.files ?? {});
    await ok(tshelm, ['install', 'back', chart, ...ordered, ...set('')]);
    await ok(tshelm, ['upgrade', 'back', chart, ...ordered, ...set(',global.tag=2')]);
    await ok(helm, ['rollback', 'back', '1', ...inNamespace, '--wait', '--history-max', '1']);
    audit.begin();
    await ok(tshelm, ['uninstall', 'back', ...inNamespace]);
    expectDeleted(await deletions(audit), [['foo', 'orphaned'], ['bar'], ['nginx', 'rabbitmq']]);
  });
});
