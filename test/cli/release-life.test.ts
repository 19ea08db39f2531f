import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestSandbox, tshelm } from './harness.ts';

const shop = 'fixtures/charts/shop';
const quick = ['--timeout', '20s'];

describe('the life of a release in the sandbox', () => {
  const sandbox = openTestSandbox();
  beforeAll(async () => {
    const installed = await sandbox.run('install', 'web', shop, '--wait', '--set', 'replicas=1', ...quick);
    expect(installed).toMatchObject({ code: 0 });
    expect(installed.stdout).toMatch(
      /^NAME: web\nLAST DEPLOYED: .*\nNAMESPACE: default\nSTATUS: deployed\nREVISION: 1\n/,
    );
    expect(installed.stdout).toContain('NOTES:\nThe shop web runs in namespace default (revision 1).');
    expect(installed.stderr).toContain('pre-install hook Job/web-preflight succeeded');
    expect(installed.stderr).toContain('Deployment/web-web ready');
    expect(installed.stderr).toContain('post-install hook Job/web-announce succeeded');
  });
  afterAll(() => sandbox.remove());

  test('list shows it, in every format', async () => {
    const table = await sandbox.run('list');
    expect(table.stdout).toMatch(
      /^NAME\tNAMESPACE\tREVISION\tUPDATED +\tSTATUS {2}\tCHART {5}\tAPP VERSION\nweb +\tdefault {2}\t1 +\t.*\tdeployed\tshop-1\.0\.0\t2\.4\.1 +\n$/,
    );
    const [json] = JSON.parse((await sandbox.run('ls', '-o', 'json')).stdout) as object[];
    expect(json).toMatchObject({
      name: 'web',
      namespace: 'default',
      revision: '1',
      status: 'deployed',
      chart: 'shop-1.0.0',
    });
    expect((await sandbox.run('list', '-q', '--filter', '^w')).stdout).toBe('web\n');
    expect((await sandbox.run('list', '-q', '--failed')).stdout).toBe('');
    expect((await sandbox.run('list', '-o', 'yaml')).stdout).toContain('- app_version: 2.4.1\n  chart: shop-1.0.0\n');
    expect((await sandbox.run('list', '--filter', '(')).stderr).toContain('error parsing regexp');
    const year = (await sandbox.run('list', '--no-headers', '--time-format', '2006')).stdout;
    expect(year).toMatch(/^web\tdefault\t1\t\d{4}\tdeployed/);
  });

  test('status shows the objects as the server prints them', async () => {
    const { stdout } = await sandbox.run('status', 'web');
    expect(stdout).toContain('STATUS: deployed');
    expect(stdout).toMatch(/==> v1\/Deployment\nNAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb-queue +1\/1/);
    const json = JSON.parse((await sandbox.run('status', 'web', '-o', 'json')).stdout) as {
      info: object;
      chart?: object;
    };
    expect(json).toMatchObject({ name: 'web', version: 1, info: { status: 'deployed' } });
    expect(json.chart).toBeUndefined();
  });

  test('get tells what was rendered and given', async () => {
    expect((await sandbox.run('get', 'values', 'web')).stdout).toBe('USER-SUPPLIED VALUES:\nreplicas: 1\n');
    expect((await sandbox.run('get', 'values', 'web', '--all', '-o', 'json')).stdout).toContain('"replicas":1');
    expect((await sandbox.run('get', 'notes', 'web')).stdout).toContain('NOTES:\nThe shop web');
    expect((await sandbox.run('get', 'hooks', 'web')).stdout).toContain('# Source: shop/templates/preflight.yaml\n');
    const { stdout: manifest } = await sandbox.run('get', 'manifest', 'web');
    expect(manifest).toMatch(/^---\n# Source: shop\/charts\/database\/templates\/database.yaml\n/);
    const { stdout: all } = await sandbox.run('get', 'all', 'web');
    expect(all).toContain('COMPUTED VALUES:\n');
    expect(all).toContain(manifest.trim());
    expect(
      (await sandbox.run('get', 'all', 'web', '--template', '{{.Release.Name}} {{.Release.Info.Status}}')).stdout,
    ).toBe('web deployed');
    expect((await sandbox.run('get', 'metadata', 'web')).stdout).toContain('APPLY_METHOD: server-side apply\n');
    expect(JSON.parse((await sandbox.run('get', 'metadata', 'web', '-o', 'json')).stdout)).toMatchObject({
      chart: 'shop',
    });
  });

  test('a test runs its pod and says how it went', async () => {
    const ran = await sandbox.run('test', 'web', '--logs', ...quick);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(
      /TEST SUITE: {5}web-reachable\nLast Started: .*\nLast Completed: .*\nPhase: {10}Succeeded\n/,
    );
    expect(ran.stdout).toContain('POD LOGS: web-reachable');
  });

  test('upgrade, history and rollback', async () => {
    const upgraded = await sandbox.run(
      'upgrade',
      'web',
      shop,
      '--reuse-values',
      '--set',
      'service.port=9090',
      ...quick,
    );
    expect(upgraded.code).toBe(0);
    expect(upgraded.stdout).toMatch(/^Release "web" has been upgraded\. Happy Helming!\nNAME: web\n/);
    expect((await sandbox.run('get', 'values', 'web', '-o', 'yaml')).stdout).toBe(
      'replicas: 1\nservice:\n  port: 9090\n',
    );
    const rolledBack = await sandbox.run('rollback', 'web', '1', ...quick);
    expect(rolledBack.stdout).toBe('Rollback was a success! Happy Helming!\n');
    const history = JSON.parse((await sandbox.run('history', 'web', '-o', 'json')).stdout) as {
      status: string;
      description: string;
    }[];
    expect(history.map(({ status, description }) => [status, description])).toEqual([
      ['superseded', 'Install complete'],
      ['superseded', 'Upgrade complete'],
      ['deployed', 'Rollback to 1'],
    ]);
    expect((await sandbox.run('history', 'web', '--show-rollback-revision')).stdout).toMatch(/\tROLLBACK\tDESCRIPTION/);
  });

  test('uninstall keeps the history when asked, and takes it away at last', async () => {
    expect((await sandbox.run('uninstall', 'web', '--keep-history', ...quick)).stdout).toBe(
      'release "web" uninstalled\n',
    );
    expect((await sandbox.run('list', '-q', '--uninstalled')).stdout).toBe('web\n');
    expect((await sandbox.run('uninstall', 'web', ...quick)).code).toBe(0);
    const status = await sandbox.run('status', 'web');
    expect(status.stderr).toContain('Error: release: not found\n');
    expect(status.code).toBe(1);
    expect((await sandbox.run('uninstall', 'web', '--ignore-not-found', ...quick)).code).toBe(0);
  });

  test('upgrade --install installs what is not there', async () => {
    const { code, stdout } = await sandbox.run('upgrade', '-i', 'fresh', shop, '--no-hooks', '--hide-notes', ...quick);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Release "fresh" does not exist\. Installing it now\.\nNAME: fresh\n/);
    expect(stdout).not.toContain('NOTES:');
  });

  test('a dry run changes nothing', async () => {
    const { code, stdout } = await sandbox.run('install', 'dry', shop, '--dry-run=server');
    expect(code).toBe(0);
    expect(stdout).toContain('STATUS: pending-install');
    expect(stdout).toContain('HOOKS:\n---\n# Source: shop/templates/');
    expect((await sandbox.run('list', '-q', '--filter', 'dry')).stdout).toBe('');
  });
});

