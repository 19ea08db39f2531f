import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../../src/cluster/connect.ts';
import { tshelmPath } from '../support/programs.ts';

/** Programs that call `helm`, with Helm and with tshelm in its place: what they print must be the same. */
const bin = process.env['TSHELM_E2E_BIN'] as string;
const folder = mkdtempSync(join(tmpdir(), 'tshelm-callers-'));
const namespaces: string[] = [];

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

beforeAll(() => {
  for (const [name, path] of [
    ['helm', join(bin, 'helm')],
    ['tshelm', tshelmPath],
  ] as const) {
    mkdirSync(join(folder, 'path', name), { recursive: true });
    symlinkSync(path, join(folder, 'path', name, 'helm'));
  }
  for (const path of ['one', 'two', 'kustomize/charts/one']) {
    write(`${path}/Chart.yaml`, `apiVersion: v2\nname: ${basename(path)}\nversion: 0.1.0\n`);
    write(`${path}/values.yaml`, 'v: 1\n');
    write(
      `${path}/templates/all.yaml`,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-map"}\ndata: {v: {{ .Values.v | quote }}}\n',
    );
  }
  write('one/ci/other-values.yaml', 'v: 3\n');
  write(
    'kustomize/kustomization.yaml',
    'helmCharts: [{name: one, releaseName: rel, namespace: ks, valuesInline: {v: "9"}, includeCRDs: true}]\n',
  );
});
afterAll(async () => {
  const cluster = await connect();
  for (const name of namespaces) await cluster.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name });
  cluster.close();
  rmSync(folder, { recursive: true });
});

/** Names of the same length, so that tables are as wide. */
const sideOf = (which: string): string => (which === 'helm' ? 'side1' : 'side2');

