import { expect, test } from 'vitest';
import { templateChart } from '../../src/actions/template.ts';
import { chartOf, resource } from '../plan/charts.ts';

const group = 'helm.sh/resource-group';
const after = 'helm.sh/depends-on/resource-groups';

const files = {
  'Chart.yaml':
    'name: shop\nannotations: {helm.sh/depends-on/subcharts: [db]}\ndependencies:\n- {name: db, version: 1.0.0}\n',
  'templates/a.yaml': resource('app', { [group]: 'app', [after]: 'queue' }),
  'templates/q.yaml': `# alone\n${resource('queue', { [group]: 'queue' })}`,
  'templates/rest.yaml': resource('rest'),
  'charts/db/Chart.yaml': 'name: db',
  'charts/db/templates/db.yaml': `${resource('second', { [group]: 'late', [after]: 'early' })}---\n${resource('first', { [group]: 'early' })}`,
};

/** The comments, the names and the annotations with a list. */
const outline = (output: string): string[] =>
  output.split('\n').filter((line) => /^##|^ {2}name:|resource-groups/.test(line));

const options = { name: 'rel', namespace: 'default' } as const;

test('resources stand in the order of the deploy, groups between comments, keys as a cluster takes them', async () => {
  const { output } = await templateChart(await chartOf(files), new Map(), { ...options, wait: 'ordered' });
  expect(outline(output)).toEqual([
    '## START resource-group: shop/db early',
    '  name: first',
    '## END resource-group: shop/db early',
    '## START resource-group: shop/db late',
    '  name: second',
    `    depends-on.helm.sh/resource-groups: '["early"]'`,
    '## END resource-group: shop/db late',
    '## START resource-group: shop queue',
    '  name: queue',
    '## END resource-group: shop queue',
    '## START resource-group: shop app',
    '  name: app',
    `    depends-on.helm.sh/resource-groups: '["queue"]'`,
    '## END resource-group: shop app',
    '  name: rest',
  ]);
});

test('what is shown of an ordered chart has no comments of groups that are not there', async () => {
  const { output } = await templateChart(await chartOf(files), new Map(), {
    ...options,
    wait: 'ordered',
    showOnly: ['charts/db/templates/db.yaml'],
  });
  expect(outline(output)).toEqual(['  name: first', '  name: second', expect.stringContaining('resource-groups')]);
});

test('a chart that declares no order is printed as without the flag, byte for byte', async () => {
  const undeclared = {
    'Chart.yaml': 'name: shop\ndependencies: [{name: db, version: 1.0.0}, {name: web, version: 1.0.0}]\n',
    'crds/a.yaml': resource('crd'),
    'templates/a.yaml': resource('app', {}, 'Deployment') + '---\n' + resource('settings'),
    'charts/db/Chart.yaml': 'name: db',
    'charts/db/templates/db.yaml': resource('db', {}, 'Deployment'),
    'charts/web/Chart.yaml': 'name: web',
    'charts/web/templates/web.yaml': resource('web'),
  };
  const print = async (more: object) =>
    (await templateChart(await chartOf(undeclared), new Map(), { ...options, includeCrds: true, ...more })).output;
  const plain = await print({});
  expect(plain).toContain('name: crd');
  expect(await print({ wait: 'ordered' })).toBe(plain);
});

test('without the flag the text is what was rendered', async () => {
  const { output } = await templateChart(await chartOf(files), new Map(), options);
  expect(output).not.toContain('##');
  expect(output).toContain('    helm.sh/depends-on/resource-groups: "queue"');
});

test('mistakes in the order are errors, and what nobody knows is told', async () => {
  const wrong = await chartOf({
    'Chart.yaml': 'name: shop',
    'templates/a.yaml': resource('a', { 'helm.sh/weight': 'x' }),
  });
  await expect(templateChart(wrong, new Map(), { ...options, wait: 'ordered' })).rejects.toThrow('has the weight "x"');
  const odd = await chartOf({
    'Chart.yaml': 'name: shop',
    'templates/a.yaml': resource('a', { [group]: 'one', [after]: ['nobody'] }),
  });
  const { warnings } = await templateChart(odd, new Map(), { ...options, wait: 'ordered' });
  expect(warnings).toContainEqual(expect.stringContaining('"nobody"'));
});
