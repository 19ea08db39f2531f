import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { serve } from '../source/http/server.ts';
import { openTestSandbox, tshelm } from './harness.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const listeners = (): number => signals.reduce((sum, signal) => sum + process.listenerCount(signal), 0);
const chart = 'fixtures/charts/shop';
const home = mkdtempSync(join(tmpdir(), 'tshelm-home-'));
afterAll(() => rmSync(home, { recursive: true }));

/** A server that counts who listens for signals while a command waits for its answer. */
async function countingServer(): Promise<{ readonly url: string; readonly most: () => number }> {
  let most = 0;
  const { url } = await serve((_request, response) => {
    most = Math.max(most, listeners());
    response.writeHead(200).end(readFileSync(`${chart}/values.yaml`));
  });
  return { url, most: () => most };
}

test('a command that changes nothing leaves signals to the system, which ends it however busy it is', async () => {
  const before = listeners();
  const { url, most } = await countingServer();
  expect(await tshelm(['template', 'web', chart, '-f', `${url}/values.yaml`], { env: { HOME: home } })).toMatchObject({
    code: 0,
  });
  expect(most()).toBe(before);
  await tshelm(['show', 'chart', `${url}/chart.tgz`], { env: { HOME: home } });
  expect(most()).toBe(before);
});

test('a change listens from where it begins, no sooner: values and chart are read before', async () => {
  const before = listeners();
  const { url, most } = await countingServer();
  const sandbox = openTestSandbox();
  let during = 0;
  const timer = setInterval(() => (during = Math.max(during, listeners())), 1);
  try {
    const words = ['install', 'web', chart, '--no-hooks', '-f', `${url}/values.yaml`];
    expect(await sandbox.run(...words)).toMatchObject({ code: 0 });
  } finally {
    clearInterval(timer);
    sandbox.remove();
  }
  expect(most()).toBe(before);
  expect(during).toBeGreaterThanOrEqual(before + 2);
  expect(listeners()).toBe(before);
});
