import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fates, openSandbox } from '../../src/sandbox/index.ts';
import { openTestSandbox, tshelm } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-induced-'));
afterAll(() => rmSync(folder, { recursive: true }));
const chart = join(folder, 'shop');
mkdirSync(join(chart, 'templates'), { recursive: true });
writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 1.0.0\n');
writeFileSync(
  join(chart, 'templates', 'web.yaml'),
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, annotations: {helm.sh/resource-group: front, helm.sh/depends-on/resource-groups: '["back"]'}}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: main, image: "nginx:{{ .Values.tag | default 1 }}"}]}\n`,
);
writeFileSync(
  join(chart, 'templates', 'settings.yaml'),
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, annotations: {helm.sh/resource-group: back}}\n',
);
writeFileSync(
  join(chart, 'templates', 'migrate.yaml'),
  'apiVersion: batch/v1\nkind: Job\nmetadata: {name: migrate, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}}\nspec:\n  backoffLimit: 0\n  template:\n    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n',
);

let sandbox: ReturnType<typeof openTestSandbox>;
beforeEach(() => {
  sandbox = openTestSandbox();
});
afterEach(() => sandbox.remove());

/** The codes of what a failed run found, from its report. */
async function codesOf(...words: string[]): Promise<readonly string[]> {
  const report = join(sandbox.directory, 'report.json');
  const { code, stderr } = await sandbox.run(...words, '--timeout', '3s', '--report', report);
  expect(code, stderr).toBe(1);
  const { problems } = JSON.parse(readFileSync(report, 'utf8')) as { problems: readonly { code: string }[] };
  return problems.map((problem) => problem.code);
}

describe('--fail with --sandbox', () => {
  test.each([
    ['web=image-pull', 'image-not-found'],
    ['web=crash-loop', 'program-ended'],
    ['deploy/web=oom', 'out-of-memory'],
    ['front=unschedulable', 'pod-unschedulable'],
    ['migrate', 'program-ended'],
  ])('install --fail %s fails with the cause', async (fail, expected) => {
    const wait = fail.startsWith('front') ? '--wait=ordered' : '--wait';
    expect(await codesOf('install', 'shop', chart, wait, '--fail', fail)).toContain(expected);
  });

  test('that the failure ends with the command is said where it has failed', async () => {
    const note = '--fail ends with this command: the next one starts everything as usual\n';
    const words = ['install', 'shop', chart, '--wait', '--timeout', '3s', '--fail', 'web=image-pull'];
    expect((await sandbox.run(...words)).stderr).toContain(note);
    expect((await sandbox.run('upgrade', 'shop', chart, '--wait')).stderr).not.toContain(note);
  });

  test('an upgrade fails, and one without it succeeds', async () => {
    expect((await sandbox.run('install', 'shop', chart, '--wait')).code).toBe(0);
    const words = ['upgrade', 'shop', chart, '--wait', '--set', 'tag=2'];
    expect(await codesOf(...words, '--fail', 'web=image-pull')).toContain('image-not-found');
    expect((await sandbox.run(...words)).code).toBe(0);
  });

  test('the first install by upgrade --install fails, and its announcement is printed once', async () => {
    const { code, stdout } = await sandbox.run('upgrade', 'shop', chart, '--install', '--fail', 'migrate');
    expect({ code, announced: stdout.match(/Installing it now/g)?.length }).toEqual({ code: 1, announced: 1 });
  });

  test('a name that the plan does not have is refused before anything is recorded', async () => {
    const { code, stderr } = await sandbox.run('install', 'shop', chart, '--wait', '--fail', 'wbe');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Deployment/web, Job/migrate') });
    expect((await sandbox.run('list', '-a', '-q')).stdout).toBe('');
  });

  test('what is not waited for cannot fail: that is a warning', async () => {
    const { code, stderr } = await sandbox.run('install', 'shop', chart, '--no-hooks', '--fail', 'web');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('warning: web did not fail') });
  });

  test('what crashes only until its hosts are ready succeeds, without a warning', async () => {
    const words = ['install', 'shop', chart, '--wait', '--fail', '*=crash-until-ready'];
    const { code, stderr } = await sandbox.run(...words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('did not fail') });
  });

  test('a sandbox that another process serves is refused, because that process decides what fails', async () => {
    const other = await openSandbox({ directory: sandbox.directory });
    const { code, stderr } = await sandbox.run('install', 'shop', chart, '--wait', '--fail', 'web');
    await other.close();
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(other.url) });
  });
});

test.each([
  [['--fail', 'web'], '--sandbox'],
  [['--fail', 'web', '--sandbox', '--dry-run=client'], '--dry-run'],
])('%j is refused', async (words, named) => {
  const { code, stderr } = await tshelm(['install', 'shop', chart, ...words]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(named) });
});

test('the kinds of failure are those of a rehearsal', async () => {
  const { stderr } = await sandbox.run('install', 'shop', chart, '--fail', 'web=flood');
  for (const fate of fates.filter((each) => each !== 'ok')) expect(stderr).toContain(fate);
});
