import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, writeJson } from '../../src/support/exact-json.ts';

test.each([
  ['{"a":9007199254740993}', { a: 9007199254740993n }],
  ['{"a":-12345678901234567890,"b":1}', { a: -12345678901234567890n, b: 1 }],
  ['{"a":1234567890123456.5}', { a: 1234567890123456.5 }],
  ['[0.1234567890123456789,1e0000000000000000001,-0.9999999999999999999]', [0.12345678901234568, 10, -1]],
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

// What stands for a bigint while the JSON is read and written, in a document of the user's.
const marks = [
  '\uf8ff',
  '\uf8ff\uf8fe',
  '\uf8ff\uf8feint:',
  '\uf8ff\uf8feint:12',
  '\uf8ff\uf8fetext:',
  '"\uf8ff\uf8feint:12',
];

test.each(marks)('the string %j beside a large integer stays a string, as a value and as a key', (text) => {
  const value = { [text]: [text, 9007199254740993n], large: 9007199254740993n, text };
  expect(parseJson(writeJson(value))).toEqual(value);
});

test('also where it is written with escapes', () => {
  expect(parseJson('["\\uF8FF\\uf8feint:12","\\n",9007199254740993]')).toEqual([
    '\uf8ff\uf8feint:12',
    '\n',
    9007199254740993n,
  ]);
});

test('any document is read as it was written', () => {
  const string = fc
    .array(fc.constantFrom('"', '\\', ':', '{', '}', ',', '1234567890123456', 'é', ...marks))
    .map((parts) => parts.join(''));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      string,
      fc.bigInt({ min: 2n ** 53n }),
      fc.integer(),
      fc.array(tie('tree')),
      fc.dictionary(string, tie('tree')),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      expect(parseJson(writeJson(value))).toEqual(value);
      expect(parseJson(writeJson(value).replaceAll('\uf8ff', '\\uf8ff'))).toEqual(value);
    }),
  );
});

test('plain data keeps its order and its large integers', () => {
  const data = { b: 9007199254740993n, a: [undefined, { d: undefined }], '<': new Date(0) };
  expect(writeJson(data)).toBe('{"b":9007199254740993,"a":[null,{}],"<":"1970-01-01T00:00:00.000Z"}');
  expect(writeJson({ a: [1], b: {} }, '  ')).toBe('{\n  "a": [\n    1\n  ],\n  "b": {}\n}');
  expect(writeJson({ a: [9007199254740993n] }, '  ')).toBe('{\n  "a": [\n    9007199254740993\n  ]\n}');
});
