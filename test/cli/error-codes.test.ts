import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unmarked } from '../../src/cli/errors/line-role.ts';
import { codesNote } from '../../src/cli/errors/problems-text.ts';
import { lookUp } from '../../src/cli/manual/lookup.ts';
import { manualPages } from '../../src/cli/manual/pages.ts';
import { TshelmError } from '../../src/support/errors.ts';
import { openTestSandbox } from './harness.ts';

const chart = 'fixtures/charts/blog';
const sandbox = openTestSandbox();
beforeAll(async () => {
  expect(await sandbox.run('install', 'there', chart)).toMatchObject({ code: 0 });
});
afterAll(() => sandbox.remove());

const refused: readonly (readonly [words: readonly string[], code: string])[] = [
  [['install', 'demo', './no-such'], 'chart-not-found'],
  [['install', 'there', chart], 'name-in-use'],
  [['install', 'x-', chart], 'invalid-release-name'],
  [['install', 'demo', chart, '-n', 'absent'], 'namespace-missing'],
  [['install', 'demo', chart, '--set', 'a'], 'values-invalid'],
  [['install', 'demo', chart, '--values', 'no-such.yaml'], 'values-unreadable'],
  [['upgrade', 'absent', chart], 'no-deployed-releases'],
  [['upgrade', 'there', chart, '--resume'], 'nothing-to-resume'],
  [['rollback', 'there', '9'], 'revision-not-found'],
  [['rollback', 'absent'], 'release-not-found'],
  [['uninstall', 'absent'], 'release-not-found'],
  [['status', 'absent'], 'release-not-found'],
  [['status', 'there', '--revision', '9'], 'revision-not-found'],
  [['history', 'absent'], 'release-not-found'],
];

describe('where people read, an error says which code explains it', () => {
  test.each(refused)('%j: %s', async (words, code) => {
    const piped = await sandbox.run(...words);
    const shown = await sandbox.runWith({ terminal: 400, env: { NO_COLOR: '1' } }, ...words);
    expect(shown.code).toBe(1);
    expect(shown.stderr.trimEnd().split('\n').at(-1)).toBe(`  more   tshelm explain ${code}`);
    expect(lookUp([code], manualPages())).toMatchObject({ isExact: true });
    const headline = piped.stderr.split('\n').find((line) => line.startsWith('Error: '));
    expect(shown.stderr).toContain(`${headline}\n`);
    expect(piped.stderr).not.toContain('tshelm explain');
  });

  test('so does a log of a build', async () => {
    const { stderr } = await sandbox.runWith({ env: { GITHUB_ACTIONS: 'true' } }, 'status', 'absent');
    expect(stderr).toContain('tshelm explain release-not-found\n');
  });

  test('usage explains itself', async () => {
    for (const words of [['upgrade', '--bogus'], ['instal'], ['upgrade', 'one']])
      expect((await sandbox.runWith({ terminal: 80 }, ...words)).stderr).not.toContain('tshelm explain');
  });
});

describe('the code', () => {
  const absent = new TshelmError('release-not-found', { message: '-', details: { release: 'a' } });
  const locked = new TshelmError('operation-in-progress', { message: '-', details: { release: 'a' } });
  const failed = (cause: unknown): TshelmError => new TshelmError('failed', { message: '-', cause });
  const ofStack = (errors: Readonly<Record<string, unknown>>): TshelmError =>
    new TshelmError('stack-failed', { message: '-', details: { errors, skipped: [] } as never });

  test.each([
    ['of the cause, where a step only names it', failed(absent), 'release-not-found'],
    ['of the release that failed', ofStack({ a: failed(locked) }), 'operation-in-progress'],
    ['of the stack, where its releases differ', ofStack({ a: locked, b: absent }), 'stack-failed'],
  ])('%s', (_rule, failure, code) => {
    expect(codesNote(failure, unmarked)).toBe(`  more   tshelm explain ${code}\n`);
  });

  test('is missing where nobody gave one', () => {
    expect(codesNote(failed(new Error('-')), unmarked)).toBe('');
  });
});
