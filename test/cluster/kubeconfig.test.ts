import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Credentials } from '../../src/cluster/credentials/credentials.ts';
import { serverUrl } from '../../src/cluster/http/open-connections.ts';
import { findCluster, parseKubeconfig, serviceAccount } from '../../src/cluster/kubeconfig.ts';
import { noAsk } from './scripted-server.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tshelm-kubeconfig-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(directory, name), text);
  return join(directory, name);
}

const kubeconfig = (name: string, more = '') => `
apiVersion: v1
kind: Config
current-context: ${name}
contexts:
- name: ${name}
  context: { cluster: ${name}, user: ${name}, namespace: ns-${name} }
clusters:
- name: ${name}
  cluster: { server: "https://${name}:6443" }
users:
- name: ${name}
  user: { token: token-${name} }
${more}`;

describe('which files', () => {
  test('those of KUBECONFIG; the first to say something counts; absent ones do not matter', async () => {
    const a = await file('a', kubeconfig('a'));
    const b = await file('b', kubeconfig('b').replace('current-context: b', ''));
    const list = [join(directory, 'absent'), b, a].join(delimiter);
    expect(await findCluster({ env: { KUBECONFIG: list } })).toMatchObject({
      namespace: 'ns-a',
      cluster: { server: 'https://a:6443' },
      user: { token: 'token-a' },
    });
    expect(await findCluster({ env: { KUBECONFIG: list }, context: 'b' })).toMatchObject({
      cluster: { server: 'https://b:6443' },
    });
  });

  test('the same name in two files: the first file', async () => {
    const first = await file('first', kubeconfig('a'));
    const second = await file(
      'second',
      kubeconfig('a').replace('https://a', 'https://other').replace('token-a', 'other'),
    );
    const access = await findCluster({ env: { KUBECONFIG: `${first}${delimiter}${second}` } });
    expect(access).toMatchObject({ cluster: { server: 'https://a:6443' }, user: { token: 'token-a' } });
  });

  test('the same name twice in one file: the first entry', () => {
    const text = 'users: [{name: u, user: {token: one}}, {name: u, user: {token: two}}]';
    expect(parseKubeconfig(text, '/').users.get('u')).toEqual({ token: 'one' });
  });

  test('~/.kube/config where nothing else is said', async () => {
    await mkdir(join(directory, '.kube'));
    await file('.kube/config', kubeconfig('home'));
    expect(await findCluster({ env: { HOME: directory } })).toMatchObject({ cluster: { server: 'https://home:6443' } });
  });

  test('none at all: Helm’s guess', async () => {
    expect(await findCluster({ env: { KUBECONFIG: join(directory, 'absent') } })).toEqual({
      namespace: 'default',
      cluster: { server: 'http://localhost:8080' },
      user: {},
      userName: '',
      isGuess: true,
      files: [],
    });
  });
});

// Helm v4.3.1's words.
test.each([
  [
    'a named file that is absent',
    '',
    { kubeconfig: '/absent' },
    'kubernetes cluster unreachable: stat /absent: no such file or directory',
  ],
  [
    'a context that is absent',
    kubeconfig('a'),
    { context: 'nope' },
    'kubernetes cluster unreachable: context "nope" does not exist',
  ],
  [
    'a current context that is absent',
    'current-context: gone',
    {},
    'kubernetes cluster unreachable: invalid configuration: context was not found for specified context: gone',
  ],
])('%s', async (_what, text, options, message) => {
  const path = await file('config', text);
  await expect(findCluster({ env: { KUBECONFIG: path }, ...options })).rejects.toMatchObject({
    code: 'cluster-unreachable',
    message,
  });
});

test('which cluster it is can be told where there are several', async () => {
  const textOf = (clusters: string): string =>
    `current-context: prod\nclusters: [${clusters}]\ncontexts: [{name: prod, context: {cluster: two, user: u}}]\n`;
  const two = '{name: two, cluster: {server: "https://two.example"}}';
  const placeOf = async (clusters: string) => (await findCluster({ kubeconfigText: textOf(clusters), env: {} })).place;
  expect(await placeOf(two)).toBeUndefined();
  expect(await placeOf(`${two}, {name: one, cluster: {server: "https://one.example"}}`)).toEqual({
    context: 'prod',
    server: 'https://two.example',
  });
});

test.each(['- a list', ':bad\n - [', 'clusters: {a: b}'])('a file that is no kubeconfig: %j', async (text) => {
  const path = await file('config', text);
  await expect(findCluster({ env: { KUBECONFIG: path } })).rejects.toThrow(
    `kubernetes cluster unreachable: error loading config file "${path}": `,
  );
});

