import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../../src/cluster/connect.ts';
import { compareText } from '../../../src/support/order.ts';
import { addChart, startRepository } from './repository.ts';
import { bin, masked, openSides, type SideName } from './sides.ts';

/** Programs that call `helm`, with Helm and with tshelm in its place: what they print must be the same. */
const sides = openSides();
const { folder, both, call, write } = sides;
const namespaceOf = sides.namespace;

beforeAll(() => {
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
afterAll(() => sides.remove());

describe('helmfile', () => {
  const file = (which: SideName): string => {
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
    for (const which of ['helm', 'tshelm'] as const) files[which] = file(which);
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

  test('fetch leaves the same charts', async () => {
    const repository = await startRepository(join(folder, 'charts'));
    write('far/Chart.yaml', 'apiVersion: v2\nname: far\nversion: 0.1.0\n');
    write('far/templates/far.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: far}\n');
    addChart(repository, join(folder, 'far'));
    write(
      'fetch.yaml',
      `repositories: [{name: far, url: "${repository.url}"}]\nreleases:\n- {name: a, chart: far/far, version: 0.1.0}\n- {name: b, chart: ./one}\n`,
    );
    const charts = (which: SideName): string => join(sides.own(which), 'fetched');
    const words = (which: SideName) => ['-f', 'fetch.yaml', 'fetch', '--output-dir', charts(which)];
    const { code, stderr } = await both('helmfile', words);
    repository.stop();
    expect(code, stderr).toBe(0);
    const files = (which: SideName) =>
      readdirSync(charts(which), { recursive: true, encoding: 'utf8' }).sort(compareText);
    expect(files('tshelm')).toEqual(files('helm'));
    expect(files('tshelm').some((path) => path.endsWith('templates/far.yaml'))).toBe(true);
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
  /**
   * What each call of `helm` printed and how it ended. What ct itself prints is no measure: it waits for a program before it
   * has read all of its output, so that now and then an end is lost.
   */
  async function callsOf(which: SideName, args: readonly string[], cwd?: string) {
    const calls = join(sides.own(which), 'calls');
    rmSync(calls, { force: true });
    write(
      `recorded/${which}/helm`,
      `#!/bin/sh\nout=$(mktemp)\n${sides.helm(which)} "$@" >"$out"\ncode=$?\n{ echo "helm $* ended with $code"; cat "$out"; echo; } >>${calls}\ncat "$out"\nrm "$out"\nexit $code\n`,
    );
    chmodSync(join(folder, 'recorded', which, 'helm'), 0o755);
    const env = { PATH: `${join(folder, 'recorded', which)}:${process.env['PATH']}` };
    const { code, stdout, stderr } = await call('ct', args, which, { cwd, env });
    const { lines } = masked({ code, stdout: readFileSync(calls, 'utf8'), stderr }, which);
    return { code, lines, stdout, stderr };
  }

  async function both(argsFor: (which: SideName) => readonly string[], cwd?: string) {
    const helm = await callsOf('helm', argsFor('helm'), cwd);
    const tshelm = await callsOf('tshelm', argsFor('tshelm'), cwd);
    expect({ code: tshelm.code, lines: tshelm.lines }, tshelm.stderr).toEqual({ code: helm.code, lines: helm.lines });
    return tshelm;
  }

  test('lint', async () => {
    const quiet = ['maintainers', 'yaml', 'chart-schema'].map((name) => `--validate-${name}=false`);
    const { code } = await both(() => ['lint', '--charts', 'one', ...quiet, '--check-version-increment=false']);
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
    const words = ['install', '--upgrade', '--target-branch', 'main'];
    const { code, stdout, stderr } = await both(() => words, join(folder, 'repository'));
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
    const made = new Map((['helm', 'tshelm'] as const).map((which) => [which, namespaceOf('ct', which)]));
    const cluster = await connect();
    for (const name of made.values()) await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    cluster.close();
    const { code, stderr } = await both((which) => args(made.get(which) as string));
    expect(code, stderr).toBe(0);
  });
});

test('kustomize build --enable-helm', async () => {
  const { code, stdout } = await both('kustomize', () => ['build', '--enable-helm'], {
    cwd: join(folder, 'kustomize'),
  });
  expect(code).toBe(0);
  expect(stdout).toContain('v: "9"');
});

test("helm-unittest's program as a plugin", async () => {
  for (const which of ['helm', 'tshelm'] as const) {
    write(
      `homes/${which}/data/plugins/unittest/plugin.yaml`,
      `name: unittest\nversion: 1.1.2\nusage: unit test\nplatformCommand: [{command: ${join(bin, 'unittest')}}]\n`,
    );
  }
  write(
    'one/tests/all_test.yaml',
    'suite: map\ntemplates: [all.yaml]\ntests:\n- it: has a value\n  asserts: [{equal: {path: data.v, value: "1"}}]\n',
  );
  const run = (which: SideName) => call(sides.helm(which), ['unittest', 'one'], which);
  const [helm, tshelm] = [await run('helm'), await run('tshelm')];
  expect(masked(tshelm, 'tshelm')).toEqual(masked(helm, 'helm'));
  expect(tshelm.stdout).toContain('1 passed, 1 total');
});
