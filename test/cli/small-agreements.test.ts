import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from './harness.ts';

// What Helm v4.3.1 answers, word for word, where it is easy to answer otherwise.
const chart = mkdtempSync(join(tmpdir(), 'tshelm-agree-'));
mkdirSync(join(chart, 'templates'));
mkdirSync(join(chart, 'charts/sub'), { recursive: true });
writeFileSync(
  join(chart, 'Chart.yaml'),
  'apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies:\n- {name: sub, version: 1.0.0, repository: ""}\n- {name: sub, version: 1.0.0, repository: "", alias: other, tags: [t], import-values: [data]}\n',
);
writeFileSync(join(chart, 'charts/sub/Chart.yaml'), 'apiVersion: v2\nname: sub\nversion: 1.0.0\n');
writeFileSync(
  join(chart, 'templates/hook.yaml'),
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: hook, annotations: {helm.sh/hook: pre-install}}\n{{ if .Values.fails }}{{ fail "no" }}{{ end }}',
);
const sandbox = openTestSandbox();
const { run } = sandbox;

beforeAll(async () => {
  expect((await run('install', 'a', chart)).code).toBe(0);
});
afterAll(() => {
  sandbox.remove();
  rmSync(chart, { recursive: true });
});

test.each(['0', '-2'])('history --max %s has no revisions', async (max) => {
  const { code, stdout } = await run('history', 'a', '--max', max);
  expect([code, stdout]).toEqual([0, 'REVISION\tUPDATED\tSTATUS\tCHART\tAPP VERSION\tDESCRIPTION\n']);
  expect((await run('history', 'a', '--max', max, '-o', 'json')).stdout).toBe('[]\n');
});

test.each(['get', 'show'])('%s alone prints help', async (command) => {
  const { code, stdout } = await tshelm([command]);
  expect(stdout).toContain(`Usage: tshelm ${command}`);
  expect(code).toBe(0);
});

test('get metadata leaves out the empty lists of dependencies', async () => {
  const { stdout } = await run('get', 'metadata', 'a', '-o', 'yaml');
  expect(stdout).toContain('dependencies:\n- enabled: true\n  name: sub\n  repository: ""\n  version: 1.0.0\n');
  expect(stdout).toContain(
    '- alias: other\n  enabled: true\n  import-values:\n  - child: exports.data\n    parent: .\n  name: other\n  repository: ""\n  tags:\n  - t\n  version: 1.0.0\n',
  );
  const { stdout: json } = await run('get', 'metadata', 'a', '-o', 'json');
  expect(json).toContain(
    '{"name":"other","version":"1.0.0","repository":"","tags":["t"],"enabled":true,"import-values":[{"child":"exports.data","parent":"."}],"alias":"other"}',
  );
});

test.each([
  ['{{.Release.Nope}}', '_:1:10: executing "_" at <.Release.Nope>: can\'t evaluate field Nope in type interface {}'],
  [
    '{{.Release.Info.Nope}}',
    '_:1:10: executing "_" at <.Release.Info.Nope>: can\'t evaluate field Nope in type *v1.Info',
  ],
  [
    '{{.Release.Chart.Metadata.Nope}}',
    "at <.Release.Chart.Metadata.Nope>: can't evaluate field Nope in type *v2.Metadata",
  ],
  ['{{range .Release.Hooks}}{{.Nope}}{{end}}', "at <.Nope>: can't evaluate field Nope in type *v1.Hook"],
])('get all --template %s fails', async (template, message) => {
  const { code, stderr } = await run('get', 'all', 'a', '--template', template);
  expect(stderr).toContain(message);
  expect(code).toBe(1);
});

test('get all --template has the fields of the structs, and of maps whatever is asked', async () => {
  const template =
    '{{.Nope}} {{.Release.Info.Status}} {{.Release.Chart.Values.nope}} {{range .Release.Hooks}}{{.Name}} {{.LastRun.Phase}} {{.Events}}{{end}} {{eq .Release.Info.LastDeployed.Year 1}}';
  const { stdout } = await run('get', 'all', 'a', '--template', template);
  expect(stdout).toBe('<no value> deployed <no value> hook Succeeded [pre-install] false');
});

