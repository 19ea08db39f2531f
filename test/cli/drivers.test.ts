import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('memory works where nothing is left behind', async () => {
  const env = { HELM_DRIVER: 'memory', KUBECONFIG: '/dev/null' };
  expect((await tshelm(['install', 'a', chart, '--dry-run=client'], { env })).code).toBe(0);
  const sandbox = openTestSandbox();
  const words = ['install', 'a', chart, '--sandbox-dir', sandbox.directory];
  expect((await tshelm(words, { env: { HELM_DRIVER: 'memory' } })).code).toBe(0);
  sandbox.remove();
});
