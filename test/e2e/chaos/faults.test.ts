import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scratchDirectory } from '../support/charts.ts';
import { campaign, chosen, type Outcome, type Point } from './campaign.ts';
import { chaosChart } from './chart.ts';
import { installWords, must, uninstallWords, upgradeWords } from './commands.ts';
import type { Fault, Script } from './proxy.ts';
import { dropEachWatch, everyNth } from './scripts.ts';
import { Stage } from './stage.ts';

const directory = scratchDirectory();
const chart = chaosChart(directory);
const stages: Stage[] = [];
beforeAll(async () => {
  const names = Array.from({ length: 10 }, (_, index) => `faults-${index}`);
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

/** Each with the distance between two of them in one run, in requests. */
const faults: Readonly<Record<string, { readonly fault: Fault; readonly every: number }>> = {
  '429': { fault: { kind: 'answer', status: 429 }, every: 8 },
  '429 with Retry-After': { fault: { kind: 'answer', status: 429, retryAfter: 1 }, every: 12 },
  '500': { fault: { kind: 'answer', status: 500 }, every: 8 },
  '503': { fault: { kind: 'answer', status: 503 }, every: 8 },
  'a lost answer and 504': { fault: { kind: 'answer', status: 504, isLost: true }, every: 8 },
  'a reset': { fault: { kind: 'reset' }, every: 8 },
  'a reset after the request was carried out': { fault: { kind: 'reset', isLost: true }, every: 8 },
  'an answer that breaks off': { fault: { kind: 'break-off' }, every: 8 },
  'a stall of 10 s': { fault: { kind: 'stall', milliseconds: 10_000 }, every: 30 },
};

const fullMs = 3_600_000;

describe.each(Object.entries(acts))('%s', (name, act) => {
  test('each single request meets each fault once', { timeout: fullMs }, async () => {
    const requests = await countRequests(act, stages[0] as Stage);
    for (const [title, { fault, every }] of Object.entries(faults)) {
      const points = Array.from({ length: every }, (_, first) =>
        pointOf(`${name}, ${title} at every ${every}th request from ${first + 1}`, act, everyNth(fault, first, every)),
      );
      const { failures, injected } = await campaign(
        `${name} of ${requests} requests, ${title}`,
        chosen(points, 4),
        stages,
      );
      expect(failures).toEqual([]);
      expect(injected).toBeGreaterThan(0);
    }
  });

  test('each watch is dropped again and again', { timeout: fullMs }, async () => {
    const points = [1, 2, 3].map((times) => pointOf(`${name}, ${times} times`, act, dropEachWatch(times)));
    const { failures } = await campaign(`${name}, watches dropped`, points, stages);
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

/** `script`: made anew for each run, since it counts. */
const pointOf = (title: string, { prepare, words, check }: Act, script: () => Script): Point => ({
  title,
  async play(stage): Promise<Outcome> {
    await prepare(stage);
    stage.proxy.begin(script());
    const { code, stderr } = await stage.runThroughProxy(words(stage));
    const { hit } = stage.proxy;
    const failed =
      code === 0 ? [] : [`ended with ${code}: ${stderr}`, ...hit.map(({ method, path }) => `${method} ${path}`)];
    return { injected: hit.length, problems: [...failed, ...(await check(stage))] };
  },
});
