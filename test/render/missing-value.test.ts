import { expect, test } from 'vitest';
import { prepareChart, renderRelease } from '../../src/render/release.ts';
import { problemsOf } from '../../src/support/errors.ts';
import { chartOf } from './chart-text.ts';

const release = { name: 'rel', namespace: 'ns', revision: 1, isInstall: true };
const helper =
  '{{ define "part" }}a: {{ .values.probes.ready.path }}{{ end }}{{ define "direct" }}a: {{ .ready.path }}{{ end }}';

async function valueOf(values: string, template: string) {
  const files = { 'templates/_helpers.tpl': helper, 'templates/a.yaml': template, 'values.yaml': values };
  const prepared = prepareChart(await chartOf(files), new Map());
  const failure = await renderRelease(prepared, new Map(), { release }).catch((error: unknown) => error);
  const [problem] = problemsOf(failure).filter(({ cause }) => 'keys' in cause);
  return problem && { ...problem.cause, places: problem.places, remedies: problem.remedies };
}

const both = 'api:\n  probes: {ready: {path: /}}\njob:\n  probes: {live: {path: /}}\n';

test('what a helper misses in the map that it was called with', async () =>
  expect(
    await valueOf(both, '{{ range list .Values.api .Values.job }}{{ include "part" (dict "values" .) }}\n{{ end }}'),
  ).toMatchObject({
    keys: ['job', 'probes', 'ready'],
    field: 'path',
    code: 'value-missing',
    places: [{ keys: ['job', 'probes'], file: 'web/values.yaml', line: 4 }, { kind: 'template' }],
  }));

test('the map beside one that has it', async () =>
  expect(
    await valueOf('api: {ready: {path: /}}\njob: {live: {path: /}}\n', '{{ include "direct" .Values.job }}'),
  ).toMatchObject({
    keys: ['job', 'ready'],
  }));

test('nothing where no value is missed', async () =>
  expect(await valueOf(both, '{{ include "direct" (dict "x" 1) }}')).toBeUndefined());

test.each([
  [
    'a list',
    'hosts: [{host: a, paths: /}]\n',
    '{{ range .Values.hosts }}{{ range .paths }}{{ end }}{{ end }}',
    { code: 'value-not-a-list' },
  ],
  [
    'a map',
    'hosts: [{host: a, paths: /}]\n',
    '{{ range .Values.hosts }}{{ .paths.http }}{{ end }}',
    { code: 'value-not-a-map', field: 'http' },
  ],
])('a text of an item where %s belongs', async (_what, values, template, told) =>
  expect(await valueOf(values, template)).toMatchObject({
    keys: ['hosts', '0', 'paths'],
    places: [{ kind: 'value', text: '"/"' }, { kind: 'template' }],
    ...told,
  }),
);

test.each([
  ['a value', '{{ .Values.port | trimSuffix "a" }}', ['port'], [{ kind: 'set-value', keys: ['port'], value: '80' }]],
  ['a default', '{{ tpl (default 80 .Values.none) . }}', undefined, undefined],
  ['a value in brackets', '{{ trimSuffix "a" (default 1 .Values.port) }}', ['port'], undefined],
  ['what is made of one', '{{ add .Values.port 1 | trimSuffix "a" }}', undefined, undefined],
  ['a secret', '{{ .Values.password | b64enc }}', ['password'], []],
  ['a map', '{{ .Values.map | b64enc }}', ['map'], []],
])('a number where a string belongs: %s', async (_what, template, keys, remedies) => {
  const found = await valueOf('port: 80\npassword: 12345\nmap: {a: b}\n', template);
  expect(found === undefined ? undefined : found).toEqual(
    keys && expect.objectContaining({ code: 'argument-type', keys, ...(remedies && { remedies }) }),
  );
});
