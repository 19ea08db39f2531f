import { expect, test } from 'vitest';
import { valueIn } from '../../src/chart/tables.ts';
import type { GoMap, Value } from '../../src/go/value.ts';
import { valueThatFills } from '../../src/render/filled-by.ts';

import { chartOf } from './chart-text.ts';

const scope = async (values: GoMap) => ({ chart: await chartOf({}), values, subcharts: [] });
const reading = (keys: readonly string[]) => (values: GoMap) => valueIn(values, keys) as string | undefined;
const values: GoMap = new Map<string, Value>([
  ['app', new Map<string, Value>([['name', '']])],
  ['other', ''],
]);

test.each([
  ['the one that is empty', ['app', 'name'], [['other'], ['app', 'name']], ['app', 'name']],
  ['one that is not there', ['app', 'id'], [['other'], ['app', 'id']], ['app', 'id']],
  ['none where nothing helps', ['app', 'id'], [['other']], undefined],
])('%s', async (_what, field, named, found) =>
  expect(valueThatFills(reading(field), await scope(values), named)).toEqual(found),
);

test('a field that says something is not filled', async () =>
  expect(valueThatFills(() => 'x', await scope(values), [['other']])).toBeUndefined());

test('a value with which nothing renders is passed over', async () => {
  const read = (now: GoMap): string | undefined => {
    if (now.get('other') === 'x') throw new Error('no');
    return now.get('id') as string | undefined;
  };
  expect(valueThatFills(read, await scope(values), [['other'], ['id']])).toEqual(['id']);
});
