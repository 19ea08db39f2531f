import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { templateChart } from '../../src/actions/template.ts';
import { loadChart } from '../../src/chart/load.ts';
import type { Chart } from '../../src/chart/types.ts';
import { prepareChart, renderRelease } from '../../src/render/release.ts';
import { readYamlMap } from '../../src/yaml/index.ts';
import { chartOf } from './chart-text.ts';

const release = { name: 'rel', namespace: 'ns', revision: 1, isInstall: true };

async function render(chart: Chart, values = ''): Promise<string> {
  const userValues = readYamlMap(values);
  return (await renderRelease(prepareChart(chart, userValues), userValues, { release })).manifest;
}

const renderTemplate = async (source: string, values = '', more: Record<string, string> = {}): Promise<string> => {
  const chart = await chartOf({ 'templates/a.hbs': source, ...more });
  return (await render(chart, values)).replace('---\n# Source: web/templates/a.hbs\n', '').replace(/\n$/, '');
};

test('the example chart', async () => {
  const folder = 'fixtures/charts/handlebars-example';
  const expected = await readFile(`${folder}-expected.yaml`, 'utf8');
  const { output } = await templateChart(await loadChart(folder), new Map(), { name: 'rel', namespace: 'ns' });
  expect(output).toBe(expected);
});

test.each<[string, string, string, string]>([
  ['data by dotted path', 'a: {{Values.a.b}} {{Release.Name}} {{Chart.Name}}', 'a: {b: 1}', 'a: 1 rel web'],
  ['nothing for what is missing', 'a: [{{Values.no.such}}]', '', 'a: []'],
  ['text as it is', 'a: {{Values.a}}', "a: '<&>'", 'a: <&>'],
  ['each over a list', 'a:{{#each Values.l}} {{@index}}={{this}}{{/each}}', 'l: [x, z]', 'a: 0=x 1=z'],
  ['first and last', 'a:{{#each Values.l}} {{@first}}-{{@last}}{{/each}}', 'l: [x, z]', 'a: true-false false-true'],
  ['data with the name of a function', 'a: {{#each Values.l}}{{index}}{{/each}}', 'l: [{index: 7}]', 'a: 7'],
  ['each over a map', 'a:{{#each Values.m}} {{@key}}={{this}}{{/each}}', 'm: {k: 1, l: 2}', 'a: k=1 l=2'],
  ['if and else', 'a: {{#if Values.on}}yes{{else}}no{{/if}}', 'on: false', 'a: no'],
  ['functions as helpers', 'a: {{upper (trunc 2 Values.s)}}', 's: abc', 'a: AB'],
  ['functions over maps', 'a: {{toJson (merge (dict "x" 1) Values.m)}}', 'm: {z: 2}', 'a: {"x":1,"z":2}'],
  ["the engine's own lookup", 'a: {{lookup Values.m "k"}}', 'm: {k: v}', 'a: v'],
  ["Helm's lookup", 'a: {{toJson (lookup "v1" "Secret" "ns" "x")}}', '', 'a: {}'],
  ['methods', 'a: {{Capabilities.APIVersions.Has "apps/v1"}} {{Files.Get "f.txt"}}', '', 'a: true file'],
  ['a function of Go', 'a: {{printf "%05d" 42}}', '', 'a: 00042'],
  ['a define of a Go template', 'a: {{include "go" this}}', '', 'a: from rel'],
  ['partials by any of their names', 'a: {{> p}}{{> _p}}{{> _p.hbs}}{{> templates/_p.hbs}}', '', 'a: PPPP'],
])('%s', async (_rule, source, values, expected) => {
  const more = {
    'templates/_p.hbs': 'P',
    'templates/_h.tpl': '{{ define "go" }}from {{ .Release.Name }}{{ end }}',
    'f.txt': 'file',
  };
  expect(await renderTemplate(source, values, more)).toBe(expected);
});

test('a change that a template makes is seen by the next one', async () => {
  const chart = await chartOf({
    'templates/a.yaml': 'a: {{ .Values.m.k }}',
    'templates/b.hbs': 'b: {{toJson (set Values.m "k" "changed")}}',
  });
  expect(await render(chart, 'm: {k: v}')).toContain('a: changed');
});

test.each([
  ['fail', 'a: 1\nb: {{fail "no luck"}}', 'execution error at (web/templates/a.hbs:2:3): no luck'],
  ['required', '\n\n{{required "need it" Values.x}}', 'execution error at (web/templates/a.hbs:3:0): need it'],
  ['a wrong type', 'a: {{upper 1}}', 'execution error at (web/templates/a.hbs:1:3): '],
  ['an unknown helper', 'a: 1\nb: {{nope 1}}', 'template error at (web/templates/a.hbs:2): Missing helper: "nope"'],
  [
    'an unknown partial',
    '\n{{> nope}}',
    'template error at (web/templates/a.hbs:2): The partial nope could not be found',
  ],
  ['syntax', 'a: 1\nb: {{#if x}}', 'template error at (web/templates/a.hbs:2): Parse error on line 2'],
  ['an error in a partial', '{{> bad}}', 'execution error at (web/templates/_bad.hbs:2:0): deep'],
])('%s: the error names file and line', async (_what, source, message) => {
  await expect(renderTemplate(source, '', { 'templates/_bad.hbs': '\n{{fail "deep"}}' })).rejects.toThrow(message);
});

const loop = (inner: string): string => `a: {{#each (until 3000)}}{{#each (until 3000)}}${inner}{{/each}}{{/each}}`;

test.each([
  ['nine million rounds', loop(''), 'template takes too many steps'],
  ['a text of hundreds of megabytes', loop('x'.repeat(200)), 'characters long, the limit is 67108864'],
])('%s are too many', async (_what, source, reason) => {
  await expect(renderTemplate(source)).rejects.toThrow(reason);
});
