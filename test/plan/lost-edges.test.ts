import { describe, expect, test } from 'vitest';
import type { OrderEvidence } from '../../src/problem/order-fact.ts';
import { factText } from '../../src/words/fact.ts';
import { arranged, batchesText, resource } from './charts.ts';

/** As `helm package` writes it, but for what the test adds behind it. */
const packaged = (
  annotation?: string,
): string => `${annotation === undefined ? '' : `annotations:\n  helm.sh/depends-on/subcharts: '${annotation}'\n`}apiVersion: v2
dependencies:
- name: bar
  repository: ""
  version: 1.x.x
- name: nginx
  repository: ""
  version: 1.x.x
name: foo
version: 1.0.0
`;
const children = Object.fromEntries(
  ['bar', 'nginx'].flatMap((name) => [
    [`charts/${name}/Chart.yaml`, `name: ${name}`],
    [`charts/${name}/templates/a.yaml`, resource(name)],
  ]),
);
const key = 'helm.sh/depends-on/subcharts';
const lostBy = (kind: OrderEvidence['kind'], name: string, none = '{}'): string =>
  `foo/Chart.yaml: ${factText({ code: 'order-lost', chart: 'foo', key, sign: { kind, name }, none })}`;
const undeclaredIn = (chart: string, packagedChart: string): string =>
  `${chart}/Chart.yaml: ${factText({ code: 'order-undeclared', chart, key, packaged: [packagedChart] })}`;
const layered = resource('web', { 'helm.sh/layer': 'a', 'helm.sh/dependson/chart': 'bar' });

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'own resources wait for all subcharts',
    { 'Chart.yaml': packaged('["bar", "nginx"]') },
    [lostBy('annotation', key, '{".":["bar","nginx"]}')],
  ],
  [
    'own resources have layers',
    { 'Chart.yaml': packaged(), 'templates/a.yaml': layered },
    [lostBy('resource', 'ConfigMap/web')],
  ],
  [
    'a subchart has weights',
    { 'Chart.yaml': packaged(), 'charts/bar/templates/a.yaml': resource('bar', { 'helm.sh/weight': '1' }) },
    [lostBy('subchart', 'bar')],
  ],
  ['the map is there', { 'Chart.yaml': packaged('{"bar":["nginx"],".":["bar"]}') }, []],
  ['the map says that there are none', { 'Chart.yaml': packaged('{}'), 'templates/a.yaml': layered }, []],
  ['nothing declares an order', { 'Chart.yaml': packaged() }, [undeclaredIn('foo', 'foo')]],
  [
    'there is one subchart beside a library without resources',
    { 'Chart.yaml': packaged(), 'templates/a.yaml': layered, 'charts/nginx/templates/a.yaml': '' },
    [],
  ],
  [
    'a field that Helm does not know is there',
    {
      'Chart.yaml':
        `${packaged('["bar"]')}runHooksInParallel: "true"\n`.replace(
          'name: foo\nversion: 1.0.0\nrunHooks',
          'name: foo\nrunHooks',
        ) + 'version: 1.0.0\n',
    },
    [],
  ],
  [
    'requirements.yaml of a v1 chart stays as it was',
    {
      'Chart.yaml': `annotations:\n  helm.sh/depends-on/subcharts: '["bar"]'\napiVersion: v1\nname: foo\nversion: 1.0.0\n`,
      'requirements.yaml':
        'dependencies:\n- name: bar\n  repository: ""\n  version: 1.x.x\n- name: nginx\n  repository: ""\n  version: 1.x.x\n',
    },
    [],
  ],
  [
    'an empty field, which Helm leaves out, is there',
    { 'Chart.yaml': packaged('["bar"]').replace('name: foo\n', 'home: ""\nname: foo\n') },
    [],
  ],
  ['somebody wrote Chart.yaml by hand', { 'Chart.yaml': `# foo\n${packaged('["bar"]')}` }, []],
])('%s: a warning only where edges were lost, or may have been', async (_what, files, warnings) => {
  expect((await arranged({ ...children, ...files })).warnings).toEqual(warnings);
});

describe('a list of subcharts without the edges between them', () => {
  const files = { ...children, 'Chart.yaml': packaged('["bar"]') };

  test('is an error: the subcharts that it does not name would start too late', async () => {
    await expect(arranged(files)).rejects.toMatchObject({
      code: 'invalid-ordering',
      message: expect.stringMatching(/^foo\/Chart.yaml: .*'{"\.":\["bar"\]}'.*nginx would start after bar/),
    });
  });

  test('is deployed as it is where that is allowed', async () => {
    const { unit, warnings } = await arranged(files, '{}', { allowLostOrder: true });
    expect({ order: batchesText(unit), warnings }).toEqual({ order: '[bar] [nginx]', warnings: [] });
  });

  test('is right where the map says that there are none', async () => {
    const { unit, warnings } = await arranged({ ...files, 'Chart.yaml': packaged('{".":["bar"]}') });
    expect({ order: batchesText(unit), warnings }).toEqual({ order: '[bar] [nginx]', warnings: [] });
  });
});

describe('a chart inside another one, as `helm dependency build` brings it', () => {
  const inside = Object.fromEntries(
    Object.entries({ ...children, 'Chart.yaml': packaged() }).map(([name, text]) => [`charts/foo/${name}`, text]),
  );
  const around = (dependsOn: string): Readonly<Record<string, string>> => ({
    'Chart.yaml': `name: shop\ndependencies:\n- {name: foo, version: 1.0.0}\n- {name: tail, version: 1.0.0${dependsOn}}\n`,
    'charts/tail/Chart.yaml': 'name: tail',
    'charts/tail/templates/a.yaml': resource('tail'),
    ...inside,
  });

  test('may have lost its order where a chart around it declares one', async () => {
    const { warnings } = await arranged(around(', depends-on: [foo]'));
    expect(warnings).toEqual([lostBy('chart', 'shop').replace('foo/Chart.yaml', 'shop/charts/foo/Chart.yaml')]);
  });

  test('is accepted without a warning where that is allowed', async () => {
    expect((await arranged(around(', depends-on: [foo]'), '{}', { allowLostOrder: true })).warnings).toEqual([]);
  });

  test('may have lost its order where no chart declares one', async () => {
    expect((await arranged(around(''))).warnings).toEqual([undeclaredIn('shop', 'foo')]);
  });
});
