import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnswerParser } from '../../../../src/cluster/http/http1/answer-parser.ts';
import { type ParsedHead, parseHead } from '../../../../src/cluster/http/http1/head.ts';

interface ReadAnswer {
  readonly head: ParsedHead | undefined;
  readonly body: string;
  /** Of the last piece. */
  readonly progress: string;
  readonly endsWithConnection: boolean;
}

function readAnswer(...pieces: readonly (string | Buffer)[]): ReadAnswer {
  let head: ParsedHead | undefined;
  const body: Buffer[] = [];
  const parser = new AnswerParser({
    onHead: (read) => void (head = read),
    onBody: (piece) => {
      expect(piece.length).toBeGreaterThan(0);
      body.push(piece);
    },
  });
  let progress = 'more';
  for (const piece of pieces) {
    expect(progress, 'nothing is read after the end').toBe('more');
    progress = parser.read(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  }
  return {
    head,
    body: Buffer.concat(body).toString('latin1'),
    progress,
    endsWithConnection: parser.endsWithConnection,
  };
}

const ok = 'HTTP/1.1 200 OK\r\n';

test.each([
  ['as long as it says', `${ok}content-length: 3\r\n\r\nabc`, 'abc', 'complete'],
  ['that is empty', `${ok}content-length: 0\r\n\r\n`, '', 'complete'],
  ['that has not come whole', `${ok}content-length: 4\r\n\r\nabc`, 'abc', 'more'],
  ['whose length is said twice alike', `${ok}content-length: 3, 3\r\nContent-Length: 3\r\n\r\nabc`, 'abc', 'complete'],
  ['with bytes behind it', `${ok}content-length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\n`, 'abc', 'excess'],
  [
    'in chunks',
    `${ok}Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n`,
    'abc0123456789',
    'complete',
  ],
  [
    'in chunks with extensions',
    `${ok}transfer-encoding: chunked\r\n\r\n3 ; a="b;c"\r\nabc\r\n000;x\r\n\r\n`,
    'abc',
    'complete',
  ],
  [
    'in chunks with trailers',
    `${ok}transfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: 1\r\nY: 2\r\n\r\n`,
    'a',
    'complete',
  ],
  ['in chunks with bytes behind', `${ok}transfer-encoding: chunked\r\n\r\n0\r\n\r\nx`, '', 'excess'],
  ['without its last chunk', `${ok}transfer-encoding: chunked\r\n\r\n1\r\na\r\n`, 'a', 'more'],
  ['whose trailers do not end', `${ok}transfer-encoding: chunked\r\n\r\n0\r\nX: 1\r\n`, '', 'more'],
  ['until the connection ends', `${ok}\r\nabc`, 'abc', 'more'],
  ['that 204 does not have', 'HTTP/1.1 204 No Content\r\n\r\n', '', 'complete'],
  [
    'that 304 does not have, although it says how long it would be',
    'HTTP/1.1 304 x\r\ncontent-length: 5\r\n\r\n',
    '',
    'complete',
  ],
  [
    'after interim answers',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nlink: x\r\n\r\n${ok}content-length: 1\r\n\r\na`,
    'a',
    'complete',
  ],
])('a body %s', (_what, answer, body, progress) => {
  const read = readAnswer(answer);
  expect(read.head?.status).toBe(Number(/ ([2-5]\d\d)/.exec(answer)?.[1]));
  expect(read).toMatchObject({ body, progress });
});

test.each([
  ['a body of a known length', `${ok}content-length: 3\r\n\r\nab`, false],
  ['a body in chunks', `${ok}transfer-encoding: chunked\r\n\r\n3\r\nab`, false],
  ['any other body', `${ok}\r\nab`, true],
  ['a head', ok, false],
])('the end of the connection ends %s', (_what, answer, isEnd) =>
  expect(readAnswer(answer).endsWithConnection).toBe(isEnd),
);

test('header fields', () => {
  const fields =
    'A: 1\r\nb:\t 2 \t\r\nC:\r\na: 3\r\nDate: x\r\ndate: y\r\nfolded: one\r\n  two\r\n\tthree\r\n__proto__: é\r\n';
  const { head } = readAnswer(`${ok}${fields}content-length: 0\r\n\r\n`);
  expect({ ...head?.headers }).toEqual({
    a: '1, 3',
    b: '2',
    c: '',
    date: 'x',
    folded: 'one two three',
    ['__proto__']: 'é',
    'content-length': '0',
  });
  expect(head?.rawHeaders.slice(0, 8)).toEqual(['A', '1', 'b', '2', 'C', '', 'a', '3']);
});

test.each([
  ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', true],
  ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\nConnection: x, Close\r\n\r\n', false],
  ['HTTP/1.1 200 OK\r\n\r\n', false],
  ['HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n', false],
  ['HTTP/1.0 200 OK\r\ncontent-length: 0\r\nConnection: Keep-Alive\r\n\r\n', true],
])('the connection of %j is kept: %s', (answer, isKept) => expect(readAnswer(answer).head?.isKept).toBe(isKept));

const broken = 'net/http: HTTP/1.x transport connection broken: ';

describe('what is no answer is refused', () => {
  const long = 'x'.repeat(1_048_577);
  test.each([
    ['another protocol', '\x15\x03\x01\x00\x02\x02', 'malformed HTTP response "\\u0015\\u0003'],
    ['another protocol at its first byte', 'h', 'malformed HTTP response "h"'],
    ['HTTP/2', 'HTTP/2.0 200 OK\r\n\r\n', 'malformed HTTP response "HTTP/2.0 200 OK"'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n', 'malformed HTTP response'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', 'malformed HTTP response'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', 'malformed HTTP response'],
    ['another protocol from now on', 'HTTP/1.1 101 Switching\r\n\r\n', 'unexpected 101 response'],
    ['a head that does not end', `${ok}a: ${long}`, 'server response headers exceeded 1048576 bytes'],
    ['a head that is too long', `${ok}a: ${long}\r\n\r\n`, 'server response headers exceeded 1048576 bytes'],
    ['interim answers without end', 'HTTP/1.1 100 x\r\n\r\n'.repeat(80_000), 'server response headers exceeded'],
    ['a header without a colon', `${ok}abc\r\n\r\n`, 'malformed MIME header line: "abc"'],
    ['a header without a name', `${ok}: x\r\n\r\n`, 'malformed MIME header line'],
    ['a space before the colon', `${ok}content-length : 3\r\n\r\n`, 'malformed MIME header line'],
    ['a space in a name', `${ok}a b: 3\r\n\r\n`, 'malformed MIME header line'],
    ['a first line that is folded', `${ok} a: 3\r\n\r\n`, 'malformed MIME header line'],
    ['a line that ends with LF alone', `${ok}a: 1\nb: 2\r\n\r\n`, 'invalid header field value'],
    ['a line that ends with CR alone', `${ok}a: 1\rb: 2\r\n\r\n`, 'invalid header field value'],
    ['a NUL in a value', `${ok}a: 1\0\r\n\r\n`, 'invalid header field value'],
    ['a head with bare newlines', 'HTTP/1.1 200 OK\na: 1\n\n', 'malformed HTTP response: a line of its head'],
    ['two lengths', `${ok}content-length: 3\r\ncontent-length: 4\r\n\r\n`, 'bad Content-Length "3, 4"'],
    ['a negative length', `${ok}content-length: -3\r\n\r\n`, 'bad Content-Length'],
    ['a length with a sign', `${ok}content-length: +3\r\n\r\n`, 'bad Content-Length'],
    ['a hexadecimal length', `${ok}content-length: 0x3\r\n\r\n`, 'bad Content-Length'],
    ['an empty length', `${ok}content-length:\r\n\r\n`, 'bad Content-Length'],
    ['a length beyond all numbers', `${ok}content-length: 9007199254740993\r\n\r\n`, 'bad Content-Length'],
    ['a bad length where there is no body', 'HTTP/1.1 204 x\r\ncontent-length: x\r\n\r\n', 'bad Content-Length'],
    ['another transfer encoding', `${ok}transfer-encoding: gzip, chunked\r\n\r\n`, 'unsupported transfer encoding'],
    [
      'chunks twice',
      `${ok}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n`,
      'unsupported transfer encoding',
    ],
    ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', 'unsupported transfer encoding'],
  ])('%s', (_what, answer, message) => expect(() => readAnswer(answer)).toThrow(`${broken}${message}`));

  test.each([
    ['a negative size', '-1\r\n', 'invalid chunk length "-1"'],
    ['a size with a prefix', '0x1\r\n', 'invalid chunk length'],
    ['no size', '\r\n', 'invalid chunk length ""'],
    ['no size but an extension', ';a\r\n', 'invalid chunk length'],
    ['a space before the size', ' 1\r\n', 'invalid chunk length'],
    ['a size beyond all numbers', 'ffffffffffffffff1\r\n', 'invalid chunk length'],
    ['a size that ends with LF alone', '1\na\r\n', 'malformed chunked encoding'],
    ['an extension with a CR', '1;a\rb\r\n', 'invalid chunk length'],
    ['an extension without end', `1;${'a'.repeat(5000)}`, 'malformed chunked encoding'],
    ['more data than its size', '1\r\nab\r\n', 'malformed chunked encoding: "b\\r\\n"'],
    ['less data than its size', '3\r\na\r\n0\r\n\r\n', 'malformed chunked encoding'],
    ['a trailer that is no header', '0\r\nabc\r\n\r\n', 'malformed MIME header line: "abc"'],
    ['trailers that end with LF alone', '0\r\n\n', 'malformed chunked encoding'],
    ['trailers without end', `0\r\n${'a: b\r\n'.repeat(20_000)}`, 'malformed chunked encoding'],
  ])('%s', (_what, chunks, message) => {
    expect(() => readAnswer(`${ok}transfer-encoding: chunked\r\n\r\n${chunks}`)).toThrow(`${broken}${message}`);
  });
});

const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
const field = fc.tuple(fc.stringMatching(/^x-[a-zA-Z0-9_-]{1,8}$/), value);
const body = fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes));
const chunked = (pieces: readonly Buffer[], trailers: string): Buffer =>
  Buffer.concat([
    ...pieces
      .filter(({ length }) => length > 0)
      .flatMap((piece) => [Buffer.from(`${piece.length.toString(16)};e\r\n`), piece, Buffer.from('\r\n')]),
    Buffer.from(`0\r\n${trailers}\r\n`),
  ]);

const answers = fc
  .record({
    interim: fc.constantFrom('', 'HTTP/1.1 100 Continue\r\n\r\n'),
    status: fc.integer({ min: 200, max: 599 }).filter((status) => status !== 204 && status !== 304),
    fields: fc.array(field, { maxLength: 5 }),
    pieces: fc.array(body, { maxLength: 4 }),
    trailers: fc.constantFrom('', 'a: b\r\n'),
    kind: fc.constantFrom('length', 'chunked', 'until-close'),
  })
  .map(({ interim, status, fields, pieces, trailers, kind }) => {
    const whole = Buffer.concat(pieces);
    const framing =
      kind === 'length'
        ? `content-length: ${whole.length}\r\n`
        : kind === 'chunked'
          ? 'transfer-encoding: chunked\r\n'
          : '';
    const lines = fields.map(([name, text]) => `${name}: ${text}\r\n`).join('');
    const head = Buffer.from(`${interim}HTTP/1.1 ${status} x\r\n${lines}${framing}\r\n`);
    const bytes = Buffer.concat([head, kind === 'chunked' ? chunked(pieces, trailers) : whole]);
    return { status, fields, whole, bytes, progress: kind === 'until-close' ? 'more' : 'complete' };
  });

test('an answer is the same however it is cut', () => {
  fc.assert(
    fc.property(answers, fc.array(fc.nat(), { maxLength: 12 }), (answer, cuts) => {
      const { bytes } = answer;
      const places = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b);
      const pieces = [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
      const read = readAnswer(...pieces);
      expect(read).toEqual(readAnswer(bytes));
      expect(read).toMatchObject({
        head: { status: answer.status },
        body: answer.whole.toString('latin1'),
        progress: answer.progress,
      });
      expect(read.head?.rawHeaders.slice(0, answer.fields.length * 2)).toEqual(answer.fields.flat());
    }),
    { numRuns: 500 },
  );
});

test('an answer may come byte by byte', () => {
  fc.assert(
    fc.property(answers, ({ bytes }) => {
      expect(readAnswer(...Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1)))).toEqual(readAnswer(bytes));
    }),
  );
});

test('no bytes bring it down other than by its own error', () => {
  const bytes = fc.oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc
      .array(
        fc.constantFrom('\r', '\n', '\r\n', ':', ' ', '0', 'a', ';', 'content-length: 1', 'transfer-encoding: chunked'),
      )
      .map((parts) => `${ok}${parts.join('')}`),
    fc
      .array(fc.constantFrom('\r', '\n', '\r\n', ':', ' ', '0', '1', 'f', ';', '\0', 'a: b'))
      .map((parts) => `${ok}transfer-encoding: chunked\r\n\r\n${parts.join('')}`),
  );
  fc.assert(
    fc.property(bytes, (text) => {
      try {
        readAnswer(text);
      } catch (error) {
        expect(error).toMatchObject({ code: 'TSHELM_MALFORMED_ANSWER' });
      }
    }),
    { numRuns: 2000 },
  );
});

test('of both lengths the chunks count, and the connection is not used again', () => {
  const head = parseHead('HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked');
  expect(head).toMatchObject({ framing: { kind: 'chunked' }, isKept: false });
});
