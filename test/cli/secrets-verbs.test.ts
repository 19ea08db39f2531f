import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

const cwd = mkdtempSync(join(tmpdir(), 'tshelm-secrets-verbs-'));
afterAll(() => rmSync(cwd, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(cwd, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const encrypted =
  'a: ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]\nsops:\n  mac: ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]\n';
write('team/plain.yaml', 'a: 1\n');
write('team/secret.yaml', encrypted);
write('team/secret', encrypted);
write('team/-i.yaml', 'a: 1\n');
write('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
write('chart/templates/a.yaml', 'a: {{ .Values.a }}\n');
// Says what it was asked, and fails where the file says so.
chmodSync(write('bin/sops', '#!/bin/sh\necho "$PWD $*" >> "$LOG"\necho "from sops"\nexit ${CODE:-0}\n'), 0o755);

const env = { PATH: `${join(cwd, 'bin')}:/usr/bin:/bin`, LOG: join(cwd, 'log') };
async function run(words: readonly string[], more: Readonly<Record<string, string>> = {}) {
  writeFileSync(env.LOG, '');
  const ran = await tshelm(words, { cwd, env: { ...env, ...more } });
  return { ...ran, asked: readFileSync(env.LOG, 'utf8').trimEnd().replaceAll(cwd, '.') };
}

test.each<[string, string[], string, string]>([
  ['encrypt', ['encrypt', 'team/plain.yaml'], './team --encrypt plain.yaml', 'from sops\n'],
  ['in place', ['encrypt', '-i', 'team/plain.yaml'], './team --encrypt --in-place plain.yaml', 'from sops\n'],
  ['decrypt', ['decrypt', 'team/secret.yaml'], './team --decrypt secret.yaml', 'from sops\n'],
  [
    'a name that says nothing',
    ['decrypt', 'team/secret'],
    './team --decrypt --input-type yaml --output-type yaml secret',
    'from sops\n',
  ],
  [
    'for Terraform',
    ['decrypt', '--terraform', 'team/secret.yaml'],
    './team --decrypt secret.yaml',
    '{"content_base64":"ZnJvbSBzb3BzCg=="}',
  ],
  ['a name like a flag', ['encrypt', '--', 'team/-i.yaml'], './team --encrypt ./-i.yaml', 'from sops\n'],
])('sops is asked: %s', async (_rule, words, asked, stdout) =>
  expect(await run(['secrets', ...words])).toMatchObject({ code: 0, asked, stdout }),
);

test('edit leaves the terminal to sops, and may make a file', async () => {
  for (const [name, code] of [
    ['team/secret.yaml', '0'],
    ['team/secret.yaml', '200'],
    ['team/new.yaml', '0'],
  ] as const) {
    const { code: ended, asked } = await run(['secrets', 'edit', name], { CODE: code });
    expect([ended, asked]).toEqual([0, `./team ${name.slice(5)}`]);
  }
});

test.each<[string, string[], string]>([
  ['no such file', ['decrypt', 'nope.yaml'], 'nope.yaml: no such file'],
  ['a folder', ['encrypt', 'team'], 'team: is a directory'],
  ['encrypted twice', ['encrypt', 'team/secret.yaml'], 'secret.yaml is already encrypted'],
  ['nothing encrypted', ['decrypt', 'team/plain.yaml'], 'plain.yaml is not encrypted by sops'],
  ['edited in plain', ['edit', 'team/plain.yaml'], 'plain.yaml is not encrypted by sops'],
])('sops is not asked: %s', async (_rule, words, message) =>
  expect(await run(['secrets', ...words])).toMatchObject({
    code: 1,
    asked: '',
    stderr: expect.stringContaining(message),
  }),
);

test('a failure of sops names the file', async () => {
  const { code, stderr, stdout } = await run(['secrets', 'decrypt', 'team/secret.yaml'], { CODE: '128' });
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('cannot decrypt')]);
  expect(stderr).toMatch(/team\/secret\.yaml: sops ended with 128/);
});

test('without sops, the message says what is missing', async () => {
  const { code, stderr } = await run(['secrets', 'encrypt', 'team/plain.yaml'], { PATH: '/nonexistent' });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/plain\.yaml: the program sops is not on the PATH; install it/),
  ]);
});

test('another command behind `secrets` is the command', async () => {
  const { code, stdout } = await run(['secrets', 'template', join(cwd, 'chart'), '--set', 'a=x']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('a: x')]);
  expect((await run(['secrets', 'nonsense'])).stderr).toContain('nonsense');
});

test('a file that is not there is named once', async () => {
  const { code, stderr } = await run(['secrets', 'encrypt', 'none.yaml']);
  expect(code).toBe(1);
  expect(stderr.split('none.yaml')).toHaveLength(2);
});
