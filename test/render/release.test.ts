import { expect, test } from 'vitest';
import { prepareChart, type RenderReleaseOptions, renderRelease } from '../../src/render/release.ts';
import { readYamlMap } from '../../src/yaml/index.ts';
import { chartOf } from './chart-text.ts';

const release = { name: 'rel', namespace: 'ns', revision: 1, isInstall: true };

async function render(files: Record<string, string>, options: Partial<RenderReleaseOptions> = {}, values = '') {
  const userValues = readYamlMap(values);
  return renderRelease(prepareChart(await chartOf(files), userValues), userValues, { release, ...options });
}

const withSubcharts = {
  'templates/NOTES.txt': 'web in {{ .Release.Namespace }}',
  'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 0.1.0\n',
  'charts/db/templates/NOTES.txt': 'db {{ .Chart.Version }}',
  'charts/empty/Chart.yaml': 'apiVersion: v2\nname: empty\nversion: 0.1.0\n',
  'charts/empty/templates/NOTES.txt': '{{ if false }}x{{ end }}',
};

test.each([
  [false, 'web in ns'],
  [true, 'web in ns\ndb 0.1.0'],
])('notes, those of subcharts too: %s', async (renderSubchartNotes, notes) => {
  expect((await render(withSubcharts, { renderSubchartNotes })).notes).toBe(notes);
});

test('a chart that is switched off is neither rendered nor asked for its CRDs', async () => {
  const files = {
    'Chart.yaml':
      'apiVersion: v2\nname: web\nversion: 1.2.3\ndependencies:\n- {name: db, version: 0.1.0, condition: db.enabled}\n',
    'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 0.1.0\n',
    'charts/db/crds/c.yaml': 'kind: CustomResourceDefinition\n',
    'charts/db/templates/a.yaml': 'kind: A\n',
  };
  const userValues = readYamlMap('db: {enabled: false}');
  const prepared = prepareChart(await chartOf(files), userValues);
  expect(prepared.crds).toEqual([]);
  expect((await renderRelease(prepared, userValues, { release })).manifest).toBe('');
});

test('secrets can be hidden in the manifest', async () => {
  const files = { 'templates/a.yaml': 'apiVersion: v1\nkind: Secret\ndata: {a: b}\n---\nkind: A\n' };
  expect((await render(files, { hideSecrets: true })).manifest).toBe(
    '---\n# Source: web/templates/a.yaml\n# HIDDEN: The Secret output has been suppressed\n---\n# Source: web/templates/a.yaml\nkind: A\n\n',
  );
});

test('strict: a missing key is an error', async () => {
  await expect(render({ 'templates/a.yaml': 'a: {{ .Values.nope }}' }, { strict: true })).rejects.toThrow(
    'web/templates/a.yaml:1:13\n  executing "web/templates/a.yaml" at <.Values.nope>:\n    map has no entry for key "nope"',
  );
});

test('lint mode: required and fail report, and let pass', async () => {
  const heard: string[] = [];
  const files = { 'templates/a.yaml': 'a: "{{ required "need" .Values.x }}{{ fail "no" }}"' };
  const { manifests } = await render(files, { lintMode: true, onLint: (message) => heard.push(message) });
  expect([manifests[0]?.text, heard]).toEqual(['a: ""', ['need', 'no']]);
});

test('what was rendered comes with the error', async () => {
  const files = { 'templates/a.yaml': 'a: b: c', 'templates/b.yaml': 'kind: B' };
  await expect(render(files)).rejects.toMatchObject({
    code: 'invalid-manifest',
    details: {
      rendered: '---\n# Source: web/templates/a.yaml\na: b: c\n---\n# Source: web/templates/b.yaml\nkind: B\n',
    },
  });
});

test('the place of an error is that of the innermost template', async () => {
  const files = {
    'templates/a.yaml': 'a: {{ include "f" . }}',
    'templates/_h.tpl': '{{ define "f" }}\n{{ .Values.a.b }}{{ end }}',
  };
  await expect(render(files)).rejects.toMatchObject({
    code: 'template-error',
    details: { file: 'web/templates/_h.tpl', line: 2, column: 10 },
  });
});

test("Helm's log lines come back as warnings", async () => {
  const files = {
    'templates/a.yaml': 'metadata:\n  annotations:\n    helm.sh/hook: crd-install\n',
    'values.yaml': 'g: 1\n',
  };
  expect((await render(files, {}, 'g: {h: 1}')).warnings).toEqual([
    'level=INFO msg="warning: skipped value for web.g: Not a table."',
    'level=INFO msg="skipping unknown hooks" hookTypes=crd-install',
  ]);
});

test('the clock and the random source can be given', async () => {
  const files = { 'templates/a.yaml': 'a: {{ now | unixEpoch }} {{ randBytes 3 }}' };
  const { manifests } = await render(files, {
    now: () => new Date(5000),
    randomBytes: (count) => new Uint8Array(count),
  });
  expect(manifests[0]?.text).toBe('a: 5 AAAA');
});

test('.Chart.Annotations of a chart without any is a nil map', async () => {
  const files = {
    'templates/a.yaml':
      'a: [{{ toJson .Chart.Annotations }}, {{ toYaml .Chart.Annotations }}, {{ len .Chart.Annotations }}]',
  };
  expect((await render(files)).manifests[0]?.text).toBe('a: [null, null, 0]');
});

test.each([
  ['the schema', { 'values.schema.json': '{"required": ["x"]}' }],
  ['a template', { 'templates/a.yaml': '{{ fail "no" }}' }],
])('what was warned of before %s failed is not lost', async (_what, files) => {
  const warning = expect.stringContaining('skipped value for web.a: Not a table.');
  await expect(render({ ...files, 'values.yaml': 'a: 1' }, {}, 'a: {b: 1}')).rejects.toMatchObject({
    details: { warnings: [warning] },
  });
});

test('what was warned of before the dependencies failed is not lost', async () => {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: db, version: 0.1.0}]\n',
    'values.yaml': 'a: 1\ndb: 1',
    'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 0.1.0\n',
  };
  const failure = await render(files, {}, 'a: {b: 1}').catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'invalid-values', details: { warnings: [expect.stringContaining('web.a')] } });
});
