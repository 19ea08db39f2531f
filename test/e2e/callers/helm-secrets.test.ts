import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { scratchDirectory, writeChart, writeFiles } from '../support/charts.ts';
import { helm, helm3, ok, tshelmProcess } from '../support/programs.ts';

/**
 * Beside the real programs, which are no part of CI: sops 3.13 in $TSHELM_E2E_BIN, and helm-secrets in the folder that
 * $HELM_SECRETS names, a checkout of https://github.com/jkroepke/helm-secrets. What is not there is skipped.
 */
const bin = process.env['TSHELM_E2E_BIN'] ?? '';
const hasSops = existsSync(join(bin, 'sops'));
const plugin = process.env['HELM_SECRETS'] ?? '';
const directory = scratchDirectory();
const fixtures = new URL('../../sops/fixtures/', import.meta.url).pathname;
const file = (name: string): string => join(directory, name);
const env = { PATH: `${bin}:${process.env['PATH']}`, SOPS_AGE_KEY_FILE: join(fixtures, 'keys.txt') };

let chart = '';
beforeAll(() => {
  chart = writeChart(directory, 'app', { 'templates/a.yaml': 'all: {{ toJson .Values | quote }}\n' });
  for (const name of [
    'values.encrypted.yaml',
    'some.encrypted.yaml',
    'comments.encrypted.yaml',
    'settings.encrypted.env',
    'values.encrypted.json',
    'text.encrypted.bin',
  ])
    cpSync(join(fixtures, name), file(name));
  for (const [folder, parts] of [
    ['helm3', { 'helm-secrets': '' }],
    ['helm', { cli: 'plugins/helm-secrets-cli', getter: 'plugins/helm-secrets-getter' }],
  ] as const) {
    mkdirSync(file(`plugins/${folder}`), { recursive: true });
    for (const [name, part] of Object.entries(parts))
      symlinkSync(join(plugin, part), file(`plugins/${folder}/${name}`));
  }
});

describe.skipIf(!hasSops || plugin === '').each([helm3, helm])('$name with helm-secrets', (other) => {
  test.each([
    ['a values file', '-f', 'values.encrypted.yaml', ''],
    ['one of which some values are encrypted', '-f', 'some.encrypted.yaml', ''],
    ['one in JSON', '-f', 'values.encrypted.json', ''],
    ['secrets://', '-f', 'values.encrypted.yaml', 'secrets://'],
    ['a file as a value', '--set-file', 'text.encrypted.bin', ''],
    ['the same by secrets://', '--set-file', 'text.encrypted.bin', 'secrets://'],
    ['a YAML file as a value', '--set-file', 'comments.encrypted.yaml', ''],
  ])('renders what tshelm renders without it: %s', async (_rule, flag, name, scheme) => {
    const words = ['template', 'app', chart, flag, `${flag === '-f' ? '' : 'text='}${scheme}${file(name)}`];
    const plugins = { ...env, HELM_PLUGINS: file(`plugins/${other.name}`) };
    const theirs = await ok(other, ['secrets', ...words], { env: plugins });
    expect(await ok(tshelmProcess, ['secrets', ...words], { env })).toBe(theirs);
    expect(await ok(tshelmProcess, words, { env })).toBe(theirs);
  });

  test('decrypts what tshelm encrypts, in the same words', async () => {
    const recipient = /age1\w+/.exec(readFileSync(env.SOPS_AGE_KEY_FILE, 'utf8'))?.[0] ?? '';
    const folder = writeFiles(file(`own-${other.name}`), {
      '.sops.yaml': `creation_rules: [{age: ${recipient}}]\n`,
      'a.yaml': 'a: hunter2\nb: [1, two]\n',
    });
    await ok(tshelmProcess, ['secrets', 'encrypt', '-i', join(folder, 'a.yaml')], { env });
    const words = ['secrets', 'decrypt', join(folder, 'a.yaml')];
    const plugins = { ...env, HELM_PLUGINS: file(`plugins/${other.name}`) };
    expect(await ok(tshelmProcess, words, { env })).toBe(await ok(other, words, { env: plugins }));
  });
});

describe.skipIf(!hasSops)('beside sops', () => {
  test.each([
    ['yaml', 'a: hunter2\nb: {c: 1, d: [x, true, null]}\n'],
    ['json', '{"a": "hunter2", "b": {"c": 1.5, "d": ["x", true, null]}}'],
    ['env', 'A=hunter2\nB=two words\n'],
    ['bin', 'hunter2\nno form\n'],
  ])('what is encrypted as .%s is read by both', async (extension, text) => {
    const recipient = /age1\w+/.exec(readFileSync(env.SOPS_AGE_KEY_FILE, 'utf8'))?.[0] ?? '';
    const path = file(`both.${extension}`);
    writeFileSync(file('.sops.yaml'), `creation_rules: [{age: ${recipient}}]\n`);
    writeFileSync(path, text);
    await ok(tshelmProcess, ['secrets', 'encrypt', '-i', path], { env });
    expect(readFileSync(path, 'utf8')).toContain('ENC[AES256_GCM');
    const sops = spawnSync(join(bin, 'sops'), ['decrypt', path], { env: { ...process.env, ...env } });
    expect([sops.status, sops.stderr.toString()]).toEqual([0, '']);
    expect(await ok(tshelmProcess, ['secrets', 'decrypt', path], { env })).toBe(sops.stdout.toString());
    // The program is not needed to read it: none is on this PATH.
    const alone = { ...env, PATH: '/usr/bin:/bin' };
    const flag = /yaml|json/.test(extension) ? ['-f', path] : ['--set-file', `text=${path}`];
    writeFileSync(file(`plain.${extension}`), sops.stdout);
    const plain = flag.map((word) => word.replace('both.', 'plain.'));
    const rendered = (words: readonly string[]) =>
      ok(tshelmProcess, ['template', 'app', chart, ...words], { env: alone });
    expect(await rendered(flag)).toBe(await rendered(plain));
  });
});
