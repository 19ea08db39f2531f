import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { helm, ok, tshelmProcess } from '../support/programs.ts';
import { serveFiles } from './sides.ts';

/** Both programs change one home at once. */
const folder = mkdtempSync(join(tmpdir(), 'tshelm-at-once-'));
const env = Object.fromEntries(['CACHE', 'CONFIG', 'DATA'].map((name) => [`HELM_${name}_HOME`, join(folder, name)]));
const programs = [helm, tshelmProcess];
let server: Awaited<ReturnType<typeof serveFiles>>;

beforeAll(async () => {
  const helmPath = join(process.env['TSHELM_E2E_BIN'] ?? '', 'helm');
  const script = `mkdir served && '${helmPath}' create red && '${helmPath}' package red -d served && '${helmPath}' repo index served`;
  execFileSync('bash', ['-ec', script], { cwd: folder, stdio: 'pipe' });
  server = await serveFiles(join(folder, 'served'));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('no repository that either has added is lost', async () => {
  const numbers = [1, 2, 3, 4];
  const names = programs.flatMap((program) =>
    numbers.map((number) => ({ program, name: `${program.name}-${number}` })),
  );
  await Promise.all(names.map(({ program, name }) => ok(program, ['repo', 'add', name, server.url], { env })));
  const expected = names.map(({ name }) => name).sort();
  for (const program of programs) {
    const listed = JSON.parse(await ok(program, ['repo', 'list', '-o', 'json'], { env })) as { name: string }[];
    expect(listed.map(({ name }) => name).sort()).toEqual(expected);
  }
});

test('both refresh, search and fetch: each index and archive is whole all the time, and nothing is left over', async () => {
  const lines = ['repo update', 'search repo red', 'template r helm-1/red', 'show chart tshelm-1/red', 'repo update'];
  await Promise.all(programs.flatMap((program) => lines.map((line) => ok(program, line.split(' '), { env }))));
  const files = readdirSync(join(folder, 'CACHE'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((path) => path.endsWith('-index.yaml'))).toHaveLength(8);
  expect(files.filter((path) => path.endsWith('.tmp'))).toEqual([]);
});
