import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from '../../src/sandbox/index.ts';

const directory = mkdtempSync(join(tmpdir(), 'tshelm-token-'));
const secrets = '/api/v1/namespaces/default/secrets';
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ directory });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(directory, { recursive: true });
});

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

test.each([
  ['without a token', () => undefined, 401],
  ['with an empty one', () => 'Bearer ', 401],
  ['with a wrong one', () => `Bearer ${'x'.repeat(sandbox.token.length)}`, 401],
  ['with a part of it', () => `Bearer ${sandbox.token.slice(0, -1)}`, 401],
  ['with a wrong password', () => basic('sandbox', 'x'), 401],
  ['with the token', () => `Bearer ${sandbox.token}`, 200],
  ['with the token as password', () => basic('sandbox', sandbox.token), 200],
])('a request %s: %#', async (_how, authorization, code) => {
  const header = authorization();
  const headers = header === undefined ? {} : { authorization: header };
  for (const path of [secrets, '/readyz', '/nowhere']) {
    const response = await fetch(sandbox.url + path, { headers });
    if (code === 200) expect(response.status).toBe(path === '/nowhere' ? 404 : 200);
    else expect(await response.json()).toMatchObject({ kind: 'Status', reason: 'Unauthorized', code: 401 });
  }
});

test('a connection inside the process is asked for it as well', async () => {
  const connection = sandbox.dial();
  connection.end('GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n');
  const answer = await new Promise<string>((resolve) => connection.once('data', (data) => resolve(String(data))));
  expect(answer).toContain('HTTP/1.1 401 ');
});

test('each server makes its own', async () => {
  const other = await openSandbox();
  expect(other.token).not.toBe(sandbox.token);
  expect(sandbox.token.length).toBeGreaterThanOrEqual(43);
  await other.close();
});

test('a second process finds it in a file that its owner alone can read', async () => {
  const file = join(directory, 'server.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ url: sandbox.url, token: sandbox.token });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const second = await openSandbox({ directory });
  expect([second.token, second.kubeconfig()]).toEqual([sandbox.token, sandbox.kubeconfig()]);
  await second.close();
});

test('a kubeconfig has it for clients that send it as a token, and for those that take it from the URL', () => {
  expect(sandbox.kubeconfig()).toContain(`user: {token: ${sandbox.token}}`);
  expect(sandbox.kubeconfig()).toContain(`server: "http://sandbox:${sandbox.token}@127.0.0.1:${sandbox.port}"`);
});
