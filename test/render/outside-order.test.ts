import { expect, test } from 'vitest';
import { manifestsOf } from '../../src/plan/arrange.ts';
import { declarationOf } from '../../src/plan/declarations.ts';
import type { TshelmError } from '../../src/support/errors.ts';
import { arranged, resource } from '../plan/charts.ts';

const shop = {
  'Chart.yaml': 'name: shop\ndependencies:\n- {name: db, version: 1.0.0}',
  'templates/a.yaml': resource('a'),
  'templates/b.yaml': resource('b', { 'helm.sh/layer': 'old' }),
  'charts/db/Chart.yaml': 'name: db',
  'charts/db/templates/c.yaml': resource('c', { 'helm.sh/resource-group': 'data' }),
};
const waiting = (groups: string) => `resources:\n- select: {name: a}\n  dependsOn: ${groups}\n`;

test.each([
  ['no resource belongs to', '[databse]', ['"databse"']],
  ['only one of two has resources', '{groups: [old, nothing, nothing]}', ['"nothing"']],
])('a rule that waits for a group which %s is refused with its line', async (_what, groups, named) => {
  const error = await arranged(shop, '{}', { order: waiting(groups) }).catch((cause: TshelmError) => cause);
  expect(error).toMatchObject({
    code: 'order-file-invalid',
    details: { mistakes: named.map((name) => expect.stringMatching(`^order.yaml:2: .*${name}`)), lines: [2] },
  });
});

test.each([
  ['a layer of the chart', '[old]', ''],
  ['a group of another rule', '[one]', '- select: {name: b}\n  group: one\n'],
  ['a group that only a subchart has', '[data]', ''],
])('a rule may wait for %s', async (_what, groups, more) => {
  const { unit } = await arranged(shop, '{}', { order: `${waiting(groups)}${more}` });
  const a = manifestsOf(unit).find(({ object }) => object.metadata.name === 'a');
  expect(a && declarationOf(a).afterGroups).toEqual([groups.slice(1, -1)]);
});
