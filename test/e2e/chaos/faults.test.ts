import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scratchDirectory } from '../support/charts.ts';
import { campaign, chosen, type Outcome, type Point } from './campaign.ts';
import { chaosChart } from './chart.ts';
import { installWords, must, uninstallWords, upgradeWords } from './commands.ts';
import type { Fault } from './proxy.ts';
import { Stage } from './stage.ts';

const directory = scratchDirectory();
const chart = chaosChart(directory);
const stages: Stage[] = [];
beforeAll(async () => {
  const names = Array.from({ length: 6 }, (_, index) => `faults-${index}`);
  stages.push(...(await Promise.all(names.map((name) => Stage.open(directory, name)))));
});
afterAll(() => Promise.all(stages.map((stage) => stage.close())));

interface Act {
  readonly prepare: (stage: Stage) => Promise<void>;
  readonly words: (stage: Stage) => string[];
  readonly check: (stage: Stage) => Promise<readonly string[]>;
}

const acts: Readonly<Record<string, Act>> = {
  install: {
    prepare: (stage) => stage.clear(),
    words: (stage) => installWords(chart, stage),
    check: (stage) => stage.problemsOfDeployed('a'),
  },
  upgrade: {
    prepare: (stage) => must(stage, upgradeWords(chart, stage, 'a')),
    words: (stage) => upgradeWords(chart, stage, 'b'),
    check: (stage) => stage.problemsOfDeployed('b'),
  },
  uninstall: {
    prepare: (stage) => must(stage, upgradeWords(chart, stage, 'b')),
    words: uninstallWords,
    check: (stage) => stage.problemsOfGone(),
  },
};

const singleFaults: Readonly<Record<string, Fault>> = {
  '429': { kind: 'answer', status: 429 },
  '429 with Retry-After': { kind: 'answer', status: 429, retryAfter: 1 },
  '500': { kind: 'answer', status: 500 },
  '503': { kind: 'answer', status: 503 },
  'a lost answer and 504': { kind: 'answer', status: 504, isLost: true },
  'a reset': { kind: 'reset' },
  'a reset after the request was carried out': { kind: 'reset', isLost: true },
  'an answer that breaks off': { kind: 'break-off' },
  'a stall of 10 s': { kind: 'stall', milliseconds: 10_000 },
};

const fullMs = 3_600_000;

describe.each(Object.entries(acts))('%s', (name, act) => {
  test('each single request meets each fault once', { timeout: fullMs }, async () => {
    const requests = await countRequests(act, stages[0] as Stage);
    const points = Array.from({ length: requests }, (_, index) =>
      Object.entries(singleFaults).map(([title, fault]) =>
        pointOf(`${name}, request ${index + 1}: ${title}`, act, index + 1, fault),
      ),
    );
    const { failures } = await campaign(`${name}, single faults at ${requests} requests`, chosen(points, 2), stages);
    expect(failures).toEqual([]);
  });
});

async function countRequests({ prepare, words }: Act, stage: Stage): Promise<number> {
  await prepare(stage);
  stage.proxy.begin(() => undefined);
  const { code, stderr } = await stage.runThroughProxy(words(stage));
  expect(code, stderr).toBe(0);
  return stage.proxy.seen.length;
}

const pointOf = (title: string, { prepare, words, check }: Act, at: number, fault: Fault): Point => ({
  title,
  async play(stage): Promise<Outcome> {
    await prepare(stage);
    stage.proxy.begin(({ number }) => (number === at ? fault : undefined));
    const { code, stderr } = await stage.runThroughProxy(words(stage));
    const hit = stage.proxy.seen[at - 1];
    const failed = code === 0 ? [] : [`${hit?.method} ${hit?.path}: ended with ${code}: ${stderr}`];
    return { isInjected: stage.proxy.injected > 0, problems: [...failed, ...(await check(stage))] };
  },
});
