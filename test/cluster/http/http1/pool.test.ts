import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { Asking, answer, ask, Pool, type RawServer, rawServer } from './raw-server.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

async function setUp(
  onRequest: (socket: Socket, request: string) => void,
  limit?: number,
): Promise<{ server: RawServer; pool: Pool }> {
  const server = await rawServer(onRequest);
  const pool = new Pool(server.dial, limit);
  opened.push(server, pool);
  return { server, pool };
}

const echo = (socket: Socket, request: string): void => void socket.write(answer(request));
const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1));
};

describe('which connection', () => {
  test('the one that is free', async () => {
    const { server, pool } = await setUp(echo);
    for (const text of ['a', 'b', 'c']) expect(await ask(pool, text)).toBe(text);
    expect(server.sockets).toHaveLength(1);
  });

  test('the one that was used last', async () => {
    const { server, pool } = await setUp((socket, request) => {
      if (request !== 'wait') echo(socket, request);
    });
    const [first, last] = [new Asking(pool, 'wait'), new Asking(pool, 'wait')];
    await until(() => server.requests.length === 2);
    for (const [text, { answered, connection }] of [
      ['1', first],
      ['2', last],
    ] as const) {
      const socket = server.sockets[text === '1' ? 0 : 1];
      socket?.write(answer(text));
      expect(await answered).toBe(text);
      expect(connection).toBeDefined();
    }
    const next = new Asking(pool);
    expect(next.connection).toBe(last.connection);
    await next.answered;
  });

  test('one that the neighbour does not use, which the neighbour then is without', async () => {
    const { server, pool } = await setUp(echo);
    const streams = new Pool(server.dial, undefined, pool);
    opened.push(streams);
    await ask(pool, 'a call');
    const stream = new Asking(streams, 'a stream');
    expect(server.sockets).toHaveLength(1);
    expect(await ask(pool, 'another call')).toBe('another call');
    expect(server.sockets).toHaveLength(2);
    expect(await stream.answered).toBe('a stream');
    expect(await ask(streams, 'another stream')).toBe('another stream');
    expect(server.sockets).toHaveLength(2);
  });

  test('no more than allowed; who came first is served first', async () => {
    const { server, pool } = await setUp((socket, request) => setImmediate(echo, socket, request), 2);
    const done: string[] = [];
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(async (text) => done.push(await ask(pool, text))));
    expect(server.sockets).toHaveLength(2);
    expect(server.requests.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(server.requests.slice(0, 2).toSorted()).toEqual(['a', 'b']);
    expect(server.requests.slice(2, 4).toSorted()).toEqual(['c', 'd']);
    expect(done).toHaveLength(6);
  });

  test('who has gone is not served', async () => {
    const { server, pool } = await setUp(echo, 1);
    const askings = ['a', 'b', 'c'].map((text) => new Asking(pool, text));
    askings[1]?.withdraw();
    expect(await Promise.all([askings[0]?.answered, askings[2]?.answered])).toEqual(['a', 'c']);
    expect(server.requests).toEqual(['a', 'c']);
  });

  test('a connection that breaks makes room for who waits', async () => {
    const { server, pool } = await setUp((socket, request) => {
      if (request === 'a') socket.destroy();
      else echo(socket, request);
    }, 1);
    const [broken, next] = [ask(pool, 'a'), ask(pool, 'b')];
    await expect(broken).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await next).toBe('b');
    expect(server.sockets).toHaveLength(2);
  });

  test('a connection that comes too late for who asked', async () => {
    const { server } = await setUp(echo);
    const late: (() => void)[] = [];
    const pool = new Pool((done) => late.push(() => server.dial(done)), 1);
    const [gone, waiting] = [new Asking(pool, 'a'), new Asking(pool, 'b')];
    gone.withdraw();
    late.shift()?.();
    late.shift()?.();
    expect(await waiting.answered).toBe('b');
    expect(gone.connection).toBeUndefined();
    pool.close();
  });

  test('an address that cannot be dialled fails who asked, one after the other', async () => {
    let dials = 0;
    const pool = new Pool((done) => void setImmediate(() => done(new Error(`no ${++dials}`))), 1);
    const results = await Promise.allSettled([ask(pool), ask(pool)]);
    expect(results.map((result) => (result as PromiseRejectedResult).reason.message)).toEqual(['no 1', 'no 2']);
  });

  test('a closed pool fails who has a connection and who waits for one', async () => {
    const { server, pool } = await setUp(() => {}, 1);
    const results = Promise.allSettled([ask(pool), ask(pool)]);
    await until(() => server.requests.length === 1);
    pool.close();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(server.sockets).toHaveLength(1);
  });
});

describe('what is not used again', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['a connection whose server says so', (socket) => socket.write(answer('x', 'Connection: close\r\n'))],
    ['one that is about to be closed', (socket) => socket.write(answer('x', 'Keep-Alive: timeout=1\r\n'))],
    ['one of HTTP/1.0', (socket) => socket.write(answer('x').replace('1.1', '1.0'))],
    ['one with bytes behind the answer', (socket) => socket.write(`${answer('x')}HTTP/1.1 200 OK\r\n`)],
    ['one whose end is the end of its answer', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nx')],
  ])('%s', async (_what, reply) => {
    const { server, pool } = await setUp(reply);
    expect(await ask(pool)).toBe('x');
    expect(await ask(pool)).toBe('x');
    expect(server.sockets).toHaveLength(2);
  });

  test('one that the server has closed meanwhile', async () => {
    const { server, pool } = await setUp(echo);
    const first = new Asking(pool, 'a');
    await first.answered;
    server.sockets[0]?.end();
    await until(() => server.sockets[0]?.destroyed === true);
    const next = new Asking(pool, 'b');
    expect(next.connection).not.toBe(first.connection);
    expect(await next.answered).toBe('b');
  });

  test('one on which something came that nobody asked for', async () => {
    const { server, pool } = await setUp(echo);
    const first = new Asking(pool, 'a');
    await first.answered;
    server.sockets[0]?.write(answer('poison'));
    await until(() => server.sockets[0]?.destroyed === true);
    expect(await ask(pool, 'b')).toBe('b');
    expect(server.sockets).toHaveLength(2);
  });

  test.each<[string, (socket: Socket) => void, string]>([
    ['no answer', (socket) => socket.end(), 'socket hang up'],
    ['half a head', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-'), 'socket hang up'],
    ['half a body', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nx'), 'aborted'],
    ['half a chunk', (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nx'), 'aborted'],
    [
      'no last chunk',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n'),
      'aborted',
    ],
    ['a reset', (socket) => socket.resetAndDestroy(), 'read ECONNRESET'],
    ['what is no HTTP', (socket) => socket.write('SSH-2.0-x\r\n'), 'malformed HTTP response "SSH-2.0-x\\r\\n"'],
    ['silence', () => {}, 'no answer for 0.02 s'],
    ['silence in the middle', (socket) => socket.write(answer('xy').slice(0, -1)), 'no answer for 0.02 s'],
  ])('one that broke: %s', async (_what, reply, message) => {
    let isFirst = true;
    const { server, pool } = await setUp((socket, request) => {
      if (isFirst) reply(socket);
      else echo(socket, request);
      isFirst = false;
    });
    await expect(new Asking(pool, 'a', message.startsWith('no answer') ? 20 : undefined).answered).rejects.toThrow(
      message,
    );
    expect(await ask(pool, 'b')).toBe('b');
    expect(server.sockets).toHaveLength(2);
  });
});
