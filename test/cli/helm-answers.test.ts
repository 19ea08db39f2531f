import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

// What Helm answers to command lines that need no cluster; written by test/e2e/command-line/refresh.mjs.

interface Answers {
  /** Every file of the charts, by its path. */
  readonly charts: Readonly<Record<string, string>>;
  readonly cases: readonly Case[];
}

interface Case {
  /** `$CHARTS` is the folder of the charts, `$OUT` an empty one, `$POST/NAME` a post-renderer. */
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What was written to `$OUT`. */
  readonly files?: Readonly<Record<string, string>>;
}

const folder = fileURLToPath(new URL('../../fixtures/command-line', import.meta.url));

describe.each(readdirSync(folder))('%s', (name) => {
  const { charts, cases } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Answers;
  let root = '';

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'tshelm-answers-'));
    for (const [path, text] of Object.entries(charts)) writeChartFile(join(root, 'charts', path), text);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test.each(cases.map((one) => [one.args.join(' '), one] as const))('%s', async (_words, expected) => {
    const out = join(root, 'out');
    rmSync(out, { recursive: true, force: true });
    const words = expected.args.map((word) => inPlace(word, root));
    const env = { PATH: process.env['PATH'] ?? '', KUBECONFIG: '/dev/null' };
    const { code, stdout, stderr } = await tshelm(words, { env, stdin: expected.stdin ?? '' });
    const masked = (text: string): string =>
      text.replaceAll(join(root, 'charts'), '$CHARTS').replaceAll(out, '$OUT').replaceAll('tshelm', 'helm');
    expect({ code, stdout: masked(stdout), stderr: masked(withoutAdditions(stderr)), files: filesIn(out) }).toEqual({
      code: expected.code,
      stdout: expected.stdout,
      stderr: expected.stderr,
      files: expected.files ?? {},
    });
  });
});

const inPlace = (word: string, root: string): string =>
  word
    .replace('$CHARTS', join(root, 'charts'))
    .replace('$OUT', join(root, 'out'))
    .replace(/^\$POST\/(.*)/, join(root, 'charts/plugins/$1/run.sh'));

/** Below Helm's line tshelm shows the place in the user's file, and says what is wrong there. */
const withoutAdditions = (stderr: string): string =>
  stderr.replace(/^Write --.*\n/m, '').replace(/\n\n[^\n]+:\d+(?::\d+)?\n(?:[> ] +\d* \|.*\n)+(?:\n[^\n]+\n)?$/, '\n');

function writeChartFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  if (text.startsWith('#!')) chmodSync(path, 0o755);
}

function filesIn(directory: string): Record<string, string> {
  const names = readIfThere(directory);
  const texts = names.map((path): [string, string] => [path.slice(directory.length + 1), readFileSync(path, 'utf8')]);
  return Object.fromEntries(texts);
}

function readIfThere(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
