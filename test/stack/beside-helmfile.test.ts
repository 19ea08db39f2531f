import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { filesIn, valuesName } from '../e2e/stack/refresh.mjs';

/** The answers in fixtures/stack/expected were written by helmfile (test/e2e/stack/refresh.mjs). */
interface Case {
  readonly name: string;
  readonly folder: string;
  readonly args: readonly string[];
  readonly template?: readonly string[];
}
const root = resolve('fixtures/stack');
const cases = JSON.parse(readFileSync(join(root, 'cases.json'), 'utf8')) as readonly Case[];

async function stack(verb: string, { folder, args }: Case, more: readonly string[] = []): Promise<string> {
  let stdout = '';
  let stderr = '';
  const silent = { isTerminal: false, columns: undefined, rows: undefined };
  const words = ['stack', ...args, verb, ...more];
  const code = await main(words, {
    env: { HOME: '/nonexistent', PATH: process.env['PATH'] ?? '', STACK_TEST: 'set for tests' },
    program: 'tshelm',
    cwd: join(root, folder),
    stdout: { ...silent, write: (text) => void (stdout += text) },
    stderr: { ...silent, write: (text) => void (stderr += text) },
    readStdin: async () => Buffer.from(''),
    async *stdin() {},
    now: () => new Date(),
  });
  // Where the mistake is, and what to do, is said behind helmfile's words.
  const mistake = stderr.replace(/^WARNING: .*\n/gm, '').replace(/ \(\/\S+:\d+.*$/gm, '');
  return (code === 0 ? stdout : mistake).replaceAll(root, 'ROOT');
}

describe.each(cases)('$name', (one) => {
  test('write-values writes what helmfile writes', async () => {
    const expected = readFileSync(join(root, 'expected', `${one.name}.values.txt`), 'utf8');
    const values = mkdtempSync(join(tmpdir(), 'tshelm-values-'));
    onTestFinished(() => rmSync(values, { recursive: true, force: true }));
    const said = await stack('write-values', one, ['--output-file-template', `${values}/${valuesName}`]);
    expect(said === '' ? filesIn(values).replaceAll(root, 'ROOT') : said).toBe(expected);
  });

  test.each(['build', 'list', 'dag', 'template', 'lint'])('%s is what helmfile prints', async (verb) => {
    const expected = readFileSync(join(root, 'expected', `${one.name}.${verb}.txt`), 'utf8');
    const more = verb === 'template' || verb === 'lint' ? ['--skip-deps', ...(one.template ?? [])] : [];
    expect(await stack(verb, one, more)).toBe(expected);
  });
});
