import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { configMap, documents, scratchDirectory, workload, writeChart } from '../support/charts.ts';
import { isFull } from './campaign.ts';
import { chaosChart } from './chart.ts';
import { installWords, must, uninstallWords, upgradeWords } from './commands.ts';
import { type OwnControlPlane, startControlPlane } from './control-plane.ts';
import type { Fault } from './proxy.ts';
import { Stage } from './stage.ts';

const directory = scratchDirectory();
let plane: OwnControlPlane;
let stage: Stage;
beforeAll(async () => {
  plane = await startControlPlane(`${directory}/plane`);
  stage = await Stage.open(directory, 'restarts', plane.kubeconfig);
}, 60_000);
afterAll(async () => {
  await stage?.close();
  plane?.stop();
});

/** The lock, hooks before the objects, objects, hooks after them: the shortest command sends some 80 requests. */
const requestsToKillAt = isFull ? [1, 12, 40, 60, 75] : [5, 30, 75];

const slowChart = writeChart(directory, 'slow', {
  'templates/all.yaml': documents(
    configMap('settings', 'x'),
    workload('Deployment', 'slow', { readyAfter: '6s' }),
    workload('StatefulSet', 'slow', { readyAfter: '6s' }),
  ),
});

test('the API server is killed and comes back in the middle of a wait', async () => {
  let kills = 0;
  stage.proxy.begin(({ isWatch }) => {
    if (!isWatch || kills > 0) return undefined;
    kills += 1;
    setTimeout(() => plane.killApiServer(2_000), 1_000);
    return undefined;
  });
  const words = ['install', 'slow', slowChart, '--wait', '--timeout', '90s'];
  const { code, stderr } = await stage.runThroughProxy(words);
  expect(code, stderr).toBe(0);
  expect(kills).toBe(1);
  await must(stage, ['uninstall', 'slow', '--wait', '--timeout', '60s']);
});

test('an API server that stays away ends the run after its timeout, and the next one goes on', async () => {
  const away = await Stage.open(directory, 'away', plane.kubeconfig);
  let leaving: Promise<void> | undefined;
  away.proxy.begin(({ isWatch }) => {
    if (isWatch) leaving ??= away.proxy.close();
    return undefined;
  });
  const { code, stderr } = await away.start(['install', 'slow', slowChart, '--wait', '--timeout', '5s']).ended;
  await leaving;
  expect(code, stderr).toBe(1);
  expect(stderr).toMatch(/warning: the API server does not answer: .*; retrying/);
  expect(stderr).toContain('the lock on release "slow" could not be renewed for 60 s');
  expect(stderr).toMatch(/Error: INSTALLATION FAILED: [^]*context deadline exceeded/);
  await must(away, ['upgrade', '--install', 'slow', slowChart, '--wait', '--timeout', '60s']);
  await away.close();
});

test.each(requestsToKillAt)(
  'the API server is killed at request %i of an install, an upgrade and an uninstall',
  async (at) => {
    // On a control plane of its own: controllers and the simulated node take long to find back to a server that was
    // killed again and again.
    const plane = await startControlPlane(`${directory}/plane-${at}`);
    onTestFinished(() => plane.stop());
    const killAndReset: Fault = { kind: 'run', task: () => plane.killApiServer(500), isLost: true };
    const stage = await Stage.open(directory, `restarts-${at}`, plane.kubeconfig);
    onTestFinished(() => stage.close());
    const chart = chaosChart(directory);
    const acts = [
      { name: 'install', words: installWords(chart, stage), check: () => stage.problemsOfDeployed('a') },
      { name: 'upgrade', words: upgradeWords(chart, stage, 'b'), check: () => stage.problemsOfDeployed('b') },
      { name: 'uninstall', words: uninstallWords(stage), check: () => stage.problemsOfGone() },
    ];
    for (const { name, words, check } of acts) {
      stage.proxy.begin(({ number }) => (number === at ? killAndReset : undefined));
      const { code, stderr } = await stage.runThroughProxy(words);
      expect(code, `${name}: ${stderr}`).toBe(0);
      expect(stage.proxy.hit).toHaveLength(1);
      expect(await check(), name).toEqual([]);
    }
    console.log(`chaos: API server killed at request ${at} of each command: 3 faults injected, 3 survived`);
  },
);
