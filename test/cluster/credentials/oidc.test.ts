import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Transport } from '../../../src/cluster/http/transport.ts';
import { findCluster } from '../../../src/cluster/kubeconfig.ts';
import { readPlainYaml } from '../../../src/yaml/index.ts';
import { type Answer, json, type ScriptedServer, scriptedServer } from '../scripted-server.ts';

const nowSeconds = Math.floor(Date.now() / 1000);
/** An unsigned token; clients only look at when it expires. */
const jwt = (exp: number, name = 'x'): string =>
  ['{"alg":"none"}', JSON.stringify({ exp, name }), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
const expired = jwt(nowSeconds - 60);
const fresh = jwt(nowSeconds + 3600, 'fresh');

let folder: string;
let api: ScriptedServer;
const servers: ScriptedServer[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-oidc-'));
  api = await scriptedServer(json(200, {}));
  servers.push(api);
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  for (const server of servers.splice(0)) await server.close();
});

/** An issuer; `answer` is what it says to who asks for tokens. */
async function issuer(answer: Answer, discovery?: Answer): Promise<ScriptedServer> {
  const server: ScriptedServer = await scriptedServer((response, request) => {
    const isDiscovery = request.url.endsWith('/.well-known/openid-configuration');
    const known = discovery ?? json(200, { token_endpoint: `${server.url}/token?tenant=a` });
    (isDiscovery ? known : answer)(response, request);
  });
  servers.push(server);
  return server;
}

const tokens = json(200, { access_token: 'a', id_token: fresh, refresh_token: 'second' });

function kubeconfig(config: Readonly<Record<string, string>>, name = 'config'): string {
  const file = join(folder, name);
  const fields = Object.entries(config).map(([key, value]) => `          ${key}: ${JSON.stringify(value)}\n`);
  writeFileSync(
    file,
    `apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: k, user: jane}}]
clusters: [{name: k, cluster: {server: "${api.url}"}}]
users:
  - name: other
    user: {token: "123"}
  - name: jane
    user:
      auth-provider:
        name: oidc
        config:
${fields.join('')}`,
    { mode: 0o640 },
  );
  return file;
}

const configOf = (idp: string, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  'idp-issuer-url': idp,
  'client-id': 'tool',
  'client-secret': 's e:cret',
  'id-token': expired,
  'refresh-token': 'first',
  ...more,
});

interface Users {
  readonly users: readonly {
    name: string;
    user: { token?: string; 'auth-provider'?: { config: Record<string, string> } };
  }[];
}
const usersIn = (file: string): Users['users'] => (readPlainYaml(readFileSync(file, 'utf8')) as Users).users;

/** What the API server is told who asks, after each of `count` requests. */
async function ask(file: string, count = 1): Promise<(string | undefined)[]> {
  const transport = new Transport(await findCluster({ kubeconfig: file }), { env: {} });
  try {
    for (let number = 0; number < count; number++) {
      await transport.send({ method: 'GET', path: '/version', repeat: 'never' });
    }
  } finally {
    transport.close();
  }
  return api.seen.map(({ headers }) => headers.authorization);
}

