import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { HttpClient } from '../../../src/source/http/client.ts';
import { get } from '../../../src/source/http/get.ts';
import { httpsServer } from '../../support/https-server.ts';

/** The certificate of the server is for `api.test`, which only the proxy knows the way to. */
const fixture = (name: string): string => new URL(`../../cluster/http/fixtures/tls/${name}`, import.meta.url).pathname;
const pem = (name: string): string => readFileSync(fixture(name), 'utf8');
const caFile = fixture('ca.crt');

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Says who the client's certificate is of; `/away` sends to plain HTTP. */
const secureServer = (): Promise<number> => {
  const tls = { cert: pem('server.crt'), key: pem('server.key'), ca: pem('ca.crt') };
  return listening(
    httpsServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      if (request.url === '/away') return void response.writeHead(302, { location: 'http://api.test/x' }).end();
      const name = (request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody';
      response.end(`${request.headers.authorization ?? ''} ${name}`);
    }),
  );
};

/** A proxy that opens tunnels to one server, or refuses to. */
async function openProxy(target: number, refusal?: string) {
  const asked: (readonly [string | undefined, string | undefined])[] = [];
  const server = createHttpServer();
  server.on('connect', (request, socket) => {
    asked.push([request.url, request.headers['proxy-authorization']]);
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
    const inner = connect(target, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    inner.pipe(socket).pipe(inner);
    for (const one of [inner, socket]) one.on('error', () => inner.destroy());
  });
  return { port: await listening(server), asked };
}

function open(env: NodeJS.ProcessEnv): HttpClient {
  const client = new HttpClient({ env });
  onTestFinished(() => client.close());
  return client;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

test('TLS goes through the tunnel of a proxy, which gets its own credentials and no others', async () => {
  const { port, asked } = await openProxy(await secureServer());
  const client = open({ HTTPS_PROXY: `http://me:p%40ss@127.0.0.1:${port}` });
  const options = { username: 'u', password: 'p', tls: { caFile } };
  expect(textOf(await get(client, 'https://api.test/x', options))).toBe('Basic dTpw nobody');
  expect(textOf(await get(client, 'https://api.test:8443/x', options))).toBe('Basic dTpw nobody');
  const proxyAuthorization = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
  expect(asked).toEqual([
    ['api.test:443', proxyAuthorization],
    ['api.test:8443', proxyAuthorization],
  ]);
});

test('a proxy that refuses is told of in its own words', async () => {
  const { port } = await openProxy(1, '407 Proxy Authentication Required');
  await expect(
    get(open({ https_proxy: `http://me:hunter22@127.0.0.1:${port}` }), 'https://api.test/x'),
  ).rejects.toThrow(/^Get "https:\/\/api\.test\/x": (?!.*hunter22).*Proxy Authentication Required/);
});

test.each([
  ['is not there', 'http://127.0.0.1:1', 'proxyconnect tcp: '],
  ['speaks another protocol', 'socks5://127.0.0.1:1', 'the proxy must be an http or https URL'],
])('a proxy that %s', async (_what, proxy, reason) => {
  await expect(get(open({ HTTPS_PROXY: proxy }), 'https://api.test/x')).rejects.toThrow(
    new RegExp(`^Get "https://api\\.test/x": .*${reason}`),
  );
});

test('a certificate of a key pair says who one is', async () => {
  const { port } = await openProxy(await secureServer());
  const client = open({ HTTPS_PROXY: `http://127.0.0.1:${port}` });
  const pair = { certFile: fixture('client.crt'), keyFile: fixture('client.key') };
  const told = textOf(await get(client, 'https://api.test/x', { tls: { caFile, ...pair } }));
  expect(told).not.toBe(' nobody');
});

test('from https no redirect leads to http', async () => {
  const { port } = await openProxy(await secureServer());
  const client = open({ HTTPS_PROXY: `http://127.0.0.1:${port}` });
  await expect(get(client, 'https://api.test/away', { tls: { caFile } })).rejects.toThrow(
    'Get "https://api.test/away": the server redirects from https to http: http://api.test/x',
  );
});

test.each([
  ['an authority that nobody knows', {}, /certificate signed by unknown authority/],
  ['a certificate for another name', { caFile }, /127\.0\.0\.1/],
])('%s is refused', async (_what, tls, reason) => {
  const port = await secureServer();
  await expect(get(open({}), `https://127.0.0.1:${port}/x`, { tls })).rejects.toThrow(reason);
  const careless = { ...tls, insecureSkipTlsVerify: true };
  expect(textOf(await get(open({}), `https://127.0.0.1:${port}/x`, { tls: careless }))).toBe(' nobody');
});

test.each([
  [{ caFile: '/none/ca.pem' }, 'can\'t read CA file: "/none/ca.pem": open /none/ca.pem: no such file or directory'],
  [{ caFile: fixture('server.key') }, 'failed to append certificates from pem block'],
  [
    { certFile: '/none/a.pem', keyFile: '/none/b.pem' },
    'unable to read cert file: "/none/a.pem": open /none/a.pem: no such file or directory',
  ],
  [{ certFile: fixture('client.crt') }, 'unable to read key file: "": open : no such file or directory'],
  [
    { certFile: fixture('client.crt'), keyFile: fixture('server.key') },
    'unable to load cert from key pair: tls: private key does not match public key',
  ],
])('files of TLS that cannot be used: %o', async (tls, reason) => {
  await expect(get(open({}), 'https://127.0.0.1:1/x', { tls })).rejects.toThrow(
    `can't create TLS config for client: ${reason}`,
  );
});
