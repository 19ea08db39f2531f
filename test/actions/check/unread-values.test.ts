import { expect, test } from 'vitest';
import { check } from '../../../src/actions/check.ts';
import { readYamlMap } from '../../../src/yaml/index.ts';
import { chartOf } from '../../render/chart-text.ts';

const map = (data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: ${data}}\n`;

async function checked(template: string, ignore = '') {
  const chart = await chartOf({ 'templates/a.yaml': map(template) });
  return check(chart, readYamlMap('{replicaCont: 3}'), {
    name: 'a',
    namespace: 'b',
    ignore: ignore === '' ? [] : [{ code: ignore, reason: 'known' }],
  });
}

test.each([
  ['of a chart that renders', '"{{ .Values.replicaCount }}"', ['value-unread']],
  [
    'of a chart that does not render, where it may be the cause',
    '{{ required "no" .Values.replicaCount }}',
    ['chart-refuses', 'value-unread'],
  ],
])('a value that nothing reads is a finding %s', async (_which, template, codes) => {
  const { findings } = await checked(template);
  expect(findings.map(({ problem: { code } }) => code)).toEqual(codes);
  expect(findings.at(-1)).toMatchObject({
    level: 'warning',
    problem: {
      cause: { keys: ['replicaCont'], meant: ['replicaCount'] },
      places: [{ kind: 'value', keys: ['replicaCont'], isGiven: true, text: '3' }],
    },
  });
});

test.each(['"{{ .Values.a }}"', '{{ required "no" .Values.a }}'])('it can be ignored: %s', async (template) => {
  const { findings, ignored } = await checked(template, 'value-unread');
  expect(findings.map(({ problem: { code } }) => code)).not.toContain('value-unread');
  expect(ignored.map(({ reason }) => reason)).toEqual(['known']);
});
