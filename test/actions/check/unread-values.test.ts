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

test.each([
  [
    'the template',
    '"{{ .Values.web.replicaCont }}"',
    '{web: {replicaCount: 1}}',
    'web.replicaCount',
    'web.replicaCont',
  ],
  ['values.yaml', '"{{ .Values.replicaCount }}"', '{replicasCount: 1}', 'replicasCount', 'replicaCount'],
])('a default that was renamed in %s alone is told with both', async (_where, template, values, keys, meant) => {
  const { findings } = await checkedDefaults(template, values);
  expect(findings).toMatchObject([
    {
      level: 'warning',
      problem: {
        code: 'value-unread',
        places: [
          { kind: 'value', line: 1 },
          { kind: 'template', file: 'web/templates/a.yaml', line: 4 },
        ],
        remedies: [{ kind: 'use-name', name: meant, instead: keys }],
      },
    },
  ]);
});

test.each([
  ['what nothing is like', '"{{ .Values.a }}"', '{unused: 1}'],
  ['what has a default beside it', '"{{ .Values.port }}"', '{ports: [], port: 1}'],
  ['what a comment shows', '"{{ .Values.tag }}"', '# tag: v1\ntags: 1'],
])('a default that nothing reads is no finding: %s', async (_what, template, values) =>
  expect((await checkedDefaults(template, values)).findings).toEqual([]),
);

test('what templates read in place of a renamed default is told once, and as the renaming', async () => {
  const port =
    '{a: b}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  ports:\n  - port: {{ .Values.port }}\n#';
  const { findings } = await checkedDefaults(port, '{porte: 80}');
  const names = findings.flatMap(({ problem }) => problem.remedies.filter(({ kind }) => kind === 'use-name'));
  expect(new Set(names.map((one) => JSON.stringify(one))).size).toBe(1);
});

test('a given value under the name of values.yaml is told once, as the mistake of the chart', async () => {
  const { findings } = await checkedDefaults('"{{ .Values.replicaz }}"', '{replicas: 1}', '{replicas: 3}');
  expect(findings.map(({ problem }) => problem.cause)).toEqual([
    { code: 'value-unread', keys: ['replicas'], meant: ['replicaz'], isDefault: true },
  ]);
});

test('a default that nothing reads is not said to be read', async () => {
  const { findings } = await checkedDefaults('"{{ .Values.count }}"', '{replicas: 1}', '{replicaz: 3}');
  expect(findings.map(({ problem }) => problem.cause)).toEqual([{ code: 'value-unread', keys: ['replicaz'] }]);
});

const checkedDefaults = async (template: string, values: string, given = '{}') =>
  check(await chartOf({ 'templates/a.yaml': map(template), 'values.yaml': values }), readYamlMap(given), {
    name: 'a',
    namespace: 'b',
  });

test('a value that the schema does not allow is shown where it is set, not where the map around it is', async () => {
  const schema = '{"properties": {"web": {"additionalProperties": false, "properties": {"port": {}}}}}';
  const files = { 'values.yaml': 'web: {port: 80}\n', 'values.schema.json': schema };
  const chart = await chartOf({ ...files, 'templates/a.yaml': map('"{{ .Values.web.port }}"') });
  const { findings } = await check(chart, readYamlMap('{web: {port: 1, prt: 2}}'), { name: 'a', namespace: 'b' });
  expect(findings[0]?.problem).toMatchObject({
    code: 'value-misfit',
    places: [{ kind: 'value', keys: ['web', 'prt'], isGiven: true, text: '2' }],
  });
});
