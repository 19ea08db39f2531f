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

  test.each<[string, unknown, string]>([
    ['JSON that is cut off', '["db"', '["db" looks like JSON but is not valid JSON; write ["a", "b"] or a, b'],
    ['names without quotes', '[a, b]', '[a, b] looks like JSON but is not valid JSON; write ["a", "b"] or a, b'],
    ['a map as text', '{"a":1}', '{"a":1} is not a list of names; write ["a", "b"] or a, b'],
    ['a quoted name', '"a"', '"a" is not a list of names; write ["a", "b"] or a, b'],
    ['a map', { a: 1 }, '{"a":1} is a map, not a list of names'],
    ['a nested list', [['a'], 'b'], '[["a"],"b"] contains something that is not a name; write ["a", "b"] or a, b'],
    ['a nested list as text', '[["a"]]', '[["a"]] contains something that is not a name; write ["a", "b"] or a, b'],
    ['null in a list', ['a', null], '["a",null] contains something that is not a name; write ["a", "b"] or a, b'],
    ['a bracket inside', 'db, [x', 'db, [x contains "[x", which is not a name; write ["a", "b"] or a, b'],
    ['a bracket in a name of a list', ['[a]'], '["[a]"] contains "[a]", which is not a name; write ["a", "b"] or a, b'],
    ['a quote inside', 'a"b', 'a"b contains "a\\"b", which is not a name; write ["a", "b"] or a, b'],
    ['names in single quotes', "'a', 'b'", `'a', 'b' contains "'a'", which is not a name; write ["a", "b"] or a, b`],
    ['a YAML list as text', '- a', '- a contains "- a", which is not a name; write ["a", "b"] or a, b'],
    ['lines', 'a\nb', 'a\nb contains "a\\nb", which is not a name; write ["a", "b"] or a, b'],
    ['a YAML map as text', 'a: b', 'a: b contains "a: b", which is not a name; write ["a", "b"] or a, b'],
    [
      'names with a bracket behind them',
      'a, b]',
      'a, b] looks like JSON but is not valid JSON; write ["a", "b"] or a, b',
    ],
  ])('%s is malformed', (_what, value, mistake) => expect(readNameList(value)).toEqual({ names: [], mistake }));
});
