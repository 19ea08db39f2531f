import { expect, test } from 'vitest';
import { prepareChart, renderRelease } from '../../src/render/release.ts';
import { problemsOf } from '../../src/support/errors.ts';
import { factText } from '../../src/words/fact.ts';
import { chartOf } from './chart-text.ts';

const release = { name: 'rel', namespace: 'ns', revision: 1, isInstall: true };

async function problemIn(template: string) {
  const prepared = prepareChart(await chartOf({ 'templates/a.yaml': template }), new Map());
  const failure = await renderRelease(prepared, new Map(), { release }).catch((error: unknown) => error);
  return problemsOf(failure)[0];
}

async function factOf(template: string) {
  const problem = await problemIn(template);
  return problem && { ...problem.cause, text: factText(problem.cause) };
}

test.each([
  [
    'a field of nothing',
    '{{ $pod := dict "a" nil }}{{ $pod.a.port }}',
    { code: 'owner-null', owner: '$pod.a', field: 'port', text: '$pod.a is null here, so $pod.a.port cannot be read' },
  ],
  ['a field of a text', '{{ $a := "x" }}{{ $a.b }}', { code: 'owner-not-a-map', owner: '$a', field: 'b' }],
  [
    'a loop over a text',
    '{{ $a := "x" }}{{ range $a }}{{ end }}',
    { code: 'range-over-scalar', text: '$a is neither a list nor a map' },
  ],
  [
    'a template that is not defined',
    '{{ include "shop.name" . }}',
    { code: 'template-unknown', text: 'no template of the chart or of its subcharts has {{ define "shop.name" }}' },
  ],
  ['a number for a text', '{{ 3 | trimSuffix "a" }}', { code: 'argument-type', wanted: 'string', got: 'int' }],
  [
    'a function without one of its arguments',
    'data:\n  {{ "a" | nindent }}',
    { code: 'argument-count', name: 'nindent', wanted: 2, given: 1, isLeast: false },
  ],
  ['a function with too many', '{{ lower "a" "b" }}', { code: 'argument-count', wanted: 1, given: 2 }],
  ['a function of any number of arguments', '{{ printf }}', { code: 'argument-count', wanted: 1, isLeast: true }],
  ['an if without its end', '{{ if true }}', { code: 'action-not-closed' }],
  [
    'a template that includes itself',
    '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
    { code: 'include-endless', name: 'a' },
  ],
  ['an action with one brace', '{{ .Values.a }\n', { code: 'brace-missing' }],
  ['a tab in YAML', 'a:\n\tb: 1\n', { code: 'yaml-character' }],
  ['a line that is indented too far', 'a: b\n  c: d\n', { code: 'yaml-indent' }],
  ['a text with a colon and a space', 'a: b: c\n', { code: 'yaml-nested-mapping' }],
  ['a quote that is not closed', 'a: "b\n', { code: 'yaml-quote-open' }],
  ['a bracket that is not closed', 'a: [b\n', { code: 'yaml-bracket-open' }],
  ['a text that begins with an asterisk', 'a: *b\n', { code: 'yaml-anchor-unknown' }],
  ['what a chart refuses', '{{ fail "unexpected EOF" }}', { code: 'chart-refuses', text: 'unexpected EOF' }],
])('%s', async (_what, template, fact) => expect(await factOf(template)).toMatchObject(fact));

test('a line that is no YAML is found beside what differs when it is rendered again', async () => {
  const template = 'a: 1\n---\nb: {{ randAlphaNum 12 }}\nc: {{ randAlphaNum 12 }}\n\td: 1\ne: {{ randAlphaNum 12 }}\n';
  expect(await problemIn(template)).toMatchObject({ places: [{ kind: 'template', line: 5 }] });
});
