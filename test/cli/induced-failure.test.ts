import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CliContext, CommandSession } from '../../src/cli/context.ts';
import { inducedFailure, withInducedFailure } from '../../src/cli/induced-failure.ts';
import { planInstall } from '../../src/plan/plan.ts';
import { fates, openSandbox } from '../../src/sandbox/index.ts';
import { manifestsOf } from '../plan/manifests.ts';
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
  join(chart, 'templates', 'seed.yaml'),
  '{{ if .Values.seed }}\napiVersion: batch/v1\nkind: Job\nmetadata: {name: "seed-{{ .Release.Revision }}", annotations: {helm.sh/hook: "pre-install,pre-upgrade"}}\nspec:\n  backoffLimit: 0\n  template:\n    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n{{ end }}\n',
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
  test('what undoes the failed change starts as usual', async () => {
    const shop = join(sandbox.directory, 'shop');
    mkdirSync(join(shop, 'templates'), { recursive: true });
    writeFileSync(join(shop, 'Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 1.0.0\n');
    writeFileSync(
      join(shop, 'templates', 'web.yaml'),
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: {{ .Values.replicas }}\n  strategy: {type: Recreate}\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: main, image: "nginx:{{ .Values.tag }}"}]}\n',
    );
    const set = (values: string) => ['shop', shop, '--wait', '--set', values];
    expect(await sandbox.run('install', ...set('replicas=2,tag=a'))).toMatchObject({ code: 0 });
    const failed = ['--fail', 'web=image-pull', '--grace', '0s', '--rollback-on-failure'];
    const { code, stderr } = await sandbox.run('upgrade', ...set('replicas=1,tag=b'), ...failed);
    expect(code).toBe(1);
    expect(stderr).toContain('rolling shop back to revision 1');
    expect(stderr).toContain('release shop failed, and has been rolled back due to rollback-on-failure being set');
    expect(JSON.parse((await sandbox.run('status', 'shop', '-o', 'json')).stdout)).toMatchObject({
      version: 3,
      info: { status: 'deployed' },
    });
  });

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

  test('a name that nothing has is refused with the workloads, subcharts and groups', async () => {
    const { code, stderr } = await sandbox.run('install', 'shop', chart, '--wait=ordered', '--fail', 'db');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'the chart has no workload with this name; it has Deployment/web, Job/migrate; its subcharts and groups are front\n',
    );
  });

  test('that the failure ends with the command is said where it has failed', async () => {
    const note = '--fail ends with this command: the next one starts everything as usual\n';
    const words = ['install', 'shop', chart, '--wait', '--timeout', '3s', '--fail', 'web=image-pull'];
    expect((await sandbox.run(...words)).stderr).toContain(note);
    expect((await sandbox.run('upgrade', 'shop', chart, '--wait')).stderr).not.toContain(note);
  });

  test('a Job that has the number of the revision in its name is named without it', async () => {
    for (const name of ['seed', 'Job/seed']) {
      const words = ['upgrade', '--install', 'shop', chart, '--wait', '--timeout', '3s', '--set', 'seed=true'];
      expect(await codesOf(...words, '--fail', name)).toContain('program-ended');
    }
  });

  test.each([
    ['web=crash-loop', true],
    ['web=image-pull', false],
  ])('%s: the log is a next step where it may have the cause', async (failing, hasLog) => {
    const { stderr } = await sandbox.run('install', 'shop', chart, '--wait', '--timeout', '3s', '--fail', failing);
    const command = new RegExp(`^ {2}more .* tshelm logs shop --sandbox-dir=${sandbox.directory}$`, 'm');
    expect(command.test(stderr)).toBe(hasLog);
    expect(stderr).not.toContain('kubectl');
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

  test('once the command has ended, nothing that others start in the same sandbox fails', async () => {
    const manifests = manifestsOf('batch/v1 Job/seed');
    const plan = planInstall({ release: 'r', namespace: 'default', strategy: 'watcher', hooks: [], manifests });
    for (const change of [() => Promise.reject(new Error('failed')), async () => ({})]) {
      const context = { settings: () => ({ sandboxDirectory: sandbox.directory }) } as unknown as CliContext;
      const induced = await inducedFailure({ fail: '*' }, { dryRun: 'none' } as never, context);
      const during: number[] = [];
      const run = async (_session: unknown, { dryRun }: { readonly dryRun?: 'plan' }) => {
        if (dryRun === undefined) {
          during.push(induced?.fates.size ?? 0);
          await change();
        }
        return { plan, warnings: [] };
      };
      await withInducedFailure(induced, {} as CommandSession, run).catch(() => undefined);
      expect({ during, after: induced?.fates.size }).toEqual({ during: [1], after: 0 });
    }
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
