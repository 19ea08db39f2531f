import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-patterns-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a pattern of exponential or polynomial time fails the check, with its place and a text that shows it', () => {
  const lines = [
    'export const word = /^[a-z]+$/;',
    'export const path = /^(?:[a-z]+-*)*$/;',
    'const end = (text: string): string => text.replace(/x+$/, String.raw`/(a*)*b/`);',
  ];
  writeFileSync(join(folder, 'some.ts'), lines.join('\n'));
  const { status, stderr } = spawnSync(process.execPath, ['scripts/patterns.mjs', folder], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^some\.ts:2 \/\^\(\?:\[a-z\]\+-\*\)\*\$\/ takes exponential time for /),
    expect.stringMatching(/^some\.ts:3 \/x\+\$\/ takes 2nd degree polynomial time for /),
  ]);
});
