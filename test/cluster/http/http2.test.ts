import {
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { Connections } from '../../../src/cluster/http/connections.ts';
import { dialer } from '../../../src/cluster/http/dial.ts';
import { type Answer, exchange } from '../../../src/cluster/http/exchange.ts';
import { fixtureCertificate } from '../../support/https-server.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

type OnStream = (stream: ServerHttp2Stream, name: string) => void;

interface Setup {
  readonly connections: Connections;
  /** Of the server. */
  readonly sessions: readonly ServerHttp2Session[];
  readonly names: readonly string[];
  /** One for each connection: to destroy one cuts it, and neither side can say why. */
  readonly links: readonly Socket[];
}

/** A server by HTTP/2 behind a link that can be cut. */
async function setUp(onStream: OnStream, maxConcurrentStreams?: number): Promise<Setup> {
  const sessions: ServerHttp2Session[] = [];
  const names: string[] = [];
  const settings = maxConcurrentStreams === undefined ? {} : { maxConcurrentStreams };
  const server: Http2SecureServer = createSecureServer({ ...fixtureCertificate(), settings });
  server.on('session', (session) => sessions.push(session.on('error', () => {})));
  server.on('stream', (stream, headers) => {
    const name = String(headers[':path']).slice(1);
    names.push(name);
    onStream(
      stream.on('error', () => {}),
      name,
    );
  });
  const serverPort = await portOf(server);
  const links: Socket[] = [];
  const link = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1').on('error', () => {});
    near
      .on('error', () => {})
      .pipe(far)
      .pipe(near, { end: false });
    links.push(near);
  });
  const connections = secureConnections(await portOf(link));
  opened.push(
    {
      close: () => {
        for (const session of sessions) session.destroy();
        for (const socket of links) socket.destroy();
        server.close();
        link.close();
      },
    },
    connections,
  );
  return { connections, sessions, names, links };
}

const portOf = (server: { listen(port: number, host: string, done: () => void): unknown; address(): unknown }) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );

function secureConnections(port: number): Connections {
  const tls = { secureContext: createSecureContext(), rejectUnauthorized: false };
  const dial = dialer(new URL(`https://127.0.0.1:${port}`), tls, undefined);
  return new Connections(dial, { host: 'x', offersHttp2: true });
}

interface Asking {
  readonly silenceMs?: number;
  readonly signal?: AbortSignal;
  readonly isStream?: boolean;
  readonly body?: string;
}

const ask = (connections: Connections, name: string, { isStream = false, body, ...asking }: Asking = {}) =>
  exchange(connections, {
    request: { method: body === undefined ? 'GET' : 'PATCH', path: `/${name}`, repeat: 'never', ...asking },
    target: `/${name}`,
    headers: {},
    body,
    isStream,
    onHead: () => {},
  });
const textOf = async (answer: Promise<Answer>): Promise<string> => (await answer).text;

const echo: OnStream = (stream, name) => {
  stream.respond({ ':status': 200 });
  stream.end(name);
};
const half: OnStream = (stream) => {
  stream.respond({ ':status': 200 });
  stream.write('half');
};
const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1));
};

test('all requests share a connection', async () => {
  const { connections, sessions } = await setUp(echo);
  const names = Array.from({ length: 40 }, (_name, index) => `n${index}`);
  expect(await Promise.all(names.map((name) => textOf(ask(connections, name))))).toEqual(names);
  expect(sessions).toHaveLength(1);
});

test('a connection that opens after the others were closed is closed too', async () => {
  const { connections, sessions } = await setUp(echo);
  const opening = connections.open();
  connections.close();
  await opening;
  await expect(connections.open()).rejects.toThrow('socket hang up');
  await until(() => sessions.every((session) => session.destroyed));
});

test('what does not fit on a connection goes on another one', async () => {
  const held: ServerHttp2Stream[] = [];
  const { connections, sessions } = await setUp((stream) => void held.push(stream), 2);
  const first = ask(connections, 'a');
  await until(() => held.length === 1);
  // By then the server has said how many it takes.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const others = ['b', 'c', 'd'].map((name) => ask(connections, name));
  await until(() => held.length === 4);
  expect(sessions).toHaveLength(2);
  for (const stream of held) echo(stream, 'x');
  await Promise.all([first, ...others]);
});

describe('an answer that broke off is an error', () => {
  test.each<[string, OnStream, (setup: Setup) => void, string | RegExp]>([
    ['no answer', () => {}, ({ links }) => links[0]?.destroy(), 'socket hang up'],
    ['half an answer', half, ({ links }) => links[0]?.destroy(), 'aborted'],
    // Node tells of the stream's end or of the socket's, whichever it sees first.
    ['half an answer, and a reset', half, ({ links }) => links[0]?.resetAndDestroy(), /ECONNRESET|aborted/],
    [
      'half an answer after the server wants to end the connection',
      (stream, name) => {
        half(stream, name);
        stream.session?.goaway(0, stream.id);
      },
      ({ links }) => void setTimeout(() => links[0]?.resetAndDestroy(), 20),
      'aborted',
    ],
  ])('%s', async (_what, reply, cut, message) => {
    const setup = await setUp((stream, name) => (name === 'again' ? echo(stream, name) : reply(stream, name)));
    const broken = ask(setup.connections, 'a');
    broken.catch(() => {});
    await until(() => setup.names.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 10));
    cut(setup);
    await expect(broken).rejects.toThrow(message);
    await expect(broken).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await textOf(ask(setup.connections, 'again'))).toBe('again');
  });
});

