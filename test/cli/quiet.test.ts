import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-quiet-'));
afterAll(() => rmSync(folder, { recursive: true }));
const chart = join(folder, 'shop');
cpSync('fixtures/charts/shop', chart, { recursive: true });
const old = join(folder, 'old');
cpSync('fixtures/charts/blog', old, { recursive: true });
writeFileSync(join(old, 'Chart.yaml'), 'apiVersion: v2\nname: blog\nversion: 1.0.0\ndeprecated: true\n');
const stack = join(folder, 'helmfile.yaml');
writeFileSync(stack, `releases:\n- {name: db, chart: ${old}}\n- {name: blog, chart: ${old}, needs: [db]}\n`);
const sandbox = ['--sandbox-dir', join(folder, 'sandbox')];
const run = (...words: readonly string[]) => tshelm([...words, ...sandbox]);
const nothing = { code: 0, stdout: '', stderr: '' };

describe('--quiet', () => {
  test.each([
    ['install', ['install', 'web', chart, '--wait']],
    ['upgrade', ['upgrade', 'web', chart, '--wait=ordered']],
    ['an upgrade that installs', ['upgrade', '--install', 'other', chart, '-n', 'shop', '--create-namespace']],
    ['rollback', ['rollback', 'web', '1']],
    ['a dry run', ['upgrade', 'web', chart, '--dry-run=server']],
    ['uninstall', ['uninstall', 'web']],
    ['whatever is said of progress', ['install', 'web', chart, '--progress=json']],
    ['stack sync', ['stack', 'sync', '-f', stack]],
    ['stack apply', ['stack', 'apply', '-f', stack]],
  ])('prints nothing: %s', async (_title, words) => {
    const { code, stdout, stderr } = await run(...words, '-q');
    const isStack = words[0] === 'stack';
    expect({ code, stdout, stderr: isStack ? stderr.replaceAll(/^level=WARN .*\n/gm, '') : stderr }).toEqual(nothing);
  });

  test('of a check errors and warnings go to standard error, and notes nowhere', async () => {
    const noted = join(folder, 'noted');
    cpSync(chart, noted, { recursive: true });
    writeFileSync(join(noted, 'templates/a.yaml'), 'apiVersion: a.example.com/v1\nkind: A\nmetadata: {name: a}\n');
    expect(await tshelm(['check', noted, '-q'])).toEqual(nothing);
    writeFileSync(join(noted, 'templates/a.yaml'), 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndat: {}\n');
    const { code, stdout, stderr } = await tshelm(['check', noted, '-q']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('unknown field dat [field-unknown]');
  });

  test('of what only looks, the exit code is left', async () => {
    expect(await run('doctor', '-q')).toEqual(nothing);
    expect(await run('doctor', '-q', '--kubeconfig', join(folder, 'none'))).toEqual(nothing);
    expect(await tshelm(['doctor', '-q', '--kubeconfig', join(folder, 'none')])).toEqual({ ...nothing, code: 1 });
    expect(await run('check', chart, '-q')).toEqual(nothing);
    expect(await run('check', chart, '-q', '--fail-on', 'note', '--kube-version', '1.2')).toMatchObject({ stdout: '' });
    await run('install', 'looked', chart, '-q');
    expect(await run('drift', 'looked', '-q')).toEqual(nothing);
    expect((await run('drift', 'looked', '-q', '--fix')).stderr).toBe(
      'Error: --quiet asks nothing: add --yes to --fix, or --out FILE\n',
    );
  });

  test('on a terminal too', async () => {
    const words = ['upgrade', 'web', chart, '--quiet', ...sandbox];
    expect(await tshelm(words, { terminal: 80, screen: 80 })).toEqual(nothing);
  });

  test('warnings and errors stay', async () => {
    const warned = await run('install', 'old', old, '--quiet');
    expect(warned).toEqual({ ...nothing, stderr: 'level=WARN msg="this chart is deprecated"\n' });
    const failed = await run('install', 'old', old, '--quiet');
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('Error: INSTALLATION FAILED: ');
  });

  test('a result that is asked for is no secret to keep', async () => {
    const message = '--quiet prints no result: leave out --quiet or --output=json';
    expect((await run('upgrade', 'web', chart, '-q', '-o', 'json')).stderr).toBe(`Error: ${message}\n`);
  });
});

test('a note of a dry run is folded on a terminal, and one line elsewhere', async () => {
  const words = ['install', 'web', 'fixtures/charts/shop', '--dry-run=client'];
  const [screen, log] = [await tshelm(words, { terminal: 50 }), await tshelm(words)];
  const note = log.stderr.split('\n').find((line) => line.includes('--wait=ordered')) ?? '';
  expect(note.length).toBeGreaterThan(50);
  expect(screen.stderr).not.toContain(note);
  expect(screen.stderr.replaceAll(/\n +/g, ' ')).toContain(note);
});

test('a dry run of a rollback says on a terminal that nothing was changed', async () => {
  await run('install', 'rolled', chart, '-n', 'dry', '--create-namespace');
  await run('upgrade', 'rolled', chart, '-n', 'dry');
  const words = ['rollback', 'rolled', '-n', 'dry', ...sandbox];
  const done = 'Rollback was a success! Happy Helming!\n';
  const dry = await tshelm([...words, '--dry-run=client'], { terminal: 80 });
  expect(dry).toEqual({ code: 0, stdout: done, stderr: 'dry run: nothing was changed\n' });
  expect(await tshelm([...words, '--dry-run=client'])).toEqual({ code: 0, stdout: done, stderr: '' });
  expect((await tshelm(words, { terminal: 80 })).stderr).not.toContain('dry run');
});
