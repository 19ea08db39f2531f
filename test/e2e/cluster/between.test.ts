import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FaultProxy } from '../chaos/proxy.ts';
import { configMap, documents, hook, scratchDirectory, workload, writeChart } from '../support/charts.ts';
import { adminOf } from '../support/namespaces.ts';
import { ok, tshelm } from '../support/programs.ts';

// What a proxy between tshelm and the API server may do to what passes.
const directory = scratchDirectory();
const { namespace } = adminOf('between');
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
