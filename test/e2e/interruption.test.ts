import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { configMap, documents, hook, job, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok, type Ran, tshelmPath, tshelmProcess } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('interruption');

const hanging = writeChart(directory, 'hanging', {
  'templates/all.yaml': documents(configMap('one', 'x'), workload('Deployment', 'never', { fate: 'hang' })),
});
const calm = writeChart(directory, 'hanging-not', { 'templates/all.yaml': configMap('one', 'x') });
const hooked = (event: string): string =>
  writeChart(directory, `hooked-${event}`, {
    'templates/all.yaml': documents(configMap('one', 'x'), job('work', { annotations: hook(event), fate: 'hang' })),
  });

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Starts tshelm, sends it signals once something is there, and waits for its end. */
async function interrupted(
  words: readonly string[],
  signals: readonly Signal[],
  when: (said: string) => Promise<unknown>,
): Promise<Ran> {
  const child = spawn(tshelmPath, [...words, '-n', admin.namespace, '--timeout', '60s'], { stdio: 'pipe' });
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
  // As a shell tells it: a signal that comes while Node.js itself is ending still ends the process.
  const ended = new Promise<number>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL'])),
  );
  const early = ended.then(() => Promise.reject(new Error(`it ended too early: ${texts.stderr}`)));
  early.catch(() => {});
  await Promise.race([until(() => when(texts.stderr)), early]);
  for (const signal of signals) {
    child.kill(signal);
    // The first is dealt with before the second comes.
    if (signals.length > 1) await delay(300);
  }
  return { code: await ended, ...texts };
}

async function until(isSo: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries > 600) throw new Error('it has not come to that');
    await delay(50);
  }
}

const isThere = (kind: 'Deployment' | 'Job' | 'ConfigMap', name: string) => (): Promise<unknown> =>
  admin.object({ Deployment: 'apps/v1', Job: 'batch/v1', ConfigMap: 'v1' }[kind], kind, name);

const infoOf = async (name: string): Promise<{ status: string; description: string }> =>
  (
    JSON.parse(await ok(helm, ['status', name, '-o', 'json', '-n', admin.namespace])) as {
      info: { status: string; description: string };
    }
  ).info;
const lockOf = (name: string): Promise<unknown> => admin.object('coordination.k8s.io/v1', 'Lease', `tshelm.${name}`);
const install = (name: string, chart: string): Promise<string> =>
  ok(tshelmProcess, ['install', name, chart, '-n', admin.namespace]);

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends the wait, records the failure and where it was, and exits with %i', async (signal, exitCode) => {
  const name = signal.toLowerCase();
  const { code, stderr } = await interrupted(['install', name, hanging, '--wait'], [signal], async (said) =>
    said.includes(`Deployment/${name}-never waiting`),
  );
  expect(code).toBe(exitCode);
  expect(stderr).toContain('INSTALLATION FAILED');
  expect(await infoOf(name)).toEqual(
    expect.objectContaining({
      status: 'failed',
      description: expect.stringMatching(
        new RegExp(
          `^Release "${name}" failed: interrupted \\(context canceled\\) at "apply 2 resources" \\(2 done; waiting for Deployment/${name}-never\\)$`,
        ),
      ),
    }),
  );
  expect(await lockOf(name)).toBeUndefined();
  await ok(helm, ['uninstall', name, '-n', admin.namespace]);
});

test('in a hook: the record names it, and what comes after the hook is not begun', async () => {
  const { code } = await interrupted(
    ['install', 'hook', hooked('pre-install')],
    ['SIGTERM'],
    isThere('Job', 'hook-work'),
  );
  expect(code).toBe(143);
  expect(await infoOf('hook')).toMatchObject({
    status: 'failed',
    description: 'Release "hook" failed: interrupted (context canceled) at "run pre-install hooks" (in Job/hook-work)',
  });
  expect(await isThere('ConfigMap', 'hook-one')()).toBeUndefined();
});

test('with --rollback-on-failure an upgrade is rolled back first', async () => {
  await install('undone', calm);
  const { code, stderr } = await interrupted(
    ['upgrade', 'undone', hanging, '--rollback-on-failure'],
    ['SIGINT'],
    isThere('Deployment', 'undone-never'),
  );
  expect(code).toBe(130);
  expect(stderr).toContain('interrupted by SIGINT: rolling back the changes of this run first');
  expect(stderr).toContain('has been rolled back due to rollback-on-failure being set');
  expect(await infoOf('undone')).toMatchObject({ status: 'deployed', description: 'Rollback to 1' });
  expect(await isThere('Deployment', 'undone-never')()).toBeUndefined();
});

