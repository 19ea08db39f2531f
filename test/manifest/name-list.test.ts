import { describe, expect, test } from 'vitest';
import { readNameList } from '../../src/manifest/name-list.ts';

describe('names', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['one name', 'db', ['db']],
    ['a comma list', 'a, b,c', ['a', 'b', 'c']],
    ['a JSON array as text', '["a", "b"]', ['a', 'b']],
    ['a YAML list', ['a', 'b'], ['a', 'b']],
    ['a number', 1, ['1']],
    ['numbers in a list', [1, 2], ['1', '2']],
    ['a name twice', 'a, a', ['a']],
    ['a comma at the end', 'a,', ['a']],
    ['a name with a blank, and one with a colon', 'first one, a:b', ['first one', 'a:b']],
    ['nothing', undefined, []],
    ['an empty text', '', []],
    ['an empty array', '[]', []],
  ])('%s', (_what, value, names) => expect(readNameList(value)).toEqual({ names }));

  test.each<[string, unknown, string, string, string?]>([
    ['JSON that is cut off', '["db"', 'not-json', '["db"'],
    ['names without quotes', '[a, b]', 'not-json', '[a, b]'],
    ['a map as text', '{"a":1}', 'not-a-list', '{"a":1}'],
    ['a quoted name', '"a"', 'not-a-list', '"a"'],
    ['a map', { a: 1 }, 'map', '{"a":1}'],
    ['a nested list', [['a'], 'b'], 'not-a-name', '[["a"],"b"]'],
    ['a nested list as text', '[["a"]]', 'not-a-name', '[["a"]]'],
    ['null in a list', ['a', null], 'not-a-name', '["a",null]'],
    ['a bracket inside', 'db, [x', 'not-a-name', 'db, [x', '[x'],
    ['a bracket in a name of a list', ['[a]'], 'not-a-name', '["[a]"]', '[a]'],
    ['a quote inside', 'a"b', 'not-a-name', 'a"b', 'a"b'],
    ['names in single quotes', "'a', 'b'", 'not-a-name', "'a', 'b'", "'a'"],
    ['a YAML list as text', '- a', 'not-a-name', '- a', '- a'],
    ['lines', 'a\nb', 'not-a-name', 'a\nb', 'a\nb'],
    ['a YAML map as text', 'a: b', 'not-a-name', 'a: b', 'a: b'],
    ['names with a bracket behind them', 'a, b]', 'not-json', 'a, b]'],
  ])('%s is malformed', (_what, value, why, text, item) =>
    expect(readNameList(value)).toEqual({ names: [], mistake: { text, why, item } }),
  );
});
