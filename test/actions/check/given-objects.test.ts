import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readCrds } from '../../../src/actions/check/given-objects.ts';
import { loadChart } from '../../../src/chart/load.ts';

const directory = mkdtempSync(join(tmpdir(), 'crds-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function folder(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    const path = join(directory, name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return join(directory, name);
}

const crd = (name: string) =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ${name}}\n`;
const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const list = `apiVersion: v1\nkind: List\nitems:\n- apiVersion: apiextensions.k8s.io/v1\n  kind: CustomResourceDefinition\n  metadata: {name: c}\n`;
const chart = { 'Chart.yaml': 'apiVersion: v2\nname: operator\nversion: 1.0.0\n', 'values.yaml': 'enabled: true\n' };
const template = `{{ if .Values.enabled }}\n${crd('b')}{{ end }}`;

const namesAt = async (path: string) =>
  (await readCrds(path, loadChart)).map(({ object, source }) => `${object.metadata.name} ${basename(source)}`);

test.each<[string, Readonly<Record<string, string>>, string, readonly string[]]>([
  [
    'a file with several documents',
    { 'a.yaml': `${crd('a')}---\n${map}---\n${crd('b')}` },
    'a.yaml',
    ['a a.yaml', 'b a.yaml'],
  ],
  [
    'a folder, in the order of names',
    { 'b/b.yml': crd('b'), 'a.json': '{}', 'a.yaml': crd('a'), 'README.md': crd('no') },
    '',
    ['a a.yaml', 'b b.yml'],
  ],
  ['a list', { 'list.yaml': list }, '', ['c list.yaml']],
  [
    'a chart',
    { ...chart, 'crds/a.yaml': crd('a'), 'templates/b.yaml': template, 'templates/c.yaml': map },
    '',
    ['a a.yaml', 'b b.yaml'],
  ],
  [
    'a chart that needs values',
    { ...chart, 'crds/a.yaml': crd('a'), 'templates/b.yaml': '{{ required "a" .Values.a }}' },
    '',
    ['a a.yaml'],
  ],
])('%s', async (what, files, path, expected) => {
  const root = folder(what, files);
  expect(await namesAt(join(root, path))).toEqual(expected);
});

test('a chart without CRDs that cannot be rendered says so', async () => {
  const root = folder('broken', { ...chart, 'templates/b.yaml': '{{ required "a" .Values.a }}' });
  await expect(namesAt(root)).rejects.toMatchObject({ code: 'template-error' });
});

test('what is not there is loaded as a chart', async () => {
  await expect(namesAt(join(directory, 'nowhere'))).rejects.toMatchObject({ code: 'chart-not-found' });
});
