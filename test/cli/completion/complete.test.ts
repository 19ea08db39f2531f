import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestSandbox, tshelm } from '../harness.ts';

const noMore = '_activeHelp_ This command does not take any more arguments (but may accept flags).';
const noFiles = 'Completion ended with directive: ShellCompDirectiveNoFileComp\n';
const files = 'Completion ended with directive: ShellCompDirectiveDefault\n';
const noSpace = 'Completion ended with directive: ShellCompDirectiveNoSpace\n';
const formats = [
  'json\tOutput result in JSON format',
  'table\tOutput result in human-readable format',
  'yaml\tOutput result in YAML format',
];

// What Helm v4.3.1 answers, without a cluster.
test.each([
  [
    ['get', ''],
    [
      'all\tdownload all information for a named release',
      'hooks\tdownload all hooks for a named release',
      'manifest\tdownload the manifest for a named release',
      'metadata\tThis command fetches metadata for a given release',
      'notes\tdownload the notes for a named release',
      'values\tdownload the values file for a named release',
      ':4',
    ],
    noFiles,
  ],
  [['get', 'all', ''], [':0'], files],
  [['install', ''], [':4'], noFiles],
  [['install', 'a', 'o'], ['oci://\tChart OCI prefix', ':2'], noSpace],
  [
    ['install', 'a', ''],
    [
      'oci://\tChart OCI prefix',
      'https://\tChart URL prefix',
      'http://\tChart URL prefix',
      'file://\tChart local URL prefix',
      './\tRelative path prefix to local chart',
      '/\tAbsolute path prefix to local chart',
      ':2',
    ],
    noSpace,
  ],
  [['completion', 'bash', ''], [noMore, ':4'], noFiles],
  [['version', ''], [noMore, ':4'], noFiles],
  [['rollback', 'a', '1', ''], [noMore, ':4'], noFiles],
  [['list', '-o', ''], [...formats, ':4'], noFiles],
  [['list', '--output='], [...formats, ':4'], noFiles],
  [['list', '--pending', '--pe'], [':4'], noFiles],
  [['list', '--filter', ''], [':0'], files],
  [['list', '--help', ''], [':4'], noFiles],
  [['get', 'values', '--revision', ''], [':4'], noFiles],
])('%j', async (words, lines, stderr) => {
  const environment = { KUBECONFIG: '/dev/null' };
  const answer = await tshelm(['__complete', ...words], { env: environment });
  expect(answer).toEqual({ code: 0, stdout: lines.map((line) => `${line}\n`).join(''), stderr });
});

test('commands begin with what is typed; hidden ones are left out', async () => {
  const { stdout } = await tshelm(['__complete', 'ver']);
  expect(stdout).toBe(
    'verify\tverify that a chart at the given path has been signed and is valid\nversion\tprint the helm version information\n:4\n',
  );
});

test('without descriptions', async () => {
  expect((await tshelm(['__completeNoDesc', 'list', '-o', ''])).stdout).toBe('json\ntable\nyaml\n:4\n');
});

test('a flag that takes one value is offered once, a list again', async () => {
  const offered = async (...words: string[]) => (await tshelm(['__completeNoDesc', 'install', ...words])).stdout;
  expect(await offered('--timeout', '1m', '--tim')).toBe(':4\n');
  expect(await offered('--set', 'a=1', '--set')).toBe(
    '--set\n--set-file\n--set-json\n--set-literal\n--set-string\n:4\n',
  );
});

// As Helm, with commands of its own among them.
test.each([
  [['help', 'ins'], 'install\tinstall a chart\n:4\n'],
  [['help', 'get', 'no'], 'notes\tdownload the notes for a named release\n:4\n'],
  [['help', 'get', 'notes', ''], ':4\n'],
  [['help', 'get', 'nosuch', ''], ':4\n'],
  [['help', 'install', ''], ':4\n'],
  [['help', 'nosuch', ''], ':4\n'],
])('%j', async (words, stdout) => expect(await tshelm(['__complete', ...words])).toMatchObject({ code: 0, stdout }));

