import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { Connections } from '../../../src/cluster/http/connections.ts';
import type { Dial } from '../../../src/cluster/http/dial.ts';
import { exchange } from '../../../src/cluster/http/exchange.ts';
import { answer, type RawServer, rawServer } from './raw-server.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

const open = (dial: Dial, maxCalls?: number): Connections =>
  new Connections(dial, { host: 'x', offersHttp2: false, maxCalls });

interface Asking {
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal;
}

/** Sends a request; the body of its answer. */
async function ask(connections: Connections, name: string, asking: Asking = {}): Promise<string> {
  const request = { method: 'GET', path: `/${name}`, repeat: 'never', ...asking } as const;
  const sent = { request, target: request.path, headers: {}, body: undefined, isStream: false, onHead: () => {} };
  return (await exchange(connections, sent)).text;
}

const nameIn = (request: string): string => /^GET \/(\w*) /.exec(request)?.[1] ?? '';
const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1));
};

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;

describe('HTTP/1.1', () => {
  async function setUp(
    onRequest: (socket: Socket, name: string) => void,
    limit?: number,
  ): Promise<{ server: RawServer; connections: Connections; names: () => string[] }> {
    const server = await rawServer((socket, request) => onRequest(socket, nameIn(request)));
    const connections = open(server.dial, limit);
    opened.push(server, connections);
    return { server, connections, names: () => server.requests.map(nameIn) };
  }

  const echo = (socket: Socket, name: string): void => void socket.write(answer(name));

  test('a connection that is free is used again', async () => {
    const { server, connections } = await setUp(echo);
    for (const name of ['a', 'b', 'c']) {
      expect(await ask(connections, name)).toBe(name);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(server.sockets).toHaveLength(1);
  });

  test('no more connections than allowed; who came first is served first', async () => {
    const { server, connections, names } = await setUp((socket, name) => setImmediate(echo, socket, name), 2);
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ask(connections, name)));
    expect(answers).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(server.sockets).toHaveLength(2);
    expect(names().slice(0, 2).toSorted()).toEqual(['a', 'b']);
    expect(names().slice(2, 4).toSorted()).toEqual(['c', 'd']);
  });

  test('who has gone is not served', async () => {
    const { connections, names } = await setUp(echo, 1);
    const stop = new AbortController();
    const [first, gone, last] = [
      ask(connections, 'a'),
      ask(connections, 'b', { signal: stop.signal }),
      ask(connections, 'c'),
    ];
    stop.abort(new Error('enough'));
    await expect(gone).rejects.toThrow('enough');
    expect(await Promise.all([first, last])).toEqual(['a', 'c']);
    expect(names()).toEqual(['a', 'c']);
  });

  test('a connection that breaks makes room for who waits', async () => {
    const { server, connections } = await setUp(
      (socket, name) => (name === 'a' ? void socket.destroy() : echo(socket, name)),
      1,
    );
    const [broken, next] = [ask(connections, 'a'), ask(connections, 'b')];
    await expect(broken).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await next).toBe('b');
    expect(server.sockets).toHaveLength(2);
  });

  test('an address that cannot be dialled fails who asked', async () => {
    let dials = 0;
    const connections = open(() => Promise.reject(new Error(`no ${++dials}`)), 1);
    const results = await Promise.allSettled([ask(connections, 'a'), ask(connections, 'b')]);
    expect(results.map((result) => (result as PromiseRejectedResult).reason.message)).toEqual(['no 1', 'no 2']);
  });

  test('what is closed fails who has a connection and who waits for one', async () => {
    const { server, connections } = await setUp(() => {}, 1);
    const results = Promise.allSettled([ask(connections, 'a'), ask(connections, 'b')]);
    await until(() => server.requests.length === 1);
    connections.close();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(server.sockets).toHaveLength(1);
  });

  describe('a connection is not used again', () => {
    test.each<[string, (socket: Socket) => void]>([
      ['whose server says so', (socket) => socket.write(answer('x', 'Connection: close\r\n'))],
      ['that is about to be closed', (socket) => socket.write(answer('x', 'Keep-Alive: timeout=1\r\n'))],
      ['of HTTP/1.0', (socket) => socket.write(answer('x').replace('1.1', '1.0'))],
      ['whose end is the end of its answer', (socket) => socket.end(`${ok}\r\nx`)],
    ])('%s', async (_what, reply) => {
      const { server, connections } = await setUp(reply);
      expect(await ask(connections, 'a')).toBe('x');
      expect(await ask(connections, 'b')).toBe('x');
      expect(server.sockets).toHaveLength(2);
    });

    test('that the server has closed meanwhile', async () => {
      const { server, connections } = await setUp(echo);
      await ask(connections, 'a');
      server.sockets[0]?.end();
      await until(() => server.sockets[0]?.destroyed === true);
      expect(await ask(connections, 'b')).toBe('b');
    });

    test('on which something came that nobody asked for', async () => {
      const { server, connections } = await setUp(echo);
      await ask(connections, 'a');
      await new Promise((resolve) => setTimeout(resolve, 5));
      server.sockets[0]?.write(answer('poison'));
      await until(() => server.sockets[0]?.destroyed === true);
      expect(await ask(connections, 'b')).toBe('b');
      expect(server.sockets).toHaveLength(2);
    });
  });

  describe('an answer that broke off is an error, and the next one is not touched', () => {
    test.each<[string, (socket: Socket) => void, string]>([
      ['no answer', (socket) => socket.end(), 'socket hang up'],
      ['half a head', (socket) => socket.end(`${ok}content-`), 'socket hang up'],
      ['half a body', (socket) => socket.end(`${ok}content-length: 2\r\n\r\nx`), 'aborted'],
      ['half a chunk', (socket) => socket.end(`${chunked}2\r\nx`), 'aborted'],
      ['no last chunk', (socket) => socket.end(`${chunked}1\r\nx\r\n`), 'aborted'],
      ['a reset', (socket) => socket.resetAndDestroy(), 'read ECONNRESET'],
      ['silence', () => {}, 'no answer for 0.02 s'],
      ['silence in the middle', (socket) => socket.write(answer('xy').slice(0, -1)), 'no answer for 0.02 s'],
    ])('%s', async (_what, reply, message) => {
      const { server, connections } = await setUp((socket, name) =>
        name === 'a' ? reply(socket) : echo(socket, name),
      );
      const silenceMs = message.startsWith('no answer') ? 20 : undefined;
      await expect(ask(connections, 'a', { silenceMs })).rejects.toThrow(message);
      expect(await ask(connections, 'b')).toBe('b');
      expect(server.sockets).toHaveLength(2);
    });
  });

  describe('what is no answer is refused, and the next one is not touched', () => {
    const long = 'x'.repeat(1_048_577);
    test.each([
      ['another protocol', 'SSH-2.0-x\r\n'],
      ['no status', 'HTTP/1.1 OK\r\n\r\n'],
      ['another protocol from now on', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
      ['a head that does not end', `${ok}a: ${long}`],
      ['a header without a colon', `${ok}abc\r\n\r\n`],
      ['a header without a name', `${ok}: x\r\n\r\n`],
      ['a space before the colon', `${ok}content-length : 3\r\n\r\n`],
      ['a line that ends with CR alone', `${ok}a: 1\rb: 2\r\n\r\n`],
      ['a NUL in a value', `${ok}a: 1\0\r\n\r\n`],
      ['two lengths', `${ok}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`],
      ['a negative length', `${ok}content-length: -3\r\n\r\n`],
      ['a hexadecimal length', `${ok}content-length: 0x3\r\n\r\n`],
      ['a length beyond all numbers', `${ok}content-length: 99999999999999999999999\r\n\r\n`],
      ['chunks of a negative size', `${chunked}-1\r\n`],
      ['chunks of no size', `${chunked};a\r\n`],
      ['a size beyond all numbers', `${chunked}ffffffffffffffff1\r\n`],
      ['more data than its size', `${chunked}1\r\nab\r\n`],
    ])('%s', async (_what, reply) => {
      const { server, connections } = await setUp((socket, name) =>
        name === 'a' ? void socket.write(reply) : echo(socket, name),
      );
      await expect(ask(connections, 'a')).rejects.toMatchObject({ code: 'TSHELM_MALFORMED_ANSWER' });
      expect(await ask(connections, 'b')).toBe('b');
      expect(server.sockets).toHaveLength(2);
    });
  });
});
