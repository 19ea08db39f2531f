import { afterAll, beforeAll, expect, test } from 'vitest';
import { scratchDirectory } from '../support/charts.ts';
import type { Ran } from '../support/programs.ts';
import { campaign, chosen, inTurn, type Outcome, type Point } from './campaign.ts';
import { chaosChart } from './chart.ts';
import { installWords, must, rollbackWords, uninstallWords, upgradeWords } from './commands.ts';
import type { PassedRequest } from './proxy.ts';
import { type ChartSet, Stage } from './stage.ts';

const directory = scratchDirectory();
const chart = chaosChart(directory);
const stages: Stage[] = [];
beforeAll(async () => {
  const names = Array.from({ length: 6 }, (_, index) => `kills-${index}`);
  stages.push(...(await Promise.all(names.map((name) => Stage.open(directory, name)))));
});
afterAll(() => Promise.all(stages.map((stage) => stage.close())));

/** What is done after a kill, as a user or a CI job would, and what must be true then. */
interface Recovery {
  readonly title: string;
  /** `basis`: the revision before the command that was killed. */
  readonly words: (stage: Stage, basis: number) => string[];
  /** What is done where the command says rightly that there is nothing for it to do. */
  readonly otherwise?: { readonly says: RegExp; readonly words: (stage: Stage) => string[] };
  readonly check: (stage: Stage) => Promise<readonly string[]>;
}

interface Act {
  readonly prepare: (stage: Stage) => Promise<void>;
  readonly words: (stage: Stage) => string[];
  /** One of them is tried after each kill, in turn. */
  readonly recoveries: readonly Recovery[];
  /** What the same command says when the kill came after its work was done. */
  readonly wasDone?: RegExp;
}

const deploying = (title: string, set: ChartSet): Recovery => ({
  title,
  words: (stage) => upgradeWords(chart, stage, set),
  check: (stage) => stage.problemsOfDeployed(set),
});
const resuming = (set: ChartSet): Recovery => ({
  ...deploying('upgrade --resume', set),
  words: (stage) => [...upgradeWords(chart, stage, set), '--resume'],
  otherwise: {
    says: /release: not found|has nothing to resume: its last revision is \d+, and its status is deployed/,
    words: (stage) => upgradeWords(chart, stage, set),
  },
});
const removing: Recovery = { title: 'uninstall', words: uninstallWords, check: (stage) => stage.problemsOfGone() };

const acts: Readonly<Record<string, Act>> = {
  install: {
    prepare: (stage) => stage.clear(),
    words: (stage) => [...installWords(chart, stage), '--set', 'set=a'],
    recoveries: [
      { ...deploying('install', 'a'), words: (stage) => installWords(chart, stage) },
      deploying('upgrade --install', 'a'),
      deploying('upgrade --install with other values', 'b'),
      resuming('a'),
      { ...removing, check: (stage) => stage.problemsOfGone('install') },
    ],
    wasDone: /cannot reuse a name that is still in use|release: not found/,
  },
  upgrade: {
    prepare: (stage) => must(stage, upgradeWords(chart, stage, 'a')),
    words: (stage) => upgradeWords(chart, stage, 'b'),
    recoveries: [
      deploying('the same upgrade', 'b'),
      deploying('an upgrade with the old values', 'a'),
      { ...deploying('rollback', 'a'), words: rollbackWords },
      resuming('b'),
      removing,
    ],
  },
  uninstall: {
    prepare: (stage) => must(stage, upgradeWords(chart, stage, 'b')),
    words: uninstallWords,
    recoveries: [removing, deploying('upgrade --install', 'a')],
    wasDone: /release: not found/,
  },
};

const moments = { 'before it arrives': false, 'before its answer comes back': true } as const;

const fullMs = 3_600_000;

test.each(Object.entries(acts))('%s is killed at each request', { timeout: fullMs }, async (name, act) => {
  const requests = await requestsOf(act, stages[0] as Stage);
  const points = requests.map(({ method }, index) =>
    momentsFor(method, index).map(([moment, isLost], which): Point => {
      const recovery = inTurn(act.recoveries, index + which);
      const title = `${name} killed at request ${index + 1} ${moment}, then ${recovery.title}`;
      return killPoint(title, act, recovery, index + 1, isLost);
    }),
  );
  const played = chosen(points, 3).flat();
  const { injected, failures } = await campaign(
    `${name}, SIGKILL at each of ${requests.length} requests`,
    played,
    stages,
  );
  // Pods have other names in each run, and some are seen only where a wait is long: the last points may not be reached.
  expect(injected).toBeGreaterThan(0.9 * played.length);
  expect(failures).toEqual([]);
});

/** A read leaves nothing behind, so that it is all one when the kill comes. */
const momentsFor = (method: string, index: number): readonly (readonly [string, boolean])[] => {
  const both = Object.entries(moments);
  return method === 'GET' ? [inTurn(both, index)] : both;
};

async function requestsOf({ prepare, words }: Act, stage: Stage): Promise<readonly PassedRequest[]> {
  await prepare(stage);
  stage.proxy.begin(() => undefined);
  const { code, stderr } = await stage.start(words(stage)).ended;
  expect(code, stderr).toBe(0);
  return stage.proxy.seen.filter(notRepeated());
}

/**
 * Passes over what a wait asks again, and the renewals of a lock: how many there are is a matter of time, so that a
 * number among them would be another request in each run.
 */
function notRepeated(): (request: PassedRequest) => boolean {
  const known = new Set<string>();
  return ({ method, path, isWatch }) => {
    const key = `${method} ${path} ${isWatch}`;
    if (known.has(key) && (method === 'GET' || path.includes('/leases/'))) return false;
    known.add(key);
    return true;
  };
}

const lastLineOf = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

async function recover(stage: Stage, { words, otherwise }: Recovery, basis: number): Promise<Ran> {
  const ran = await stage.run(words(stage, basis));
  if (ran.code === 0 || !otherwise?.says.test(ran.stderr)) return ran;
  return stage.run(otherwise.words(stage));
}

const killPoint = (title: string, act: Act, recovery: Recovery, at: number, isLost: boolean): Point => ({
  title,
  async play(stage): Promise<Outcome> {
    await act.prepare(stage);
    const basis = await stage.newestRevision();
    const run = { kill: (): void => {} };
    const counts = notRepeated();
    let number = 0;
    let hit: PassedRequest | undefined;
    stage.proxy.begin((request) => {
      if (!counts(request)) return undefined;
      number += 1;
      if (number !== at) return undefined;
      hit = request;
      return { kind: 'run', task: () => run.kill(), isLost };
    });
    const { kill, ended } = stage.start(act.words(stage));
    run.kill = kill;
    const { signal } = await ended;
    const { code, stderr } = await recover(stage, recovery, basis);
    const isRefused = code !== 0 && !act.wasDone?.test(stderr);
    const problems = [
      ...(isRefused ? [`ended with ${code}: ${lastLineOf(stderr)}`] : []),
      ...(await recovery.check(stage)),
    ];
    const where = problems.length > 0 ? [`at ${hit?.method} ${hit?.path}`] : [];
    return { injected: signal === 'SIGKILL' ? 1 : 0, problems: [...where, ...problems] };
  },
});
