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
  const spots = await spotsOf(act, stages[0] as Stage);
  const points = spots.map((spot, index) =>
    momentsFor(spot, index).map(([moment, isLost], which): Point => {
      const recovery = inTurn(act.recoveries, index + which);
      const title = `${name} killed at ${spot} ${moment}, then ${recovery.title}`;
      return killPoint(title, act, recovery, spot, isLost);
    }),
  );
  const played = chosen(points, 6).flat();
  const { injected, failures } = await campaign(`${name}, SIGKILL at each of ${spots.length} requests`, played, stages);
  // What a wait reads depends a little on how soon the pods are ready.
  expect(injected).toBeGreaterThan(0.9 * played.length);
  expect(failures).toEqual([]);
});

/** A read leaves nothing behind, so that it is all one when the kill comes. */
const momentsFor = (spot: Spot, index: number): readonly (readonly [string, boolean])[] => {
  const both = Object.entries(moments);
  return spot.startsWith('GET ') ? [inTurn(both, index)] : both;
};

/** A request by which it is known in every run: its method, its path, and which of the same writes it is. */
type Spot = string;

/** The requests that every run of the command makes: those of both of two runs. */
async function spotsOf(act: Act, stage: Stage): Promise<readonly Spot[]> {
  const first = await spotsOfRun(act, stage);
  const second = await spotsOfRun(act, stage);
  return first.filter((spot) => second.includes(spot));
}

async function spotsOfRun({ prepare, words }: Act, stage: Stage): Promise<readonly Spot[]> {
  await prepare(stage);
  stage.proxy.begin(() => undefined);
  const { code, stderr } = await stage.start(words(stage)).ended;
  expect(code, stderr).toBe(0);
  const spotOf = spots();
  return stage.proxy.seen.flatMap((request) => spotOf(request) ?? []);
}

/**
 * Names the requests of a run. What a wait asks again and the renewals of a lock have no name: how many there are is a
 * matter of time. What differs from run to run is left out: the namespace, the revision, the end of a pod's name.
 */
function spots(): (request: PassedRequest) => Spot | undefined {
  const counts = new Map<string, number>();
  return ({ method, path, isWatch }) => {
    const steady = path
      .replace(/\/namespaces\/[^/]+/, '/namespaces/*')
      .replace(/\.v\d+$/, '.v*')
      .replace(/(\/pods\/[^/]+)-[0-9a-z]{5}(?=\/|$)/, '$1-*');
    const asked = `${method} ${steady}${isWatch ? ' (watch)' : ''}`;
    const count = (counts.get(asked) ?? 0) + 1;
    counts.set(asked, count);
    if (count === 1) return asked;
    return method === 'GET' || path.includes('/leases/') ? undefined : `${asked} (${count})`;
  };
}

const lastLineOf = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

async function recover(stage: Stage, { words, otherwise }: Recovery, basis: number): Promise<Ran> {
  const ran = await stage.run(words(stage, basis));
  if (ran.code === 0 || !otherwise?.says.test(ran.stderr)) return ran;
  return stage.run(otherwise.words(stage));
}

const killPoint = (title: string, act: Act, recovery: Recovery, spot: Spot, isLost: boolean): Point => ({
  title,
  async play(stage): Promise<Outcome> {
    await act.prepare(stage);
    const basis = await stage.newestRevision();
    const run = { kill: (): void => {} };
    const spotOf = spots();
    stage.proxy.begin((request) =>
      spotOf(request) === spot ? { kind: 'run', task: () => run.kill(), isLost } : undefined,
    );
    const { kill, ended } = stage.start(act.words(stage));
    run.kill = kill;
    const { signal } = await ended;
    const { code, stderr } = await recover(stage, recovery, basis);
    const isRefused = code !== 0 && !act.wasDone?.test(stderr);
    const problems = [
      ...(isRefused ? [`ended with ${code}: ${lastLineOf(stderr)}`] : []),
      ...(await recovery.check(stage)),
    ];
    return { injected: signal === 'SIGKILL' ? 1 : 0, problems };
  },
});