describe('an id-token that has expired is renewed by the refresh-token', () => {
  test('once, and the kubeconfig knows', async () => {
    const idp = await issuer(tokens);
    const file = kubeconfig(configOf(`${idp.url}/realm/`));
    expect(await ask(file, 2)).toEqual([`Bearer ${fresh}`, `Bearer ${fresh}`]);
    expect(idp.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /realm/.well-known/openid-configuration',
      'POST /token?tenant=a',
    ]);
    const basic = Buffer.from('tool:s+e%3Acret').toString('base64');
    expect(idp.seen[1]).toMatchObject({
      body: 'grant_type=refresh_token&refresh_token=first',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(usersIn(file)).toEqual([
      { name: 'other', user: { token: '123' } },
      {
        name: 'jane',
        user: {
          'auth-provider': {
            name: 'oidc',
            config: { ...configOf(`${idp.url}/realm/`), 'id-token': fresh, 'refresh-token': 'second' },
          },
        },
      },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['config']);
  });

  test('also where there is none yet, and the refresh-token stays', async () => {
    const idp = await issuer(json(200, { access_token: 'a', id_token: fresh }));
    const { 'id-token': _none, ...config } = configOf(idp.url);
    const file = kubeconfig(config);
    expect(await ask(file)).toEqual([`Bearer ${fresh}`]);
    expect(usersIn(file)[1]?.user['auth-provider']?.config).toEqual({ ...config, 'id-token': fresh });
  });

  test('that ends within ten seconds, too', async () => {
    const idp = await issuer(tokens);
    expect(await ask(kubeconfig(configOf(idp.url, { 'id-token': jwt(nowSeconds + 5) })))).toEqual([`Bearer ${fresh}`]);
  });

  test('not one that is valid', async () => {
    const idp = await issuer(tokens);
    const valid = jwt(nowSeconds + 600, 'valid');
    expect(await ask(kubeconfig(configOf(idp.url, { 'id-token': valid })), 2)).toEqual([
      `Bearer ${valid}`,
      `Bearer ${valid}`,
    ]);
    expect(idp.seen).toEqual([]);
  });

  test('again by the refresh-token that came last', async () => {
    const idp: ScriptedServer = await issuer((response, request) =>
      json(200, {
        access_token: 'a',
        id_token: request.body.includes('first') ? jwt(nowSeconds - 1, 'short') : fresh,
        refresh_token: request.body.includes('first') ? 'second' : 'third',
      })(response, request),
    );
    const file = kubeconfig(configOf(idp.url));
    expect(await ask(file, 2)).toEqual([`Bearer ${jwt(nowSeconds - 1, 'short')}`, `Bearer ${fresh}`]);
    expect(usersIn(file)[1]?.user['auth-provider']?.config['refresh-token']).toBe('third');
  });

  test('by an issuer that wants to be told who asks in the body', async () => {
    const idp = await issuer((response, request) =>
      (request.headers.authorization === undefined ? tokens : json(401, { error: 'invalid_client' }))(
        response,
        request,
      ),
    );
    expect(await ask(kubeconfig(configOf(idp.url)))).toEqual([`Bearer ${fresh}`]);
    expect(Object.fromEntries(new URLSearchParams(idp.seen[2]?.body))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'first',
      client_id: 'tool',
      client_secret: 's e:cret',
    });
  });

  test('by an issuer that has moved', async () => {
    const idp = await issuer(tokens);
    const old = await scriptedServer((response, request) =>
      response.writeHead(302, { location: `${idp.url}${request.url}` }).end(),
    );
    servers.push(old);
    expect(await ask(kubeconfig(configOf(old.url)))).toEqual([`Bearer ${fresh}`]);
  });

  test('through a link to the kubeconfig', async () => {
    const idp = await issuer(tokens);
    const file = kubeconfig(configOf(idp.url), 'real');
    symlinkSync('real', join(folder, 'link'));
    await ask(join(folder, 'link'));
    expect(usersIn(file)[1]?.user['auth-provider']?.config['id-token']).toBe(fresh);
    expect(readdirSync(folder).toSorted()).toEqual(['link', 'real']);
  });

  test('over TLS, by the authority that the kubeconfig names', async () => {
    const pem = (name: string): string =>
      readFileSync(new URL(`../http/fixtures/tls/${name}`, import.meta.url), 'utf8');
    const server = createHttpsServer({ cert: pem('server.crt'), key: pem('server.key') }, (_request, response) =>
      response.end('{}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const idp = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ca = { 'idp-certificate-authority-data': Buffer.from(pem('ca.crt')).toString('base64') };
    // The certificate is for another name: who it was issued by is looked at first.
    await expect(ask(kubeconfig(configOf(idp)))).rejects.toThrow('certificate signed by unknown authority');
    await expect(ask(kubeconfig(configOf(idp, ca)))).rejects.toThrow("doesn't contain any IP SANs");
    server.close();
  });
});

// The words are client-go's.
const plain = 'kubernetes cluster unreachable: getting credentials: the auth-provider "oidc" of the kubeconfig: ';
test.each<[string, Record<string, string>, Answer, Answer | undefined, string]>([
  ['no issuer', { 'idp-issuer-url': '' }, tokens, undefined, 'Must provide idp-issuer-url'],
  ['no client', { 'client-id': '' }, tokens, undefined, 'Must provide client-id'],
  [
    'no refresh-token',
    { 'refresh-token': '' },
    tokens,
    undefined,
    'No valid id-token, and cannot refresh without refresh-token',
  ],
  ['a token that is none', { 'id-token': 'abc' }, tokens, undefined, 'ID Token is not a valid JWT'],
  [
    'an issuer that does not know itself',
    {},
    tokens,
    json(404, { no: 'such page' }),
    'oidc: failed to query metadata endpoint 404: "{\\"no\\":\\"such page\\"}"',
  ],
  ['an issuer without tokens', {}, tokens, json(200, {}), "oidc: discovery object doesn't contain a token_endpoint"],
  [
    'a refusal',
    {},
    json(400, { error: 'invalid_grant', error_description: 'Token is not active' }),
    undefined,
    'failed to refresh token: oauth2: "invalid_grant" "Token is not active"',
  ],
  [
    'a refusal without words',
    {},
    (response) => response.writeHead(500, { 'content-type': 'text/html' }).end('<p>'),
    undefined,
    'failed to refresh token: oauth2: cannot fetch token: 500\nResponse: <p>',
  ],
  [
    'an answer without an id-token',
    {},
    json(200, { access_token: 'a' }),
    undefined,
    'token response did not contain an id_token',
  ],
  [
    'an answer without an access token',
    {},
    json(200, { id_token: fresh }),
    undefined,
    'failed to refresh token: oauth2: server response missing access_token',
  ],
])('%s is told', async (_what, config, answer, discovery, message) => {
  const idp = await issuer(answer, discovery);
  const file = kubeconfig(configOf(idp.url, config));
  const before = readFileSync(file, 'utf8');
  await expect(ask(file)).rejects.toThrow(`${plain}${message}`);
  expect(api.seen).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('an issuer that is not there is told', async () => {
  await expect(ask(kubeconfig(configOf('http://127.0.0.1:1')))).rejects.toThrow(
    'Get "http://127.0.0.1:1/.well-known/openid-configuration": dial tcp 127.0.0.1:1: connect: connection refused',
  );
});

test('a kubeconfig that another process holds for long keeps its tokens, and no request is sent', async () => {
  const idp = await issuer(tokens);
  const file = kubeconfig(configOf(idp.url));
  writeFileSync(`${file}.lock`, '');
  await expect(ask(file)).rejects.toThrow(`could not persist new tokens: open ${file}.lock: file exists`);
  expect(api.seen).toEqual([]);
  expect(usersIn(file)[1]?.user['auth-provider']?.config['id-token']).toBe(expired);
});

test('another auth-provider has gone from Kubernetes', async () => {
  const file = kubeconfig({});
  writeFileSync(file, readFileSync(file, 'utf8').replace('name: oidc', 'name: gcp'));
  await expect(ask(file)).rejects.toThrow(
    'the auth-provider "gcp" of the kubeconfig has been removed from Kubernetes; use the "gke-gcloud-auth-plugin" credential plugin instead',
  );
});
