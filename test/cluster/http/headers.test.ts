import { expect, test } from 'vitest';
import { checkedTarget, headerList } from '../../../src/cluster/http/headers.ts';

test('a list of values is a field each', () => {
  expect(headerList({ authorization: 'Bearer t', 'Impersonate-Group': ['dev', 'ops'], empty: '' })).toEqual(
    'authorization|Bearer t|Impersonate-Group|dev|Impersonate-Group|ops|empty|'.split('|'),
  );
});

test.each(['Bearer t\n', 'a\r\nx: y', 'a\rb', 'a\0b', '€', ['good', 'bad\n']])('the value %j is refused', (value) => {
  expect(() => headerList({ authorization: value })).toThrow(
    expect.objectContaining({
      code: 'ERR_INVALID_CHAR',
      message: 'Invalid character in header content ["authorization"]',
    }),
  );
});

test.each(['', 'a b', 'a:', 'a\r\nb', 'é'])('the name %j is refused', (name) => {
  expect(() => headerList({ [name]: 'x' })).toThrow(expect.objectContaining({ code: 'ERR_INVALID_HTTP_TOKEN' }));
});

test.each(['/a b', '/a HTTP/1.1\r\nx: y', '/\t', '/€'])('the path %j is refused', (path) => {
  expect(() => checkedTarget(path)).toThrow(
    expect.objectContaining({
      code: 'ERR_UNESCAPED_CHARACTERS',
      message: 'Request path contains unescaped characters',
    }),
  );
});
