import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readArchive } from '../src/chart/archive.ts';
import { mergeValuesSync } from '../src/chart/value-options.ts';
import { readValues } from '../src/chart/values-file.ts';
import { apiErrorOf, listPageOf, objectOf } from '../src/cluster/http/answer.ts';
import { parseKubeconfig } from '../src/cluster/kubeconfig.ts';
import { prepareChart, renderReleaseSync } from '../src/render/release.ts';
import { parseOciReference } from '../src/source/oci/reference.ts';
import { chartArchive } from '../src/source/package/archive-writer.ts';
import { readIndex } from '../src/source/repository/index-file.ts';
import { chartOf } from './render/chart-text.ts';
import { drawFrom } from './support/mutations.ts';

const asked = { method: 'GET', path: '/api' };
const release = { name: 'rel', namespace: 'ns', revision: 1, isInstall: true };
const values = `a: &a {b: [1, "x", 'y']}\nc: *a\nd: |\n  text\ne: !!str 5\nf: >-\n  long\n  text\n? g\n: 1.5e3\n`;
const template = `{{- range $i, $e := .Values.l }}\n{{ $i | add 1 | quote }}: {{ tpl "{{ . }}" $e | nindent 2 }}{{ end }}{{ with .Values.m }}{{ toYaml . }}{{ end }}\na: {{ printf "%d %v" 1 (list 1 "a") | regexReplaceAll "a+" "b" }}\n`;
const index =
  'apiVersion: v1\nentries:\n  a:\n  - name: a\n    version: 1.0.0\n    urls: [a-1.0.0.tgz]\n    created: 2020-01-01T00:00:00.000Z\n';
const object = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'a', labels: { a: 'b' } },
  data: {},
});
const kubeconfig = `current-context: a\ncontexts: [{name: a, context: {cluster: a, user: a}}]\nclusters: [{name: a, cluster: {server: "http://x"}}]\nusers: [{name: a, user: {exec: {command: ./x, args: [a], env: [{name: a, value: b}]}}}]\n`;
const status = JSON.stringify({
  kind: 'Status',
  message: 'm',
  reason: 'Invalid',
  details: { causes: [{ field: 'a' }] },
});

/** Whoever reads it, an error of JavaScript itself is a shape that nobody looked at. */
const readers: readonly (readonly [string, string, (text: string) => unknown])[] = [
  ['values', values, (text) => readValues(Buffer.from(text))],
  ['--set', 'a.b[0].c={1,x\\,y},d=null,e[1]=5,f.g="h"', (text) => mergeValuesSync({ set: [text] })],
  ['--set-json', 'a={"b":[1,{"c":null}]},d="x"', (text) => mergeValuesSync({ setJson: [text] })],
  ['an index', index, (text) => readIndex(Buffer.from(text), { source: 'index.yaml' })],
  ['an OCI reference', 'oci://ghcr.io:5000/org/a_b/c--d:1.0_x@sha256:abc', parseOciReference],
  ['a kubeconfig', kubeconfig, (text) => parseKubeconfig(text, '/')],
  ['an object', object, (text) => objectOf({ ...asked, value: JSON.parse(text) })],
  [
    'a list',
    `{"metadata":{"continue":"x"},"items":[${object}]}`,
    (text) => listPageOf({ ...asked, value: JSON.parse(text) }),
  ],
  ['a Status', status, (text) => apiErrorOf('GET', '/', { status: 409, text })],
];

describe('foreign input that is broken is refused in words', () => {
  test.each(readers)('%s', (_what, text, read) => {
    expect(() => read(text)).not.toThrow();
    for (const mutated of drawFrom(text, 400)) expectWords(() => read(mutated));
  });

  test('a template', async () => {
    const chart = await chartOf({ 'templates/a.yaml': template });
    for (const mutated of drawFrom(template, 300)) {
      const data = Buffer.from(mutated);
      const broken = { ...chart, templates: [{ ...chart.templates[0], data }] } as typeof chart;
      expectWords(() =>
        renderReleaseSync(prepareChart(broken, new Map()), new Map(), { release, checkSchema: () => '' }),
      );
    }
  });

  test('an archive', async () => {
    const packed = Buffer.from(await chartArchive(await chartOf({ 'templates/a.yaml': template }), new Date(0)));
    for (const mutated of drawFrom(packed.toString('latin1'), 200))
      expectWords(() => readArchive(Buffer.from(mutated, 'latin1')));
    for (const mutated of drawFrom('x'.repeat(600), 100)) expectWords(() => readArchive(gzipSync(mutated)));
  });
});

function expectWords(read: () => unknown): void {
  let failure: unknown;
  try {
    read();
  } catch (error) {
    failure = error;
  }
  // JSON.parse is the test's own.
  if (failure instanceof SyntaxError) return;
  expect(failure instanceof TypeError || failure instanceof RangeError ? failure.stack : '').toBe('');
}
