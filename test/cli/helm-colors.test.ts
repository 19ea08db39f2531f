import { afterAll, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from './harness.ts';

const sandbox = openTestSandbox();
afterAll(() => sandbox.remove());
const shop = 'fixtures/charts/shop';
const headOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /^(?:NAMESPACE|STATUS): /.test(line));
const coloredHead = ['NAMESPACE: \x1b[36mdefault\x1b[0m', 'STATUS: \x1b[32mdeployed\x1b[0m'];

/** Helm v4.3.1's own bytes, by --color=always. */
test('--color=always paints what Helm paints, and --color=never nothing', async () => {
  const run = (words: readonly string[], env = {}) => tshelm([...words, '--sandbox-dir', sandbox.directory], { env });
  expect(headOf((await run(['install', 'web', shop, '--color=always'])).stdout)).toEqual(coloredHead);
  for (const words of [
    ['status', 'web'],
    ['get', 'all', 'web'],
  ]) {
    expect(headOf((await run([...words, '--color=always'])).stdout)).toEqual(coloredHead);
    expect(headOf((await run(words)).stdout)).toEqual(['NAMESPACE: default', 'STATUS: deployed']);
  }
  const [header = '', row = ''] = (await run(['list'], { HELM_COLOR: 'always' })).stdout.split('\n');
  expect(header.startsWith('\x1b[1mNAME\x1b[22m\t\x1b[1mNAMESPACE\x1b[22m\t\x1b[1mREVISION\x1b[22m\t')).toBe(true);
  expect(row).toMatch(/^web \t\x1b\[36mdefault\x1b\[0m {2}\t1 {7}\t.*\t\x1b\[32mdeployed\x1b\[0m\t/);
  expect((await run(['list', '--color=never'], { HELM_COLOR: 'always' })).stdout).not.toContain('\x1b');
  expect((await run(['list', '-q', '--color=always'])).stdout).toBe('web\n');
});
