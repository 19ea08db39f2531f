import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestSandbox } from './harness.ts';

const chart = `${import.meta.dirname}/../../fixtures/manifest-diff/chart`;
const sandbox = openTestSandbox();
beforeAll(async () => {
  await sandbox.run('install', 'demo', chart);
  await sandbox.run('upgrade', 'demo', chart, '--set', 'image=two');
});
afterAll(sandbox.remove);

const noField = (column: number, place: string, field: string, type: string): string =>
  `Error: template: _:1:${column}: executing "_" at <${place}>: can't evaluate field ${field} in type ${type}`;

// What Helm v4.3.1 prints for the same release.
test.each([
  [
    '{{.Release.Chart.Name}} {{.Release.Chart.AppVersion}} {{.Release.Chart.IsRoot}} {{.Release.Chart.ChartFullPath}}',
    'demo  true demo',
  ],
  ['{{.Release.Chart.Metadata.Version}} {{.Release.Info.Status}} {{len .Release.Chart.Raw}}', '1.0.0 deployed 0'],
  ['{{range .Release.Hooks}}{{.Name}} {{.Weight}} {{.Events}} {{end}}', 'hook 0 [pre-upgrade] test 0 [test] '],
  ['{{.Release.Version}} {{.Release.Config.image}}', '2 two'],
  [
    '{{.Release.Info.Status.IsPending}} {{.Release.Info.Status.String}} {{eq .Release.Info.Status "deployed"}}',
    'false deployed true',
  ],
  ['{{printf "%v %T" .Release.Version .Release.Info.Status}}', '2 common.Status'],
  [
    '{{range .Release.Hooks}}{{range .Events}}{{.String}} {{end}}{{.LastRun.Phase}} {{end}}',
    'pre-upgrade Succeeded test  ',
  ],
  ['{{.Release.Chart.Root.Name}} {{.Release.Chart.Parent}} {{.Release.Chart.Dependencies}}', 'demo <nil> []'],
  ['{{.Release.Chart.CRDs}} {{.Release.Chart.CRDObjects}} {{.Release.Chart.Validate}}', '[] [] <nil>'],
  ['{{.Release.Info.Resources}} {{.Release.Chart.Metadata.Validate}}', 'map[] <nil>'],
  ['{{.Release.Info.Status.Nope}}', noField(10, '.Release.Info.Status.Nope', 'Nope', 'common.Status')],
  ['{{.Release.Nope}}', noField(10, '.Release.Nope', 'Nope', 'interface {}')],
  ['{{.Release.Chart.Nope}}', noField(10, '.Release.Chart.Nope', 'Nope', '*v2.Chart')],
  ['{{.Release.Info.Nope}}', noField(10, '.Release.Info.Nope', 'Nope', '*v1.Info')],
])('get all --template %s', async (template, shown) => {
  const { stdout, stderr } = await sandbox.run('get', 'all', 'demo', '--template', template);
  expect(stdout + stderr.trimEnd()).toBe(shown);
});
