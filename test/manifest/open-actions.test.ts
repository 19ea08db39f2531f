import { expect, test } from 'vitest';
import { openActions } from '../../src/manifest/open-actions.ts';

test.each([
  ['the if around it', '{{- if .Values.a }}\nkind: A\n', 2, ['1 .Values.a']],
  ['of several the innermost first', '{{ if .a }}\n{{- if and .b .c -}}\nkind: A\n', 3, ['2 and .b .c', '1 .a']],
  ['none that has ended', '{{ if .a }}\nx: 1\n{{ end }}\nkind: A\n', 4, []],
  ['a range inside that has ended', '{{ if .a }}\n{{ range .b }}{{ end }}\nkind: A\n', 3, ['1 .a']],
  ['the end of a with ends no if', '{{ if .a }}{{ with .b }}\n{{ end }}\nkind: A\n', 3, ['1 .a']],
  ['behind an else too', '{{ if .a }}\n{{ else }}\nkind: A\n', 3, ['1 .a']],
  ['a comment says nothing', '{{/* if .x }}{{ end */}}{{ if .a }}\nkind: A\n', 2, ['1 .a']],
])('what is open around a line: %s', (_what, template, line, guards) => {
  expect(openActions(template, line - 1).map((one) => `${one.line} ${one.condition}`)).toEqual(guards);
});
