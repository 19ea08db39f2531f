import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSandbox } from '../../src/sandbox/index.ts';
import { openTestSandbox } from './harness.ts';

let sandbox: ReturnType<typeof openTestSandbox>;
beforeEach(() => {
  sandbox = openTestSandbox();
});
afterEach(() => sandbox.remove());

const shop = ['shop', 'fixtures/charts/shop', '--no-hooks'];
const reset = () => sandbox.run('sandbox', 'reset');
const releases = async (): Promise<string> => (await sandbox.run('list', '-q')).stdout;

test('a sandbox is empty after its reset, which names the folder', async () => {
  await sandbox.run('install', ...shop);
  expect(await releases()).toBe('shop\n');
  const { code, stdout } = await reset();
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(sandbox.directory) });
  expect(await releases()).toBe('');
  expect((await sandbox.run('install', ...shop)).code).toBe(0);
});

test('a state that cannot be read is deleted, and nothing else of the folder', async () => {
  writeFileSync(join(sandbox.directory, 'state.jsonl'), 'broken\n');
  writeFileSync(join(sandbox.directory, 'notes.txt'), 'mine');
  expect((await sandbox.run('list')).code).toBe(1);
  expect((await reset()).code).toBe(0);
  expect(readdirSync(sandbox.directory)).toEqual(['notes.txt']);
});

test('a folder that is not there is not made', async () => {
  sandbox.remove();
  expect((await reset()).code).toBe(0);
  expect(existsSync(sandbox.directory)).toBe(false);
});

test('a sandbox that is in use is refused, and keeps its objects', async () => {
  await sandbox.run('install', ...shop);
  const other = await openSandbox({ directory: sandbox.directory });
  const { code, stderr } = await reset();
  await other.close();
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(other.url) });
  expect(await releases()).toBe('shop\n');
});
