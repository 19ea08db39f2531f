import { expect, test } from 'vitest';
import { tshelm } from '../cli/harness.ts';
import { writeFiles } from './files.ts';

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'values.yaml': 'tag: "1"\n',
  'templates/_helpers.tpl': '{{ define "shop.labels" }}\napp: shop\ntier: web\n{{ end }}',
  'templates/all.yaml': [
    '{{- if false }}never{{ end }}',
    '---',
    'kind: One',
    '---',
    '',
    '---',
    'kind: Two',
    'metadata:',
    '  labels: {{- include "shop.labels" . | nindent 4 }}',
    'images:',
    '  - name: a',
    '  - name: "{{ .Values.tag }}"',
  ].join('\n'),
  'tests/all_test.yaml': [
    'templates: [all.yaml]',
    'tests:',
    '  - documentIndex: 1',
    '    asserts:',
    '      - equal: {path: "images[1].name", value: "2"}',
    '      - matchRegex: {path: \'$.metadata.labels["tier"]\', pattern: db}',
    '      - isKind: {of: One}',
    '      - exists: {path: images.none}',
    '      - equal: {path: "images[?(@.name == \'a\')].name", value: b}',
    '  - asserts: [{hasDocuments: {count: 3}}]',
  ].join('\n'),
};

test('on a terminal a failure tells the line of the template', async () => {
  const { stdout } = await tshelm(['unittest', 'shop'], { cwd: writeFiles(files), screen: 80 });
  expect(
    stdout
      .split('\n')
      .filter((line) => /Made at|asserts\[/.test(line))
      .map((line) => line.trim()),
  ).toEqual([
    '- asserts[0] `equal` fail',
    'Made at:\tshop/templates/all.yaml:12',
    '- asserts[1] `matchRegex` fail',
    'Made at:\tshop/templates/_helpers.tpl:3',
    '- asserts[2] `isKind` fail',
    'Made at:\tshop/templates/all.yaml:7',
    '- asserts[3] `exists` fail',
    'Made at:\tshop/templates/all.yaml:10',
    '- asserts[4] `equal` fail',
    'Made at:\tshop/templates/all.yaml:10',
    '- asserts[0] `hasDocuments` fail',
  ]);
});

test('a program finds the report of helm-unittest', async () => {
  const { stdout } = await tshelm(['unittest', 'shop'], { cwd: writeFiles(files) });
  expect(stdout).not.toContain('Made at');
});
