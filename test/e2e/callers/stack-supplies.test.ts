import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tshelmPath } from '../support/programs.ts';
import { addChart, type Repository, startRepository } from './repository.ts';
import { bin } from './sides.ts';

/** `helmfile repos|deps|fetch` beside `stack repos|deps|fetch`, each over a folder of its own: the same files. */
const root = mkdtempSync(join(tmpdir(), 'tshelm-supplies-'));
let repository: Repository;

beforeAll(async () => {
  repository = await startRepository(join(root, 'repository'));
  const { url } = repository;
  mkdirSync(join(root, 'stack/local'), { recursive: true });
  for (const version of ['1.0.0', '1.2.0']) {
    mkdirSync(join(root, 'web'), { recursive: true });
    writeFileSync(join(root, 'web/Chart.yaml'), `apiVersion: v2\nname: web\nversion: ${version}\n`);
    addChart(repository, join(root, 'web'));
  }
  const dependencies = `[{name: web, version: 1.x, repository: '${url}'}]`;
  writeFileSync(
    join(root, 'stack/local/Chart.yaml'),
    `apiVersion: v2\nname: local\nversion: 1.0.0\ndependencies: ${dependencies}\n`,
  );
  writeFileSync(
    join(root, 'stack/helmfile.yaml'),
    `repositories:
- {name: own, url: '${url}'}
releases:
- {name: a, chart: own/web, version: 1.0.0}
- {name: b, chart: own/web, namespace: x}
- {name: l, chart: ./local}
- {name: off, chart: own/web, installed: false}
`,
  );
});
afterAll(() => {
  repository.stop();
  rmSync(root, { recursive: true });
});

/** The standard output, and the files that are there afterwards with what they say; times and lock files left out. */
async function resultOf(side: 'helmfile' | 'tshelm', words: readonly string[]) {
  const folder = join(root, side);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, 'stack'), folder, { recursive: true });
  const [program, before] = side === 'helmfile' ? [join(bin, 'helmfile'), []] : [tshelmPath, ['stack']];
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env['PATH']}`,
    ...Object.fromEntries(['CONFIG', 'CACHE', 'DATA'].map((name) => [`HELM_${name}_HOME`, join(folder, `.${name}`)])),
  };
  const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((done) =>
    execFile(program, [...before, ...words], { cwd: folder, env }, (error, out) =>
      done({ code: error?.code ?? 0, stdout: out.replaceAll(folder, 'FOLDER') }),
    ),
  );
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(folder.length + 1))
    .filter((name) => !name.startsWith('.CACHE') && !/^out\/.*(?<!Chart)\.lock$|repositories\.lock$/.test(name))
    .sort();
  const text = (name: string): string =>
    name.endsWith('.tgz') ? '' : readFileSync(join(folder, name), 'utf8').replace(/generated: .*/g, '');
  return { code, stdout, files: Object.fromEntries(names.map((name) => [name, text(name)])) };
}

test.each([
  ['repos', [], false],
  ['deps', [], false],
  ['deps', ['--skip-repos', '-l', 'name=b'], false],
  ['fetch', ['--output-dir', 'out', '-l', 'name!=l'], false],
  ['fetch', ['--output-dir', 'out', '-l', 'name!=l', '--write-output'], true],
  [
    'fetch',
    [
      '--output-dir',
      'out',
      '--output-dir-template',
      '{{ .OutputDir }}/{{ .Release.Name }}-{{ .Environment.Name }}',
      '-l',
      'name=b',
    ],
    false,
  ],
  ['fetch', ['--write-output'], false],
])('%s %j', async (verb, words, printsState) => {
  const helmfile = await resultOf('helmfile', ['-q', verb, ...words]);
  const tshelm = await resultOf('tshelm', ['-q', verb, ...words]);
  // Fetching needs no repositories in Helm's list.
  const kept = ({ files }: typeof helmfile) =>
    Object.entries(files).filter(([name]) => verb !== 'fetch' || !name.startsWith('.CONFIG'));
  expect([tshelm.code, kept(tshelm)]).toEqual([helmfile.code, kept(helmfile)]);
  if (printsState) expect(tshelm.stdout).toBe(helmfile.stdout);
});
