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
  expect(headerLines(['authorization', 'Bearer t', 'Impersonate-Group', 'dev', 'empty', ''])).toBe(
    'authorization: Bearer t\r\nImpersonate-Group: dev\r\nempty: \r\n',
  );
});

test('a head is Latin-1', () => {
  expect([...requestBytes('GET', '/\xe9', headerLines(['a', '\xe9']), undefined)]).toEqual([
    ...Buffer.from('GET /\xe9 HTTP/1.1\r\na: \xe9\r\n\r\n', 'latin1'),
  ]);
});
