import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../src/actions/doctor/finding.ts';
import { readPlainYaml } from '../../src/yaml/index.ts';
import { openTestSandbox, type RunOptions, tshelm } from './harness.ts';

const sandbox = openTestSandbox();
const folder = mkdtempSync(join(tmpdir(), 'tshelm-doctor-'));
afterAll(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true });
});

async function findings(words: readonly string[], options: RunOptions = {}): Promise<readonly Finding[]> {
  const { stdout } = await tshelm(['doctor', ...words, '-o', 'json'], options);
  return JSON.parse(stdout) as Finding[];
}
const inSandbox = ['--sandbox-dir', sandbox.directory];
const about = (area: Finding['area'], all: readonly Finding[]): readonly Finding[] =>
  all.filter((one) => one.area === area);
const chart = 'fixtures/charts/blog';

test('where nothing is wrong', async () => {
  const { code, stdout } = await sandbox.run('doctor');
  expect(stdout).toMatch(/^ok {5}kubeconfig {2}the sandbox in /m);
  expect(stdout).toMatch(/^ok {5}server {6}Kubernetes v1\.\d+\.\d+, as /m);
  expect(stdout).toMatch(/^ok {5}rights {6}all that deploys need in namespace default$/m);
  expect(stdout).toMatch(/\n\nnothing is wrong\n$/);
  expect(code).toBe(0);
});

test('the smallest Role of a chart has its kinds, each once', async () => {
  const { stdout } = await sandbox.run('doctor', chart, '--role', '-n', 'web');
  const role = readPlainYaml(stdout) as {
    kind: string;
    metadata: unknown;
    rules: { resources: string[]; verbs: string[] }[];
  };
  expect([role.kind, role.metadata]).toEqual(['Role', { name: 'deployer', namespace: 'web' }]);
  const resources = role.rules.flatMap((rule) => rule.resources);
  expect(new Set(resources).size).toBe(resources.length);
  expect(resources).toEqual(expect.arrayContaining(['secrets', 'leases', 'pods', 'pods/log', 'events']));
  expect(resources).not.toContain('statefulsets.apps');
});

test('where no objects hold releases, no rights on any are asked for', async () => {
  const { stdout } = await tshelm(['doctor', ...inSandbox, '--role'], { env: { HELM_DRIVER: 'memory' } });
  const { rules } = readPlainYaml(stdout) as { rules: { resources: string[]; verbs: string[] }[] };
  expect(rules.filter(({ verbs }) => verbs.includes('update')).flatMap(({ resources }) => resources)).toEqual([
    'leases',
  ]);
});

describe('the kubeconfig', () => {
  const file = join(folder, 'kubeconfig');

  test('none: what to do, and exit code 1', async () => {
    const { code, stdout } = await tshelm(['doctor'], { env: { KUBECONFIG: join(folder, 'none') } });
    expect(stdout).toContain(
      'error  kubeconfig  no kubeconfig was found\n       fix         set KUBECONFIG or --kubeconfig',
    );
    expect(stdout).toContain('\nnote   server      kubernetes cluster unreachable: ');
    expect(stdout).toMatch(/\n\n1 error, 0 warnings\n$/);
    expect(code).toBe(1);
  });

  test('one that cannot be read', async () => {
    writeFileSync(file, '{{');
    expect(about('kubeconfig', await findings(['--kubeconfig', file]))).toEqual([
      {
        area: 'kubeconfig',
        level: 'error',
        text: expect.stringContaining(file),
        fix: 'correct the file, or name another one with --kubeconfig or KUBECONFIG; to try charts without a cluster, add --sandbox',
      },
    ]);
  });

  test('who names the cluster, and how the user is known; no secret is printed', async () => {
    const config = {
      'current-context': 'prod',
      contexts: [{ name: 'prod', context: { cluster: 'c', user: 'u', namespace: 'web' } }],
      clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
      users: [{ name: 'u', user: { token: 'very-secret-token' } }],
    };
    writeFileSync(file, JSON.stringify(config));
    const env = { HELM_KUBETOKEN: 'other-secret', HTTPS_PROXY: 'http://me:hidden@proxy:3128' };
    const all = await findings(['--kubeconfig', file], { env });
    const text = `context prod of ${file}: http://127.0.0.1:1, namespace web, a token`;
    expect(about('kubeconfig', all)).toEqual([{ area: 'kubeconfig', level: 'ok', text }]);
    expect(about('variables', all)[0]?.text).toBe('HELM_KUBETOKEN=*** HTTPS_PROXY=http://***@proxy:3128');
    expect(JSON.stringify(all)).not.toMatch(/very-secret-token|other-secret|hidden/);
  });
});

