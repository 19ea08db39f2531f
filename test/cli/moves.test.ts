import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resource } from '../plan/charts.ts';
import { openTestSandbox, tshelm } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-moves-'));
let sandbox: ReturnType<typeof openTestSandbox>;
beforeEach(() => {
  sandbox = openTestSandbox();
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: app\nversion: 1.0.0\n');
  writeFileSync(join(folder, 'templates/a.yaml'), resource('settings'));
});
afterEach(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true, force: true });
});

const install = (name: string, ...flags: string[]) => sandbox.run('install', name, folder, ...flags);

describe('uninstall', () => {
  test.each([
    [['app', '--keep-objects', 'tier=data'], 'follows "=": --keep-objects=tier=data'],
    [['app', '--keep-objects', 'ConfigMap/settings'], 'follows "=": --keep-objects=ConfigMap/settings'],
    [['app', 'No_'], 'uninstall: Release name is invalid: No_'],
  ])('%j: a word that is no name is refused before anything is uninstalled', async (words, message) => {
    await install('app');
    const { code, stderr } = await sandbox.run('uninstall', ...words);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect((await sandbox.run('status', 'app')).code).toBe(0);
  });

  test('a plan has what stays in its tree and its counts', async () => {
    await install('app');
    const { code, stdout } = await sandbox.run('plan', 'uninstall', 'app', '--keep-objects');
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 to keep')]);
    // The library, which has other words for its options, says the same.
    expect(stdout).toContain('note: ConfigMap/settings: kept on request');
    expect(stdout).not.toContain('--keep-objects');
    expect(stdout).toContain('settings');
  });

  test('what the manifest keeps is not kept on request, although the adopted object does not say so yet', async () => {
    await install('app');
    await sandbox.run('uninstall', 'app', '--keep-objects');
    const kept = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n';
    writeFileSync(join(folder, 'templates/a.yaml'), `${kept}  annotations: {helm.sh/resource-policy: keep}\n`);
    await sandbox.run('adopt', 'app', folder, 'ConfigMap/settings');
    const { code, stdout } = await sandbox.run('plan', 'uninstall', 'app');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('note: ConfigMap/settings: helm.sh/resource-policy: keep'),
    ]);
  });

  test.each(['uninstall', 'plan uninstall'])('%s: the flag can be repeated', async (command) => {
    writeFileSync(join(folder, 'templates/b.yaml'), resource('other'));
    await install('app');
    const flags = ['--keep-objects=ConfigMap/settings', '--keep-objects=ConfigMap/other'];
    const { code, stdout } = await sandbox.run(...command.split(' '), 'app', ...flags);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/2 (?:to keep|resource\(s\) were kept)/)]);
    rmSync(join(folder, 'templates/b.yaml'));
  });

  test('an empty value is refused: the variable of a script may be empty', async () => {
    await install('app');
    const { code, stderr } = await sandbox.run('uninstall', 'app', '--keep-objects=');
    expect([code, stderr]).toEqual([1, expect.stringContaining('--keep-objects= has no value')]);
  });

  test('help shows that the selector may be left out, and that it needs "="', async () => {
    expect((await tshelm(['uninstall', '--help'])).stdout).toContain('--keep-objects[=SELECTOR] ');
  });
});

describe('objects in the way of a release are told once for each owner, with the command that moves or adopts them', () => {
  const two = (): void => writeFileSync(join(folder, 'templates/b.yaml'), resource('other'));

  test.each(['install', 'plan'])('%s: what an uninstall kept is adopted, by the whole command', async (verb) => {
    two();
    await install('app');
    await sandbox.run('uninstall', 'app', '--keep-objects');
    writeFileSync(join(folder, 'own.yaml'), 'a: 1\n');
    const { code, stderr } = await sandbox.run(verb, 'next', folder, '-f', join(folder, 'own.yaml'));
    expect(code).toBe(1);
    expect(stderr.split(' [owned-elsewhere]\n')).toHaveLength(2);
    const [, fix = ''] = /fix +(tshelm adopt next .*)/.exec(stderr) ?? [];
    expect(fix).toContain('ConfigMap/settings');
    expect(fix).toContain('ConfigMap/other');
    expect(fix).toContain(`--values=${join(folder, 'own.yaml')}`);
    const adopted = await sandbox.run(...fix.split(' ').slice(1));
    expect(adopted).toMatchObject({ code: 0 });
    expect((await sandbox.run('upgrade', 'next', folder)).code).toBe(0);
  });

  test('what another release has is moved from there', async () => {
    await install('app');
    two();
    const { code, stderr } = await install('next');
    expect(code).toBe(1);
    expect(stderr).toMatch(/ConfigMap\/settings: .* release app in default \[owned-elsewhere\]/);
    const [, fix = ''] = /fix +(tshelm move .*)/.exec(stderr) ?? [];
    expect(await sandbox.run(...fix.split(' ').slice(1))).toMatchObject({ code: 0 });
    expect((await sandbox.run('upgrade', '--install', 'next', folder)).code).toBe(0);
  });
});
