import { expect, test } from 'vitest';
import { Credentials } from '../../../src/cluster/credentials/credentials.ts';
import type { ClusterAccess, ExecConfig, KubeconfigCluster } from '../../../src/cluster/kubeconfig.ts';
import { noAsk } from '../scripted-server.ts';

const apiVersion = 'client.authentication.k8s.io/v1';

/** A plugin written in JavaScript; `script` prints what it likes. */
const plugin = (script: string, more: Partial<ExecConfig> = {}): ExecConfig => ({
  apiVersion,
  command: process.execPath,
  args: ['-e', script],
  interactiveMode: 'Never',
  ...more,
});

const printing = (status: string): string =>
  `console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: '${apiVersion}', status: ${status} }))`;

function credentials(
  exec: ExecConfig,
  clock = { now: () => 0 },
  cluster: Partial<KubeconfigCluster> = {},
): Credentials {
  const access: ClusterAccess = {
    namespace: 'default',
    cluster: { server: 'https://c', ...cluster },
    user: { exec },
    userName: 'u',
    isGuess: false,
  };
  return new Credentials(access, { env: process.env, ask: noAsk, now: () => clock.now() });
}

const tokenOf = async (from: Credentials): Promise<unknown> => (await from.current()).headers['authorization'];

test('the plugin’s token is used, and kept until it expires', async () => {
  let now = 0;
  const from = credentials(
    plugin(printing(`{ token: 't' + process.pid, expirationTimestamp: '1970-01-01T00:00:10Z' }`)),
    { now: () => now },
  );
  const first = await tokenOf(from);
  expect(first).toMatch(/^Bearer t\d+$/);
  now = 9_000;
  expect(await tokenOf(from)).toBe(first);
  now = 10_000;
  expect(await tokenOf(from)).not.toBe(first);
});

test('a token that the server refused is asked for again, once for all who had it', async () => {
  const from = credentials(plugin(printing(`{ token: 't' + process.pid }`)));
  const refused = await from.current();
  expect(await Promise.all([from.forget(refused), from.forget(refused)])).toEqual([true, true]);
  const [a, b] = await Promise.all([from.current(), from.current()]);
  expect(a).toBe(b);
  expect(a).not.toBe(refused);
});

test('a client certificate may be the answer', async () => {
  const from = credentials(plugin(printing(`{ clientCertificateData: 'CERT', clientKeyData: 'KEY' }`)));
  expect(await from.current()).toEqual({ headers: {}, certificate: 'CERT', key: 'KEY' });
});

test('the plugin is told about the cluster, and gets its own variables', async () => {
  const exec = plugin(printing(`{ token: process.env.EXTRA + process.env.KUBERNETES_EXEC_INFO }`), {
    env: [{ name: 'EXTRA', value: 'extra ' }],
    provideClusterInfo: true,
  });
  const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }];
  const token = String(
    await tokenOf(credentials(exec, undefined, { 'certificate-authority-data': 'Q0E=', extensions })),
  );
  expect(JSON.parse(token.replace('Bearer extra ', ''))).toEqual({
    kind: 'ExecCredential',
    apiVersion,
    spec: {
      interactive: false,
      cluster: { server: 'https://c', 'certificate-authority-data': 'Q0E=', config: { audience: 'a' } },
    },
  });
});

test.each([
  [
    'is not installed',
    { command: 'tshelm-no-such-plugin', installHint: 'get it at example.com' },
    'executable tshelm-no-such-plugin not found; get it at example.com',
  ],
  ['fails', { args: ['-e', 'console.error("no session"); process.exit(3)'] }, 'failed with exit code 3: no session'],
  [
    'speaks another version',
    { apiVersion: 'client.authentication.k8s.io/v1beta1' },
    'plugin is configured to use API version client.authentication.k8s.io/v1beta1, plugin returned version client.authentication.k8s.io/v1',
  ],
  ['has an unknown version', { apiVersion: 'client.authentication.k8s.io/v1alpha1' }, 'invalid apiVersion'],
  ['prints something else', { args: ['-e', 'console.log("secret-token")'] }, 'did not print an ExecCredential'],
  ['has nothing to give', { args: ['-e', printing('{}')] }, "didn't return a token or cert/key pair"],
] as [string, Partial<ExecConfig>, string][])('a plugin that %s', async (_what, more, message) => {
  const error = await credentials(plugin(printing(`{ token: 't' }`), more))
    .current()
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'cluster-unreachable' });
  expect(String(error)).toContain(message);
  expect(String(error)).not.toContain('secret-token');
});
