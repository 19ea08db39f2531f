import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestSandbox } from '../cli/harness.ts';

/** `upgrade --skip-unchanged`: no revision where everything is as it would be. */
const folder = mkdtempSync(join(tmpdir(), 'tshelm-unchanged-'));
const chart = join(folder, 'shop');
const sandbox = openTestSandbox();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(chart, path, '..'), { recursive: true });
    writeFileSync(join(chart, path), text);
  }
};
const hook = (text: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: before, annotations: {helm.sh/hook: pre-upgrade}}\ndata: {a: ${text}}\n`;

beforeAll(async () => {
  write({
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'values.yaml': 'color: red\nunused: 1\n',
    'templates/a.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, annotations: {}}\ndata: {color: {{ .Values.color }}}\n',
    'templates/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: a, image: "nginx:1", ports: [{containerPort: 80}], resources: {limits: {cpu: "0.5", memory: 1024Mi}}}]
`,
    'templates/hook.yaml': hook('first'),
  });
  expect(await sandbox.run('install', 'shop', chart)).toMatchObject({ code: 0 });
});

const upgrade = (...words: string[]) => sandbox.run('upgrade', 'shop', chart, '--skip-unchanged', ...words);
const revision = async (): Promise<number> => {
  const { stdout } = await sandbox.run('history', 'shop', '-o', 'json');
  return (JSON.parse(stdout) as { revision: number }[]).at(-1)?.revision ?? 0;
};

test('the same once more is no revision, says so, and ends well', async () => {
  const { code, stdout, stderr } = await upgrade();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Release "shop" is unchanged: revision 1 stays deployed\.\nNAME: shop\n/);
  expect(await revision()).toBe(1);
  // A file that was written anew, with the same in it.
  write({ 'templates/hook.yaml': hook('first') });
  expect((await upgrade('--set', 'unused=1')).stdout).toContain('upgraded');
  expect(await revision()).toBe(2);
  expect((await upgrade('--set', 'unused=1', '-o', 'json')).stdout).toContain('"version":2');
  expect(await revision()).toBe(2);
});

test.each<[string, () => void, string[]]>([
  ['another value', () => undefined, ['--set', 'color=blue']],
  ['a value that nothing reads', () => undefined, ['--set', 'other=1']],
  ['a hook', () => write({ 'templates/hook.yaml': hook('second') }), []],
  ['a template that prints the same', () => write({ 'templates/_more.tpl': '{{/* new */}}' }), []],
  ['the version of the chart', () => write({ 'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.1\n' }), []],
  ['a label of the record', () => undefined, ['--labels', 'team=a']],
])('%s is a change, once', async (_what, change, words) => {
  change();
  const before = await revision();
  expect((await upgrade(...words)).stdout).toContain('has been upgraded');
  expect(await revision()).toBe(before + 1);
  expect((await upgrade(...words)).stdout).toContain('is unchanged');
  expect(await revision()).toBe(before + 1);
});

test('an object that somebody changed is put right', async () => {
  const before = await revision();
  // Another release takes the object over and gives it another value.
  const other = join(folder, 'other');
  mkdirSync(join(other, 'templates'), { recursive: true });
  writeFileSync(join(other, 'Chart.yaml'), 'apiVersion: v2\nname: other\nversion: 1.0.0\n');
  writeFileSync(
    join(other, 'templates/a.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {color: other}\n',
  );
  const words = ['install', 'other', other, '--take-ownership', '--force-conflicts'];
  expect(await sandbox.run(...words)).toMatchObject({ code: 0 });
  expect((await upgrade('--take-ownership', '--force-conflicts')).stdout).toContain('has been upgraded');
  expect(await revision()).toBe(before + 1);
  expect((await upgrade()).stdout).toContain('is unchanged');
});

const named = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "${name}", annotations: {helm.sh/hook: post-upgrade}}\ndata: {own: "${name}"${more}}\n`;

test.each([
  ['random', 'printf "shop-%s" (randAlphaNum 5 | lower)'],
  ['of the revision', 'printf "shop-%d" .Release.Revision'],
])('a hook whose name is %s is the same hook', async (_how, name) => {
  write({ 'templates/named.yaml': `{{ $name := ${name} }}${named('{{ $name }}')}` });
  const before = await revision();
  expect((await upgrade()).stdout).toContain('has been upgraded');
  expect(await upgrade()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('is unchanged') });
  expect(await revision()).toBe(before + 1);
  write({ 'templates/named.yaml': `{{ $name := ${name} }}${named('{{ $name }}', ', other: a')}` });
  expect((await upgrade()).stdout).toContain('has been upgraded');
});

test('what is rendered otherwise each time is upgraded, and named', async () => {
  write({
    'templates/named.yaml': named('shop-token', ', token: {{ randAlphaNum 8 }}'),
    'templates/secret.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: {name: password}\nstringData: {a: {{ randAlphaNum 8 }}}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: "new-{{ randAlphaNum 4 | lower }}"}\n',
  });
  expect((await upgrade()).stdout).toContain('has been upgraded');
  const { code, stdout, stderr } = await upgrade();
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('has been upgraded') });
  expect(stderr).toMatch(
    /shop is upgraded: chart and values are the same, but what the chart renders of them is not: Secret\/password \(stringData\.a\), a ConfigMap of shop\/templates\/secret\.yaml with another name, ConfigMap\/shop-token \(data\.token\)\n/m,
  );
});
