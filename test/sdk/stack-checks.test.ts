import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isTshelmError, type StackEvent, type StackOptions, Tshelm } from '../../src/index.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';

const helmfile = `releases:
  - {name: web, namespace: shop, chart: ./chart, needs: [data/db], wait: true, values: [{seconds: 20}]}
  - {name: db, namespace: data, chart: ./chart, wait: true, values: [{seconds: 30}]}
`;
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}, annotations: {sandbox.tshelm.dev/ready-after: {{ .Values.seconds }}s}}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: {{ required "image is missing" .Values.image }}}]}}
`;
const smokeTest = `apiVersion: v1
kind: Pod
metadata:
  name: {{ .Release.Name }}-smoke
  annotations:
    helm.sh/hook: test
    {{- if eq .Release.Name .Values.broken }}
    sandbox.tshelm.dev/fate: fail
    {{- end }}
spec: {restartPolicy: Never, containers: [{name: smoke, image: busybox}]}
`;

let folder: string;
let box: Sandbox;
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const stack = (options: StackOptions = {}) => box.tshelm.stack({ folder, ...options });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-stack-'));
  write('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 0.1.0\n');
  write('chart/values.yaml', 'seconds: 1\nimage: nginx\nbroken: ""\n');
  write('chart/templates/deployment.yaml', deployment);
  write('chart/templates/test.yaml', smokeTest);
  write('helmfile.yaml', helmfile);
  box = await sandbox({ time: 'simulated' });
});
afterEach(async () => {
  await box.close();
  rmSync(folder, { recursive: true });
});

test('tests of all releases run, and their logs are at hand', async () => {
  await stack().apply();
  const operation = stack().test({ logs: true });
  const events: StackEvent[] = [];
  for await (const event of operation) events.push(event);
  const { isPassed, releases } = await operation;
  expect(isPassed).toBe(true);
  expect(releases.map(({ id, logs, ...rest }) => [id, rest.isPassed, logs.map(({ pod }) => pod)])).toEqual([
    ['data/db', true, ['db-smoke']],
    ['shop/web', true, ['web-smoke']],
  ]);
  expect(events.flatMap((event) => (event.kind === 'release-started' ? [event.action] : []))).toEqual(['test', 'test']);
});

test('a test that fails is in the result, and the other releases are tested', async () => {
  await stack().apply({ set: ['broken=db'] });
  const { isPassed, releases } = await stack().test();
  expect([isPassed, releases.map(({ id, isPassed: own }) => [id, own])]).toEqual([
    false,
    [
      ['data/db', false],
      ['shop/web', true],
    ],
  ]);
  const failure = releases[0]?.failure;
  if (!isTshelmError(failure)) throw failure;
  expect(failure.message).toContain('db-smoke');
});

test('a release that is not there cannot be tested', async () => {
  await expect(stack().test()).rejects.toMatchObject({
    code: 'stack-failed',
    details: { failed: ['data/db', 'shop/web'] },
  });
});

test('lint looks at every chart with the values of its release, and asks no cluster', async () => {
  const alone = new Tshelm().stack({ folder });
  const good = await alone.lint();
  expect(good.map(({ id, chart, isFailed }) => [id, chart, isFailed])).toEqual([
    ['data/db', 'chart', false],
    ['shop/web', 'chart', false],
  ]);
  write('chart/templates/broken.yaml', '{{ .Values.no.such.value }}\n');
  const [broken] = await alone.lint();
  expect(broken?.isFailed).toBe(true);
  expect(broken?.messages.map(({ text }) => text).join('\n')).toContain('nil pointer evaluating interface {}.such');
});

test('a rehearsal says when each release has its turn, and what a failure stops', async () => {
  const report = await stack().rehearse();
  expect(report).toMatchObject({ status: 'succeeded', seconds: 50, concurrency: 8, idleAssumptions: [] });
  expect(report.releases.map(({ id, start, end, stops }) => [id, start, end, stops])).toEqual([
    ['data/db', 0, 30, ['shop/web']],
    ['shop/web', 30, 50, []],
  ]);
  expect(report.criticalPath.map(({ id }) => id)).toEqual(['data/db', 'shop/web']);
  expect(await box.tshelm.list({ allNamespaces: true })).toEqual([]);

  const failed = await stack().rehearse({ fail: 'data/db', assume: { 'job/none': 1 } });
  expect(failed).toMatchObject({ status: 'failed', idleAssumptions: ['job/none'], isFailIdle: false });
  expect(failed.releases.map(({ id, status, because }) => [id, status, because])).toEqual([
    ['data/db', 'failed', undefined],
    ['shop/web', 'left out', 'data/db'],
  ]);
  await expect(stack().rehearse({ fail: 'none' })).rejects.toMatchObject({
    code: 'bad-options',
    message:
      'cannot fail none: the stack has no such release; write NAMESPACE/RELEASE, or NAMESPACE/RELEASE:job/migrate',
  });
});

test('a live rehearsal upgrades what is there, and templates see the cluster', async () => {
  await stack().apply();
  write(
    'chart/templates/seen.yaml',
    `{{- $own := lookup "apps/v1" "Deployment" .Release.Namespace .Release.Name }}
{{- if $own }}
apiVersion: v1
kind: ConfigMap
metadata: {name: seen-{{ $own.metadata.name }}}
{{- end }}
`,
  );
  const { releases } = await stack().rehearse({ live: true, set: ['seconds=5'] });
  expect(releases.map(({ run }) => run?.action)).toEqual(['upgrade', 'upgrade']);
  const objects = releases.flatMap(({ run }) => run?.steps.flatMap(({ resources }) => resources) ?? []);
  expect(objects.map(({ resource }) => resource)).toEqual(
    expect.arrayContaining(['ConfigMap/seen-db', 'ConfigMap/seen-web']),
  );
});