test.each([
  ['says nothing of undoing where it does not', 'stack-kept', [], false],
  ['says that it undoes with --rollback-on-failure', 'stack-undone', ['--rollback-on-failure'], true],
] as const)('a stack %s', async (_rule, name, flags, undoes) => {
  const file = join(directory, `${name}.yaml`);
  writeFileSync(file, `releases:\n- {name: ${name}, chart: ${hanging}, wait: true}\n`);
  const { code, stderr } = await interrupted(['stack', 'apply', '-f', file, ...flags], ['SIGINT'], async (said) =>
    said.includes(`Deployment/${name}-never waiting`),
  );
  expect(code).toBe(130);
  expect(stderr.includes('rolling back the changes')).toBe(undoes);
});

test('a rollback', async () => {
  const chart = hooked('pre-rollback');
  await install('back', chart);
  await ok(tshelmProcess, ['upgrade', 'back', chart, '-n', admin.namespace]);
  const { code } = await interrupted(['rollback', 'back'], ['SIGINT'], isThere('Job', 'back-work'));
  expect(code).toBe(130);
  expect(await infoOf('back')).toMatchObject({
    status: 'failed',
    description:
      'Rollback "back" failed: interrupted (context canceled) at "run pre-rollback hooks" (in Job/back-work)',
  });
});

test('an uninstall says how far it went, and the next one ends it', async () => {
  await install('away', hooked('pre-delete'));
  const { code } = await interrupted(['uninstall', 'away'], ['SIGINT'], isThere('Job', 'away-work'));
  expect(code).toBe(130);
  expect(await infoOf('away')).toMatchObject({
    status: 'uninstalling',
    description: 'Uninstallation stopped: interrupted (context canceled) at "run pre-delete hooks" (in Job/away-work)',
  });
  expect(await isThere('ConfigMap', 'away-one')()).toBeDefined();
  await ok(tshelmProcess, ['uninstall', 'away', '--no-hooks', '-n', admin.namespace]);
  expect(await admin.records('away')).toEqual([]);
});

test('while it waits for the lock it changes nothing', async () => {
  await install('queued', calm);
  const time = new Date().toISOString().replace('Z', '000Z');
  await admin.cluster().create({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'tshelm.queued', namespace: admin.namespace },
    spec: { holderIdentity: 'bob@far pid 7 cafe', leaseDurationSeconds: 15, acquireTime: time, renewTime: time },
  } as KubernetesObject);
  const { code, stderr } = await interrupted(
    ['upgrade', 'queued', hanging, '--wait-lock', '1m'],
    ['SIGINT'],
    async (said) => said.includes('checking whether bob@far'),
  );
  expect(code).toBe(130);
  expect(stderr).toContain('UPGRADE FAILED: interrupted by SIGINT');
  expect(await infoOf('queued')).toMatchObject({ status: 'deployed' });
});

test('a terminal that closes sends SIGHUP twice: the run is recorded', async () => {
  const { code } = await interrupted(
    ['install', 'closed', hanging, '--wait'],
    ['SIGHUP', 'SIGHUP'],
    isThere('Deployment', 'closed-never'),
  );
  expect(code).toBe(129);
  expect(await infoOf('closed')).toMatchObject({ status: 'failed' });
});

test('the second signal ends the process at once; the next command takes over', async () => {
  await install('twice', calm);
  const { code } = await interrupted(
    ['upgrade', 'twice', hanging, '--rollback-on-failure'],
    ['SIGINT', 'SIGTERM'],
    isThere('Deployment', 'twice-never'),
  );
  expect([130, 143]).toContain(code);
  await ok(tshelmProcess, ['upgrade', 'twice', calm, '-n', admin.namespace]);
  expect(await infoOf('twice')).toMatchObject({ status: 'deployed' });
});

test('a deploy goes on where its log cannot be written', async () => {
  const full = openSync('/dev/full', 'w');
  try {
    const words = ['install', 'full', calm, '-n', admin.namespace, '--timeout', '60s', '--debug'];
    const child = spawn(tshelmPath, words, { stdio: ['ignore', 'ignore', full] });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  } finally {
    closeSync(full);
  }
  expect(await infoOf('full')).toMatchObject({ status: 'deployed' });
});