test('paths are relative to the file they stand in', () => {
  const text = `
clusters: [{name: c, cluster: {server: s, certificate-authority: ca.crt}}]
users:
- {name: u, user: {client-certificate: certs/u.crt, client-key: /abs/u.key, tokenFile: token}}
- {name: plugin, user: {exec: {command: ./bin/plugin}}}
- {name: path, user: {exec: {command: plugin}}}`;
  const { clusters, users } = parseKubeconfig(text, '/etc/kube');
  expect(clusters.get('c')).toEqual({ server: 's', 'certificate-authority': '/etc/kube/ca.crt' });
  expect(users.get('u')).toEqual({
    'client-certificate': '/etc/kube/certs/u.crt',
    'client-key': '/abs/u.key',
    tokenFile: '/etc/kube/token',
  });
  expect(users.get('plugin')?.exec?.command).toBe('/etc/kube/bin/plugin');
  expect(users.get('path')?.exec?.command).toBe('plugin');
});

describe('flags stand above the file', () => {
  test.each([
    [{ namespace: 'n' }, { namespace: 'n' }],
    [{ apiServer: 'https://other' }, { cluster: { server: 'https://other' }, user: { token: 'token-a' } }],
    [{ token: 't' }, { user: { token: 't' } }],
    [{ asUser: 'jane', asGroups: ['dev'] }, { user: { token: 'token-a', as: 'jane', 'as-groups': ['dev'] } }],
    [{ caFile: '/ca' }, { cluster: { 'certificate-authority': '/ca' } }],
    [{ insecureSkipTlsVerify: true }, { cluster: { 'insecure-skip-tls-verify': true } }],
    [{ tlsServerName: 'name' }, { cluster: { 'tls-server-name': 'name' } }],
  ])('%o', async (options, access) => {
    const path = await file('config', kubeconfig('a'));
    expect(await findCluster({ env: { KUBECONFIG: path }, ...options })).toMatchObject(access);
  });

  test('a token replaces a credential plugin', async () => {
    const path = await file('config', kubeconfig('a').replace('{ token: token-a }', '{ exec: { command: plugin } }'));
    expect((await findCluster({ env: { KUBECONFIG: path }, token: 't' })).user).toEqual({ token: 't' });
  });
});

describe('inside a pod', () => {
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };

  test('the service account is used', async () => {
    await file('token', 't');
    await file('namespace', 'team\n');
    expect(await serviceAccount({ asUser: 'jane' }, env, directory)).toEqual({
      namespace: 'team',
      cluster: { server: 'https://[fd00::1]:443', 'certificate-authority': join(directory, 'ca.crt') },
      user: { tokenFile: join(directory, 'token'), as: 'jane' },
      userName: 'the service account of this pod',
      isGuess: false,
    });
  });

  test('unless it is not mounted', async () => expect(await serviceAccount({}, env, directory)).toBeUndefined());
});

test.each([
  ['10.0.0.1:6443', {}, 'http://10.0.0.1:6443/'],
  ['10.0.0.1:6443', { 'insecure-skip-tls-verify': true }, 'https://10.0.0.1:6443/'],
  ['https://host/prefix', {}, 'https://host/prefix'],
])('the server %s with %o is %s', (server, tls, url) => {
  const access = { namespace: '', cluster: { server, ...tls }, user: {}, userName: '', isGuess: false };
  expect(serverUrl(access).href).toBe(url);
});

test('a token file is read again after a minute', async () => {
  const tokenFile = await file('token', 'one\n');
  let now = 0;
  const access = { namespace: '', cluster: { server: 'https://c' }, user: { tokenFile }, userName: '', isGuess: false };
  const credentials = new Credentials(access, { env: {}, ask: noAsk, now: () => now });
  const token = async () => (await credentials.current()).headers['authorization'];
  expect(await token()).toBe('Bearer one');
  await file('token', 'two\n');
  now = 59_000;
  expect(await token()).toBe('Bearer one');
  now = 60_000;
  expect(await token()).toBe('Bearer two');
});

test('a certificate that cannot be read is named', async () => {
  const user = { 'client-certificate': '/absent.crt', 'client-key': '/absent.key' };
  const access = { namespace: '', cluster: { server: 'https://c' }, user, userName: 'jane', isGuess: false };
  await expect(new Credentials(access, { env: {}, ask: noAsk }).current()).rejects.toThrow(
    'kubernetes cluster unreachable: invalid configuration: unable to read client-cert /absent.crt for jane due to open /absent.crt: no such file or directory',
  );
});
