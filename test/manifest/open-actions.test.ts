import { expect, test } from 'vitest';
import { openActions } from '../../src/manifest/open-actions.ts';

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
