import { expect, test } from 'vitest';
import { prepareChart, renderRelease } from '../../src/render/release.ts';
import { problemsOf } from '../../src/support/errors.ts';
import { chartOf } from './chart-text.ts';

const release = { name: 'rel', namespace: 'ns', revision: 1, isInstall: true };

async function failureOf(values: string, template: string, helpers = '') {
  const files = { 'templates/_helpers.tpl': helpers, 'templates/a.yaml': template, 'values.yaml': values };
  const prepared = prepareChart(await chartOf(files), new Map());
  return renderRelease(prepared, new Map(), { release }).catch((error: unknown) => error);
}

test('nothing is known of what `required` and `fail` are about', async () => {
  const failure = await failureOf('tag: ""\n', '{{ required "no tag" .Values.tag }}');
  expect(problemsOf(failure)).toMatchObject([{ code: 'chart-refuses', places: [{ kind: 'template' }] }]);
});

test.each([
  ['in brackets', '{{ (.Values.limits).cpu }}'],
  ['in a condition, in brackets', '{{ if ($.Values.limits).cpu }}a{{ end }}'],
])('a text where a map belongs is named %s', async (_where, template) => {
  expect(problemsOf(await failureOf('limits: 256Mi\n', template))).toMatchObject([
    {
      cause: { keys: ['limits'], field: 'cpu', code: 'value-not-a-map' },
      places: [{ kind: 'value', text: '"256Mi"' }, { kind: 'template' }],
    },
  ]);
});

test('of a function that fails the values are named that it was called with', async () => {
  const failure = await failureOf('kind: [a]\nother: b\n', '{{ if eq .Values.kind "b" .Values.other }}a{{ end }}');
  expect(problemsOf(failure)).toMatchObject([
    {
      code: 'template-failed',
      places: [{ kind: 'template' }, { keys: ['kind'], line: 1 }, { keys: ['other'], line: 2 }],
    },
  ]);
});

test.each([
  ['in place of a list', 'ports: 5\n', 'ports:\n{{ toYaml .Values.ports | indent 2 }}\n\n  - name: api\n', 'ports'],
  ['in place of an object', 'extra: {a: b}\n', '{{ range .Values.extra }}\n---\n{{ . }}\n{{ end }}', 'extra.a'],
])('where a text is no YAML, the value that is printed there: %s', async (_what, values, template, keys) => {
  expect(problemsOf(await failureOf(values, template))).toMatchObject([
    { places: [{ kind: 'template' }, { kind: 'value', keys: keys.split('.'), line: 1 }] },
  ]);
});

test('where a line is known to be at fault, no value is suspected', async () => {
  const failure = await failureOf('name: web\n', 'metadata:\n  labels: {}\n   name: {{ .Values.name }}\n');
  expect(problemsOf(failure)).toMatchObject([{ code: 'yaml-indent', places: [{ kind: 'template', line: 3 }] }]);
});
