import { expect, onTestFinished, test } from 'vitest';
import { HttpClient, type HttpClientOptions } from '../../../src/source/http/client.ts';
import { get } from '../../../src/source/http/get.ts';
import type { DownloadProgress } from '../../../src/source/http/request.ts';
import { serve } from './server.ts';

function open(options: Partial<HttpClientOptions> = {}): HttpClient {
  const client = new HttpClient({ env: {}, random: () => 0, ...options });
  onTestFinished(() => client.close());
  return client;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

test('gives the bytes, and calls itself Helm', async () => {
  const { url, requests } = await serve((_request, response) => response.end('bytes'));
  const progress: DownloadProgress[] = [];
  expect(textOf(await get(open({ onProgress: (event) => progress.push(event) }), `${url}/a.tgz`))).toBe('bytes');
  expect(requests[0]?.headers['user-agent']).toBe('Helm/4.3.1');
  expect(requests[0]?.headers['accept-encoding']).toBeUndefined();
  expect(progress.at(-1)).toEqual({ url: `${url}/a.tgz`, receivedBytes: 5, totalBytes: 5, isDone: true });
});

test('a status other than 200 fails in the words of Helm, without the password', async () => {
  const { url } = await serve((_request, response) => response.writeHead(404).end('no'));
  const withUser = url.replace('//', '//me:hunter22@');
  await expect(get(open(), `${withUser}/x?token=abc`)).rejects.toThrow(
    `failed to fetch ${url.replace('//', '//me:xxxxx@')}/x?token=xxxxx : 404 Not Found`,
  );
});

test.each([
  ['breaks off', { 'content-length': '2000' }],
  ['is refused in the end', {}],
])('a download that %s ends its progress', async (_case, headers) => {
  let count = 0;
  const { url } = await serve((request, response) => {
    if (++count > 1 && !('content-length' in headers)) return void response.writeHead(403).end();
    response.writeHead(200, { 'content-length': '2000' });
    response.write('x', () => request.socket.destroy());
  });
  const progress: DownloadProgress[] = [];
  const client = open({ onProgress: (event) => progress.push(event) });
  await expect(get(client, `${url}/a.tgz`, { retries: 1 })).rejects.toThrow(`${url}/a.tgz`);
  expect(progress.at(0)).toMatchObject({ receivedBytes: 1, totalBytes: 2000, isDone: false });
  expect(progress.filter(({ isDone }) => isDone)).toHaveLength(1);
  expect(progress.at(-1)).toMatchObject({ url: `${url}/a.tgz`, isDone: true });
});

test('what nobody listens at fails as in Go', async () => {
  await expect(get(open(), 'http://127.0.0.1:1/x')).rejects.toThrow(
    'Get "http://127.0.0.1:1/x": dial tcp 127.0.0.1:1: connect: connection refused',
  );
});

test.each([
  ['the URL itself', (url: string) => ({ repositoryUrl: undefined, url }), true],
  ['a repository of the same host', (url: string) => ({ repositoryUrl: `${url}/charts`, url }), true],
  ['a repository of another port', (url: string) => ({ repositoryUrl: 'http://127.0.0.1:1', url }), false],
  ['another port, with all passed', (url: string) => ({ repositoryUrl: 'http://127.0.0.1:1', url, all: true }), true],
])('credentials of %s', async (_case, options, isSent) => {
  const { url, requests } = await serve((_request, response) => response.end());
  const { repositoryUrl, all } = options(url) as { repositoryUrl?: string; all?: boolean };
  await get(open(), `${url}/a.tgz`, { username: 'u', password: 'p', repositoryUrl, passCredentialsAll: all });
  expect(requests[0]?.headers.authorization).toBe(isSent ? 'Basic dTpw' : undefined);
});

test('a redirect to another host loses the credentials, one to the same keeps them', async () => {
  const { url, requests } = await serve((request, response) => {
    const location = request.url === '/a' ? '/b' : `${url.replace('127.0.0.1', 'localhost')}/c`;
    if (request.url === '/c') response.end('there');
    else response.writeHead(302, { location }).end();
  });
  expect(textOf(await get(open(), `${url}/a`, { username: 'u', password: 'p' }))).toBe('there');
  expect(requests.map((request) => request.headers.authorization)).toEqual(['Basic dTpw', 'Basic dTpw', undefined]);
});

test('a redirect loop ends', async () => {
  const { url, requests } = await serve((_request, response) => response.writeHead(302, { location: '/a' }).end());
  await expect(get(open(), `${url}/a`)).rejects.toThrow(`Get "${url}/a": stopped after 10 redirects`);
  expect(requests).toHaveLength(10);
});

test('429 is repeated when the server says so, 5xx soon', async () => {
  const answers = [429, 503, 200];
  const { url, requests } = await serve((_request, response) =>
    response.writeHead(answers.shift() ?? 500, { 'retry-after': '0' }).end('at last'),
  );
  expect(textOf(await get(open(), url))).toBe('at last');
  expect(requests).toHaveLength(3);
});

test('a server that stays broken is left after some tries', async () => {
  const { url, requests } = await serve((_request, response) => response.writeHead(500, { 'retry-after': '0' }).end());
  await expect(get(open(), `${url}/a`)).rejects.toThrow(`failed to fetch ${url}/a : 500 Internal Server Error`);
  expect(requests).toHaveLength(4);
});

test('a body that breaks off is taken up where it did', async () => {
  const whole = 'x'.repeat(1000) + 'y'.repeat(1000);
  const { url, requests } = await serve((request, response) => {
    const { range } = request.headers;
    if (range === undefined) {
      response.writeHead(200, { 'content-length': '2000', etag: '"1"' });
      response.write(whole.slice(0, 1000), () => request.socket.destroy());
      return;
    }
    response.writeHead(206, { 'content-range': 'bytes 1000-1999/2000', 'content-length': '1000' });
    response.end(whole.slice(1000));
  });
  expect(textOf(await get(open(), url))).toBe(whole);
  expect(requests.map(({ headers }) => [headers.range, headers['if-range']])).toEqual([
    [undefined, undefined],
    ['bytes=1000-', '"1"'],
  ]);
});

test.each([
  ['the whole again (200)', [200, {}]],
  ['the whole again (206)', [206, { 'content-range': 'bytes 0-1999/2000' }]],
  ['too little of it', [206, { 'content-range': 'bytes 0-999/2000' }]],
  ['another part', [206, { 'content-range': 'bytes 1500-1999/2000' }]],
  ['a refusal', [416, {}]],
] as const)(
  'a body that breaks off is begun anew where the rest is answered by %s',
  async (_case, [status, headers]) => {
    const whole = 'x'.repeat(1000) + 'y'.repeat(1000);
    const { url, requests } = await serve((request, response) => {
      const isFirst = requests.length === 1;
      const isRest = request.headers.range !== undefined;
      response.writeHead(isRest ? status : 200, { etag: '"1"', ...(isRest ? headers : { 'content-length': '2000' }) });
      if (isFirst) response.write(whole.slice(0, 1000), () => request.socket.destroy());
      else response.end(isRest && status !== 200 && !('content-range' in headers) ? '' : whole);
    });
    expect(textOf(await get(open(), url))).toBe(whole);
    expect(requests[1]?.headers.range).toBe('bytes=1000-');
    expect(requests.at(-1)?.headers.range).toBe(requests.length === 2 ? 'bytes=1000-' : undefined);
  },
);

test('a body that always breaks off fails', async () => {
  const { url, requests } = await serve((request, response) => {
    response.writeHead(200, { 'content-length': '2000' });
    response.write('x', () => request.socket.destroy());
  });
  await expect(get(open(), `${url}/a`, { retries: 1 })).rejects.toThrow(`Get "${url}/a": unexpected EOF`);
  expect(requests).toHaveLength(2);
});

test.each([
  ['announced', { 'content-length': '20000' }],
  ['endless', {}],
])('a body above the limit is refused: %s', async (_case, headers) => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, headers);
    const more = (): void => void (response.destroyed || response.write('x'.repeat(1000), () => setImmediate(more)));
    more();
  });
  await expect(get(open(), `${url}/a`, { maxBytes: 10_000 })).rejects.toThrow(/\/a".* 10000 /);
});

