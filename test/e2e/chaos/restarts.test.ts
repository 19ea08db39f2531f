import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMap, documents, scratchDirectory, workload, writeChart } from '../support/charts.ts';
import { campaign, type Outcome, type Point } from './campaign.ts';
import { chaosChart } from './chart.ts';
import { installWords, must, uninstallWords, upgradeWords } from './commands.ts';
import { type OwnControlPlane, startControlPlane } from './control-plane.ts';
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

test('the API server is killed and comes back anywhere in an install, an upgrade and an uninstall', async () => {
  const chart = chaosChart(directory);
  const acts = [
    { name: 'install', words: () => installWords(chart, stage), check: () => stage.problemsOfDeployed('a') },
    { name: 'upgrade', words: () => upgradeWords(chart, stage, 'b'), check: () => stage.problemsOfDeployed('b') },
    { name: 'uninstall', words: () => uninstallWords(stage), check: () => stage.problemsOfGone() },
  ];
  const point = (at: number): Point => ({
    title: `request ${at}`,
    async play(): Promise<Outcome> {
      await stage.clear();
      const problems: string[] = [];
      for (const { name, words, check } of acts) {
        stage.proxy.begin(({ number }) =>
          number === at ? { kind: 'run', task: () => plane.killApiServer(500), isLost: true } : undefined,
        );
        const { code, stderr } = await stage.runThroughProxy(words());
        if (code !== 0) problems.push(`${name} ended with ${code}: ${stderr}`);
        problems.push(...(await check()));
      }
      return { isInjected: true, problems };
    },
  });
  const { failures } = await campaign('API server killed', [4, 20, 45].map(point), [stage]);
  expect(failures).toEqual([]);
});