test('a workload that never becomes ready fails with its name, and the release says so', async () => {
  const sandbox = openTestSandbox();
  const failed = await sandbox.run('install', 'bad', 'fixtures/charts/shop', '--wait', '--no-hooks', '--timeout', '1s');
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('Error: INSTALLATION FAILED: ');
  expect(failed.stderr).toContain('Deployment/default/bad-web');
  expect((await sandbox.run('list', '-q', '--failed')).stdout).toBe('bad\n');
  sandbox.remove();
});

test('-o json prints nothing else, and a terminal sees a table', async () => {
  const sandbox = openTestSandbox();
  const { stdout, stderr } = await sandbox.run('install', 'a', shop, '--no-hooks', '-o', 'json', ...quick);
  expect(JSON.parse(stdout)).toMatchObject({ name: 'a', info: { status: 'deployed' } });
  // The hint of a chart that declares an order stays on standard error.
  expect(stderr).toMatch(/^chart shop declares an order .*\n$/);
  const words = ['install', 'b', shop, '--no-hooks', '--wait', ...quick, '--sandbox-dir', sandbox.directory];
  const live = await tshelm(words, { terminal: 80 });
  expect(live.stderr).toContain('Deployment/b-web');
  expect(live.stderr).toContain('\x1b[0J');
  sandbox.remove();
});

test('what lacked something in an earlier run is waited for no longer than it takes', async () => {
  const sandbox = openTestSandbox();
  onTestFinished(() => sandbox.remove());
  const chart = join(sandbox.directory, 'chart');
  const write = (file: string, text: string): void => writeFileSync(join(chart, file), text);
  mkdirSync(join(chart, 'templates'), { recursive: true });
  write('Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
  write(
    'templates/web.yaml',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec: {containers: [{name: c, image: "nginx:1", envFrom: [{configMapRef: {name: settings}}]}]}\n',
  );
  const failed = await sandbox.run('install', 'web', chart, '--wait', '--grace', '0s');
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('[reference-missing]') });
  write('templates/settings.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n');
  // Longer than the test may take.
  const mended = await sandbox.run('upgrade', 'web', chart, '--wait', '--timeout', '10m');
  expect(mended).toMatchObject({ code: 0, stderr: expect.stringContaining('Deployment/web ready') });
});
