import { expect, test } from 'vitest';
import { tshelm } from './harness.ts';

const env = async (words: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
  tshelm(['env', ...words], { env: { HOME: '/home/me', ...variables } });

// What Helm v4.3.1 prints with nothing but HOME in its environment.
const bare = `HELM_BIN="tshelm"
HELM_BURST_LIMIT="100"
HELM_CACHE_HOME="/home/me/.cache/helm"
HELM_CONFIG_HOME="/home/me/.config/helm"
HELM_CONTENT_CACHE="/home/me/.cache/helm/content"
HELM_DATA_HOME="/home/me/.local/share/helm"
HELM_DEBUG="false"
HELM_KUBEAPISERVER=""
HELM_KUBEASGROUPS=""
HELM_KUBEASUSER=""
HELM_KUBECAFILE=""
HELM_KUBECONTEXT=""
HELM_KUBEINSECURE_SKIP_TLS_VERIFY="false"
HELM_KUBETLS_SERVER_NAME=""
HELM_KUBETOKEN=""
HELM_MAX_HISTORY="10"
HELM_NAMESPACE="default"
HELM_PLUGINS="/home/me/.local/share/helm/plugins"
HELM_QPS="0.00"
HELM_REGISTRY_CONFIG="/home/me/.config/helm/registry/config.json"
HELM_REPOSITORY_CACHE="/home/me/.cache/helm/repository"
HELM_REPOSITORY_CONFIG="/home/me/.config/helm/repositories.yaml"
`;

test('env prints every variable of Helm', async () => {
  expect(await env([])).toEqual({ code: 0, stdout: bare, stderr: '' });
});

test('the environment counts, and what is no number counts as absent', async () => {
  const variables = {
    HELM_QPS: '1.555',
    HELM_BURST_LIMIT: 'x',
    HELM_DEBUG: '1',
    HELM_PLUGINS: '',
    HELM_DATA_HOME: '/d/',
  };
  const { stdout } = await env([], variables);
  const changed = stdout.split('\n').filter((line) => !bare.split('\n').includes(line));
  expect(changed).toEqual(['HELM_DATA_HOME="/d"', 'HELM_DEBUG="true"', 'HELM_PLUGINS=""', 'HELM_QPS="1.55"']);
});

test.each([
  [['HELM_NAMESPACE', '-n', 'shop'], 'shop\n'],
  [['HELM_REGISTRY_CONFIG', '--registry-config', '/r'], '/r\n'],
  [['HELM_KUBEASGROUPS', '--kube-as-group', 'a', '--kube-as-group', 'b'], 'a,b\n'],
  [['KUBECONFIG', '--kubeconfig', '/k'], '/k\n'],
  [['NOPE'], '\n'],
])('env %j', async (words, stdout) => {
  expect(await env(words)).toEqual({ code: 0, stdout, stderr: '' });
});

test('the flags of klog are taken, as Helm takes them', async () => {
  const words = ['--v=4', '--logtostderr=false', '--log-file', '/nowhere', '--vmodule=a=1'];
  expect((await env(['HELM_DEBUG', ...words])).stdout).toBe('false\n');
  expect((await env(['HELM_DEBUG', '-v', 'many'])).stderr).toContain('invalid argument "many" for "-v, --v" flag');
});
