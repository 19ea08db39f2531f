import { describe, expect, test } from 'vitest';
import { manifestsOf } from '../../src/plan/arrange.ts';
import { type OrderProblem, placeOf } from '../../src/plan/problems.ts';
import type { Batch } from '../../src/plan/types.ts';
import type { TshelmError } from '../../src/support/errors.ts';
import { fileLineText } from '../../src/support/file-line.ts';
import { arranged, batchesText, resource, resourcesText } from './charts.ts';
import { orderingTables } from './ordering-tables.ts';

const group = 'helm.sh/resource-group';
const afterGroups = 'helm.sh/depends-on/resource-groups';
const layer = 'helm.sh/layer';
const afterLayer = 'helm.sh/dependson/layer';
const afterChart = 'helm.sh/dependson/chart';
const weight = 'helm.sh/weight';
const subchartsKey = 'helm.sh/depends-on/subcharts';
const readinessSuccess = 'helm.sh/readiness-success';
const readinessFailure = 'helm.sh/readiness-failure';

type Files = Readonly<Record<string, string>>;

/** Subcharts that hold one ConfigMap each. */
const subcharts = (...names: readonly string[]): Files =>
  Object.fromEntries(
    names.flatMap((name) => [
      [`charts/${name}/Chart.yaml`, `name: ${name}`],
      [`charts/${name}/templates/${name}.yaml`, resource(name)],
    ]),
  );

const foo = (more: string): string => `name: foo\n${more}`;
const dependencies = (...entries: readonly string[]): string =>
  `dependencies:\n${entries.map((entry) => `  - {version: 1.0.0, ${entry}}\n`).join('')}`;

