import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStackFolder, type StackFolder } from './stack-folder.ts';

let folder: StackFolder;
beforeEach(() => {
  folder = openStackFolder();
  folder.write('chart/templates/second.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a-second}\n');
});
afterEach(() => folder.remove());

const order = `resources:
  - select: {name: web}
    group: first
  - select: {name: a-second}
    dependsOn: [first]
`;
const indented = order.replaceAll(/^/gm, '      ').trimEnd();
const release = 'releases:\n  - name: web\n    namespace: shop\n    chart: ./chart\n';

async function planned(): Promise<string> {
  const { code, stdout, stderr } = await folder.stack('plan');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

test.each([
  ['the name of a file', '    order: order.yaml\n', 'order.yaml:4'],
  ['what a file would say', `    order:\n${indented}\n`, 'helmfile.yaml:9'],
  [
    'the same below a template',
    `    labels: {a: '{{ .Release.Name }}'}\n    order:\n${indented}\n    timeout: 5\n`,
    'helmfile.yaml:10',
  ],
  [
    'what it inherits',
    `    inherit: [{template: base}]\ntemplates:\n  base:\n    order:\n${indented}\n`,
    'helmfile.yaml:12',
  ],
])('a release is deployed in its order: %s', async (_how, field, place) => {
  folder.write('order.yaml', order);
  folder.write('helmfile.yaml', `${release}${field}`);
  expect(await planned()).toMatch(new RegExp(`ConfigMap/a-second {2}\\(create\\) {2}← first \\(${place}\\)`));
});

test.each([
  ['an unknown key', '    order:\n      resources:\n        - selekt: {name: web}\n', 'helmfile.yaml:7'],
  [
    'a rule that selects nothing',
    '    order:\n      resources:\n        - select: {name: wbe}\n          group: x\n',
    'helmfile.yaml:7',
  ],
  [
    'a chart that is not there',
    '    order:\n      charts:\n        - {chart: db, dependsOn: [x]}\n',
    'helmfile.yaml:7',
  ],
  ['a list', '    order: [x]\n', 'line 5: order must be'],
  ['a number', '    order: 5\n', 'line 5: order must be'],
])('%s is refused with its line', async (_what, field, place) => {
  folder.write('helmfile.yaml', `${release}${field}`);
  const { code, stderr } = await folder.stack('plan');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(place) });
});

test('build writes it', async () => {
  folder.write('helmfile.yaml', `${release}    order:\n${indented}\n`);
  expect((await folder.stack('build')).stdout).toContain('group: first');
});
