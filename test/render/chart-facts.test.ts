import { expect, test } from 'vitest';
import { prepareChart, renderRelease } from '../../src/render/release.ts';
import { problemsOf } from '../../src/support/errors.ts';
import { factText } from '../../src/words/fact.ts';
import { remedyText } from '../../src/words/remedy.ts';
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
  ['an if without its end', '{{ if true }}', { code: 'action-not-closed', word: 'if', line: 1 }],
  [
    'a define without its end',
    '{{ define "a" }}\nx\n\n{{ define "b" }}{{ end }}',
    { code: 'action-not-closed', word: 'define', line: 1 },
  ],
  ['an end too many', 'a: 1\n{{ end }}', { code: 'end-without-block', word: 'end' }],
  ['an else too many', 'a: 1\n{{ else }}', { code: 'end-without-block', word: 'else' }],
  [
    'an action without its braces',
    '{{ if true }}\n{{ end\nspec:\n  a: {{ 1 }}',
    { code: 'brace-missing', isWhole: true },
  ],
  ['an action that never ends', 'a: {{ .Values.a', { code: 'brace-missing', isWhole: true }],
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

test.each([
  [
    'an end that is missing',
    '{{ if true }}\na: 1\n',
    { from: 'a: 1', to: 'a: 1{{- end }}', line: 2 },
    'write {{- end }} after line 2, or wherever the block should end',
  ],
  [
    'the end of a define',
    '{{ define "a" }}\nx\n\n{{/* b */}}\n{{ define "b" }}{{ end }}',
    { from: 'x', to: 'x{{- end }}', line: 2 },
    'write {{- end }} after line 2, or wherever the block should end',
  ],
  ['an end too many', 'a: 1\n{{- end }}\n', { from: '{{- end }}', to: '', line: 2 }, 'remove {{- end }}'],
  [
    'no braces',
    '{{ if true }}\n{{ end\nspec:\n  a: {{ 1 }}',
    { from: '{{ end', to: '{{ end }}', line: 2 },
    'write {{ end }} instead of {{ end',
  ],
  [
    'one brace',
    'a: {{ .Values.a }\n',
    { from: '{{ .Values.a }', to: '{{ .Values.a }}', line: 1 },
    'write {{ .Values.a }} instead of {{ .Values.a }',
  ],
  [
    'one brace of an end',
    '{{ if true }}\n{{ end }\n',
    { from: '{{ end }', to: '{{ end }}', line: 2 },
    'write {{ end }} instead of {{ end }',
  ],
  [
    'a colon',
    'spec:\n  ports\n  - name: a\n    port: 1\n',
    { from: 'ports', to: 'ports:', line: 2 },
    'write ports: instead of ports',
  ],
  [
    'a colon before a value',
    'spec:\n  name {{ .Release.Name }}\n  a: b\n',
    { from: 'name {{ .Release.Name }}', to: 'name: {{ .Release.Name }}', line: 2 },
    'write name: {{ .Release.Name }} instead of name {{ .Release.Name }}',
  ],
  [
    'a quote',
    'a: "{{ default "x" .Values.a }}\nb: "c"\n',
    { from: 'a: "{{ default "x" .Values.a }}', to: 'a: "{{ default "x" .Values.a }}"', line: 1 },
    'write " at the end of line 1',
  ],
  ['a quote that nothing closes', 'a: "b\n', { from: 'a: "b', to: 'a: "b"', line: 1 }, 'write " at the end of line 1'],
  ['a single quote', "a: 'b\nc: 'd'\n", { from: "a: 'b", to: "a: 'b'", line: 1 }, "write ' at the end of line 1"],
])('how to mend it: %s', async (_what, template, remedy, words) => {
  const { remedies = [], places } = (await problemIn(template)) ?? {};
  expect(remedies).toEqual([{ kind: 'change-text', file: expect.stringMatching(/a\.yaml$/), ...remedy }]);
  expect(places?.[0]).toMatchObject({ kind: 'template' });
  expect(remedies.map((one) => remedyText(one))).toEqual([words]);
});

test('a line that is no YAML is found beside what differs when it is rendered again', async () => {
  const template = 'a: 1\n---\nb: {{ randAlphaNum 12 }}\nc: {{ randAlphaNum 12 }}\n\td: 1\ne: {{ randAlphaNum 12 }}\n';
  expect(await problemIn(template)).toMatchObject({ places: [{ kind: 'template', line: 5 }] });
});
