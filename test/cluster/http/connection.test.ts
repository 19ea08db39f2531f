import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeconfigCluster, KubeconfigUser } from '../../../src/cluster/http/kubeconfig.ts';
import { Transport } from '../../../src/cluster/http/transport.ts';

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
    createHttpsServer(options, (request, response) => {
      response.end((request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody');
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
  const transport = new Transport(access, { env: {} });
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

  test('not a certificate for another name', async () => {
    await expect(ask({ 'certificate-authority-data': base64('ca.crt') })).rejects.toThrow(
      'tls: failed to verify certificate: x509: ',
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
    const script = `console.log(JSON.stringify(${JSON.stringify({ kind: 'ExecCredential', apiVersion, status })}))`;
    const exec = { apiVersion, command: process.execPath, args: ['-e', script], interactiveMode: 'Never' } as const;
    expect(await ask(trusted, { exec })).toBe('client');
  });
});

test.each<[string, Parameters<typeof ask>]>([
  ['unable to load root certificates: unable to parse bytes as PEM block', [{ 'certificate-authority-data': 'eA==' }]],
  [
    'tls: failed to find any PEM data in certificate input',
    [trusted, { 'client-certificate-data': 'eA==', 'client-key-data': base64('client.key') }],
  ],
  [
    'tls: failed to find any PEM data in key input',
    [trusted, { 'client-certificate-data': base64('client.crt'), 'client-key-data': 'eA==' }],
  ],
])('what is no PEM is told in the words of Helm: %s', async (words, access) => {
  await expect(ask(...access)).rejects.toThrow(`kubernetes cluster unreachable: ${words}`);
});

test('a proxy of the kubeconfig is asked to connect', async () => {
  const asked: string[] = [];
  const proxy = createHttpServer().on('connect', (request, near: Socket) => {
    asked.push(request.url ?? '');
    const far = connect(port, '127.0.0.1', () => near.write('HTTP/1.1 200 OK\r\n\r\n'));
    near
      .on('error', () => {})
      .pipe(far.on('error', () => {}))
      .pipe(near);
  });
  const proxyPort = await listening(proxy);
  expect(
    await ask({ ...trusted, server: 'https://cluster.example:6443', 'proxy-url': `http://127.0.0.1:${proxyPort}` }),
  ).toBe('nobody');
  expect(asked).toEqual(['cluster.example:6443']);
});
