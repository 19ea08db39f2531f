import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as nodeRequest, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { constants, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Connections } from '../../../src/cluster/http/connections.ts';
import { type Dial, whenConnected } from '../../../src/cluster/http/dial.ts';
import { type Answer, type ApiRequest, exchange } from '../../../src/cluster/http/exchange.ts';
import { type TestSocket, testDial, turn } from './test-socket.ts';

interface ScriptedAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly pieces: readonly string[];
  readonly hasLength: boolean;
  readonly hints: number;
  readonly isLast: boolean;
  readonly trailer: boolean;
  readonly zipped: boolean;
}

const open = (dial: Dial, maxCalls?: number): Connections =>
  new Connections(dial, { host: 'x', offersHttp2: false, maxCalls });

describe('by HTTP/1.1', () => {
  let server: Server;
  let script: ScriptedAnswer;
  let wire: Connections;
  const agent = new Agent({ keepAlive: true });

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        const { status, headers, pieces, hasLength, hints, isLast, trailer, zipped } = script;
        for (let number = 0; number < hints; number++) response.writeProcessing();
        const body = zipped ? [gzipSync(pieces.join(''))] : pieces.map((piece) => Buffer.from(piece));
        const fields = [...headers];
        if (hasLength) fields.push(['Content-Length', String(Buffer.concat(body).length)]);
        if (isLast) fields.push(['Connection', 'close']);
        if (zipped) fields.push(['Content-Encoding', 'gzip']);
        response.writeHead(status, fields.flat());
        for (const piece of body) response.write(piece);
        if (trailer && !hasLength) response.addTrailers({ 'x-trailer': '1' });
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    wire = open(() => whenConnected(connect((server.address() as AddressInfo).port, '127.0.0.1')));
  });
  afterAll(() => {
    wire.close();
    agent.destroy();
    server.close();
  });

  const get: ApiRequest = { method: 'GET', path: '/', repeat: 'never' };
  const written = (request: ApiRequest) => ({ request, target: request.path, headers: {}, body: undefined });

  const ours = (isStream = false, request = get): Promise<Answer> =>
    exchange(wire, { ...written(request), isStream, onHead: () => {} });

  async function nodes(): Promise<{ message: IncomingMessage; body: Buffer }> {
    const { port } = server.address() as AddressInfo;
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      nodeRequest({ port, host: '127.0.0.1', agent }, resolve).on('error', reject).end();
    });
    return { message, body: await buffer(message) };
  }

  const names = fc.constantFrom('X-A', 'x-b', 'Warning', 'Date', 'Retry-After', 'Content-Type', 'Audit-Id', 'Vary');
  const scripts: fc.Arbitrary<ScriptedAnswer> = fc
    .record({
      status: fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 204, 304)),
      headers: fc.array(fc.tuple(names, fc.stringMatching(/^([!-~]([ -~]{0,12}[!-~])?)?$/)), { maxLength: 6 }),
      pieces: fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 4 }),
      hasLength: fc.boolean(),
      hints: fc.nat({ max: 2 }),
      isLast: fc.boolean(),
      trailer: fc.boolean(),
      zipped: fc.boolean(),
    })
    .map((made) => (made.status === 204 || made.status === 304 ? { ...made, pieces: [], zipped: false } : made));

  test('an answer is what node:http reads', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (made) => {
        script = made;
        const { message, body } = await nodes();
        const answer = await ours();
        expect(answer.status).toBe(message.statusCode);
        for (const [name, value] of Object.entries(message.headers)) {
          if (['connection', 'keep-alive', 'date'].includes(name)) continue;
          expect(answer.headers[name], name).toBe(value);
        }
        expect(answer.text).toBe(made.zipped ? made.pieces.join('') : body.toString('utf8'));
      }),
      { numRuns: 200 },
    );
  });

  test('a stream is what a call reads, except for a refusal', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (made) => {
        script = made;
        const answer = await ours();
        const stream = await ours(true);
        expect(stream.status).toBe(answer.status);
        expect(stream.open === undefined).toBe(answer.status >= 400);
        expect(stream.open === undefined ? stream.text : await text(stream.open.body)).toBe(answer.text);
        stream.open?.stop();
      }),
      { numRuns: 100 },
    );
  });

  const plain: ScriptedAnswer = {
    status: 200,
    headers: [],
    pieces: ['x'],
    hasLength: false,
    hints: 0,
    isLast: false,
    trailer: false,
    zipped: false,
  };

  async function firstPiece(body: Readable): Promise<Buffer> {
    for await (const piece of body) return piece as Buffer;
    throw new Error('no piece');
  }

  test.each([false, true])('a reader that stops early ends the connection, zipped: %s', async (zipped) => {
    script = { ...plain, pieces: ['a'.repeat(100_000)], zipped };
    const { open } = await ours(true);
    expect((await firstPiece(open?.body as Readable)).toString()).toMatch(/^a+$/);
    open?.stop();
    script = plain;
    expect((await ours()).text).toBe('x');
  });

  test('a reader that is slow holds the server back', async () => {
    const chunk = Buffer.alloc(1_000_000, 'a');
    let sent = 0;
    const far = createServer((_request, response) => {
      const more = (): void => {
        while (sent < 40 && response.write(chunk)) sent += 1;
        if (sent < 40) response.once('drain', () => ((sent += 1), more()));
        else response.end();
      };
      more();
    });
    await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve));
    const slow = open(() => whenConnected(connect((far.address() as AddressInfo).port, '127.0.0.1')));
    const { open: body } = await exchange(slow, { ...written(get), isStream: true, onHead: () => {} });
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(sent).toBeLessThan(30);
    let read = 0;
    for await (const piece of body === undefined ? [] : body.body) read += (piece as Buffer).length;
    expect(read).toBe(40 * chunk.length);
    slow.close();
    far.close();
  });

  test('a zipped answer that is none is an error', async () => {
    script = { ...plain, headers: [['Content-Encoding', 'gzip']], pieces: ['not zipped at all'] };
    await expect(ours()).rejects.toThrow('incorrect header check');
    await expect(text((await ours(true)).open?.body as Readable)).rejects.toThrow('incorrect header check');
  });

  /** Sockets of the test. */
  function testWire(limit?: number, prepare?: (socket: TestSocket) => void) {
    const { dial, sockets } = testDial(prepare);
    return { wire: open(dial, limit), sockets };
  }

  /** Sends on a socket of the test. */
  function sentOn(wire: Connections, request: ApiRequest, isStream = false): Promise<Answer> {
    const sent = exchange(wire, { ...written(request), isStream, onHead: () => {} });
    sent.catch(() => {});
    return sent;
  }

  test('an interruption takes a request out of the queue with its reason', async () => {
    const { wire: one, sockets } = testWire(1);
    const stop = new AbortController();
    const first = sentOn(one, { ...get, path: '/first' });
    const stopped = sentOn(one, { ...get, path: '/stopped', method: 'PATCH', signal: stop.signal });
    const last = sentOn(one, { ...get, path: '/last' });
    stop.abort(new Error('stopped by the user'));
    await expect(stopped).rejects.toThrow('stopped by the user');
    await turn();
    for (const sent of [first, last]) {
      await sockets[0]?.receive('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na');
      expect((await sent).text).toBe('a');
    }
    expect(sockets.map(({ written }) => [...written.matchAll(/ (\/\w+) /g)].map(([, path]) => path))).toEqual([
      ['/first', '/last'],
    ]);
  });

  test('an interruption lets a change end that may have arrived, but not for long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { wire: any, sockets } = testWire(9, (socket) => (socket.connecting = sockets.length === 1));
      const stop = new AbortController();
      const change = { ...get, method: 'PATCH', signal: stop.signal } as const;
      const [arrived, connecting, answered] = [sentOn(any, change), sentOn(any, change), sentOn(any, change)];
      await turn();
      const before = vi.getTimerCount();
      stop.abort(new Error('stopped by the user'));
      expect([sockets[0]?.destroyed, sockets[2]?.destroyed]).toEqual([false, false]);
      expect(vi.getTimerCount()).toBe(before + 2);
      await sockets[2]?.receive('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      expect(await answered).toMatchObject({ status: 200 });
      expect(vi.getTimerCount()).toBe(before);
      await expect(connecting).rejects.toThrow('stopped by the user');
      vi.advanceTimersByTime(2_499);
      expect(sockets[0]?.destroyed).toBe(false);
      vi.advanceTimersByTime(1);
      expect(sockets[0]?.destroyed).toBe(true);
      await expect(arrived).rejects.toThrow('stopped by the user');
      expect(vi.getTimerCount()).toBe(before - 2);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a stream may be silent for longer once it has begun', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { wire: any, sockets } = testWire();
      const [begun, silent] = [1, 2].map(() => sentOn(any, { ...get, silenceMs: 100_000 }, true));
      await turn();
      await sockets[0]?.receive('HTTP/1.1 200 OK\r\n\r\n');
      vi.advanceTimersByTime(30_000);
      await expect(silent).rejects.toThrow('no answer for 30 s');
      const { open } = (await begun) as Answer;
      const read = text(open?.body as Readable);
      vi.advanceTimersByTime(69_999);
      await sockets[0]?.receive('more');
      vi.advanceTimersByTime(99_999);
      await turn();
      vi.advanceTimersByTime(1);
      await expect(read).rejects.toThrow('no answer for 100 s');
    } finally {
      vi.useRealTimers();
    }
  });

  test.each(['', 'content-encoding: gzip\r\n'])('a stream that is stopped ends its connection: %j', async (fields) => {
    const { wire: any, sockets } = testWire();
    const sent = sentOn(any, get, true);
    await turn();
    await sockets[0]?.receive(`HTTP/1.1 200 OK\r\n${fields}transfer-encoding: chunked\r\n\r\n`);
    (await sent).open?.stop();
    await turn();
    expect(sockets[0]?.destroyed).toBe(true);
  });

  test('a zipped answer may be empty', async () => {
    const { wire: any, sockets } = testWire();
    const sent = sentOn(any, get);
    await turn();
    await sockets[0]?.receive('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 0\r\n\r\n');
    expect((await sent).text).toBe('');
  });

  test('a zipped stream tells what has come before it goes on', async () => {
    const { wire: any, sockets } = testWire();
    const sent = sentOn(any, get, true);
    await turn();
    await sockets[0]?.receive('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n');
    const zipped = gzipSync('one event\n', { finishFlush: constants.Z_SYNC_FLUSH });
    const { open } = await sent;
    const first = once(open?.body as Readable, 'data');
    await sockets[0]?.receive(
      Buffer.concat([Buffer.from(`${zipped.length.toString(16)}\r\n`), zipped, Buffer.from('\r\n')]).toString('latin1'),
    );
    expect(String(await first)).toBe('one event\n');
    open?.stop();
  });

  test('an interruption ends a stream with its reason', async () => {
    const stop = new AbortController();
    script = { ...plain, pieces: ['a'.repeat(10_000_000)] };
    const { open } = await ours(true, { ...get, signal: stop.signal });
    const read = text(open?.body as Readable);
    stop.abort(new Error('stopped by the user'));
    await expect(read).rejects.toThrow('stopped by the user');
  });
});