test.each([
  ['of the kubeconfig', 'https://admin:pa55w0rd@127.0.0.1:1', {}],
  ['with a token for a user', 'https://tok3n5678@127.0.0.1:1/base', {}],
  ['that is written oddly', 'https://us er:pa55 w0rd@127.0.0.1:1', {}],
  [
    'of a variable',
    'https://x',
    { HELM_KUBEAPISERVER: 'https://admin:pa55w0rd@127.0.0.1:1', HTTP_PROXY: 'admin:pa55w0rd@x:1' },
  ],
])('no credentials of a URL %s are printed', async (_what, server, env) => {
  const file = join(folder, 'with-credentials');
  const config = {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user: { username: 'ada', password: 'pa55w0rd' } }],
  };
  writeFileSync(file, JSON.stringify(config));
  for (const output of ['text', 'json', 'yaml']) {
    const { stdout, stderr } = await tshelm(['doctor', '--kubeconfig', file, '-o', output], { env });
    expect(stdout).toContain('https://***@127.0.0.1:1');
    expect(stdout + stderr).not.toMatch(/admin|pa55|w0rd|tok3n|us(?:%20| )er:/);
  }
});

test('logins whose program is not there', async () => {
  const config = join(folder, 'config.json');
  writeFileSync(
    config,
    JSON.stringify({ auths: { 'ghcr.io': {} }, credHelpers: { 'reg.test': 'lost', 'other.test': 'here' } }),
  );
  const program = join(folder, 'docker-credential-here');
  writeFileSync(program, '');
  chmodSync(program, 0o755);
  const all = await findings([...inSandbox, '--registry-config', config], { env: { PATH: folder } });
  expect(about('registries', all)).toEqual([
    { area: 'registries', level: 'ok', text: `logged in to ghcr.io, reg.test, other.test (${config})` },
    expect.objectContaining({ level: 'warning', text: expect.stringContaining('docker-credential-lost') }),
  ]);
});

test('a folder that cannot be written', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const all = await findings([...inSandbox, '--content-cache', join(file, 'content')]);
  expect(about('folders', all)).toEqual([
    expect.objectContaining({ level: 'warning', text: `${join(file, 'content')} cannot be written` }),
  ]);
});

test('a chart with a kind that is not served', async () => {
  const own = mkdtempSync(join(folder, 'chart-'));
  writeFileSync(join(own, 'Chart.yaml'), 'apiVersion: v2\nname: odd\nversion: 1.0.0\n');
  mkdirSync(join(own, 'templates'));
  writeFileSync(join(own, 'templates/a.yaml'), 'apiVersion: example.test/v1\nkind: Odd\nmetadata: {name: a}\n');
  expect(about('server', await findings([own, ...inSandbox]))).toContainEqual(
    expect.objectContaining({ level: 'error', text: 'does not serve Odd (example.test/v1), which the chart has' }),
  );
});

test('a lock that was left over: the command that takes it over', async () => {
  const { openSandboxCluster } = await import('../actions/sandbox-cluster.ts');
  const { newLease } = await import('../../src/release/lock/lease.ts');
  const { cluster, close } = await openSandboxCluster({ directory: sandbox.directory });
  const holder = { identity: 'ada@build-7 pid 4711 9f2c41d0' };
  await cluster.create(newLease({ release: 'web', namespace: 'default' }, 'install', holder, new Date(0)));
  await close();
  const { stdout } = await sandbox.run('doctor');
  expect(stdout).toContain('install of web did not end and left its lock');
  expect(stdout).toMatch(
    /fix +continue with the chart, the values and the flags of that run\n +tshelm upgrade --install --resume web CHART --sandbox-dir=\S+\n/,
  );
  expect(stdout).toMatch(/\n\n0 errors, 1 warning\n$/);
  const withChart = await sandbox.run('doctor', 'fixtures/charts/shop', '--set', 'tag=2,password=x');
  expect(withChart.stdout).toMatch(
    /fix +continue with\n +tshelm upgrade --install --resume web \S+ --sandbox-dir=\S+ \(and --set tag=…,password=… as before\)\n/,
  );
});
