import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from './harness.ts';

const chart = `${import.meta.dirname}/../../fixtures/manifest-diff/chart`;
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  response.writeHead(404).end();
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test.each([
  ['memory', 'could never be upgraded or uninstalled'],
  ['sql', 'not in a database'],
  ['etcd', 'unknown driver "etcd"'],
])('HELM_DRIVER=%s is refused before anything is sent', async (driver, message) => {
  const env = { HELM_DRIVER: driver, KUBECONFIG: '/dev/null' };
  const { code, stderr } = await tshelm(['install', 'a', chart, '--kube-apiserver', url], { env });
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(asked).toEqual([]);
});

test.each(['template a', 'env', 'lint', 'repo list'])('%s refuses an unknown driver, as Helm does', async (words) => {
  const { code, stdout, stderr } = await tshelm([...words.split(' '), chart], { env: { HELM_DRIVER: 'bogus' } });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('unknown driver "bogus"');
});

test('memory works where nothing is left behind', async () => {
  const env = { HELM_DRIVER: 'memory', KUBECONFIG: '/dev/null' };
  expect((await tshelm(['install', 'a', chart, '--dry-run=client'], { env })).code).toBe(0);
  const sandbox = openTestSandbox();
  const words = ['install', 'a', chart, '--sandbox-dir', sandbox.directory];
  expect((await tshelm(words, { env: { HELM_DRIVER: 'memory' } })).code).toBe(0);
  sandbox.remove();
});

describe('memory with $HELM_MEMORY_DRIVER_DATA', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-memory-test-'));
  const [files, broken] = [join(folder, 'releases.yaml'), join(folder, 'broken.yaml')];
  writeFileSync(
    files,
    `- name: athos
  version: 1
  namespace: default
  info: {status: deployed, first_deployed: "2020-01-01T00:00:00Z", last_deployed: "2020-01-01T00:00:00Z", description: d, notes: hello}
  chart: {metadata: {name: c, version: 1.2.3, appVersion: "9"}}
  manifest: "apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: a}\\n"
  config: {a: 1}
- {name: porthos, version: 2, namespace: other, info: {status: failed, last_deployed: "2020-01-02T00:00:00Z"}, chart: {metadata: {name: c, version: 1.2.4}}}
`,
  );
  writeFileSync(broken, 'a: b\n');
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (words: string, data = files) =>
    tshelm(words.split(' '), {
      env: { HELM_KUBEAPISERVER: url, HELM_DRIVER: 'memory', HELM_MEMORY_DRIVER_DATA: data, KUBECONFIG: '/dev/null' },
    });

  // What Helm v4.3.1 prints for the same file.
  test.each([
    [
      'list -A',
      'NAME   \tNAMESPACE\tREVISION\tUPDATED                      \tSTATUS  \tCHART  \tAPP VERSION\nathos  \tdefault  \t1       \t2020-01-01 00:00:00 +0000 UTC\tdeployed\tc-1.2.3\t9          \nporthos\tother    \t2       \t2020-01-02 00:00:00 +0000 UTC\tfailed  \tc-1.2.4\t           \n',
    ],
    ['list -n other -q', 'porthos\n'],
    ['get values athos -o json', '{"a":1}\n'],
    ['get notes athos', 'NOTES:\nhello\n'],
    [
      'history athos',
      'REVISION\tUPDATED                 \tSTATUS  \tCHART  \tAPP VERSION\tDESCRIPTION\n1       \tWed Jan  1 00:00:00 2020\tdeployed\tc-1.2.3\t9          \td          \n',
    ],
    ['uninstall athos', 'release "athos" uninstalled\n'],
    ['rollback athos 1', 'Rollback was a success! Happy Helming!\n'],
    ['__complete status a', 'athos\tc-1.2.3 -> deployed\n:4\n'],
  ])('%s', async (words, stdout) => {
    expect(await run(words)).toMatchObject({ code: 0, stdout });
    expect(asked).toEqual([]);
  });

  test('a deployment is sent to nobody', async () => {
    const { code, stdout } = await run(`upgrade athos ${chart}`);
    expect([code, stdout.includes('REVISION: 2')]).toEqual([0, true]);
    expect((await run(`install a ${chart}`)).code).toBe(0);
    expect(asked).toEqual([]);
  });

  test.each([
    ['/nope', 'Error: Unable to read memory driver data: open /nope: no such file or directory\n'],
    [broken, `Error: Unable to unmarshal memory driver data: ${broken} is not a list of releases\n`],
  ])('%s cannot be read', async (data, stderr) => {
    expect(await run('list', `${files}:${data}`)).toEqual({ code: 1, stdout: '', stderr });
  });
});
