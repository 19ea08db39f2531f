import { expect, test } from 'vitest';
import { arranged, resource } from './charts.ts';

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
const lostBy = (sign: string): string =>
  `foo/Chart.yaml: Chart.yaml of foo looks as if Helm had packaged the chart, which drops any depends-on; ${sign} declares an order, so the subcharts may have had one too; package the chart with tshelm, or write the order of its subcharts into helm.sh/depends-on/subcharts ('{}' if there is none)`;
const layered = resource('web', { 'helm.sh/layer': 'a', 'helm.sh/dependson/chart': 'bar' });

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'own resources wait for subcharts',
    { 'Chart.yaml': packaged('["bar"]') },
    [lostBy('its helm.sh/depends-on/subcharts')],
  ],
  ['own resources have layers', { 'Chart.yaml': packaged(), 'templates/a.yaml': layered }, [lostBy('ConfigMap/web')]],
  [
    'a subchart has weights',
    { 'Chart.yaml': packaged(), 'charts/bar/templates/a.yaml': resource('bar', { 'helm.sh/weight': '1' }) },
    [lostBy('subchart bar')],
  ],
  ['the map is there', { 'Chart.yaml': packaged('{"bar":["nginx"],".":["bar"]}') }, []],
  ['the map says that there are none', { 'Chart.yaml': packaged('{}'), 'templates/a.yaml': layered }, []],
  ['nothing declares an order', { 'Chart.yaml': packaged() }, []],
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
])('%s: a warning only where edges were evidently lost', async (_what, files, warnings) => {
  expect((await arranged({ ...children, ...files })).warnings).toEqual(warnings);
});