test('slow bytes are not waited for', async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200);
    response.write('x');
  });
  const patience = { connectMs: 1000, headMs: 1000, slowMs: 50 };
  await expect(get(open({ patience }), `${url}/a`)).rejects.toThrow(/ 1 .* 0\.05 s$/);
});

test('the time limit holds for all of it', async () => {
  const { url } = await serve(() => undefined);
  await expect(get(open(), `${url}/a`, { timeoutMs: 50 })).rejects.toThrow(
    `Get "${url}/a": context deadline exceeded (Client.Timeout exceeded)`,
  );
});

test('an interruption ends it with its own reason', async () => {
  const controller = new AbortController();
  const { url } = await serve(() => controller.abort(new Error('interrupted')));
  await expect(get(open({ signal: controller.signal }), url)).rejects.toThrow('interrupted');
});

test('text comes packed; what unpacks to too much is refused', async () => {
  const { gzipSync } = await import('node:zlib');
  const { url } = await serve((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000))),
  );
  expect((await get(open(), url, { isText: true })).length).toBe(100_000);
  await expect(get(open(), url, { isText: true, maxBytes: 10_000 })).rejects.toThrow(/ 10000 /);
});

test('a proxy of the environment gets the whole URL', async () => {
  const { url, requests } = await serve((_request, response) => response.end('by proxy'));
  const client = open({ env: { HTTP_PROXY: url.replace('//', '//me:pw@') } });
  expect(textOf(await get(client, 'http://charts.example.com/a'))).toBe('by proxy');
  expect(requests[0]?.url).toBe('http://charts.example.com/a');
  expect(requests[0]?.headers['proxy-authorization']).toBe('Basic bWU6cHc=');
});

test('offline nothing is sent', async () => {
  await expect(open({ isOffline: true }).send({ method: 'PUT', url: 'http://me:pw@host/x' })).rejects.toMatchObject({
    code: 'offline',
    message: expect.stringContaining('http://me:xxxxx@host/x'),
  });
  await expect(get(open({ isOffline: true }), 'http://127.0.0.1:1/x')).rejects.toMatchObject({ code: 'offline' });
});
