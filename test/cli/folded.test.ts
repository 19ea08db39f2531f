import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wrapped } from '../../src/cli/terminal/fit.ts';
import { textWidth } from '../../src/show/table.ts';
import { openTestSandbox, tshelm } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-folded-in-a-folder-with-a-long-name-'));
const sandbox = openTestSandbox();
const chart = join(folder, 'a-chart-in-a-folder-with-a-name-that-is-longer-than-others');
afterAll(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true });
});
beforeAll(async () => {
  cpSync('fixtures/charts/shop', chart, { recursive: true });
  writeFileSync(
    join(folder, 'helmfile.yaml'),
    `releases:\n  - {name: shop-of-the-folded-stack, chart: ${chart}}\n  - {name: other, chart: ${chart}, needs: [shop-of-the-folded-stack]}\n`,
  );
  await sandbox.run('install', 'broken', chart, '--fail', 'broken-web=image-pull', '--grace=1s', '--wait=ordered');
});

/** What a shell takes stays whole, however long. */
const isCommand = (line: string): boolean => line.startsWith('  tshelm ');

describe.each([80, 40])('on a terminal of %i columns', (columns) => {
  const on = { screen: columns, terminal: columns, env: { NO_COLOR: '1' } };

  test.each([
    ['the order of a chart', ['plan', chart]],
    ['a release', ['plan', 'shop', chart, '--wait=ordered', '--rollback-on-failure', '--sandbox']],
    ['a file', ['plan', 'shop', chart, '--sandbox', '--out', join(folder, 'saved')]],
    ['a stack', ['stack', 'plan', '-f', join(folder, 'helmfile.yaml'), '--sandbox']],
    ['a status', ['status', 'broken', '--sandbox']],
    ['what a check finds', ['check', chart, '--set', 'nothing-reads-a-value-of-this-name=3']],
  ])('%s: no line is longer, and words stay whole', async (_what, words) => {
    const { code, stdout, stderr } = await sandbox.runWith(on, ...words);
    expect(code).toBe(0);
    // Notes are the chart's own text.
    const [piped, shown] = [(await sandbox.run(...words)).stdout, stdout.split('NOTES:\n')[0] + stderr];
    expect(shown.split('\n').filter((line) => textWidth(line) > columns && !isCommand(line))).toEqual([]);
    expect(piped.split('\n').some((line) => textWidth(line) > columns)).toBe(true);
    const short = (text: string): readonly string[] =>
      (text.match(/[\w./:=()[\]-]{3,}/g) ?? []).filter((word) => word.length < columns / 2);
    // Tables are another matter, and objects grow older.
    expect(short(stdout)).toEqual(expect.arrayContaining([...short(piped.split('\nRESOURCES:')[0] ?? '')]));
  });

  test('a saved plan: its facts and its tree', async () => {
    const file = join(folder, 'saved');
    await sandbox.run('plan', 'shop', chart, '--wait=ordered', '--sandbox', '--out', file);
    const { stdout } = await tshelm(['show-plan', file], on);
    expect(stdout.split('\n').filter((line) => textWidth(line) > columns)).toEqual([]);
    expect(stdout).toMatch(/can\s+be\s+applied\s+until\s+\d{4}-\d\d-\d\d\s+\d\d:\d\d:\d\d\s+UTC\n/);
  });
});

test.each([
  ['a path behind a slash', '/one/two/three/four-and-more', 16, ['/one/two/three/', 'four-and-more']],
  ['a field behind a sign', 'ports[containerPort="http"]', 24, ['ports[containerPort=', '"http"]']],
  ['any other word where it is full', 'a'.repeat(12), 8, ['aaaaaaaa', 'aaaa']],
  ['wide characters as two', 'あ'.repeat(6), 8, ['ああああ', 'ああ']],
])('a word that is too long is divided: %s', (_what, word, columns, lines) => {
  expect(wrapped(word, columns)).toEqual(lines);
});

test('a word of four megabytes is divided in linear time', () => {
  const lines = wrapped('x'.repeat(4_000_000), 79);
  expect(lines).toHaveLength(Math.ceil(4_000_000 / 79));
});

test('what goes on below a line of a tree stands behind its bars', async () => {
  const { stdout } = await tshelm(['plan', chart], { screen: 60 });
  expect(stdout).toContain(`   └─ shop  ← database (Chart.yaml
│        helm.sh/depends-on/subcharts), queue (Chart.yaml`);
});
