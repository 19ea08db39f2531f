import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AnswerParser } from '../../../../src/cluster/http/http1/answer-parser.ts';
import { pipe, Turns } from '../../../../src/sandbox/http/pipe.ts';

interface Understood {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** Undefined for what is no answer, or not a whole one. */
function understoodByUs(bytes: Buffer): Understood | undefined {
  let understood = { status: 0, rawHeaders: [] as readonly string[], body: '' };
  const parser = new AnswerParser({
    onHead: ({ status, rawHeaders }) => void (understood = { status, rawHeaders, body: '' }),
    onBody: (piece) => void (understood.body += piece.toString('latin1')),
  });
  try {
    return parser.read(bytes) === 'complete' || parser.endsWithConnection ? understood : undefined;
  } catch {
    return undefined;
  }
}

async function understoodByNode(bytes: Buffer): Promise<Understood | undefined> {
  const [near, far] = pipe(new Turns());
  far.on('error', () => {}).resume();
  const understood = new Promise<Understood | undefined>((resolve) => {
    const sent = request({ createConnection: () => near as never, host: 'x' }, (message) => {
      message.setEncoding('latin1');
      const { statusCode: status = 0, rawHeaders } = message;
      text(message).then(
        (body) => resolve({ status, rawHeaders, body }),
        () => resolve(undefined),
      );
    });
    sent.on('error', () => resolve(undefined));
    sent.on('upgrade', () => resolve(undefined));
    sent.end();
  });
  far.end(bytes);
  return understood;
}

const tokens = [
  ['\r\n', '\r\n', '\r\n\r\n', '\n', '\r', ':', ': ', ' ', '\t', '\0', ';x', ',', 'a', 'abc', 'b: c', '0', '3', '5'],
  ['content-length: 3', 'content-length: 5', 'transfer-encoding: chunked', 'transfer-encoding: gzip', '3\r\nabc\r\n'],
  ['0\r\n\r\n', 'connection: close', 'HTTP/1.1 100 x\r\n\r\n', 'HTTP/1.1 200 OK', 'HTTP/1.0 200 OK'],
].flat();
const beginnings = [
  ['', 'HTTP/1.1 ', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\n\r\n', 'HTTP/1.1 204 No\r\n', 'HTTP/1.0 200 OK\r\n'],
  ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n'],
].flat();

test('what we and node:http both take for an answer is the same answer', async () => {
  const bytes = fc.tuple(fc.constantFrom(...beginnings), fc.array(fc.constantFrom(...tokens), { maxLength: 12 }));
  let agreed = 0;
  await fc.assert(
    fc.asyncProperty(bytes, async ([beginning, rest]) => {
      const answer = Buffer.from(beginning + rest.join(''), 'latin1');
      const ours = understoodByUs(answer);
      const nodes = ours && (await understoodByNode(answer));
      if (ours === undefined || nodes === undefined) return;
      agreed += 1;
      expect(ours).toEqual(nodes);
    }),
    { numRuns: 5000 },
  );
  expect(agreed).toBeGreaterThan(100);
});
