import { expect, test } from 'vitest';
import { headerLines, requestBytes } from '../../../../src/cluster/http/http1/request.ts';

test.each([
  ['GET', undefined, 'GET /x HTTP/1.1\r\na: 1\r\n\r\n'],
  ['DELETE', undefined, 'DELETE /x HTTP/1.1\r\na: 1\r\n\r\n'],
  ['POST', undefined, 'POST /x HTTP/1.1\r\na: 1\r\ncontent-length: 0\r\n\r\n'],
  ['PATCH', '{"é":"€"}', 'PATCH /x HTTP/1.1\r\na: 1\r\ncontent-length: 12\r\n\r\n{"é":"€"}'],
])('%s with the body %s', (method, body, text) => {
  expect(requestBytes(method, '/x', 'a: 1\r\n', body).toString('utf8')).toBe(text);
});

test('header lines', () => {
  expect(headerLines({ authorization: 'Bearer t', 'Impersonate-Group': ['dev', 'ops'], empty: '' })).toBe(
    'authorization: Bearer t\r\nImpersonate-Group: dev\r\nImpersonate-Group: ops\r\nempty: \r\n',
  );
});

test('a head is Latin-1', () => {
  expect([...requestBytes('GET', '/\xe9', headerLines({ a: '\xe9' }), undefined)]).toEqual([
    ...Buffer.from('GET /\xe9 HTTP/1.1\r\na: \xe9\r\n\r\n', 'latin1'),
  ]);
});

test.each(['Bearer t\n', 'a\r\nx: y', 'a\rb', 'a\0b', '€', ['good', 'bad\n']])('the value %j is refused', (value) => {
  expect(() => headerLines({ authorization: value })).toThrow(
    expect.objectContaining({
      code: 'ERR_INVALID_CHAR',
      message: 'Invalid character in header content ["authorization"]',
    }),
  );
});

test.each(['', 'a b', 'a:', 'a\r\nb', 'é'])('the name %j is refused', (name) => {
  expect(() => headerLines({ [name]: 'x' })).toThrow(expect.objectContaining({ code: 'ERR_INVALID_HTTP_TOKEN' }));
});

test.each(['/a b', '/a HTTP/1.1\r\nx: y', '/\t', '/€'])('the path %j is refused', (path) => {
  expect(() => requestBytes('GET', path, '', undefined)).toThrow(
    expect.objectContaining({
      code: 'ERR_UNESCAPED_CHARACTERS',
      message: 'Request path contains unescaped characters',
    }),
  );
});
