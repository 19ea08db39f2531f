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
