import { expect, test } from 'vitest';
import { parseJson, writeJson } from '../../../src/cluster/http/json.ts';

test.each([
  ['{"a":9007199254740993}', { a: 9007199254740993n }],
  ['{"a":-12345678901234567890,"b":1}', { a: -12345678901234567890n, b: 1 }],
  ['{"a":1234567890123456.5}', { a: 1234567890123456.5 }],
  ['{"a":9007199254740991}', { a: 9007199254740991 }],
  [
    '{"a":"uid 12345678901234567890","b\\"12345678901234567890":[]}',
    { a: 'uid 12345678901234567890', 'b"12345678901234567890': [] },
  ],
])('%s is read exactly', (text, value) => expect(parseJson(text)).toEqual(value));

test('and written with the same digits', () => {
  const text = '{"a":[9007199254740993,{"b":-12345678901234567890}],"c":"9007199254740993"}';
  expect(writeJson(parseJson(text))).toBe(text);
});
