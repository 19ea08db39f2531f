import { describe, expect, test } from 'vitest';
import type { ChartMetadata } from '../../src/chart/types.ts';
import { orderAnnotations, recordedAnnotations } from '../../src/plan/order-annotations.ts';
import { prepareChart } from '../../src/render/release.ts';
import { readYamlMap } from '../../src/yaml/index.ts';
import { chartOf } from './charts.ts';

const key = 'helm.sh/depends-on/subcharts';

describe('the annotations that Chart.yaml needs', () => {
  const edges = (annotation: string | undefined, ...waits: readonly (readonly string[])[]): Partial<ChartMetadata> => ({
    annotations: annotation === undefined ? {} : { [key]: annotation },
    dependencies: waits.map((dependsOn, index) => ({ name: 'abc'[index] as string, dependsOn })),
  });

  test.each<[string, Partial<ChartMetadata>, Readonly<Record<string, string>>]>([
    ['none for a chart without an order', edges(undefined, []), {}],
    ['the map for a field', edges(undefined, [], ['a']), { [key]: '{"b":["a"]}' }],
    [
      'what the own resources wait for goes into the map',
      edges('a, b', [], ['a']),
      { [key]: '{"b":["a"],".":["a","b"]}' },
    ],
    ['none where the map has it already', edges('{"b":["a"]}', [], ['a']), {}],
    ['the map completed', edges('{"b":["a"]}', [], ['a'], ['a', 'b']), { [key]: '{"b":["a"],"c":["a","b"]}' }],
    ['none for a list alone', edges('["a"]', []), {}],
    ['none where the annotation cannot be read', edges('["a"', [], ['a']), {}],
    [
      'the alias, where there is one',
      { dependencies: [{ name: 'a' }, { name: 'b', alias: 'web', dependsOn: ['a'] }] },
      { [key]: '{"web":["a"]}' },
    ],
    ['the mode of hooks', { runHooksInParallel: 'true' }, { 'helm.sh/run-hooks-in-parallel': 'true' }],
    [
      'no mode where it is there',
      { runHooksInParallel: 'true', annotations: { 'helm.sh/run-hooks-in-parallel': 'true' } },
      {},
    ],
  ])('%s', (_what, metadata, expected) => expect(orderAnnotations({ metadata })).toEqual(expected));
});

test('for a record, the edges between what is rendered, by the names that it is rendered under', async () => {
  const chart = await chartOf({
    'Chart.yaml': `name: foo
annotations: {${key}: d}
dependencies:
- {name: a, version: 1.0.0, alias: web}
- {name: b, version: 1.0.0, condition: b.enabled, depends-on: [a]}
- {name: c, version: 1.0.0, depends-on: [b]}
- {name: d, version: 1.0.0}
`,
    ...Object.fromEntries([...'abcd'].map((name) => [`charts/${name}/Chart.yaml`, `name: ${name}`])),
    'values.yaml': 'b: {enabled: false}\n',
  });
  const prepared = prepareChart(chart, readYamlMap('{}'));
  expect(recordedAnnotations(chart, prepared.chart)).toEqual({ [key]: '{"c":["web"],".":["d"]}' });
});

test('for a record, a subchart whose edges all lead to such as are off stays one that the own resources wait for', async () => {
  const chart = await chartOf({
    'Chart.yaml': `name: foo
dependencies:
- {name: a, version: 1.0.0, condition: a.enabled}
- {name: b, version: 1.0.0, depends-on: [a]}
- {name: c, version: 1.0.0}
- {name: d, version: 1.0.0, condition: a.enabled, depends-on: [c]}
- {name: e, version: 1.0.0}
`,
    ...Object.fromEntries([...'abcde'].map((name) => [`charts/${name}/Chart.yaml`, `name: ${name}`])),
    'values.yaml': 'a: {enabled: false}\n',
  });
  const prepared = prepareChart(chart, readYamlMap('{}'));
  expect(recordedAnnotations(chart, prepared.chart)).toEqual({ [key]: '{".":["b","c"]}' });
});
