import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tshelm } from '../cli/harness.ts';
import { writeFiles } from './files.ts';

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'values.yaml': 'image: {tag: "1", registry: ""}\nhosts: []\ndebug: false\nextra: {}\n',
  'templates/_helpers.tpl': [
    '{{- define "shop.host" -}}',
    '{{ if .tls }}https{{ else }}http{{ end }}://{{ .name }}',
    '{{- end }}',
    '{{- define "shop.unused" }}x{{ end }}',
    '{{- define "shop.empty" }}{{ end }}',
  ].join('\n'),
  'templates/one.yaml': [
    'kind: One',
    'image: {{ with .Values.image.registry }}{{ . }}/{{ end }}shop:{{ .Values.image.tag }}',
    '{{- if .Values.debug }}',
    'debug: {{ if eq .Values.image.tag "2" }}two{{ end }}',
    '{{- else if .Values.extra }}',
    'extra: true',
    '{{- end }}',
    'hosts: {{ range .Values.hosts }}{{ include "shop.host" . }} {{ else }}none{{ end }}',
    'tpl: {{ tpl "{{ if .Values.debug }}a{{ end }}" . }}',
  ].join('\n'),
  'templates/two.yaml': 'kind: Two\n{{ if .Values.debug }}a: b{{ end }}\n',
  'tests/one_test.yaml': [
    'templates: [one.yaml]',
    'tests:',
    '  - asserts: [{isKind: {of: One}}]',
    '  - set: {hosts: [{name: a, tls: true}], image.tag: "2"}',
    '    asserts: [{equal: {path: hosts, value: https://a}}]',
  ].join('\n'),
};

test('coverage tells what no test renders, with its line, and which values none changes', async () => {
  const folder = writeFiles(files);
  const words = ['unittest', 'shop', '--coverage', '--coverage-file', 'out/lcov.info'];
  const { code, stdout } = await tshelm(words, { cwd: folder });
  expect(code).toBe(0);
  expect(stdout.slice(stdout.indexOf('### Coverage'))).toBe(
    [
      '### Coverage [ shop ]',
      '',
      '\ttemplates/_helpers.tpl  2 of 5',
      '\t\tline 2: if .tls always holds',
      '\t\tline 4: define "shop.unused" is never used',
      '\t\tline 5: define "shop.empty" is never used',
      '\ttemplates/one.yaml  6 of 11',
      '\t\tline 2: with .Values.image.registry never holds',
      '\t\tline 3: if .Values.debug never holds',
      '\t\tline 4: if eq .Values.image.tag "2" is never reached',
      '\t\tline 5: if .Values.extra never holds',
      '\ttemplates/two.yaml  0 of 3',
      '\t\tno test renders it',
      '\tno test changes image.registry, debug, extra',
      '',
      'Branches:    8 of 19 (42.1 %)',
      'Values:      2 of 5 (40.0 %) changed',
      '',
      '',
    ].join('\n'),
  );
  const lcov = readFileSync(join(folder, 'out/lcov.info'), 'utf8');
  expect(lcov.split('end_of_record\n').filter((record) => record.includes('one.yaml'))).toEqual([
    [
      'TN:',
      'SF:shop/templates/one.yaml',
      'FN:1,templates/one.yaml',
      'FNDA:1,templates/one.yaml',
      'FNF:1',
      'FNH:1',
      ...[
        '2,0,0,0',
        '2,0,1,1',
        '3,1,0,0',
        '3,1,1,1',
        '4,2,0,0',
        '4,2,1,0',
        '5,3,0,0',
        '5,3,1,1',
        '8,4,0,1',
        '8,4,1,1',
      ].map((branch) => `BRDA:${branch}`),
      'BRF:10',
      'BRH:5',
      '',
    ].join('\n'),
  ]);
});

test('what covers everything lists nothing', async () => {
  const folder = writeFiles({
    ...files,
    'values.yaml': '{}\n',
    'templates/_helpers.tpl': '',
    'templates/one.yaml': 'kind: One\n',
    'templates/two.yaml': 'kind: Two\n',
    'tests/one_test.yaml': 'tests: [{asserts: [{hasDocuments: {count: 1}}]}]\n',
  });
  const { stdout } = await tshelm(['unittest', 'shop', '--coverage'], { cwd: folder });
  expect(stdout).toContain('### Coverage [ shop ]\n\n\nBranches:    2 of 2 (100.0 %)\nValues:      0 of 0 changed\n');
});

test('without --coverage there is none', async () => {
  const { stdout } = await tshelm(['unittest', 'shop'], { cwd: writeFiles(files) });
  expect(stdout).not.toContain('Coverage');
});
