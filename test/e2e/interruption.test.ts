import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('interruption');

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends the wait, records the failure and exits with %i', async (signal, exitCode) => {
  const name = signal.toLowerCase();
  const chart = writeChart(directory, name, {
    'templates/all.yaml': workload('Deployment', 'never', { fate: 'hang' }),
  });
  const words = ['install', name, chart, '-n', admin.namespace, '--wait', '--timeout', '60s'];
  const child = spawn('bin/tshelm', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  while ((await admin.object('apps/v1', 'Deployment', `${name}-never`)) === undefined) await delay(100);
  child.kill(signal);
  expect(await ended).toBe(exitCode);
  expect(said).toContain('INSTALLATION FAILED');
  const { info } = JSON.parse(await ok(helm, ['status', name, '-o', 'json', '-n', admin.namespace])) as {
    info: { status: string; description: string };
  };
  expect(info).toMatchObject({ status: 'failed', description: `Release "${name}" failed: context canceled` });
  await ok(helm, ['uninstall', name, '-n', admin.namespace]);
});