test('a stream that breaks off is an error of its body', async () => {
  const { connections, links } = await setUp(half);
  const { open } = await ask(connections, 'watch', { isStream: true });
  const read = (async () => {
    for await (const _piece of open?.body ?? []) links[0]?.destroy();
  })();
  await expect(read).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('what the server refused was not processed', async () => {
  const { connections, names } = await setUp((stream, name) => {
    if (name === 'refused') stream.session?.goaway(0, 1);
    else echo(stream, name);
  });
  await ask(connections, 'first');
  await expect(ask(connections, 'refused', { body: '{}' })).rejects.toMatchObject({ code: 'TSHELM_NOT_PROCESSED' });
  expect(await textOf(ask(connections, 'last'))).toBe('last');
  expect(names).toEqual(['first', 'refused', 'last']);
});

test('a server that wants to end the connection is sent nothing more on it, and answers what it has', async () => {
  const { connections, sessions } = await setUp((stream, name) => {
    if (name !== 'slow') return echo(stream, name);
    stream.session?.close();
    setTimeout(() => echo(stream, name), 50);
  });
  const slow = textOf(ask(connections, 'slow'));
  await until(() => sessions[0]?.closed === true);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await textOf(ask(connections, 'other'))).toBe('other');
  expect(await slow).toBe('slow');
  expect(sessions).toHaveLength(2);
});

test('after a silence the next request goes on another connection; those under way go on', async () => {
  let other: ServerHttp2Stream | undefined;
  const { connections, sessions } = await setUp((stream, name) => {
    if (name === 'other') other = stream;
    else if (name !== 'silent') echo(stream, name);
  });
  const under = textOf(ask(connections, 'other'));
  await expect(ask(connections, 'silent', { silenceMs: 30 })).rejects.toThrow('no answer for 0.03 s');
  expect(await textOf(ask(connections, 'next'))).toBe('next');
  expect(sessions).toHaveLength(2);
  if (other !== undefined) echo(other, 'other');
  expect(await under).toBe('other');
});

test('an interruption ends one request, and the server hears of it', async () => {
  let isAborted = false;
  const { connections, names, sessions } = await setUp((stream, name) => {
    if (name === 'last') echo(stream, name);
    else stream.once('close', () => (isAborted = true));
  });
  const stop = new AbortController();
  const stopped = ask(connections, 'stopped', { signal: stop.signal });
  await until(() => names.length === 1);
  stop.abort(new Error('stopped by the user'));
  await expect(stopped).rejects.toThrow('stopped by the user');
  await until(() => isAborted);
  expect(await textOf(ask(connections, 'last'))).toBe('last');
  expect(sessions).toHaveLength(1);
});

test('who reads slowly holds back the server, and nobody else', async () => {
  const piece = Buffer.alloc(1_000_000);
  let sent = 0;
  const { connections } = await setUp((stream, name) => {
    if (name !== 'large') return echo(stream, name);
    stream.respond({ ':status': 200 });
    const more = (): void => {
      while (sent < 30 && stream.write(piece)) sent += 1;
      if (sent < 30) stream.once('drain', () => ((sent += 1), more()));
      else stream.end();
    };
    more();
  });
  const { open } = await ask(connections, 'large', { isStream: true, silenceMs: 1_000 });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(sent).toBeLessThan(20);
  expect(await textOf(ask(connections, 'small'))).toBe('small');
  let read = 0;
  for await (const one of open?.body ?? []) read += (one as Buffer).length;
  expect(read).toBe(30 * piece.length);
});

test('a large request is sent whole', async () => {
  const { connections } = await setUp((stream) => {
    let bytes = 0;
    stream.on('data', (piece: Buffer) => (bytes += piece.length));
    stream.on('end', () => echo(stream, String(bytes)));
  });
  expect(await textOf(ask(connections, 'large', { body: 'x'.repeat(3_000_000) }))).toBe('3000000');
});

test('what is closed fails who waits for an answer, and opens nothing again', async () => {
  const { connections, names, sessions } = await setUp(() => {});
  const waiting = ask(connections, 'a');
  waiting.catch(() => {});
  await until(() => names.length === 1);
  connections.close();
  await expect(waiting).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(ask(connections, 'b')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(sessions).toHaveLength(1);
});

test('a peer that chooses HTTP/2 and does not speak it is refused', async () => {
  const { createServer: createTlsServer } = await import('node:tls');
  const server = createTlsServer({ ...fixtureCertificate(), ALPNProtocols: ['h2'] }, (socket) => {
    socket.on('error', () => {}).once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  const connections = secureConnections(await portOf(server));
  opened.push({ close: () => server.close() }, connections);
  await expect(ask(connections, 'a')).rejects.toMatchObject({ code: 'TSHELM_MALFORMED_ANSWER' });
});
