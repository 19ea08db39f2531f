import { expect, test } from 'vitest';
import { coalesceValues } from '../../src/chart/coalesce.ts';
import { validateAgainstSchema } from '../../src/chart/schema/validate.ts';
import { valuesSchema } from '../../src/render/values-schema.ts';
import { writeJson } from '../../src/support/exact-json.ts';
import { readYamlMap } from '../../src/yaml/index.ts';
import { chartOf } from './chart-text.ts';

type Files = Readonly<Record<string, string>>;

const schemaOf = async (files: Files) => valuesSchema(await chartOf(files));

/** What is wrong with values by the schema that is written for a chart. */
async function refused(files: Files, given: string): Promise<string> {
  const chart = await chartOf(files);
  const schema = Buffer.from(writeJson(valuesSchema(chart)));
  const values = coalesceValues(chart, readYamlMap(given));
  return validateAgainstSchema(schema, values, { notify: () => {}, download: undefined });
}

const web: Files = {
  'values.yaml': `
replicas: 1
image:
  tag: a
  port: ""
  # pullPolicy: Always
number: "80"
labels: {}
hosts: []
debug: null
secret: {a: 1}
`,
  'templates/a.yaml': `
{{ .Values.replicas }}{{ .Values.image.tag }}{{ .Values.image.port }}{{ toYaml .Values.labels }}{{ .Values.debug }}
{{ range .Values.hosts }}{{ .name }}{{ end }}{{ with .Values.extra }}{{ .size }}{{ end }}
{{ if kindIs "string" .Values.secret }}{{ .Values.secret }}{{ else }}{{ .Values.secret.a }}{{ end }}
`,
};

test.each([
  ['its own values', '{}'],
  ['an empty text as a number', '{image: {port: 80}}'],
  ['a number where the default is a text of digits', '{number: 81}'],
  ['what a comment beside it shows', '{image: {pullPolicy: Never}}'],
  ['a list where the default is an empty map that is passed on', '{labels: [a]}'],
  ['anything of a null', '{debug: [1]}'],
  ['anything in what is passed on as a whole', '{labels: {a: {b: 1}}}'],
  ['what a template asks the type of', '{secret: text}'],
  ['what has no default', '{extra: {size: 1}}'],
  ['globals', '{global: {a: 1}}'],
  ['the condition of a parent chart', '{enabled: false}'],
  ['members of items', '{hosts: [{name: a}]}'],
])('it accepts %s', async (_what, given) => expect(await refused(web, given)).toBe(''));

test.each<[string, Files, string]>([
  ['what the chart sets in items of a list', { 'values.yaml': 'hosts: [{name: a, port: 1}]\n' }, '{}'],
  [
    'an item that a template reads by its name too',
    { 'templates/b.yaml': '{{ .Values.hosts.web.name }}' },
    '{hosts: {web: {tls: 1, name: a}}}',
  ],
  [
    'what the folder ci/ sets',
    { 'values.yaml': 'port: 1\n', 'ci/tls-values.yaml': 'tls: {on: true}\nport: http\n' },
    '{tls: {on: true}, port: http}',
  ],
])('it accepts %s', async (_what, files, given) => {
  const template = '{{ range .Values.hosts }}{{ .name }}{{ .tls }}{{ end }}{{ .Values.port }}';
  expect(await refused({ 'templates/a.yaml': template, ...files }, given)).toBe('');
});

test('it accepts what is given with it, and no more', async () => {
  const chart = await chartOf({ 'values.yaml': 'port: 1\n', 'templates/a.yaml': '{{ .Values.port }}' });
  const schema = valuesSchema(chart, readYamlMap('{extra: {a: 1}}'));
  expect(schema).toMatchObject({ properties: { extra: {} }, additionalProperties: false });
});

test.each([
  ['another name', '{replicaCount: 1}', "'replicaCount' not allowed"],
  ['another name in a map', '{image: {tga: 1}}', "'tga' not allowed"],
  ['another name in an item', '{hosts: [{nmae: a}]}', "'nmae' not allowed"],
  ['another name in what has no default', '{extra: {sise: 1}}', "'sise' not allowed"],
  ['another type', '{replicas: two}', 'want number'],
])('it refuses %s', async (_what, given, words) => expect(await refused(web, given)).toContain(words));

test('values of subcharts stay open', async () => {
  const files = {
    'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
    'charts/db/templates/a.yaml': '{{ .Values.a }}',
    'templates/a.yaml': '{{ .Values.b }}',
  };
  expect(await refused(files, '{db: {c: 1}}')).toBe('');
  expect(await refused(files, '{bd: {c: 1}}')).toContain("'bd' not allowed");
});

test('a schema that the chart has does not count', async () => {
  const files = { ...web, 'values.schema.json': '{"properties": {"other": {}}}' };
  expect(await schemaOf(files)).toEqual(await schemaOf(web));
});

test('the types and texts of comments', async () => {
  const { properties } = await schemaOf({
    'values.yaml': `
# -- (string) Which one
# of them.
# @default -- none
a: null
## @param b [object, nullable] What b is
b: {}
# @schema
# enum: [x, z]
# @schema
# -- One of two
c: x
# @schema minimum:1;maximum:3
d: 2
# e.f -- (tpl/custom) What f is
e: {f: 1}
## @extra g Not set
`,
    'templates/a.yaml': '{{ with .Values }}{{ .a }}{{ .b.x }}{{ .c }}{{ .d }}{{ .e.f }}{{ .g }}{{ end }}',
  });
  expect(properties).toMatchObject({
    a: { description: 'Which one of them.', type: ['string', 'null'] },
    b: { description: 'What b is', type: ['object', 'null'], additionalProperties: false },
    c: { description: 'One of two', type: 'string', enum: ['x', 'z'] },
    d: { type: 'number', minimum: 1, maximum: 3 },
    e: { properties: { f: { description: 'What f is' } } },
    g: { description: 'Not set' },
  });
});
