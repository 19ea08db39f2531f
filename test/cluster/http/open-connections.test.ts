import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Transport } from '../../../src/cluster/http/transport.ts';
import type { KubeconfigCluster, KubeconfigUser } from '../../../src/cluster/kubeconfig.ts';
import { fixtureCertificate, httpsServer } from '../../support/https-server.ts';

type Serve = (options: TlsOptions, listener: (request: IncomingMessage, response: ServerResponse) => void) => Server;

const protocols: readonly { readonly protocol: string; readonly serve: Serve }[] = [
  { protocol: 'HTTP/1.1', serve: httpsServer },
  { protocol: 'HTTP/2', serve: (options, listener) => createSecureServer(options, listener as never) },
];

describe.each(protocols)('by $protocol', ({ serve }) => {
  const pathOf = (name: string): string => new URL(`fixtures/tls/${name}`, import.meta.url).pathname;
  const pem = (name: string): string => readFileSync(pathOf(name), 'utf8');
  const base64 = (name: string): string => Buffer.from(pem(name)).toString('base64');

  const openServers: Server[] = [];
  async function listening(server: Server): Promise<number> {
    openServers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }
  afterAll(() => openServers.forEach((server) => server.close()));

  let port: number;
  beforeAll(async () => {
    const options = {
      cert: pem('server.crt'),
      key: pem('server.key'),
      ca: pem('ca.crt'),
      requestCert: true,
      rejectUnauthorized: false,
    };
    port = await listening(
      serve(options, (request, response) => {
        const client = (request.socket as TLSSocket).getPeerCertificate() as { subject?: { CN: string } } | undefined;
        response.end(client?.subject?.CN ?? 'nobody');
      }),
    );
  });

  /** Asks the server, whose certificate is for `api.test`, who it takes us for. */
  async function ask(cluster: Partial<KubeconfigCluster>, user: KubeconfigUser = {}): Promise<string> {
    const access = {
      namespace: '',
      cluster: { server: `https://127.0.0.1:${port}`, ...cluster },
      user,
      userName: 'u',
      isGuess: false,
    };
    const transport = new Transport(access);
    try {
      return (await transport.send({ method: 'GET', path: '/', repeat: 'never' })).text;
    } finally {
      transport.close();
    }
  }

  const trusted = { 'certificate-authority-data': base64('ca.crt'), 'tls-server-name': 'api.test' };

  describe('whom we trust', () => {
    test('an authority in the kubeconfig', async () => expect(await ask(trusted)).toBe('nobody'));

    test('an authority in a file', async () => {
      expect(await ask({ 'certificate-authority': pathOf('ca.crt'), 'tls-server-name': 'api.test' })).toBe('nobody');
    });

    test('anybody, when told so', async () => expect(await ask({ 'insecure-skip-tls-verify': true })).toBe('nobody'));

    test('not an unknown authority', async () => {
      await expect(ask({ 'tls-server-name': 'api.test' })).rejects.toThrow(
        'tls: failed to verify certificate: x509: certificate signed by unknown authority',
      );
    });

    test.each([undefined, '10.9.8.7'])('not a certificate for another name, such as an address: %s', async (name) => {
      const cluster = { 'certificate-authority-data': base64('ca.crt'), ...(name && { 'tls-server-name': name }) };
      await expect(ask(cluster)).rejects.toThrow(
        `tls: failed to verify certificate: x509: cannot validate certificate for ${name ?? '127.0.0.1'} because it doesn't contain any IP SANs`,
      );
    });

    test('an authority file that is absent is named', async () => {
      await expect(ask({ 'certificate-authority': '/absent' })).rejects.toThrow(
        'kubernetes cluster unreachable: invalid configuration: unable to read certificate-authority /absent due to open /absent: no such file or directory',
      );
    });

    test('plain HTTP where TLS is expected', async () => {
      const plain = await listening(createHttpServer((_request, response) => response.end()));
      await expect(ask({ server: `https://127.0.0.1:${plain}` })).rejects.toThrow(
        'http: server gave HTTP response to HTTPS client',
      );
    });
  });

  describe('a client certificate', () => {
    test('in the kubeconfig', async () => {
      const user = { 'client-certificate-data': base64('client.crt'), 'client-key-data': base64('client.key') };
      expect(await ask(trusted, user)).toBe('client');
    });

    test('in files', async () => {
      const user = { 'client-certificate': pathOf('client.crt'), 'client-key': pathOf('client.key') };
      expect(await ask(trusted, user)).toBe('client');
    });

    test('from a credential plugin', async () => {
      const status = { clientCertificateData: pem('client.crt'), clientKeyData: pem('client.key') };
      const apiVersion = 'client.authentication.k8s.io/v1';
      const answer = JSON.stringify({ kind: 'ExecCredential', apiVersion, status });
      const args = ['-c', 'printf %s "$0"', answer];
      const exec = { apiVersion, command: '/bin/sh', args, interactiveMode: 'Never' } as const;
      expect(await ask(trusted, { exec })).toBe('client');
    });
  });

  test('a server that wants a certificate says so', async () => {
    const options = { cert: pem('server.crt'), key: pem('server.key'), ca: pem('ca.crt'), requestCert: true };
    const strict = await listening(serve(options, (_request, response) => response.end()));
    await expect(ask({ ...trusted, server: `https://127.0.0.1:${strict}` })).rejects.toThrow(
      /: remote error: tls: certificate required$/,
    );
  });

  test.each<[string, Parameters<typeof ask>]>([
    [
      'unable to load root certificates: unable to parse bytes as PEM block',
      [{ 'certificate-authority-data': 'eA==' }],
    ],
    [
      'tls: failed to find any PEM data in certificate input',
      [trusted, { 'client-certificate-data': 'eA==', 'client-key-data': base64('client.key') }],
    ],
    [
      'tls: failed to find any PEM data in key input',
      [trusted, { 'client-certificate-data': base64('client.crt'), 'client-key-data': 'eA==' }],
    ],
    [
      'tls: private key does not match public key',
      [trusted, { 'client-certificate-data': base64('client.crt'), 'client-key-data': base64('server.key') }],
    ],
  ])('a certificate or key that is unusable is told in the words of Helm: %s', async (words, access) => {
    await expect(ask(...access)).rejects.toThrow(`kubernetes cluster unreachable: ${words}`);
  });

  describe('a proxy', () => {
    /** One that relays to `port`, whatever it is asked for, and writes down what it was asked. */
    async function relay(to: number, status = '200 OK'): Promise<{ proxy: string; asked: string[] }> {
      const asked: string[] = [];
      const proxy = createHttpServer().on('connect', (request, near: Socket) => {
        asked.push(request.url ?? '', request.headers['proxy-authorization'] ?? '');
        const far = connect(to, '127.0.0.1', () => near.write(`HTTP/1.1 ${status}\r\n\r\n`));
        near
          .on('error', () => {})
          .pipe(far.on('error', () => {}))
          .pipe(near);
      });
      return { proxy: `127.0.0.1:${await listening(proxy)}`, asked };
    }
    const far = { ...trusted, server: 'https://cluster.example:6443' };

    test('of the kubeconfig is asked to connect', async () => {
      const { proxy, asked } = await relay(port);
      expect(await ask({ ...far, 'proxy-url': `http://${proxy}` })).toBe('nobody');
      expect(asked).toEqual(['cluster.example:6443', '']);
    });

    test('is told who asks', async () => {
      const { proxy, asked } = await relay(port);
      expect(await ask({ ...far, 'proxy-url': `http://us%40er:pass@${proxy}` })).toBe('nobody');
      expect(asked).toEqual(['cluster.example:6443', `Basic ${Buffer.from('us@er:pass').toString('base64')}`]);
    });

    test('that refuses is an error', async () => {
      const { proxy } = await relay(port, '407 Proxy Authentication Required');
      await expect(ask({ ...far, 'proxy-url': `http://${proxy}` })).rejects.toThrow(
        'Get "https://cluster.example:6443/": Proxy Authentication Required',
      );
    });

    test('that is not there is an error', async () => {
      await expect(ask({ ...far, 'proxy-url': 'http://127.0.0.1:1' })).rejects.toThrow(
        'dial tcp 127.0.0.1:1: connect: connection refused',
      );
    });

    test('is asked to connect to a server without TLS, too', async () => {
      const plain = await listening(createHttpServer((request, response) => response.end(request.headers.host)));
      const { proxy, asked } = await relay(plain);
      expect(await ask({ server: 'http://cluster.example', 'proxy-url': `http://${proxy}` })).toBe('cluster.example');
      expect(asked).toEqual(['cluster.example:80', '']);
    });

    test('sees no credentials that a server without TLS would be sent', async () => {
      const plain = createHttpServer((request, response) => response.end(request.headers.authorization ?? 'nobody'));
      const { proxy } = await relay(await listening(plain));
      const cluster = { server: 'http://cluster.example', 'proxy-url': `http://${proxy}` };
      expect(await ask(cluster, { token: 'secret' })).toBe('nobody');
    });

    test('of another kind is refused', async () => {
      await expect(ask({ ...far, 'proxy-url': 'socks5://x' })).rejects.toThrow('only http and https proxies');
    });
  });

  test('an address with a password is asked with it', async () => {
    const plain = createHttpServer((request, response) => response.end(request.headers.authorization));
    const server = `http://us%40er:pass@127.0.0.1:${await listening(plain)}`;
    expect(await ask({ server })).toBe(`Basic ${Buffer.from('us@er:pass').toString('base64')}`);
    expect(await ask({ server }, { token: 't' })).toBe('Bearer t');
  });

  test('a token that would smuggle in a header is refused', async () => {
    const plain = await listening(createHttpServer((_request, response) => response.end()));
    await expect(ask({ server: `http://127.0.0.1:${plain}` }, { token: 't\r\nx: y' })).rejects.toThrow(
      'Invalid character in header content ["authorization"]',
    );
  });
});

test.each([
  [{}, '2.0'],
  [{ DISABLE_HTTP2: '1' }, '1.1'],
])('HTTP/2 is spoken unless the environment forbids it: %j', async (env, version) => {
  const server = createSecureServer({ ...fixtureCertificate(), allowHTTP1: true }, (request, response) => {
    response.end(request.httpVersion);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cluster = { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true };
  const transport = new Transport({ namespace: '', cluster, user: {}, userName: 'u', isGuess: false }, { env });
  expect((await transport.send({ method: 'GET', path: '/', repeat: 'never' })).text).toBe(version);
  transport.close();
  server.close();
});
