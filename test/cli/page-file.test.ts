import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { processIo } from '../../src/cli/terminal/io.ts';

const chart = join(process.cwd(), 'fixtures/charts/blog');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-page-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function shown(isTerminal: boolean, cwd = folder): Promise<string> {
  let stdout = '';
  const output = { isTerminal, columns: undefined, rows: undefined, write: (text: string) => void (stdout += text) };
  const io = { ...processIo(), env: { HOME: '/nonexistent' }, cwd, stdout: output, stderr: output };
  expect(await main(['dag', chart, '-o', 'html'], io)).toBe(0);
  return stdout;
}

test('a page goes into a new file where standard output is a terminal, and to a program as it is', async () => {
  const page = await shown(false);
  expect(page).toMatch(/^<!doctype html>/i);
  expect(readdirSync(folder)).toEqual([]);
  expect(await shown(true)).toBe(`wrote ${join(folder, 'tshelm.html')}: open it in a browser\n`);
  expect(await shown(true)).toBe(`wrote ${join(folder, 'tshelm-2.html')}: open it in a browser\n`);
  expect(readFileSync(join(folder, 'tshelm-2.html'), 'utf8')).toBe(page);
});

test('a folder that cannot be written: among the temporary files', async () => {
  const text = await shown(true, join(folder, 'none'));
  const path = /^wrote (.*): open it in a browser\n$/.exec(text)?.[1] ?? '';
  expect(path.startsWith(tmpdir())).toBe(true);
  rmSync(path);
});
