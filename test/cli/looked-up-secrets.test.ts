import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox } from './harness.ts';

const canary = 'CANARY-of-another';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const folder = mkdtempSync(join(tmpdir(), 'tshelm-looked-up-'));

function chart(name: string, template: string): string {
  const files = { 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`, 'templates/all.yaml': template };
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return join(folder, name);
}

/** Somebody else's Secret, by no name that says so. */
const other = chart('other', `apiVersion: v1\nkind: Secret\nmetadata: {name: other}\nstringData: {text: ${canary}}\n`);
const thief = chart(
  'thief',
  `apiVersion: v1
kind: ConfigMap
metadata: {name: thief}
data:
  found: "{{ (lookup "v1" "Secret" .Release.Namespace "other") | empty | not }}"
  {{- with lookup "v1" "Secret" .Release.Namespace "other" }}
  decoded: "it is {{ .data.text | b64dec }}"
  encoded: "{{ .data.text }}"
  {{- end }}
  {{- range (lookup "v1" "Secret" .Release.Namespace "").items }}
  {{- if eq .metadata.name "other" }}
  listed: "{{ .data.text | b64dec }}"
  {{- end }}
  {{- end }}
`,
);
const stackFile = join(folder, 'helmfile.yaml');
writeFileSync(stackFile, 'releases:\n- {name: thief, namespace: default, chart: ./thief}\n');
const sandbox = openTestSandbox();
const run = sandbox.run;

beforeAll(async () => expect((await run('install', 'other', other)).code).toBe(0));
afterAll(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true });
});

const commands: readonly (readonly [string, readonly string[]])[] = [
  ['diff', ['diff', 'thief', thief, '--install']],
  ['diff -o json', ['diff', 'thief', thief, '--install', '-o', 'json']],
  ['diff -o markdown', ['diff', 'thief', thief, '--install', '-o', 'markdown']],
  ['diff upgrade', ['diff', 'upgrade', 'thief', thief, '--install']],
  ['plan -o markdown', ['plan', 'install', 'thief', thief, '-o', 'markdown']],
  ['stack diff', ['stack', 'diff', '-f', stackFile]],
  ['stack plan -o markdown', ['stack', 'plan', '-f', stackFile, '-o', 'markdown']],
];

describe('what lookup reads of Secrets is secret', () => {
  test.each(commands)('%s', async (_name, words) => {
    const { code, stdout, stderr } = await run(...words);
    expect(code).toBe(0);
    expect(stdout).toContain('it is ***');
    for (const text of [canary, base64(canary)]) expect(stdout + stderr).not.toContain(text);
  });

  test('a saved plan, which is applied all the same', async () => {
    const out = join(folder, 'thief.plan');
    expect((await run('plan', 'install', 'thief', thief, '--out', out)).code).toBe(0);
    const file = readFileSync(out, 'utf8');
    for (const text of [canary, base64(canary)]) expect(file).not.toContain(text);
    expect((await run('show-plan', out, '-o', 'markdown')).stdout).toContain('decoded: it is ***');
    const applied = await run('apply', out);
    expect([applied.code, applied.stderr.includes('Error')]).toEqual([0, false]);
    expect((await run('get', 'manifest', 'thief')).stdout).toContain(canary);
    await run('uninstall', 'thief');
  });
});

describe('--no-lookup reads nothing', () => {
  test.each(commands.filter(([name]) => name !== 'diff -o json'))('%s', async (_name, words) => {
    const { code, stdout } = await run(...words, '--no-lookup');
    expect(code).toBe(0);
    expect(stdout).toMatch(/found: "false"|found: 'false'/);
    expect(stdout).not.toContain('decoded');
  });

  test('a plan that was made without it is applied without it', async () => {
    const out = join(folder, 'none.plan');
    expect((await run('plan', 'install', 'thief', thief, '--no-lookup', '--out', out)).code).toBe(0);
    expect((await run('apply', out)).code).toBe(0);
    expect((await run('get', 'manifest', 'thief')).stdout).toContain('found: "false"');
  });
});
