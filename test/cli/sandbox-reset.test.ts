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
  expect(code).toBe(1);
  // Another folder would not empty this one.
  expect(stderr).toBe(
    `Error: the sandbox in ${sandbox.directory} is in use by another process (pid ${process.pid}, ${other.url}): end it first\n`,
  );
  expect(await releases()).toBe('shop\n');
});

test('--fail needs the sandbox for itself, and another folder has none of its releases', async () => {
  const other = await openSandbox({ directory: sandbox.directory });
  const { code, stderr } = await sandbox.run('install', ...shop, '--wait', '--fail', 'shop-web');
  await other.close();
  expect(code).toBe(1);
  expect(stderr).toContain(
    `(pid ${process.pid}, ${other.url}): --fail needs the sandbox for itself: end that process, or choose a new folder with --sandbox-dir, which has none of these releases\n`,
  );
});
