import { expect, test } from 'vitest';
import { documentLine } from '../../src/manifest/document-line.ts';

const service = (name: string): string => `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\nspec: {}\n`;

test.each([
  ['one document', service('web'), 'web', 1],
  ['the second of two', `${service('db')}---\n${service('web')}`, 'web', 7],
  ['one whose name a template makes', service('{{ include "shop.fullname" . }}'), 'my-shop', 1],
  [
    'the one that fits best, where templates make both names',
    `${service('{{ include "shop.fullname" . }}')}---\n${service('{{ include "shop.fullname" . }}-metrics')}`,
    'my-shop-metrics',
    7,
  ],
  ['none, where both fit alike', `${service('{{ .a }}')}---\n${service('{{ .b }}')}`, 'web', undefined],
  ['none of that kind', 'kind: ConfigMap\n', 'web', undefined],
  ['a kind that a template makes', 'kind: {{ .Values.kind }}\n', 'web', undefined],
  ['metadata in one line', 'kind: Service # of the shop\nmetadata: {labels: {}, name: web}\n', 'web', 1],
])('the line of an object: %s', (_what, template, name, line) =>
  expect(documentLine(template, { kind: 'Service', name })).toBe(line),
);
