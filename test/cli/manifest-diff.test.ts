import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from './harness.ts';

const folder = fileURLToPath(new URL('../../fixtures/manifest-diff', import.meta.url));
const chart = `${folder}/chart`;

interface Case {
  readonly args: readonly string[];
  readonly code: number;
  readonly stdout: string;
}

/** What the helm-diff plugin under Helm v4.3.1 printed for the same release: the chart installed, then upgraded to image=two. */
const { cases } = JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8')) as { readonly cases: readonly Case[] };

const sandbox = openTestSandbox();
beforeAll(async () => {
  await sandbox.run('install', 'demo', chart);
  await sandbox.run('upgrade', 'demo', chart, '--set', 'image=two');
});
afterAll(sandbox.remove);

const inFolder = (word: string): string =>
  word === '.' ? chart : word === 'values.yaml' ? `${chart}/values.yaml` : word;

describe('diff is helm-diff', () => {
  // The plugin refuses it; Helm's rollback goes to the revision before, and so does its diff here.
  const beyond = 'rollback demo';

  test.each(cases.filter(({ args }) => args.join(' ') !== beyond))('$args', async ({ args, ...expected }) => {
    const { code, stdout } = await sandbox.run('diff', ...args.map(inFolder));
    expect({ code, stdout }).toEqual(expected);
  });

  test(`${beyond}: to the revision before the last`, async () => {
    const { code, stdout } = await sandbox.run('diff', ...beyond.split(' '));
    expect(code).toBe(0);
    expect(stdout).toBe(cases.find(({ args }) => args.join(' ') === `${beyond} 1`)?.stdout);
  });
});

const diff = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  tshelm(['diff', ...words, '--sandbox-dir', sandbox.directory], { env });

test('what the plugin reads from its environment, a flag wins over', async () => {
  const upgrade = ['upgrade', 'demo', chart, '--set', 'image=three'];
  const [simple] = [(await diff([...upgrade, '--output', 'simple'])).stdout];
  expect((await diff(upgrade, { HELM_DIFF_OUTPUT: 'simple' })).stdout).toBe(simple);
  expect((await diff([...upgrade, '-o', 'simple'], { HELM_DIFF_OUTPUT: 'json' })).stdout).toBe(simple);
  expect((await diff(upgrade, { HELM_DIFF_OUTPUT_CONTEXT: '0' })).stdout).toBe(
    (await diff([...upgrade, '-C0'])).stdout,
  );
  expect((await diff([...upgrade, '-o', 'simple'], { HELM_DIFF_COLOR: 'true' })).stdout).toContain('\x1b[0;33m');
  expect((await diff([...upgrade, '-o', 'simple', '--no-color'], { HELM_DIFF_COLOR: 'true' })).stdout).toBe(simple);
  const template = { HELM_DIFF_OUTPUT: 'template', HELM_DIFF_TPL: `${folder}/names.tpl` };
  expect((await diff(upgrade, template)).stdout).toBe(
    'MODIFY demo-secret (v1), MODIFY demo-settings (v1), MODIFY demo-web (apps), MODIFY hook (v1), MODIFY kept (v1)\n',
  );
});

test('with HELM_DIFF_USE_UPGRADE_DRY_RUN the dry run of an upgrade renders, which keeps the values of the release', async () => {
  const words = ['upgrade', 'demo', chart, '-f', `${chart}/values.yaml`, '-o', 'simple'];
  const plan = 'Plan: 0 to add, 5 to change, 0 to destroy, 0 to change ownership.\n';
  expect((await diff(words, { HELM_DIFF_USE_UPGRADE_DRY_RUN: 'true' })).stdout).toContain(plan);
});

test('--three-way-merge sees what somebody changed in the cluster', async () => {
  const same = await diff(['upgrade', 'demo', chart, '--three-way-merge', '--no-hooks', '--detailed-exitcode']);
  expect(same).toEqual({ code: 0, stdout: '', stderr: '' });
  const { code, stdout } = await diff(['upgrade', 'demo', chart, '--three-way-merge', '--set', 'image=six', '-C0']);
  expect(code).toBe(0);
  expect(stdout).toContain('default, kept, ConfigMap (v1) has changed:\n...\n-   v: two\n+   v: six\n');
});

test('dyff: fields by their paths, items by their names', async () => {
  const { stdout } = await diff([
    'upgrade',
    'demo',
    chart,
    '--set',
    'replicas=2,image=six',
    '-o',
    'dyff',
    '-q',
    '--suppress',
    'ConfigMap',
  ]);
  expect(stdout).toBe(`
spec.replicas  (apps/v1/Deployment/demo-web)
± value change
- 1
+ 2

spec.template.spec.containers.web.image  (apps/v1/Deployment/demo-web)
± value change
- two
+ six
`);
});

test('two releases of one chart are compared by their templates', async () => {
  await sandbox.run('install', 'demo', chart, '-n', 'other', '--create-namespace', '--set', 'image=two,replicas=5');
  const { code, stdout } = await diff(['release', 'demo', 'other/demo', '-C0', '--detailed-exitcode']);
  expect(code).toBe(2);
  expect(stdout).toContain('demo/templates/all.yaml 3 has changed:\n...\n-   replicas: 1\n+   replicas: 5\n');
});

test('a Secret that takes the place of another object is redacted', async () => {
  await sandbox.run('install', 'twin', chart, '-n', 'third', '--create-namespace');
  const { stdout } = await diff(['release', 'demo', 'third/twin']);
  expect(stdout).toContain("+   password: '++++++++ # (6 bytes)'");
  expect(stdout).not.toContain(Buffer.from('secret').toString('base64'));
});

test('flags that upgrade does not know are refused, unless helm-diff would leave them out', async () => {
  const words = ['upgrade', 'demo', chart, '--no-such', 'value', '--nor=this', '-y', '--set', 'image=three', '--bare'];
  expect((await diff(words)).stderr).toContain('Error: unknown flag: --no-such');
  const lenient = await diff(words, { HELM_DIFF_IGNORE_UNKNOWN_FLAGS: 'true' });
  expect(lenient).toEqual(await diff(['upgrade', 'demo', chart, '--set', 'image=three']));
  expect(lenient.stdout).toContain('image: three');
  const revision = await diff(['revision', 'demo', '1', '--bare'], { HELM_DIFF_IGNORE_UNKNOWN_FLAGS: 'true' });
  expect(revision.stderr).toContain('Error: unknown flag: --bare');
});

test('the version of the plugin that is imitated', async () => {
  expect(await diff(['version'])).toEqual({ code: 0, stdout: '3.15.11\n', stderr: '' });
});

test('a form that there is not', async () => {
  expect((await diff(['upgrade', 'demo', chart, '-o', 'nope'])).stderr).toContain(
    'must be one of: diff, json, yaml, markdown, simple, template, structured, dyff',
  );
});
