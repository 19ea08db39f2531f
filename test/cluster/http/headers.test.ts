import { expect, test } from 'vitest';
import { checkedHeaders, checkedTarget } from '../../../src/cluster/http/headers.ts';

test('what can be sent stays as it is', () => {
  const headers = { authorization: 'Bearer t', 'Impersonate-Group': ['dev', 'ops'], empty: '', latin: '\xe9' };
  expect(checkedHeaders(headers)).toBe(headers);
});

test.each(['Bearer t\n', 'a\r\nx: y', 'a\rb', 'a\0b', '€', ['good', 'bad\n']])('the value %j is refused', (value) => {
  expect(() => checkedHeaders({ authorization: value })).toThrow(
    expect.objectContaining({
      code: 'ERR_INVALID_CHAR',
      message: 'Invalid character in header content ["authorization"]',
    }),
  );
});

test.each(['', 'a b', 'a:', 'a\r\nb', 'é'])('the name %j is refused', (name) => {
  expect(() => checkedHeaders({ [name]: 'x' })).toThrow(expect.objectContaining({ code: 'ERR_INVALID_HTTP_TOKEN' }));
});

test.each(['/a b', '/a HTTP/1.1\r\nx: y', '/\t', '/€'])('the path %j is refused', (path) => {
  expect(() => checkedTarget(path)).toThrow(
    expect.objectContaining({
      code: 'ERR_UNESCAPED_CHARACTERS',
      message: 'Request path contains unescaped characters',
    }),
  );
});
