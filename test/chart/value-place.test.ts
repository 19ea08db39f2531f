import { describe, expect, test } from 'vitest';
import { chartValuePlace, placeAbove } from '../../src/chart/value-place.ts';
import { encodeText } from '../../src/go/text.ts';
import { lineOfKeys } from '../../src/yaml/index.ts';

test.each([
  ['block style', 'a:\n  # b: 0\n  b: 1\n', 'a.b', 3],
  ['flow style', 'x: 1\na: {c: 2, b: {d: 3}}\n', 'a.b.d', 2],
  ['flow style over several lines', 'a: {\n  b: 1,\n  c: 2\n}\n', 'a.c', 3],
  ['JSON', '{\n  "a": {\n    "b": 1\n  }\n}\n', 'a.b', 3],
  ['an alias: where its anchor stands', 'base: &base\n  b: 1\na: *base\n', 'a.b', 2],
  ['a merge key', 'base: &base\n  b: 1\na:\n  <<: *base\n  c: 2\n', 'a.b', 2],
  ['what is written beside a merge key counts', 'base: &base\n  b: 1\na:\n  <<: *base\n  b: 2\n', 'a.b', 5],
  ['an item of a list', 'a:\n  - b: 1\n  - b: 2\n', 'a.1.b', 3],
  ['a text that looks like a key', 'note: |\n  b: 0\nb: 1\n', 'b', 3],
  ['no such key', 'a:\n  b: 1\n', 'a.c', undefined],
  ['no map', 'a: 1\n', 'a.b', undefined],
  ['no YAML', 'a: [\n', 'a', undefined],
])('the line of a value: %s', (_what, text, keys, line) => {
  expect(lineOfKeys(text, keys.split('.'))).toBe(line);
});

const chart = (name: string, values: string, ...dependencies: object[]) => ({
  metadata: { name, version: '1', apiVersion: 'v2' },
  templates: [],
  raw: [{ name: 'values.yaml', data: encodeText(values) }],
  dependencies: dependencies as never,
});

describe('where the charts set a value', () => {
  const shop = chart('shop', 'global:\n  host: x\ndb:\n  port: 1\n', chart('db', 'port: 5\nauth: {user: a}\n'));

  test.each([
    ['the section of the parent counts', 'db.port', 'shop/values.yaml:4'],
    ['a value of the subchart alone', 'db.auth.user', 'shop/charts/db/values.yaml:2'],
    ['a global value', 'global.host', 'shop/values.yaml:2'],
    ['a missing one', 'db.auth.password', undefined],
  ])('%s', (_what, keys, place) => {
    const found = chartValuePlace(shop, keys.split('.'));
    expect(found && `${found.file}:${found.line}`).toBe(place);
  });

  test('of a missing value the nearest above it', () => {
    const above = { file: 'shop/charts/db/values.yaml', line: 2, keys: ['db', 'auth'] };
    expect(placeAbove(shop, ['db', 'auth', 'password'])).toEqual(above);
    expect(placeAbove(shop, ['none', 'at'])).toBeUndefined();
  });
});
