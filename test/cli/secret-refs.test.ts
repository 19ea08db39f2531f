import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from './harness.ts';

const cwd = mkdtempSync(join(tmpdir(), 'tshelm-refs-'));
const sandbox = openTestSandbox();
afterAll(() => {
  sandbox.remove();
  rmSync(cwd, { recursive: true });
});

function write(name: string, text: string): string {
  const path = join(cwd, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const canary = 'CANARY-of-the-vault';
write('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
write('chart/values.yaml', 'own: ref+echo://never\n');
write(
  'chart/templates/a.yaml',
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {all: {{ toJson .Values | quote }}}\n',
);
// A plan shows what a hook holds, too.
write(
  'chart/templates/hook.yaml',
  `{{ with .Values.db }}
apiVersion: v1
kind: ConfigMap
metadata: {name: hook, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}}
data: {greeting: {{ .greeting | quote }}}
{{ end }}
`,
);
write('settings.yaml', 'db: {port: 5432, code: 00x7}\n');
write('refs.yaml', 'db:\n  greeting: ref+vault://secret/db#/greeting\n  port: ref+file://settings.yaml#/db/port\n');
chmodSync(write('bin/vals', `#!/bin/sh\necho "$@" >> calls\necho ${canary}\n`), 0o755);
const sops = (name: string): string => new URL(`../sops/fixtures/${name}`, import.meta.url).pathname;
const env = { PATH: `${join(cwd, 'bin')}:/usr/bin:/bin`, SOPS_AGE_KEY_FILE: sops('keys.txt'), DB: 'from-env' };
const run = (...words: string[]) => tshelm(words, { cwd, env });
const inSandbox = (...words: string[]) => sandbox.runWith({ cwd, env }, ...words);
const given = ['-f', join(cwd, 'refs.yaml'), '--secret-refs'];

const shownValues = ({ stdout }: { readonly stdout: string }): unknown =>
  JSON.parse(JSON.parse(/all: (".*")/.exec(stdout)?.[1] ?? 'null') as string);

describe('references in values', () => {
  test.each<[string, string[], unknown]>([
    ['of a values file', given, { db: { greeting: canary, port: 5432 } }],
    ['of --set', ['--secret-refs', '--set', 'a=ref+file://settings.yaml#/db/port'], { a: 5432 }],
    ['of --set-string', ['--secret-refs', '--set-string', 'a=x-ref+env://$DB+-y'], { a: 'x-from-env-y' }],
    ['of --set-json', ['--secret-refs', '--set-json', 'a=["ref+echo://bb"]'], { a: ['bb'] }],
    [
      'of a literal, which is taken as it is',
      ['--secret-refs', '--set-literal', 'a=ref+echo://bb'],
      { a: 'ref+echo://bb' },
    ],
    [
      'to a file of sops',
      ['--secret-refs', '--set', `a=ref+sops://${sops('some.encrypted.yaml')}#/password`],
      { a: 'hunter2' },
    ],
    ['where nobody asks for them', ['--set', 'a=ref+echo://bb'], { a: 'ref+echo://bb' }],
  ])('%s', async (_rule, words, values) => {
    const ran = await run('template', join(cwd, 'chart'), ...words);
    expect([ran.code, shownValues(ran)]).toEqual([0, { own: 'ref+echo://never', ...(values as object) }]);
  });

  test('are followed for who has helm-secrets follow them, or says so in the environment', async () => {
    const words = ['template', join(cwd, 'chart'), '--set', 'a=ref+echo://bb'];
    for (const own of [{ HELM_SECRETS_BACKEND: 'vals' }, { TSHELM_SECRET_REFS: 'true' }])
      expect(shownValues(await tshelm(words, { cwd, env: { ...env, ...own } }))).toMatchObject({ a: 'bb' });
    const no = await tshelm([...words, '--secret-refs=false'], { cwd, env: { ...env, TSHELM_SECRET_REFS: '1' } });
    expect([shownValues(no), no.stderr]).toEqual([expect.objectContaining({ a: 'ref+echo://bb' }), '']);
  });

  test('that stay are told of', async () => {
    const { stderr } = await run('template', join(cwd, 'chart'), '-f', join(cwd, 'refs.yaml'));
    expect(stderr).toMatch(/^level=WARN .*db\.greeting.*--secret-refs/);
  });

  test.each<[string, string[], RegExp]>([
    [
      'a file that is not there',
      ['--set', 'a=ref+file://nope'],
      /^Error: --set: expand file:\/\/nope: open .*nope.* \(in the value a\)/,
    ],
    [
      'a line of a values file',
      ['-f', write('bad.yaml', 'x: 1\na:\n- ref+sops://nope#/a\n')],
      /^Error: .*bad\.yaml:3: .*nope/,
    ],
    [
      'a key of what is no YAML',
      ['--set', `a=ref+file://${write('no.yaml', 'x: [CANARY\n y: }')}#/x`],
      /^Error: --set: expand file:.*no\.yaml#\/x: it has no keys, since it is not YAML: (?!.*CANARY)/,
    ],
    [
      'a vault, offline',
      ['--offline', '--set', 'a=ref+vault://xy'],
      /^Error: --set: cannot read ref\+vault:\/\/xy offline/,
    ],
  ])('that cannot be followed: %s', async (_rule, words, message) => {
    const { code, stderr } = await run('template', join(cwd, 'chart'), '--secret-refs', ...words);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  });

  test.each<[string, string]>([
    ['a program', 'ref+exec://id'],
    ['a file elsewhere', 'ref+file:///etc/hostname'],
  ])('of who is not trusted do not reach %s', async (_rule, reference) => {
    const words = ['template', join(cwd, 'chart'), '--secret-refs', '--set', `a=${reference}`];
    const { code, stderr } = await tshelm(words, { cwd, env: { ...env, TSHELM_UNTRUSTED: '1' } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('refused for untrusted')]);
  });
});

test.each([
  ['lint', 'lint', join(cwd, 'chart')],
  ['check', 'check', join(cwd, 'chart')],
  ['images', 'images', join(cwd, 'chart')],
  ['rehearse', 'rehearse', 'a', join(cwd, 'chart')],
  ['dag', 'dag', join(cwd, 'chart')],
])('%s follows references', async (_name, ...words) => {
  const before = callCount();
  const { code, stderr, stdout } = await run(...words, ...given);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('WARN')]);
  expect(callCount()).toBe(before + 1);
  expect(stdout + stderr).not.toContain(canary);
});

const callCount = (): number => {
  try {
    return readFileSync(join(cwd, 'calls'), 'utf8').split('\n').length;
  } catch {
    return 1;
  }
};

test('what a reference stands for is in the release, and is shown by nothing else', async () => {
  const name = 'referring';
  const file = join(cwd, 'a.plan');
  const planned = await inSandbox('plan', 'install', name, join(cwd, 'chart'), ...given, '--out', file);
  const applied = await inSandbox('apply', file, '--debug');
  const diffed = await inSandbox('diff', name, join(cwd, 'chart'), ...given, '--set', 'x=1');
  const upgraded = await inSandbox(
    'upgrade',
    name,
    join(cwd, 'chart'),
    ...given,
    '--debug',
    '-o',
    'json',
    '--progress=json',
  );
  for (const { code, stderr } of [planned, applied, upgraded]) expect([code, stderr]).toEqual([0, expect.anything()]);
  expect(diffed.stdout).toContain('***');
  const { stdout: values } = await inSandbox('get', 'values', name);
  expect(values).toContain(canary);
  const told = [planned, applied, diffed].map(({ stdout, stderr }) => stdout + stderr);
  for (const text of [...told, upgraded.stderr, readFileSync(file, 'utf8')]) expect(text).not.toContain('CANARY');
});