test('a command that is not there', async () => {
  const { code, stdout, stderr } = await tshelm(['__complete', 'nosuch', '']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: ':0\n' });
  expect(stderr).toContain('unable to find a command for arguments: [nosuch]');
});

const folder = mkdtempSync(join(tmpdir(), 'tshelm-complete-'));
const sandbox = openTestSandbox();
beforeAll(async () => {
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: small\nversion: 1.2.3\nappVersion: "9"\n');
  await sandbox.run('install', 'first', folder);
  await sandbox.run('upgrade', 'first', folder);
  await sandbox.run('install', 'second', folder);
});
afterAll(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true });
});

const complete = (...words: string[]) => tshelm(['__complete', '--sandbox-dir', sandbox.directory, ...words]);

test.each([
  [['status', ''], 'first\tsmall-1.2.3 -> deployed\nsecond\tsmall-1.2.3 -> deployed\n:4\n'],
  [['uninstall', 'first', ''], 'second\tsmall-1.2.3 -> deployed\n:4\n'],
  [['rollback', 'first', ''], '1\tApp: 9, Chart: small-1.2.3\n2\tApp: 9, Chart: small-1.2.3\n:4\n'],
  [['get', 'values', 'second', '--revision', ''], '1\tApp: 9, Chart: small-1.2.3\n:4\n'],
  [['list', '--namespace', ''], 'default\nkube-node-lease\nkube-public\nkube-system\n:4\n'],
])('from the cluster: %j', async (words, stdout) => {
  expect((await complete(...words)).stdout).toBe(stdout);
});

test('contexts come from the kubeconfig', async () => {
  const path = join(folder, 'kubeconfig');
  writeFileSync(path, 'contexts: [{name: b, context: {cluster: two}}, {name: a, context: {cluster: one}}]\n');
  const { stdout } = await tshelm(['__complete', '--kubeconfig', path, '--kube-context', '']);
  expect(stdout).toBe('a\tone\nb\ttwo\n:4\n');
});

describe('keys of values', () => {
  const shop = 'fixtures/charts/shop';
  const keys = async (...words: readonly string[]): Promise<string[]> =>
    (await tshelm(['__complete', ...words], { env: { KUBECONFIG: '/dev/null' } })).stdout.split('\n').slice(0, -1);

  test.each([
    [
      ['install', 'x', shop, '--set', 'ima'],
      ['image.', ':6'],
    ],
    [
      ['upgrade', 'x', shop, '--set-string=ima'],
      ['image.', ':6'],
    ],
    [
      ['template', shop, '--set', 'replicas'],
      ['replicas=\tdefault 2', ':6'],
    ],
    [
      ['check', shop, '--set', 'a=1,image.t'],
      ['a=1,image.tag=\tdefault ""', ':6'],
    ],
    [['install', 'x', shop, '--set', 'image.tag='], [':4']],
    [['install', 'x', shop, '--set', 'image.tag.x'], [':4']],
    [['install', 'x', './no-such-chart', '--set', 'a'], [':6']],
    [['install', '--set', 'a'], [':4']],
  ])('%j', async (words, choices) => {
    expect(await keys(...words)).toEqual(choices);
  });

  test('a key with signs of --set is escaped', async () => {
    const chart = mkdtempSync(join(tmpdir(), 'tshelm-keys-'));
    onTestFinished(() => rmSync(chart, { recursive: true }));
    writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: keys\nversion: 1.0.0\n');
    writeFileSync(
      join(chart, 'values.yaml'),
      'labels:\n  app.kubernetes.io/name: x\npassword: hidden\n"a\\\\b": {c: 1}\n',
    );
    expect(await keys('template', chart, '--set', 'labels.app\\.ku')).toEqual([
      'labels.app\\.kubernetes\\.io/name=\tdefault "x"',
      ':6',
    ]);
    expect(await keys('template', chart, '--set', 'a\\\\b.')).toEqual(['a\\\\b.c=\tdefault 1', ':6']);
    expect(await keys('template', chart, '--set', 'pass')).toEqual(['password=', ':6']);
  });
});
