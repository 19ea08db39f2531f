import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fittedTable } from '../../src/cli/terminal/fitted-table.ts';
import { tableText, textWidth } from '../../src/show/table.ts';
import { tshelm } from './harness.ts';

const env = { LANG: 'C.UTF-8' };
const time = { full: '2026-01-02 03:04:05.678 +0000 UTC', short: '2026-01-02 03:04:05' };
const rows = [
  ['NAME', 'UPDATED', 'CHART'],
  ['web', time, 'shop-with-a-long-name-1.2.3'],
  ['a-release', time, 'db-1.0.0'],
];
const helmRows = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : cell.full)));
const on = (columns: number | undefined, isTerminal = true) => ({
  stdout: { write: () => undefined, isTerminal, columns, rows: 24 },
  env,
});

/** The widest line, by the tab stops of a terminal. */
const widest = (text: string): number =>
  Math.max(
    ...text
      .split('\n')
      .map((line) =>
        line.split('\t').reduce((at, cell, index) => (index ? (at >> 3) * 8 + 8 : 0) + textWidth(cell), 0),
      ),
  );

describe('a table', () => {
  test('is as Helm prints it in a pipe, however wide, and where it has room', () => {
    expect(fittedTable(rows, on(20, false))).toBe(tableText(helmRows));
    expect(fittedTable(rows, on(undefined))).toBe(tableText(helmRows));
    const width = widest(tableText(helmRows));
    expect(fittedTable(rows, on(width))).toBe(tableText(helmRows));
    expect(fittedTable(rows, on(width - 1))).not.toBe(tableText(helmRows));
  });

  test('has shorter times, then breaks lines between words, and last loses the middle of names', () => {
    expect(fittedTable(rows, on(70))).toBe(
      'NAME       UPDATED              CHART\n' +
        'web        2026-01-02 03:04:05  shop-with-a-long-name-1.2.3\n' +
        'a-release  2026-01-02 03:04:05  db-1.0.0\n',
    );
    expect(fittedTable(rows, on(50))).toBe(
      'NAME       UPDATED     CHART\n' +
        'web        2026-01-02  shop-with-a-long-name-1.2.3\n' +
        '           03:04:05\n' +
        'a-release  2026-01-02  db-1.0.0\n' +
        '           03:04:05\n',
    );
    expect(fittedTable(rows, on(40))).toBe(
      'NAME       UPDATED     CHART\n' +
        'web        2026-01-02  shop-wit…me-1.2.3\n' +
        '           03:04:05\n' +
        'a-release  2026-01-02  db-1.0.0\n' +
        '           03:04:05\n',
    );
    expect(fittedTable(rows, { ...on(40), env: {} })).toContain('shop-wit~me-1.2.3\n');
  });

  test('breaks its header before its rows, and shows a long text of the last column whole, below its row', () => {
    const described = [
      ['NAME', 'APP VERSION', 'DESCRIPTION'],
      ['web', '1.2', 'Install complete'],
    ];
    expect(fittedTable(described, on(31))).toBe(
      'NAME  APP      DESCRIPTION\n      VERSION\nweb   1.2      Install complete\n',
    );
    const failed = [...described, ['db', '1.0', 'Upgrade failed: nobody knows why, and nobody ever will say it']];
    expect(fittedTable(failed, on(36))).toBe(
      'NAME  APP      DESCRIPTION\n' +
        '      VERSION\n' +
        'web   1.2      Install complete\n' +
        'db    1.0\n' +
        '    Upgrade failed: nobody knows\n' +
        '    why, and nobody ever will say it\n',
    );
  });

  test('loses nothing of the last column, whatever its width', () => {
    const words = 'batch 3 of 3 of shop: Deployment/web: container web: ImagePullBackOff: no such tag: registry/app:9';
    const failed = [
      ['REVISION', 'STATUS', 'DESCRIPTION'],
      ['1', 'failed', `\x1b[31m${words}\x1b[39m`],
    ];
    for (let columns = 20; columns < 120; columns++) {
      const shown = fittedTable(failed, on(columns))
        .replaceAll(/\x1b\[\d+m/g, '')
        .replaceAll(/\s+/g, '');
      expect(shown).toContain(words.replaceAll(' ', ''));
    }
  });

  test('is a block for each row where columns would be too narrow to read', () => {
    expect(fittedTable([...rows, ['empty', time, '']], on(30))).toBe(
      [
        'NAME     web',
        'UPDATED  2026-01-02 03:04:05',
        'CHART    shop-with-a-long-',
        '         name-1.2.3',
        '',
        'NAME     a-release',
        'UPDATED  2026-01-02 03:04:05',
        'CHART    db-1.0.0',
        '',
        'NAME     empty',
        'UPDATED  2026-01-02 03:04:05',
        '',
      ].join('\n'),
    );
  });

  test('keeps its colours, which take no room', () => {
    const painted = rows.map((row, index) => (index === 0 ? row.map((cell) => `\x1b[1m${String(cell)}\x1b[22m`) : row));
    const text = fittedTable(painted, on(50));
    expect(text.replaceAll(/\x1b\[\d+m/g, '')).toBe(fittedTable(rows, on(50)));
    expect(text).toContain('\x1b[1mCHART\x1b[22m');
  });

  test('of any width is never wider than the terminal', () => {
    for (let columns = 12; columns < 100; columns++)
      for (const hasHeader of [true, false])
        expect(widest(fittedTable(rows, on(columns), { hasHeader }))).toBeLessThanOrEqual(columns);
  });
});

describe.each([80, 40])('on a terminal of %i columns no line is longer', (screen) => {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-tables-'));
  const chart = 'fixtures/charts/shop';
  const stack = join(folder, 'helmfile.yaml');
  const release = 'a-release-with-a-rather-long-name-of-its-own';
  const sandbox = ['--sandbox-dir', join(folder, 'sandbox')];
  const home = { HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder, HELM_CACHE_HOME: folder, ...env };
  const run = (...words: readonly string[]) => tshelm(words, { env: home, screen });
  beforeAll(async () => {
    const description = 'a description that is longer than any terminal has columns, and goes on for a while';
    const installed = await run('install', release, chart, '--wait=ordered', '--description', description, ...sandbox);
    expect(installed.code).toBe(0);
    const url = 'https://charts.example.com/a/very/long/path/to/the/charts/of/a/team/that/likes/names';
    writeFileSync(join(folder, 'repositories.yaml'), `apiVersion: ''\nrepositories:\n- {name: team, url: '${url}'}\n`);
    const other = `{name: ${release}, chart: ${process.cwd()}/${chart}, namespace: a-namespace-with-a-long-name}`;
    writeFileSync(
      stack,
      `releases:\n- ${other}\n- {name: web, chart: ${chart}, needs: [a-namespace-with-a-long-name/${release}]}\n`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['list', ['list', ...sandbox]],
    ['list without headers', ['list', '--no-headers', ...sandbox]],
    ['history', ['history', release, ...sandbox]],
    ['repo list', ['repo', 'list', '--repository-config', join(folder, 'repositories.yaml')]],
    ['plugin list', ['plugin', 'list']],
    ['images', ['images', chart, '-o', 'table']],
    ['dependency list', ['dependency', 'list', chart]],
    ['stack list', ['stack', 'list', '-f', stack]],
    ['stack dag', ['stack', 'dag', '-f', stack]],
    ['stack status', ['stack', 'status', '-f', stack, ...sandbox]],
  ])('%s', async (_title, words) => {
    const { code, stdout, stderr } = await run(...words);
    expect([code, stderr]).toEqual([0, '']);
    expect(widest(stdout)).toBeLessThanOrEqual(screen);
    const piped = await tshelm(words, { env: home });
    if (widest(piped.stdout) <= screen) expect(stdout.replaceAll(/\x1b\[\d+m/g, '')).toBe(piped.stdout);
    else expect(stdout).not.toBe(piped.stdout);
    expect(stdout).not.toMatch(/\d…/); // a time that is cut
  });

  test('the tables of status: the objects, and how far units came', async () => {
    const { stdout } = await run('status', release, ...sandbox);
    const tables = stdout.slice(stdout.indexOf('RESOURCES:'), stdout.indexOf('NOTES:'));
    expect(tables).toContain('==> v1/Deployment');
    expect(tables).toContain('UNITS:\n');
    expect(widest(tables)).toBeLessThanOrEqual(screen);
  });
});
