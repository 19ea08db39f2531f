import { describe, expect, test } from 'vitest';
import { prepareChart, renderRelease } from '../../src/render/release.ts';
import { problemsOf } from '../../src/support/errors.ts';
import { chartOf } from './chart-text.ts';

const release = { name: 'rel', namespace: 'ns', revision: 1, isInstall: true };

async function failureOf(values: string, template: string, helpers = '') {
  const files = { 'templates/_helpers.tpl': helpers, 'templates/a.yaml': template, 'values.yaml': values };
  const prepared = prepareChart(await chartOf(files), new Map());
  return renderRelease(prepared, new Map(), { release }).catch((error: unknown) => error);
}

const likelyOf = async (values: string, template: string, helpers = '') =>
  problemsOf(await failureOf(values, template, helpers)).filter(({ certainty }) => certainty === 'likely');

const valuesOf = async (values: string, template: string, helpers = '') =>
  (await likelyOf(values, template, helpers)).map(({ cause, places: [place], remedies }) => ({
    ...cause,
    place,
    remedies,
  }));

/** What is known of the value. */
const knownOf = async (values: string, template: string) =>
  problemsOf(await failureOf(values, template)).filter(({ certainty }) => certainty === 'known');

const valueOf = async (values: string, template: string, helpers = '') =>
  (await valuesOf(values, template, helpers))[0];

describe('required', () => {
  test.each([
    ['its argument', '{{ required "no tag" .Values.image.tag }}', ''],
    ['a pipeline', '{{ .Values.image.tag | required "no tag" }}', ''],
    ['inside with', '{{ with .Values.image }}\n{{ required "no tag" .tag }}\n{{ end }}', ''],
    ['a helper', '{{ include "tag" . }}', '{{ define "tag" }}{{ required "no tag" .Values.image.tag }}{{ end }}'],
    [
      'a helper that is given the value',
      '{{ include "need" (dict "value" .Values.image.tag) }}',
      '{{ define "need" }}{{ required "no tag" .value }}{{ end }}',
    ],
    ['a variable', '{{ $image := .Values.image }}\n{{ required "no tag" $image.tag }}', ''],
  ])('in %s', async (_where, template, helpers) => {
    expect(await valueOf('image:\n  tag: ""\n', template, helpers)).toMatchObject({
      keys: ['image', 'tag'],
      code: 'value-missing',
      place: { file: 'web/values.yaml', line: 2 },
    });
  });

  test('a value that no values.yaml has', async () => {
    expect(await valueOf('image: {}\n', '{{ required "no tag" .Values.image.tag }}')).toMatchObject({
      keys: ['image', 'tag'],
      place: { keys: ['image'], line: 1 },
    });
  });

  test('nothing where no value ends the failure', async () => {
    expect(await valueOf('a: ""\n', '{{ required "never" "" }}')).toBeUndefined();
  });
});

describe('fail', () => {
  const guarded = (condition: string): string =>
    `{{ if ${condition} }}\n{{ fail "they do not go together" }}\n{{ end }}`;

  test('names all values without which it would not', async () => {
    const values = await valuesOf(
      'mode: fast\nother: 1\ndb:\n  enabled: true\n',
      guarded('and (eq .Values.mode "fast") .Values.db.enabled'),
    );
    expect(values).toMatchObject([
      { keys: ['mode'], code: 'value-refused', place: { line: 1 } },
      { keys: ['db', 'enabled'], place: { line: 4 } },
    ]);
  });

  test('a value that is not set', async () => {
    expect(await valueOf('host: ""\n', guarded('not .Values.host'))).toMatchObject({
      keys: ['host'],
      code: 'value-missing',
    });
  });

  test('a value that reaches the condition by a variable', async () => {
    const template = `{{ $kind := lower .Values.kind }}\n${guarded('not (has $kind (list "a" "b"))').replace('"a"', '"cx"')}`;
    expect(await valueOf('other: x\nkind: C\n', template)).toMatchObject({ keys: ['kind'], code: 'value-refused' });
  });

  test('nothing where it fails whatever the values are', async () => {
    expect(await valueOf('mode: fast\n', '{{ fail "never" }}')).toBeUndefined();
  });
});

describe('a value that the message repeats', () => {
  const sizes =
    '{{ define "sizes" }}{{ if not (has .type (list "small" "medium")) }}{{ printf "preset %s is none of small, medium" .type | fail }}{{ end }}{{ end }}';
  const template = '{{ include "sizes" (dict "type" .Values.preset) }}';

  test('is the one at fault, with what was probably meant', async () => {
    const values = await valuesOf('preset: mediun\nother: medium\nkind: preset\n', template, sizes);
    expect(values).toMatchObject([
      { keys: ['preset'], code: 'value-refused', place: { text: '"mediun"' }, remedies: [{ value: 'medium' }] },
    ]);
  });

  test('is not named where no word is near: no other value was seen to be taken', async () => {
    expect(await valueOf('preset: gigantic\n', template, sizes)).toBeUndefined();
  });

  test('is not one whose word stands there for another reason', async () => {
    const value = await valueOf(
      'tone: enabled\nweb: true\n',
      '{{ if .Values.web }}{{ fail "web cannot be enabled" }}{{ end }}',
    );
    expect(value).toMatchObject({ keys: ['web'] });
  });
});

test('a value that only moves the failure elsewhere is not behind it', async () => {
  const template =
    '{{ if not .Values.name }}{{ fail "no name" }}{{ end }}{{ fail (printf "no team for %s" .Values.name) }}';
  expect(await valueOf('name: ""\ngreetings: {}\n', template)).toBeUndefined();
});

test('nothing is known of what `required` and `fail` are about', async () => {
  expect(await knownOf('tag: ""\n', '{{ required "no tag" .Values.tag }}')).toMatchObject([{ code: 'chart-refuses' }]);
});

test.each([
  ['in brackets', '{{ (.Values.limits).cpu }}'],
  ['in a condition, in brackets', '{{ if ($.Values.limits).cpu }}a{{ end }}'],
])('a text where a map belongs is named %s', async (_where, template) => {
  expect(await knownOf('limits: 256Mi\n', template)).toMatchObject([
    {
      cause: { keys: ['limits'], field: 'cpu', code: 'value-not-a-map' },
      places: [{ kind: 'value', text: '"256Mi"' }, { kind: 'template' }],
    },
  ]);
});
