import { describe, expect, test } from 'vitest';
import { runeCount, sprint, sprintf, sprintln } from '../../src/go/fmt/format.ts';
import { goInt, goInt64, type Value, withGoType } from '../../src/go/value.ts';

// Every verb with every kind of value is compared with Go in test/template/reference.test.ts.

const map = new Map<string, Value>([
  ['b', goInt(1)],
  ['a', withGoType(['q'], '[]string')],
]);

describe('sprint', () => {
  test.each<[string, Value[], string]>([
    ['puts no space beside a string', ['a', goInt(1), goInt(2), 'b', goInt(3)], 'a1 2b3'],
    ['puts spaces between others', [goInt(1), goInt(2), true], '1 2 true'],
    ['joins strings', ['a', 'b'], 'ab'],
    ['writes nil', [null, null], '<nil> <nil>'],
    ['writes nothing for nothing', [], ''],
    ['does not tell a float from an integer', [1, goInt64(2)], '1 2'],
    ['sorts the keys of maps', [[goInt(1), 'x', null], map], '[1 x <nil>] map[a:[q] b:1]'],
  ])('%s', (_rule, values, text) => expect(sprint(...values)).toBe(text));
});

describe('sprintln', () => {
  test.each<[string, Value[], string]>([
    ['puts spaces everywhere', ['a', goInt(1), null], 'a 1 <nil>\n'],
    ['ends the line of nothing', [], '\n'],
  ])('%s', (_rule, values, text) => expect(sprintln(...values)).toBe(text));
});

describe('sprintf', () => {
  test.each<[string, Value[], string]>([
    ['%v|%s|%d', [1e6, ['a'], goInt(5)], '1e+06|[a]|5'],
    ['%5.1f|%-5s|%05d', [2.5, 'ab', goInt(42)], '  2.5|ab   |00042'],
    ['%d %s', ['x'], '%!d(string=x) %!s(MISSING)'],
    ['%d', [goInt(1), 'x'], '1%!(EXTRA string=x)'],
  ])('%s', (format, values, text) => expect(sprintf(format, ...values)).toBe(text));

  // Helm's answers for a file's bytes.
  const bytes = Uint8Array.of(0x61, 0xff, 0, 0x7a);
  test.each<[string, string]>([
    ['%v', '[97 255 0 122]'],
    ['%5d', '[   97   255     0   122]'],
    ['%-4d|', '[97   255  0    122 ]|'],
    ['% d', '[ 97  255  0  122]'],
    ['%.3d', '[097 255 000 122]'],
    ['%U', '[U+0061 U+00FF U+0000 U+007A]'],
    ['%t', '[%!t(uint8=97) %!t(uint8=255) %!t(uint8=0) %!t(uint8=122)]'],
    ['%#v', '[]byte{0x61, 0xff, 0x0, 0x7a}'],
    ['%x', '61ff007a'],
    ['%s', 'a\udcff\0z'],
  ])('bytes as %s', (format, text) => expect(sprintf(format, bytes)).toBe(text));
});

test('runes are code points, and bytes that are not UTF-8', () => {
  expect([runeCount(''), runeCount('é☃'), runeCount('𝄞x'), runeCount('a\udcff')]).toEqual([0, 2, 2, 2]);
});