const namespaceOf = (test: string, which: string): string => {
  const name = `callers-${test}-${sideOf(which)}-${process.pid}`;
  namespaces.push(name);
  return name;
};

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program that finds `helm` in its PATH. */
function call(program: string, args: readonly string[], which: 'helm' | 'tshelm', cwd = folder): Promise<Ran> {
  const home = join(folder, 'homes', which);
  const env = {
    ...process.env,
    PATH: `${join(folder, 'path', which)}:${process.env['PATH']}`,
    HELM_DATA_HOME: join(home, 'data'),
    HELM_CACHE_HOME: join(home, 'cache'),
    HELM_CONFIG_HOME: join(home, 'config'),
  };
  return new Promise((done, reject) => {
    const child = spawn(resolve(bin, program), args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { stdout: '', stderr: '' };
    child.stdout.on('data', (text: Buffer) => (texts.stdout += text));
    child.stderr.on('data', (text: Buffer) => (texts.stderr += text));
    child.on('error', reject).on('close', (code) => done({ code, ...texts }));
  });
}

/** Without times, random names and what names the side; helmfile works on several releases at once, in any order. */
const masked = ({ code, stdout }: Ran, which: string) => ({
  code,
  lines: stdout
    .replaceAll(`-${sideOf(which)}-`, '-SIDE-')
    .replace(/[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ [\d:]{8} \d{4}/g, 'TIME')
    .replace(/\d{4}-\d\d-\d\d [\d:.]+ \S+ UTC/g, 'TIME')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/revision\d{6,}/g, 'revisionRANDOM')
    .replace(/"(resourceVersion|uid|modifiedAt|createdAt)":"[\w-]+"/g, '"$1":"RANDOM"')
    .replace(/-[a-z0-9]{10}\b/g, '-RANDOM')
    .replace(/\b[\d.]+m?s\b/g, 'DURATION')
    .split('\n')
    .map((line) => line.trimEnd())
    // ct prints standard error too, where tshelm tells how far it is.
    .filter((line) => !/^ +DURATION {2}|^No resources found|^Preparing worktree/.test(line))
    .sort(),
});

async function both(program: string, argsFor: (which: string) => readonly string[], cwd?: string): Promise<Ran> {
  const helm = await call(program, argsFor('helm'), 'helm', cwd);
  const tshelm = await call(program, argsFor('tshelm'), 'tshelm', cwd);
  const shown = (ran: Ran, which: string): unknown => {
    const { code, lines } = masked(ran, which);
    // ct waits for a program before it has read all of its output: now and then the end is lost.
    return program === 'ct' ? { code, lines: [...new Set(lines)] } : { code, lines };
  };
  expect(shown(tshelm, 'tshelm'), tshelm.stderr).toEqual(shown(helm, 'helm'));
  return tshelm;
}

describe('helmfile', () => {
  const file = (which: string): string => {
    const namespace = namespaceOf('helmfile', which);
    const path = `helmfile-${which}.yaml`;
    write(
      path,
      `helmDefaults: {wait: true, timeout: 60}
releases:
- name: first
  namespace: ${namespace}
  createNamespace: true
  chart: ./one
  values: [{v: 2}]
  hooks:
  - {events: [prepare, preapply, presync, preuninstall], command: echo, args: [before]}
  - {events: [postsync, postuninstall, cleanup], showlogs: true, command: echo, args: [after, "{{\`{{.Event.Name}}\`}}"]}
- name: second
  namespace: ${namespace}
  chart: ./two
  needs: [${namespace}/first]
  labels: {tier: back}
`,
    );
    return path;
  };
  const files: Record<string, string> = {};
  beforeAll(() => {
    for (const which of ['helm', 'tshelm']) files[which] = file(which);
  });

  test.each([
    ['template', []],
    ['list', []],
    ['lint', []],
    ['write-values', []],
    ['sync', []],
    ['sync', ['--set', 'v=4', '--selector', 'tier=back']],
    ['status', []],
    ['test', []],
    ['destroy', []],
  ])('%s %j is the same as with Helm', async (command, args) => {
    const { code, stderr } = await both('helmfile', (which) => ['-f', files[which] as string, command, ...args]);
    expect(code, stderr).toBe(0);
  });

  test('diff and apply need no plugin', async () => {
    const args = ['-f', files['tshelm'] as string];
    const run = (...words: string[]) => call('helmfile', [...args, ...words], 'tshelm');
    const before = await run('diff', '--detailed-exitcode');
    expect(before.code, before.stderr).toBe(2);
    expect(before.stdout).toContain('first-map, ConfigMap (v1) has been added:');
    expect((await run('apply')).code).toBe(0);
    expect((await run('diff', '--detailed-exitcode')).code).toBe(0);
    const changed = await run('diff', '--set', 'v=7', '--detailed-exitcode', '--context', '0');
    expect(changed.code).toBe(2);
    expect(changed.stdout).toContain('+ data: {v: "7"}');
    expect((await run('apply', '--set', 'v=7')).stderr).toContain('Release "first" has been upgraded.');
    expect((await run('destroy')).code).toBe(0);
  });
});

describe('chart-testing', () => {
  test('lint', async () => {
    const quiet = ['maintainers', 'yaml', 'chart-schema'].map((name) => `--validate-${name}=false`);
    const { code } = await both('ct', () => ['lint', '--charts', 'one', ...quiet, '--check-version-increment=false']);
    expect(code).toBe(0);
  });

  test('install --upgrade, from the branch before', async () => {
    const git = (...args: string[]) => execFileSync('git', ['-C', join(folder, 'repository'), ...args]);
    mkdirSync(join(folder, 'repository'));
    cpSync(join(folder, 'one'), join(folder, 'repository/charts/one'), { recursive: true });
    git('init', '-q', '-b', 'main');
    git('config', 'user.email', 'jo@example.com');
    git('config', 'user.name', 'jo');
    git('add', '.');
    git('commit', '-qm', 'one');
    git('clone', '-q', '--bare', '.', join(folder, 'origin.git'));
    git('remote', 'add', 'origin', join(folder, 'origin.git'));
    git('fetch', '-q');
    git('checkout', '-qb', 'next');
    writeFileSync(join(folder, 'repository/charts/one/values.yaml'), 'v: 2\n');
    writeFileSync(join(folder, 'repository/charts/one/Chart.yaml'), 'apiVersion: v2\nname: one\nversion: 0.1.1\n');
    git('commit', '-qam', 'two');
    const { code, stdout, stderr } = await both(
      'ct',
      () => ['install', '--upgrade', '--target-branch', 'main'],
      join(folder, 'repository'),
    );
    expect([code, stdout.includes('Testing upgrades of chart')], stdout + stderr).toEqual([0, true]);
  });

  test('install, with the values of ci/', async () => {
    const args = (namespace: string) => [
      'install',
      '--charts',
      'one',
      '--namespace',
      namespace,
      '--release-label',
      'app',
    ];
    const made = new Map(['helm', 'tshelm'].map((which) => [which, namespaceOf('ct', which)]));
    const cluster = await connect();
    for (const name of made.values()) await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    cluster.close();
    const { code, stderr } = await both('ct', (which) => args(made.get(which) as string));
    expect(code, stderr).toBe(0);
  });
});

/** Runs `helm` itself on both sides. */
async function bothHelms(argsFor: (which: string) => readonly string[], cwd = folder): Promise<Ran> {
  const runs = { helm: await helmOf('helm'), tshelm: await helmOf('tshelm') };
  expect(masked(runs.tshelm, 'tshelm'), runs.tshelm.stderr).toEqual(masked(runs.helm, 'helm'));
  return runs.tshelm;

  function helmOf(which: 'helm' | 'tshelm'): Promise<Ran> {
    return call(join(folder, 'path', which, 'helm'), argsFor(which), which, cwd);
  }
}

/** The command lines that these programs give to `helm`, after their sources. */
describe('command lines', () => {
  const made: Record<string, string> = {};
  beforeAll(() => {
    for (const which of ['helm', 'tshelm']) made[which] = namespaceOf('lines', which);
  });
  const namespaced = (words: readonly string[]) => (which: string) =>
    words.map((word) => (word === 'NAMESPACE' ? (made[which] as string) : word));

  test.each([
    // Argo CD's repository server: a chart in its working folder, Helm's folders elsewhere.
    ['dependency', 'build'],
    ['show', 'chart', '.'],
    ['show', 'values', '.'],
    [
      'template',
      '.',
      '--name-template',
      'app',
      '--namespace',
      'NAMESPACE',
      '--kube-version',
      '1.31.2',
      '--set',
      'v=a\\,b',
      '--set-string',
      'w=1',
      '--set-file',
      'f=values.yaml',
      '--values',
      'ci/other-values.yaml',
      '--api-versions',
      'v1',
      '--api-versions',
      'apps/v1/Deployment',
      '--include-crds',
      '--skip-schema-validation',
      '--skip-tests',
    ],
    ['pull', '--destination', '.', '--version', '1', '--repo', 'http://127.0.0.1:1/none', 'web'],
    ['registry', 'logout', 'nowhere.invalid'],
    // Skaffold.
    ['dep', 'build', '.'],
    ['template', 'app', '.', '--set', 'image=web:1', '-f', 'ci/other-values.yaml', '--namespace', 'NAMESPACE'],
    ['install', 'app', '.', '-f', 'ci/other-values.yaml', '--namespace', 'NAMESPACE', '--create-namespace'],
    ['get', 'all', '--namespace', 'NAMESPACE', 'app', '--template', '{{.Release.Manifest}}'],
    ['upgrade', 'app', '.', '--set', 'v=5', '--namespace', 'NAMESPACE', '--wait', '--timeout', '1m'],
    // What stands in pipelines, and what Terraform's wrappers ask for.
    [
      'upgrade',
      '--install',
      'app',
      '.',
      '--atomic',
      '--wait',
      '-n',
      'NAMESPACE',
      '--reset-values',
      '--history-max',
      '5',
    ],
    ['status', 'app', '-n', 'NAMESPACE', '-o', 'json'],
    ['list', '-n', 'NAMESPACE', '--filter', '^app$', '-o', 'json', '--all'],
    ['history', 'app', '-n', 'NAMESPACE', '--max', '1', '-o', 'json'],
    ['get', 'values', 'app', '-n', 'NAMESPACE', '-a', '-o', 'json'],
    ['get', 'metadata', 'app', '-n', 'NAMESPACE', '-o', 'json'],
    ['rollback', 'app', '1', '-n', 'NAMESPACE', '--cleanup-on-fail'],
    ['uninstall', 'app', '-n', 'NAMESPACE', '--wait', '--ignore-not-found'],
    ['uninstall', 'app', '-n', 'NAMESPACE', '--ignore-not-found'],
    ['uninstall', 'app', '-n', 'NAMESPACE'],
  ])('helm %s %s %s %s', async (...words) => {
    await bothHelms(namespaced(words), join(folder, 'one'));
  });
});

test('kustomize build --enable-helm', async () => {
  const { code, stdout } = await both('kustomize', () => ['build', '--enable-helm'], join(folder, 'kustomize'));
  expect(code).toBe(0);
  expect(stdout).toContain('v: "9"');
});

test("helm-unittest's program as a plugin", async () => {
  for (const which of ['helm', 'tshelm']) {
    write(
      `homes/${which}/data/plugins/unittest/plugin.yaml`,
      `name: unittest\nversion: 1.1.2\nusage: unit test\nplatformCommand: [{command: ${join(bin, 'unittest')}}]\n`,
    );
  }
  write(
    'one/tests/all_test.yaml',
    'suite: map\ntemplates: [all.yaml]\ntests:\n- it: has a value\n  asserts: [{equal: {path: data.v, value: "1"}}]\n',
  );
  const run = (which: 'helm' | 'tshelm') => call(join(folder, 'path', which, 'helm'), ['unittest', 'one'], which);
  const [helm, tshelm] = [await run('helm'), await run('tshelm')];
  expect(masked(tshelm, 'tshelm')).toEqual(masked(helm, 'helm'));
  expect(tshelm.stdout).toContain('1 passed, 1 total');
});
