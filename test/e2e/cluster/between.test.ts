import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { V1Deployment } from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FaultProxy } from '../chaos/proxy.ts';
import { configMap, documents, hook, scratchDirectory, workload, writeChart } from '../support/charts.ts';
import { adminOf } from '../support/namespaces.ts';
import { ok, tshelm } from '../support/programs.ts';

// What a proxy between tshelm and the API server may do to what passes.
const directory = scratchDirectory();
const admin = adminOf('between');
const { namespace } = admin;
const kubeconfig = join(directory, 'kubeconfig');
let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await FaultProxy.open(process.env['KUBECONFIG'] ?? '');
  writeFileSync(kubeconfig, proxy.kubeconfig);
});
afterAll(() => proxy.close());

const run = (words: readonly string[]): Promise<string> =>
  ok(tshelm, [...words, '-n', namespace], { env: { KUBECONFIG: kubeconfig } });

test('it keeps back what watches tell: a last look ends the wait', async () => {
  const chart = writeChart(directory, 'silent', {
    'templates/all.yaml': documents(configMap('one', 'x'), workload('Deployment', 'web', { readyAfter: '1s' })),
  });
  proxy.begin(({ isWatch }) => (isWatch ? { kind: 'silence' } : undefined));
  expect(await run(['install', 'silent', chart, '--wait', '--timeout', '15s'])).toContain('STATUS: deployed');
  expect(proxy.hit.length).toBeGreaterThan(0);
  proxy.begin(() => undefined);
  await run(['uninstall', 'silent']);
});

test('it takes away dates and loses the answers of all that is created: what is there is known as our own', async () => {
  const hooked = configMap('seed', 'x', hook('pre-install', { policy: 'hook-failed' }));
  const chart = writeChart(directory, 'undated', { 'templates/all.yaml': documents(configMap('one', 'x'), hooked) });
  const lost = new Set<string>();
  const created = (): number => proxy.hit.filter(({ method }) => method === 'POST').length;
  proxy.begin(({ method, path }) => {
    if (method !== 'POST' || lost.has(path)) return { kind: 'undated' };
    lost.add(path);
    return { kind: 'reset', isLost: true };
  });
  expect(await run(['install', 'undated', chart])).toContain('STATUS: deployed');
  expect(lost.size).toBeGreaterThan(1);
  expect(created()).toBeGreaterThan(lost.size);
  await run(['uninstall', 'undated', '--delete-hooks']);
});

test('others write while an object is read and patched: with --server-side=false nothing of theirs is lost', async () => {
  const text = workload('Deployment', 'web').replace('main:{{', 'main-{{ .Values.round }}:{{');
  const chart = writeChart(directory, 'raced', { 'templates/all.yaml': text, 'values.yaml': 'round: one\n' });
  await run(['install', 'raced', chart, '--server-side=false']);
  const id = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'raced-web' };
  const theirs = (name: string) => ({ containers: [{ name: 'main', env: [{ name, value: 'x' }] }] });
  let written = 0;
  const write = async (): Promise<void> => {
    written += 1;
    const patch = { spec: { template: { spec: theirs(`THEIRS_${written}`) } } };
    await admin.cluster().patch(id, 'strategic-merge', patch, { fieldManager: 'somebody' });
  };
  proxy.begin(({ method, path }) =>
    method === 'PATCH' && path.endsWith('/raced-web') && written < 3
      ? { kind: 'run', task: write, passes: true }
      : undefined,
  );
  await run(['upgrade', 'raced', chart, '--set', 'round=two']);
  expect(written).toBe(3);
  const live = (await admin.object('apps/v1', 'Deployment', 'raced-web')) as unknown as V1Deployment;
  const [container] = live.spec?.template.spec?.containers ?? [];
  expect(container?.image).toBe('example.com/main-two:1');
  expect(container?.env?.map(({ name }) => name).sort()).toEqual(['THEIRS_1', 'THEIRS_2', 'THEIRS_3']);
  await run(['uninstall', 'raced']);
});

test('it goes for good: what is undone waits for it no longer than --timeout, in all', async () => {
  const chart = writeChart(directory, 'gone', {
    'templates/all.yaml': documents(configMap('one', 'x'), workload('Deployment', 'web', { fate: 'hang' })),
  });
  let isGone = false;
  proxy.begin(({ method, path }) => {
    if (isGone) return { kind: 'reset' };
    isGone = method === 'PATCH' && path.includes('/deployments/');
    return undefined;
  });
  const words = ['install', 'gone', chart, '--wait', '--rollback-on-failure', '--timeout', '4s', '-n', namespace];
  const { code, stderr } = await tshelm.run(words, { env: { KUBECONFIG: kubeconfig } });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /an error occurred while uninstalling the release.*the API server has not answered for \d+ s/s,
  );
  proxy.begin(() => undefined);
  await run(['uninstall', 'gone']);
});