/** Templates named after their resource: `one({ web: { 'helm.sh/layer': 'a' } })`. */
const templates = (resources: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Files =>
  Object.fromEntries(Object.entries(resources).map(([name, keys]) => [`templates/${name}.yaml`, resource(name, keys)]));

const seed004: Files = {
  'Chart.yaml': foo(
    `annotations:\n  helm.sh/depends-on/subcharts: ["bar", "rabbitmq"]\n${dependencies('name: nginx', 'name: rabbitmq', 'name: bar, depends-on: [nginx, rabbitmq]', 'name: orphaned')}`,
  ),
  'templates/foo.yaml': resource('foo'),
  ...subcharts('nginx', 'rabbitmq', 'bar', 'orphaned'),
};

describe('the tables of the specification', () => {
  test('seed 004: subcharts', async () => {
    expect(batchesText((await arranged(seed004)).unit)).toBe('[nginx, rabbitmq] [bar] [orphaned, foo]');
  });

  test('seed 002, proposal 1: layers and a subchart', async () => {
    const { unit, warnings } = await arranged({
      'Chart.yaml': foo(dependencies('name: x')),
      ...subcharts('x'),
      ...templates({
        foo: { [layer]: 'layer1' },
        bar: { [layer]: 'layer2', [afterLayer]: 'layer1' },
        fizz: { [layer]: 'layer3', [afterLayer]: 'layer1', [afterChart]: 'x' },
      }),
    });
    expect(batchesText(unit)).toBe('[x, layer1] [layer2, layer3]');
    expect(warnings).toEqual([]);
    const layer2 = unit.batches[1]?.nodes[0];
    expect(layer2?.after).toEqual(['group:layer1']);
  });

  test('seed 002, proposal 2: weights, one of them a bare number', async () => {
    const { unit } = await arranged({
      'Chart.yaml': foo(''),
      ...templates({ foo: { [weight]: '-2' }, bar: { [weight]: '-1' }, fizz: { [weight]: 0 } }),
    });
    expect(resourcesText(unit)).toBe('[foo] [bar] [fizz]');
  });

  test('HIP-0025: groups, one of which waits for a group that does not exist', async () => {
    const { unit, warnings } = await arranged({
      'Chart.yaml': foo(''),
      ...templates({
        'db-service': { [group]: 'database' },
        'my-app': { [group]: 'app', [afterGroups]: '["database", "queue"]' },
        'queue-processor': { [group]: 'queue', [afterGroups]: '["another-group"]' },
      }),
    });
    expect(batchesText(unit)).toBe('[database, queue] [app]');
    expect(warnings).toEqual([expect.stringMatching(/^foo\/templates\/queue-processor.yaml:7: .*"another-group"/)]);
  });

  test.each([
    ['a layer that no resource has', afterLayer, 'nothing'],
    ['two layers in one name', afterLayer, 'one two'],
    ['a number', afterLayer, 42],
    ['a boolean', afterLayer, true],
    ['two groups in one name', afterGroups, 'one two'],
    ['a number as a group', afterGroups, 42],
    ['a boolean as a group', afterGroups, true],
  ])('%s to wait for is a mistake', async (_what, key, name) => {
    const files = templates({ web: { [key]: name }, one: { [layer]: 'one' }, two: { [layer]: 'two' } });
    const what = key === afterLayer ? 'layer' : 'resource group';
    const cause = {
      code: 'order-group-unknown',
      what,
      name: String(name),
      resource: 'ConfigMap/web',
      isIgnored: false,
    };
    await expect(arranged({ 'Chart.yaml': foo(''), ...files })).rejects.toMatchObject({
      code: 'invalid-ordering',
      problems: [{ cause, places: [{ file: 'foo/templates/web.yaml', line: expect.any(Number) }] }],
    });
  });

  test('a number and a blank in a name are right where a group is called so', async () => {
    const files = templates({
      web: { [afterLayer]: 42 },
      one: { [layer]: 42 },
      two: { [group]: 'a b' },
      three: { [afterGroups]: 'a b' },
    });
    const { unit, warnings } = await arranged({ 'Chart.yaml': foo(''), ...files });
    expect({ order: resourcesText(unit), warnings }).toEqual({ order: '[one, two] [three, web]', warnings: [] });
  });

  /** Without the metadata that a chart of these tests gets anyway. */
  const bareCharts = (files: Files): Files =>
    Object.fromEntries(
      Object.entries(files).map(([file, text]) => [
        file,
        file.endsWith('Chart.yaml') ? text.replaceAll(/^(?:apiVersion|version): .*\n/gm, '') : text,
      ]),
    );
  const workload = (name: string, annotations = ''): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, annotations: {${annotations}}}\n`;

  test.each(orderingTables(workload))('$title, as it is tested on clusters', async ({ files, batches }) => {
    const { unit } = await arranged({ 'Chart.yaml': foo(''), ...bareCharts(files) });
    const namesOf = ({ nodes }: Batch): readonly string[] =>
      manifestsOf({ name: '', batches: [{ nodes, wait: true }] })
        .map(({ object }) => object.metadata.name)
        .sort();
    expect(unit.batches.map(namesOf)).toEqual(batches);
  });
});

describe('what waits for what', () => {
  test.each<[string, Files, string]>([
    ['a chart without declarations is one batch', { ...subcharts('a', 'b'), ...templates({ own: {} }) }, '[a, b, foo]'],
    [
      'resources without a key come last',
      { ...templates({ a: { [group]: 'g' }, b: { [group]: 'h', [afterGroups]: 'g' }, c: {} }) },
      '[g] [h] [foo]',
    ],
    [
      'a resource may wait without being in a group',
      { ...templates({ a: { [group]: 'g' }, b: { [afterGroups]: 'g' } }) },
      '[g] [ConfigMap/b]',
    ],
    [
      'a group waits for what any of its resources names',
      { ...templates({ a: { [group]: 'g' }, b: { [group]: 'h' }, c: { [group]: 'h', [afterGroups]: 'g' } }) },
      '[g] [h]',
    ],
    [
      'a layer is a group: either may wait for the other',
      {
        ...templates({
          a: { [layer]: 'l' },
          b: { [group]: 'g', [afterGroups]: 'l' },
          c: { [layer]: 'm', [afterLayer]: 'g' },
        }),
      },
      '[l] [g] [m]',
    ],
    [
      'weights come after the groups',
      { ...templates({ a: { [group]: 'g' }, b: { [afterGroups]: 'g' }, c: { [weight]: -5 }, d: { [weight]: 5 } }) },
      '[g] [ConfigMap/b] [weight -5] [weight 5]',
    ],
    [
      'where there are weights, a resource without one has weight 0',
      { ...templates({ a: { [weight]: -1 }, b: {}, c: { [weight]: '+5' } }) },
      '[weight -1] [weight 0] [weight 5]',
    ],
    [
      'a group of a subchart is none of its parent',
      {
        ...subcharts('a'),
        'charts/a/templates/g.yaml': resource('g', { [group]: 'g' }),
        'charts/a/templates/h.yaml': resource('h', { [afterGroups]: 'g' }),
        ...templates({ own: { [group]: 'other' } }),
      },
      '[a{[g] [ConfigMap/h] [a]}, foo]',
    ],
  ])('%s', async (_rule, files, expected) => {
    expect(batchesText((await arranged({ 'Chart.yaml': foo(''), ...files })).unit)).toBe(expected);
  });

  test.each<[string, readonly string[], string]>([
    ['a name is enough', ['name: a', 'name: b, depends-on: [a]'], '[a] [b] [foo]'],
    ['a list of one may be a word', ['name: a', 'name: b, depends-on: a'], '[a] [b] [foo]'],
    ['a list may be a text', ['name: a', 'name: b', 'name: c, depends-on: "a, b"'], '[a, b] [c] [foo]'],
    ['an alias is a name', ['name: a, alias: first', 'name: b, depends-on: [first]'], '[first] [b] [foo]'],
    ['the name behind an alias counts too', ['name: a, alias: first', 'name: b, depends-on: [a]'], '[first] [b] [foo]'],
    [
      'a name means each of its aliases',
      ['name: a, alias: one', 'name: a, alias: two', 'name: b, depends-on: [a]'],
      '[one, two] [b] [foo]',
    ],
    [
      'a subchart that is switched off is no node',
      ['name: a, condition: off', 'name: b, depends-on: [a]', 'name: c, depends-on: [b]'],
      '[b] [c] [foo]',
    ],
    ['an orphan starts with the own resources', ['name: a', 'name: b, depends-on: [a]', 'name: c'], '[a] [b] [c, foo]'],
  ])('subcharts: %s', async (_rule, entries, expected) => {
    const files = {
      'Chart.yaml': foo(dependencies(...entries)),
      ...subcharts('a', 'b', 'c'),
      ...templates({ own: {} }),
    };
    const missing = ['a', 'b', 'c'].filter((name) => !entries.some((entry) => entry.startsWith(`name: ${name}`)));
    const present = Object.entries(files).filter(
      ([path]) => !missing.some((name) => path.startsWith(`charts/${name}/`)),
    );
    expect(batchesText((await arranged(Object.fromEntries(present), 'off: false')).unit)).toBe(expected);
  });

  test.each([
    ['a JSON text', '\'["a", "b"]\''],
    ['a comma list', '"a, b"'],
    ['a YAML list', '[a, b]'],
  ])('the own resources wait for subcharts named by %s', async (_form, list) => {
    const { unit } = await arranged({
      'Chart.yaml': foo(`annotations: {helm.sh/depends-on/subcharts: ${list}}\n${dependencies('name: a', 'name: b')}`),
      ...subcharts('a', 'b'),
      ...templates({ own: {} }),
    });
    expect(batchesText(unit)).toBe('[a, b] [foo]');
  });

  test('subcharts of subcharts have their own order, to any depth', async () => {
    const { unit } = await arranged({
      'Chart.yaml': foo(dependencies('name: a', 'name: b, depends-on: [a]')),
      'charts/a/Chart.yaml': `name: a\n${dependencies('name: inner', 'name: outer, depends-on: [inner]')}`,
      'charts/a/templates/a.yaml': resource('a'),
      'charts/a/charts/inner/Chart.yaml': 'name: inner',
      'charts/a/charts/inner/templates/low.yaml': resource('low', { [weight]: 1 }),
      'charts/a/charts/inner/templates/high.yaml': resource('high', { [weight]: 2 }),
      'charts/a/charts/outer/Chart.yaml': 'name: outer',
      'charts/b/Chart.yaml': 'name: b',
      'charts/b/templates/b.yaml': resource('b'),
      'templates/own.yaml': resource('own'),
    });
    expect(batchesText(unit)).toBe('[a{[inner{[weight 1] [weight 2]}] [outer] [a]}] [b] [foo]');
  });

  test('each node says why it stands where it stands', async () => {
    const { unit } = await arranged(seed004);
    const nodes = unit.batches.flatMap((batch) => batch.nodes);
    expect(nodes.map(({ because }) => because)).toEqual([
      [],
      [],
      ['nginx (Chart.yaml depends-on)', 'rabbitmq (Chart.yaml depends-on)'],
      ['bar (Chart.yaml helm.sh/depends-on/subcharts)'],
      ['bar (Chart.yaml helm.sh/depends-on/subcharts)'],
    ]);
  });
});

describe('the map of helm.sh/depends-on/subcharts', () => {
  const abc = (text: string, ...entries: readonly string[]): Files => ({
    'Chart.yaml': foo(`annotations:\n  ${subchartsKey}: '${text}'\n${dependencies(...entries)}`),
    ...subcharts('nginx', 'rabbitmq', 'bar'),
    'templates/foo.yaml': resource('foo'),
  });

  test.each<[string, Files, string]>([
    [
      'says the same as the fields',
      abc('{"bar": ["nginx", "rabbitmq"], ".": ["bar"]}', 'name: nginx', 'name: rabbitmq', 'name: bar'),
      '[nginx, rabbitmq] [bar] [foo]',
    ],
    [
      'and fields add up',
      abc('{"bar": "nginx"}', 'name: nginx, depends-on: [rabbitmq]', 'name: rabbitmq', 'name: bar'),
      '[rabbitmq] [nginx] [bar] [foo]',
    ],
    [
      'takes aliases',
      abc('{"bar": ["web"]}', 'name: nginx, alias: web', 'name: rabbitmq', 'name: bar'),
      '[web] [bar] [rabbitmq, foo]',
    ],
    ['may be empty', abc('{}', 'name: nginx', 'name: rabbitmq', 'name: bar'), '[bar, nginx, rabbitmq, foo]'],
  ])('%s', async (_what, files, expected) => expect(batchesText((await arranged(files)).unit)).toBe(expected));

  test('an edge that field and map both declare is one, told by the field', async () => {
    const { unit } = await arranged(
      abc('{"bar": ["nginx"]}', 'name: nginx', 'name: rabbitmq', 'name: bar, depends-on: [nginx]'),
    );
    const bar = unit.batches[1]?.nodes[0];
    expect([bar?.after, bar?.because]).toEqual([['chart:nginx'], ['nginx (Chart.yaml depends-on)']]);
  });
});

describe('a subchart that is switched off passes its edges on', () => {
  const off = (...entries: readonly string[]): Files => ({
    'Chart.yaml': foo(dependencies(...entries)),
    'values.yaml': 'b: {enabled: false}\nc: {enabled: false}\n',
    ...subcharts('a', 'b', 'c', 'd'),
    'templates/foo.yaml': resource('foo'),
  });
  const chain = off(
    'name: a',
    'name: b, condition: b.enabled, depends-on: [a]',
    'name: c, condition: c.enabled, depends-on: [b]',
    'name: d, depends-on: [c]',
  );

  test.each<[string, Files, string]>([
    [
      'to who waited for it',
      off('name: a', 'name: b, condition: b.enabled, depends-on: [a]', 'name: c', 'name: d, depends-on: [b]'),
      '[a] [d] [c, foo]',
    ],
    ['through several', chain, '[a] [d] [foo]'],
    [
      "to the chart's own resources",
      {
        ...off('name: a', 'name: b, condition: b.enabled, depends-on: [a]'),
        'Chart.yaml': foo(
          `annotations: {${subchartsKey}: b}\n${dependencies('name: a', 'name: b, condition: b.enabled, depends-on: [a]')}`,
        ),
        ...subcharts('a', 'b'),
      },
      '[a] [c, d, foo]',
    ],
    [
      'to groups',
      {
        ...off('name: a', 'name: b, condition: b.enabled, depends-on: [a]', 'name: c, condition: c.enabled'),
        ...templates({ web: { [layer]: 'l', [afterChart]: 'b' } }),
      },
      '[a] [d, l] [foo]',
    ],
    [
      'in a circle of such, to nobody',
      off(
        'name: a',
        'name: b, condition: b.enabled, depends-on: [c]',
        'name: c, condition: c.enabled, depends-on: [b]',
        'name: d, depends-on: [b]',
      ),
      '[d] [a, foo]',
    ],
  ])('%s', async (_what, files, expected) => expect(batchesText((await arranged(files)).unit)).toBe(expected));

  test('and the plan says so', async () => {
    const { unit } = await arranged(chain);
    expect(unit.batches[1]?.nodes[0]?.because).toEqual(['a, through c and b, which are off (Chart.yaml depends-on)']);
  });
});

/** `at` is FILE:LINE. */
const wait = (from: string, to: string, key: string, at: string, more: object = {}): object => {
  const [file, line] = at.split(':');
  return { from, to, through: [], key, file, line: Number(line), ...more };
};

describe('mistakes', () => {
  const failure = async (files: Files): Promise<TshelmError> => {
    try {
      await arranged(files);
    } catch (error) {
      return error as TshelmError;
    }
    throw new Error('no mistake was found');
  };

  test.each<[string, Files, string, object]>([
    [
      'subcharts in a circle',
      {
        'Chart.yaml': foo(
          'dependencies:\n- name: c\n  version: 1.0.0\n  depends-on: [b]\n- name: a\n  version: 1.0.0\n  depends-on: [c]\n- name: b\n  version: 1.0.0\n  depends-on:\n  - a\n',
        ),
        ...subcharts('a', 'b', 'c'),
      },
      'foo/Chart.yaml',
      {
        code: 'order-cycle',
        of: 'subcharts',
        waits: [
          wait('a', 'c', 'Chart.yaml depends-on', 'foo/Chart.yaml:8'),
          wait('c', 'b', 'Chart.yaml depends-on', 'foo/Chart.yaml:5'),
          wait('b', 'a', 'Chart.yaml depends-on', 'foo/Chart.yaml:11'),
        ],
      },
    ],
    [
      'subcharts in a circle, in one line',
      {
        'Chart.yaml': foo('dependencies: [{name: a, depends-on: [b]}, {name: b, depends-on: [a]}]\n'),
        ...subcharts('a', 'b'),
      },
      'foo/Chart.yaml',
      {
        code: 'order-cycle',
        of: 'subcharts',
        waits: [
          wait('a', 'b', 'Chart.yaml depends-on', 'foo/Chart.yaml:2'),
          wait('b', 'a', 'Chart.yaml depends-on', 'foo/Chart.yaml:2'),
        ],
      },
    ],
    [
      'subcharts in a circle, in a list of several lines',
      {
        'Chart.yaml': foo(
          'dependencies: [\n  {name: a, depends-on: [b]},\n  {name: c},\n  {name: b, depends-on: [a]},\n]\n',
        ),
        ...subcharts('a', 'b', 'c'),
      },
      'foo/Chart.yaml',
      {
        code: 'order-cycle',
        of: 'subcharts',
        waits: [
          wait('a', 'b', 'Chart.yaml depends-on', 'foo/Chart.yaml:3'),
          wait('b', 'a', 'Chart.yaml depends-on', 'foo/Chart.yaml:5'),
        ],
      },
    ],
    [
      'groups in a circle, each written in one line of the same file',
      {
        'templates/both.yaml': [
          'a, helm.sh/layer: p, helm.sh/dependson/layer: q',
          'b, helm.sh/layer: q, helm.sh/dependson/layer: p',
        ]
          .map(
            (text) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${text.replace(', ', ', annotations: {')}}}\n`,
          )
          .join('---\n'),
      },
      'foo/templates/both.yaml',
      {
        code: 'order-cycle',
        of: 'resource groups',
        waits: [
          wait('p', 'q', 'helm.sh/dependson/layer', 'foo/templates/both.yaml:3', { resource: 'ConfigMap/a' }),
          wait('q', 'p', 'helm.sh/dependson/layer', 'foo/templates/both.yaml:7', { resource: 'ConfigMap/b' }),
        ],
      },
    ],
    [
      'a list that is cut off, with the key as the template has it',
      templates({ web: { [afterGroups]: '["db"' } }),
      'foo/templates/web.yaml:6',
      {
        code: 'order-names-malformed',
        resource: 'ConfigMap/web',
        key: 'helm.sh/depends-on/resource-groups',
        mistake: { text: '["db"', why: 'not-json' },
      },
    ],
    [
      'depends-on that is a nested list',
      {
        'Chart.yaml': foo(dependencies('name: redis', 'name: web, depends-on: [[redis]]')),
        ...subcharts('redis', 'web'),
      },
      'foo/Chart.yaml:4',
      {
        code: 'order-names-malformed',
        key: 'depends-on',
        subchart: 'web',
        mistake: { text: '[["redis"]]', why: 'not-a-name' },
      },
    ],
    [
      'depends-on with a name that is nearly that of the subchart itself',
      {
        'Chart.yaml': foo(dependencies('name: redis', 'name: web, depends-on: [we]')),
        ...subcharts('redis', 'web'),
      },
      'foo/Chart.yaml:4',
      { code: 'order-subchart-unknown', key: 'depends-on', subchart: 'web', name: 'we', known: ['redis'], meant: [] },
    ],
    [
      'a subchart that waits for itself',
      { 'Chart.yaml': foo(dependencies('name: a, depends-on: [a]')), ...subcharts('a') },
      'foo/Chart.yaml',
      {
        code: 'order-cycle',
        of: 'subcharts',
        waits: [wait('a', 'a', 'Chart.yaml depends-on', 'foo/Chart.yaml:3')],
      },
    ],
    [
      'groups in a circle',
      templates({ two: { [group]: 'b', [afterGroups]: 'a' }, one: { [group]: 'a', [afterLayer]: 'b' } }),
      'foo/templates/one.yaml',
      {
        code: 'order-cycle',
        of: 'resource groups',
        waits: [
          wait('a', 'b', 'helm.sh/dependson/layer', 'foo/templates/one.yaml:7', { resource: 'ConfigMap/one' }),
          wait('b', 'a', 'helm.sh/depends-on/resource-groups', 'foo/templates/two.yaml:7', {
            resource: 'ConfigMap/two',
          }),
        ],
      },
    ],
    [
      'depends-on with a name that is none',
      {
        'Chart.yaml': foo(dependencies('name: redis', 'name: web, depends-on: [rediss]')),
        ...subcharts('redis', 'web'),
      },
      'foo/Chart.yaml:4',
      { code: 'order-subchart-unknown', key: 'depends-on', subchart: 'web', name: 'rediss', meant: ['redis'] },
    ],
    [
      "the chart's own annotation with a name that is none",
      { 'Chart.yaml': foo('annotations:\n  helm.sh/depends-on/subcharts: gone\n') },
      'foo/Chart.yaml:3',
      { code: 'order-subchart-unknown', key: 'helm.sh/depends-on/subcharts', name: 'gone', known: [], meant: [] },
    ],
    [
      'dependson/chart with a name that is none',
      { ...templates({ web: { [layer]: 'l', [afterChart]: 'cache' } }), ...subcharts('redis') },
      'foo/templates/web.yaml:7',
      {
        code: 'order-subchart-unknown',
        key: 'dependson.helm.sh/chart',
        resource: 'ConfigMap/web',
        name: 'cache',
        known: ['redis'],
        meant: [],
      },
    ],
    [
      'a weight that is no whole number',
      templates({ web: { [weight]: '1.5' } }),
      'foo/templates/web.yaml:6',
      { code: 'order-weight-invalid', weight: '1.5', isTooLarge: false },
    ],
    [
      'a weight beside a layer',
      templates({ web: { [weight]: 1, [layer]: 'l' } }),
      'foo/templates/web.yaml:6',
      { code: 'order-weight-in-group', resource: 'ConfigMap/web' },
    ],
    [
      'a group beside a layer',
      templates({ web: { [group]: 'g', [layer]: 'l' } }),
      'foo/templates/web.yaml:6',
      { code: 'order-group-twice', resource: 'ConfigMap/web', groups: ['g', 'l'] },
    ],
    [
      'two groups in one annotation',
      templates({ web: { [group]: 'g, h' } }),
      'foo/templates/web.yaml:6',
      { code: 'order-group-twice', resource: 'ConfigMap/web', groups: ['g', 'h'] },
    ],
    [
      'a mistake in one of several documents that look alike',
      {
        'templates/all.yaml': ['{{ .Release.Name }}-a', '"{{ .Release.Name }}-b"', 'c']
          .map((name, index) => resource(name, { [layer]: 'l', ...(index === 1 && { [group]: 'g' }) }))
          .join('---\n'),
      },
      'foo/templates/all.yaml:14',
      { code: 'order-group-twice', resource: 'ConfigMap/rel-b', groups: ['g', 'l'] },
    ],
    [
      'a weight that no number holds exactly',
      templates({ web: { [weight]: '9007199254740993' } }),
      'foo/templates/web.yaml:6',
      { code: 'order-weight-invalid', weight: '9007199254740993', isTooLarge: true },
    ],
    [
      'a readiness that cannot be read',
      templates({ web: { [readinessSuccess]: '["{.phase} === Ready"]', [readinessFailure]: '[]' } }),
      'foo/templates/web.yaml:6',
      {
        code: 'order-readiness-invalid',
        resource: 'ConfigMap/web',
        key: 'helm.sh/readiness-success',
        words: expect.anything(),
      },
    ],
    [
      'a readiness that never comes',
      templates({ web: { [readinessSuccess]: '[]', [readinessFailure]: '[]' } }),
      'foo/templates/web.yaml:6',
      {
        code: 'order-readiness-invalid',
        resource: 'ConfigMap/web',
        key: 'helm.sh/readiness-success',
      },
    ],
    ...(
      [
        ['["db"', 'not-json'],
        ['[a, b]', 'not-json'],
        ['{"a":1}', 'not-a-list'],
      ] as const
    ).flatMap(([text, why]): [string, Files, string, object][] =>
      [group, afterGroups, layer, afterLayer, afterChart].map((key) => [
        `${text} under ${key}`,
        templates({ web: { [key]: text } }),
        'foo/templates/web.yaml:6',
        { code: 'order-names-malformed', resource: 'ConfigMap/web', key, mistake: { text, why } },
      ]),
    ),
    [
      'a nested list of groups',
      templates({ web: { [afterGroups]: [['a'], 'b'] } }),
      'foo/templates/web.yaml:6',
      {
        code: 'order-names-malformed',
        resource: 'ConfigMap/web',
        key: 'helm.sh/depends-on/resource-groups',
        mistake: { text: '[["a"],"b"]', why: 'not-a-name' },
      },
    ],
    [
      'the map of subcharts with what is no list',
      {
        'Chart.yaml': foo(`annotations:\n  ${subchartsKey}: '{"a": {"b": 1}}'\n${dependencies('name: a', 'name: b')}`),
        ...subcharts('a', 'b'),
      },
      'foo/Chart.yaml:3',
      {
        code: 'order-names-malformed',
        key: 'helm.sh/depends-on/subcharts',
        subchart: 'a',
        mistake: { text: '{"b":1}', why: 'map' },
      },
    ],
    [
      'the map of subcharts that is cut off',
      { 'Chart.yaml': foo(`annotations:\n  ${subchartsKey}: '{"a": ["b"'\n`) },
      'foo/Chart.yaml:3',
      {
        code: 'order-names-malformed',
        key: 'helm.sh/depends-on/subcharts',
        mistake: { text: '{"a": ["b"', why: 'not-json' },
      },
    ],
    [
      'the map of subcharts with names that are none',
      {
        'Chart.yaml': foo(
          `annotations:\n  ${subchartsKey}: '{"nignx": ["b"]}'\n${dependencies('name: nginx', 'name: b')}`,
        ),
        ...subcharts('nginx', 'b'),
      },
      'foo/Chart.yaml:3',
      { code: 'order-subchart-unknown', key: 'helm.sh/depends-on/subcharts', name: 'nignx', meant: ['nginx'] },
    ],
    [
      'a circle of the field and the map',
      {
        'Chart.yaml': foo(
          `annotations:\n  ${subchartsKey}: '{"a": ["b"]}'\n${dependencies('name: a', 'name: b, depends-on: [a]')}`,
        ),
        ...subcharts('a', 'b'),
      },
      'foo/Chart.yaml',
      {
        code: 'order-cycle',
        of: 'subcharts',
        waits: [
          wait('a', 'b', 'Chart.yaml helm.sh/depends-on/subcharts', 'foo/Chart.yaml:3'),
          wait('b', 'a', 'Chart.yaml depends-on', 'foo/Chart.yaml:6'),
        ],
      },
    ],
    [
      'a circle through a subchart that is off',
      {
        'Chart.yaml': foo(dependencies('name: a, depends-on: [b]', 'name: b, condition: b.enabled, depends-on: [a]')),
        'values.yaml': 'b: {enabled: false}\n',
        ...subcharts('a', 'b'),
      },
      'foo/Chart.yaml',
      {
        code: 'order-cycle',
        of: 'subcharts',
        waits: [wait('a', 'a', 'Chart.yaml depends-on', 'foo/Chart.yaml:3', { through: ['b'] })],
      },
    ],
    [
      'depends-on that is no list of names',
      {
        'Chart.yaml': foo(dependencies('name: redis', 'name: web, depends-on: {redis: 1}')),
        ...subcharts('redis', 'web'),
      },
      'foo/Chart.yaml:4',
      {
        code: 'order-names-malformed',
        key: 'depends-on',
        subchart: 'web',
        mistake: { text: '{"redis":1}', why: 'not-a-list' },
      },
    ],
  ])('%s', async (_mistake, files, at, mistake) => {
    const { code, problems } = await failure({ 'Chart.yaml': foo(''), ...files });
    expect(problems).toEqual([expect.objectContaining({ cause: expect.objectContaining(mistake) })]);
    expect(problems.map((problem) => fileLineText(placeOf(problem as OrderProblem)))).toEqual([at]);
    expect(code).toBe(problems[0]?.code === 'order-cycle' ? 'dependency-cycle' : 'invalid-ordering');
  });

  test("everything that is wrong is told together, subcharts' mistakes too", async () => {
    const error = await failure({
      'Chart.yaml': foo(dependencies('name: a, depends-on: [b]', 'name: b, depends-on: [a, nobody]')),
      ...subcharts('a', 'b'),
      'charts/a/templates/a.yaml': resource('a', { [weight]: 'heavy' }),
      ...templates({ web: { [weight]: 1, [group]: 'g' } }),
    });
    expect(error).toMatchObject({ code: 'dependency-cycle', details: { cycle: ['a', 'b'] } });
    expect(error.problems.map(({ code, subject }) => [code, subject])).toEqual([
      ['order-cycle', { kind: 'file', file: 'foo/Chart.yaml' }],
      ['order-subchart-unknown', { kind: 'file', file: 'foo/Chart.yaml' }],
      ['order-weight-invalid', { kind: 'file', file: 'foo/charts/a/templates/a.yaml' }],
      ['order-weight-in-group', { kind: 'file', file: 'foo/templates/web.yaml' }],
    ]);
  });

  test('a group that waits for nobody and that nobody waits for joins the rest, with a warning', async () => {
    const { unit, warnings } = await arranged({
      'Chart.yaml': foo(''),
      ...templates({ a: { [group]: 'alone' }, b: {} }),
    });
    expect(resourcesText(unit)).toBe('[a, b]');
    expect(warnings).toEqual([expect.stringMatching(/^foo\/templates\/a.yaml:6: .*"alone"/)]);
  });
});
