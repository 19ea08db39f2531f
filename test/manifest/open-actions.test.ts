import { expect, test } from 'vitest';
import { blockActions, lastLineOf, openActions, strayEnd, unclosedAction } from '../../src/manifest/open-actions.ts';

test.each([
  ['an if', '{{- if .Values.a }}\nkind: A\n', [1]],
  ['of several the innermost first', '{{ if .a }}\n{{- if and .b .c -}}\nkind: A\n', [2, 1]],
  ['none that has ended', '{{ if .a }}\nx: 1\n{{ end }}\nkind: A\n', []],
  ['a range inside that has ended', '{{ if .a }}\n{{ range .b }}{{ end }}\nkind: A\n', [1]],
  ['the end of a with ends no if', '{{ if .a }}{{ with .b }}\n{{ end }}\nkind: A\n', [1]],
  ['behind an else too', '{{ if .a }}\n{{ else }}\nkind: A\n', [1]],
  ['a comment says nothing', '{{/* if .x }}{{ end */}}{{ if .a }}\nkind: A\n', [1]],
])('what is open at the end of a template: %s', (_what, template, lines) => {
  expect(openActions(template).map(({ line }) => line)).toEqual(lines);
});

const lines = (...all: string[]): string => all.join('\n');

test.each([
  ['an end at another depth is not its own', ['{{ if .a }}', '  {{ if .b }}', '  x: 1', '{{ end }}'], 2],
  ['a block inside of a define', ['{{ define "a" }}', '  {{ with .b }}', '  x: 1', 'y: 2', '{{ end }}'], 2],
  [
    'of blocks beside each other the one that the others would be inside of',
    ['{{ if .a }}', '  {{ if .b }}', '  b: 1', '  {{ if .c }}', '  c: 1', '  {{ end }}', '{{ end }}'],
    2,
  ],
  [
    'blocks before it, of the same depth',
    ['{{ if .a }}', '  {{ if .b }}', '  {{ end }}', '  {{ if .c }}', '  c: 1', '{{ end }}'],
    4,
  ],
  ['where no depth says it, the outer one', ['{{ if .a }}', '{{ if .b }}', 'x: 1', '{{ end }}'], 1],
  ['blocks within a line say nothing', ['{{ if .a }}', 'x: {{ if .b }}1{{ else }}2{{ end }}', 'y: 3'], 1],
])('the block whose end is missing: %s', (_what, template, line) =>
  expect(unclosedAction(lines(...template))).toMatchObject({ line }),
);

test('of two blocks without their ends none is chosen', () =>
  expect(unclosedAction('{{ if .a }}\n  {{ if .b }}\n')).toBeUndefined());

test.each([
  ['the last one', ['{{ define "a" }}', '{{ if .a }}', '{{ end }}', '{{ end }}', '{{ end }}', 'x: 1'], 5, 5],
  ['at a depth at which nothing begins', ['{{ if .a }}', '{{ if .b }}', '{{ end }}', '  {{ end }}', '{{ end }}'], 5, 4],
  ['inside of a block', ['{{ if .a }}', '  {{ if .b }}', '  {{ end }}', '  {{ end }}', '{{ end }}'], 5, 4],
])('the end that closes nothing: %s', (_what, template, at, line) =>
  expect(strayEnd(lines(...template), at)).toMatchObject({ line }),
);

test.each([
  ['up to a key of the same depth', ['  {{- with .a }}', '  a:', '    {{- toYaml . | nindent 4 }}', '  b: 1'], 3],
  ['up to a block of the same depth', ['{{- if .a }}', '    - a: 1', '      b: 2', '{{- if .b }}', '{{- end }}'], 3],
  ['up to the end of a block around it', ['  {{- if .a }}', '  a: 1', '', '{{- end }}'], 2],
  ['with blocks inside of it', ['{{ if .a }}', 'a:', '  {{ if .b }}', 'c: 1', '  {{ end }}', '  d: 1', 'e: 1'], 6],
  ['with its else', ['{{ if .a }}', 'a: 1', '{{ else }}', 'a: 2', 'b: 3'], 4],
  ['a list as deep as its key', ['{{ if .a }}', 'a:', '- b', '- c', 'd: 1'], 4],
  ['a text that an action writes', ['  {{ with .a }}', '  {{ toYaml . | nindent 2 }}', 'b: 1'], 2],
  ['a block that begins with a block', ['{{ if .a }}', '{{ range .b }}', '- b', '{{ end }}', '{{ if .c }}'], 4],
  ['a document to its end', ['{{ if .a }}', 'apiVersion: v1', 'kind: A', 'x: 1', ''], 4],
  ['a define without the comment below it', ['{{ define "a" }}', 'b', '', '{{/*', 'the next one', '*/}}'], 2],
  ['variables come before the text', ['{{ if .a }}', '{{ $b := 1 }}', 'a: 1', 'b: 1'], 3],
])('the last line of a block: %s', (_what, template, last) => {
  const text = lines(...template);
  const [block] = blockActions(text);
  expect(block && lastLineOf(text, block)).toBe(last);
});

test('around a document with other blocks of its depth, nothing says which one has no end', () => {
  const text = lines('{{ if .a }}', 'kind: A', '{{ if .b }}', 'b: 1', '{{ end }}');
  expect(lastLineOf(text, blockActions(text)[0] as never)).toBeUndefined();
});
