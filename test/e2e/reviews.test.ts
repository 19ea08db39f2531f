import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { documents, scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok, tshelm } from './support/programs.ts';

// What a person reads before an upgrade, of a release that Helm has recorded.
const admin = adminOf('reviews');
const { namespace } = admin;
const here = ['-n', namespace];
const directory = scratchDirectory();
const job = (name: string, annotations = '') => `apiVersion: batch/v1
kind: Job
metadata: {name: "${name}", annotations: {${annotations}}}
spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: main, image: "busybox:{{ .Values.tag }}"}]}}}
`;
const chart = writeChart(directory, 'app', {
  'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
  'values.yaml': '# The image\ntag: one\nport: 80\n',
  'templates/hook.yaml': job('{{ .Release.Name }}-{{ randAlphaNum 5 | lower }}', 'helm.sh/hook: test'),
  'templates/all.yaml': documents(
    job('{{ .Release.Name }}-{{ .Release.Revision }}'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-map}\ndata: {port: {{ .Values.port | quote }}}\n',
  ),
});
const diff = (...words: string[]) => tshelm.run(['diff', 'rel', chart, ...here, '-C0', ...words]);

beforeAll(async () => {
  await ok(helm, ['install', 'rel', chart, ...here, '--set', 'port=81']);
});

test('hooks with random names are one line; an object with the revision in its name is compared with the last one', async () => {
  const { stdout } = await diff('--reuse-values');
  const named = stdout.replace(/rel-[a-z0-9]{5}\b/g, 'rel-RANDOM');
  expect(named).toContain(`
${namespace}, rel-1, Job (batch/v1) has been removed; rel-2 takes its place

${namespace}, rel-2, Job (batch/v1) has been added in place of rel-1:
--- revision 1
+++ revision 2
`);
  expect(named.match(/^[+-][^+-].*$/gm)).toEqual(['-  name: rel-1', '+  name: rel-2']);
  expect(named).toContain(
    'rel-RANDOM, Job (batch/v1), test hook, is unchanged; differs at each render: metadata.name\n',
  );
  expect(named).toMatch(/\n1 to add, 1 to remove\n$/);
});

test('where there are several clusters, the diff, the plan and what is saved name theirs', async () => {
  const kubeconfig = join(directory, 'kubeconfig');
  const text = readFileSync(process.env['KUBECONFIG'] as string, 'utf8');
  writeFileSync(
    kubeconfig,
    text.replace('clusters: [', 'clusters: [{name: other, cluster: {server: "https://other"}}, '),
  );
  const env = { KUBECONFIG: kubeconfig };
  const file = join(directory, 'a.plan');
  const server = /server: "([^"]+)"/.exec(text)?.[1];
  const place = `${namespace} of context e2e (${server})`;
  const words = ['rel', chart, ...here, '--reuse-values'];
  expect((await tshelm.run(['diff', ...words], { env })).stdout).toContain(`upgrade rel in ${place}: revision 1`);
  expect((await tshelm.run(['plan', ...words, '--no-hooks', '--out', file], { env })).stdout).toContain(
    `in namespace ${place}: revision 1`,
  );
  expect((await tshelm.run(['show-plan', file])).stdout).toContain(`in namespace ${place}: revision 1`);
  expect((await tshelm.run(['show-plan', file, '-o', 'markdown'])).stdout).toContain('\nIn <code>context e2e (');
  expect((await diff()).stdout).toContain(`upgrade rel in ${namespace}: revision 1`);
});

test('the values of a new version beside what Helm has recorded', async () => {
  const next = join(directory, 'next');
  cpSync(chart, next, { recursive: true });
  writeFileSync(join(next, 'Chart.yaml'), 'apiVersion: v2\nname: app\nversion: 2.0.0\n');
  writeFileSync(join(next, 'values.yaml'), '# The image\ntag: two\nweb: {http: 8080}\n');
  const map = join(next, 'templates/all.yaml');
  writeFileSync(map, readFileSync(map, 'utf8').replace('.Values.port', '.Values.web.http'));
  const { stdout, code } = await tshelm.run(['diff', 'values', 'rel', next, ...here, '--exit-code']);
  expect(stdout).toBe(`\
values of rel in ${namespace}: app-1.0.0 -> app-2.0.0

Renamed, and set by you: set the new key instead (1):
  port -> web.http: 80 -> 8080  (values.yaml:3; templates/all.yaml:${
    readFileSync(map, 'utf8')
      .split('\n')
      .findIndex((line) => line.includes('web.http')) + 1
  } reads it instead; you set it to 81)

Changed defaults (1):
  tag: "one" -> "two"  (values.yaml:2)
      # The image
`);
  expect(code).toBe(2);
});

test('the upgrade does what was told', async () => {
  await ok(tshelm, ['upgrade', 'rel', chart, ...here, '--reuse-values']);
  const jobs = await admin.cluster().list('batch/v1', 'Job', { namespace });
  expect(jobs.map(({ metadata }) => metadata.name)).toEqual(['rel-2']);
});