test.each([
  [
    ['list', '--kube-apiserver', 'https://127.0.0.1:1', '--kube-ca-file', '/nope', '--kube-insecure-skip-tls-verify'],
    'unable to read certificate-authority /nope',
  ],
  [
    [
      'list',
      '--kube-apiserver',
      'https://127.0.0.1:1',
      '--kube-ca-file',
      chart + '/Chart.yaml',
      '--kube-insecure-skip-tls-verify',
    ],
    'specifying a root certificates file with the insecure flag is not allowed',
  ],
  [['list', '--kubeconfig', '/'], 'error loading config file "/": read /: is a directory'],
  [
    ['sandbox', '--sandbox-dir', join(chart, 'sandbox'), '--write-kubeconfig', '/nope/x'],
    '--write-kubeconfig: write /nope/x: no such file or directory',
  ],
  [
    ['template', 'x', chart, '--post-renderer', 'cat', '--post-renderer', 'cat'],
    'invalid argument "cat" for "--post-renderer" flag: cannot specify --post-renderer flag more than once',
  ],
  [
    ['install', 'x', chart, '--kubeconfig', '/nope'],
    'INSTALLATION FAILED: cluster reachability check failed: kubernetes cluster unreachable: stat /nope',
  ],
])('%j', async (words, message) => {
  const { code, stderr } = await tshelm(words);
  expect(stderr).toContain(message);
  expect(code).toBe(1);
});

test('install --dry-run=client needs no kubeconfig', async () => {
  const { code, stdout } = await tshelm(['install', 'x', chart, '--dry-run=client', '--kubeconfig', '/nope']);
  expect(stdout).toContain('DESCRIPTION: Dry run complete');
  expect(code).toBe(0);
});

test('a namespace that --create-namespace makes is created, one that is there is not', async () => {
  const words = [chart, '-n', 'fresh', '--create-namespace', '--progress=plain'];
  expect((await run('install', 'one', ...words)).stderr).toContain('Namespace/fresh created');
  expect((await run('install', 'two', ...words)).stderr).toMatch(/ 1 unchanged\n/);
});

test.each([
  ['{{.Version}}|{{.GitCommit}}|{{.GoVersion}}', 0, 'v4.3.1||go1.26.8', ''],
  [
    '{{.Nope}}',
    1,
    '',
    'template: _:1:2: executing "_" at <.Nope>: can\'t evaluate field Nope in type version.BuildInfo',
  ],
  ['{{.Version', 1, '', 'template: _:1: unclosed action'],
])('version --template %s', async (template, ...answer) => {
  const { code, stdout, stderr } = await tshelm(['version', '--template', template]);
  expect([code, stdout, stderr.replace(/^Error: |\n$/g, '')]).toEqual(answer);
});

test('template takes flags that change nothing there', async () => {
  const { stdout } = await tshelm(['template', 'a', chart]);
  expect((await tshelm(['template', 'a', chart, '--replace', '--server-side=false'])).stdout).toBe(stdout);
  const refused = await tshelm(['template', 'a', chart, '--server-side=auto']);
  expect(refused.stderr).toContain('invalid argument "auto" for "--server-side" flag: strconv.ParseBool');
});

describe('what Helm warns of before a failure', () => {
  const broken = mkdtempSync(join(tmpdir(), 'tshelm-broken-'));
  mkdirSync(join(broken, 'templates'));
  mkdirSync(join(broken, 'crds'));
  writeFileSync(join(broken, 'Chart.yaml'), 'apiVersion: v2\nname: app\nversion: 1.0.0\ndeprecated: true\n');
  writeFileSync(join(broken, 'templates/x.yaml'), '{{ fail "boom" }}\n');
  writeFileSync(
    join(broken, 'crds/x.yaml'),
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: foos.x.y}\nspec: {}\n',
  );
  afterAll(() => rmSync(broken, { recursive: true }));

  const deprecated = 'level=WARN msg="this chart is deprecated"\n';
  const wait = 'level=WARN msg="--wait=true is deprecated (boolean value) and can be replaced with --wait=watcher"\n';
  const hasCrds =
    'level=WARN msg="This chart or one of its subcharts contains CRDs. Rendering may fail or contain inaccuracies."\n';

  test.each([
    ['a deprecated chart', ['install', 'b', broken], `${deprecated}Error: INSTALLATION FAILED: execution error at`],
    ['a boolean --wait', ['install', 'b', broken, '--wait=true'], `${wait}${deprecated}Error: INSTALLATION FAILED: `],
    ['CRDs at --dry-run=server', ['install', 'b', broken, '--dry-run=server'], `${deprecated}${hasCrds}Error: `],
    ['template', ['template', 'b', broken], `${deprecated}Error: execution error at`],
    [
      'CRDs at template --dry-run=server',
      ['template', 'b', broken, '--dry-run=server'],
      `${deprecated}${hasCrds}Error: execution error at`,
    ],
    [
      '--skip-crds at template --dry-run=server',
      ['template', 'b', broken, '--dry-run=server', '--skip-crds'],
      `${deprecated}Error: execution error at`,
    ],
    ['uninstall', ['uninstall', 'nope', '--wait=true'], `${wait}Error: uninstall: Release not loaded: nope`],
    ['upgrade', ['upgrade', 'nope', broken], `${deprecated}Error: UPGRADE FAILED: "nope" has no deployed releases`],
  ])('%s', async (_rule, words, beginning) => {
    const { code, stderr } = await run(...words);
    expect([code, stderr.slice(0, beginning.length)]).toEqual([1, beginning]);
  });
});

test('--server-side is looked at when there is a release that it speaks of', async () => {
  expect((await run('rollback', 'nope', '--server-side=x')).stderr).toContain('Error: release: not found\n');
  expect((await run('upgrade', 'a', chart, '--server-side=x')).stderr).toContain(
    'invalid/unknown release server-side apply method: x',
  );
});

describe('what comes before an error', () => {
  const nowhere = ['--kube-apiserver', 'http://127.0.0.1:1'];
  const unreachable = 'kubernetes cluster unreachable: ';
  const logged = `level=ERROR msg="cluster reachability check failed: ${unreachable}`;
  const noPostRenderer =
    'Error: invalid argument "nope" for "--post-renderer" flag: plugin: {Name:nope Type:postrenderer/v1} not found';

  test.each([
    [['upgrade', '-i', 'Bad_Name', chart], 'Error: release name is invalid: Bad_Name\n'],
    [['upgrade', 'Bad_Name', chart], 'Error: UPGRADE FAILED: release name is invalid: Bad_Name\n'],
    [['upgrade', '-i', 'b', chart, '--post-renderer', 'nope'], noPostRenderer],
    [['install', 'b', chart, '--post-renderer', 'nope'], noPostRenderer],
    [['template', 'b', chart, '--post-renderer', 'nope'], noPostRenderer],
    [
      ['template', 'b', chart, '--labels', 'owner=me', '--set', 'fails=true'],
      'Error: user supplied labels contains system reserved label name',
    ],
  ])('%j', async (words, beginning) => {
    const { code, stdout, stderr } = await run(...words);
    const error = stderr.slice(stderr.indexOf('Error: ')).slice(0, beginning.length);
    expect([code, stdout, error]).toEqual([1, '', beginning]);
  });

  test.each([
    [['upgrade', '-i', 'b', chart], `Error: ${unreachable}`, false],
    [['upgrade', 'b', chart], `Error: UPGRADE FAILED: ${unreachable}`, false],
    [['install', 'b', chart], `Error: INSTALLATION FAILED: cluster reachability check failed: ${unreachable}`, true],
    [['template', 'b', chart, '--validate'], `Error: cluster reachability check failed: ${unreachable}`, true],
  ])('%j without a cluster', async (words, error, isLogged) => {
    const { code, stderr } = await tshelm([...words, ...nowhere]);
    expect([code, stderr.includes(error), stderr.includes(logged)]).toEqual([1, true, isLogged]);
  });
});

test('HELM_DEBUG prints values, hooks and manifest as --debug does', async () => {
  const words = ['install', 'told', chart, '--sandbox-dir', sandbox.directory];
  const { stdout } = await tshelm(words, { env: { HELM_DEBUG: '1' } });
  expect(stdout).toContain('USER-SUPPLIED VALUES:\n{}\n\nCOMPUTED VALUES:\n');
  expect(stdout).toContain('HOOKS:\n---\n# Source: app/templates/hook.yaml\n');
});

test.each([
  [['-n'], "Error: flag needs an argument: 'n' in -n\n"],
  [['-hz'], "Error: unknown shorthand flag: 'z' in -z\n"],
  [['install', '-hz'], "Error: unknown shorthand flag: 'z' in -z\n"],
  [['list', '-Ax'], "Error: unknown shorthand flag: 'x' in -x\n"],
  [['--nope'], 'Error: unknown flag: --nope\n'],
])('%j prints the error without help', async (words, stderr) =>
  expect(await tshelm(words)).toEqual({ code: 1, stdout: '', stderr }),
);

test('an unknown field of a hook is an error of server-side apply, and a warning of client-side apply', async () => {
  const hooked = mkdtempSync(join(tmpdir(), 'tshelm-hooked-'));
  afterAll(() => rmSync(hooked, { recursive: true }));
  mkdirSync(join(hooked, 'templates'));
  writeFileSync(join(hooked, 'Chart.yaml'), 'apiVersion: v2\nname: hooked\nversion: 1.0.0\n');
  writeFileSync(
    join(hooked, 'templates/a.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: unknown, annotations: {helm.sh/hook: pre-install}}\nnope: 1\n',
  );
  expect((await run('install', 'ssa', hooked)).code).toBe(1);
  const { code, stderr } = await run('install', 'csa', hooked, '--server-side=false');
  expect([code, stderr.includes('unknown field "nope"')]).toEqual([0, true]);
});
