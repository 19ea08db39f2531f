import { describe, expect, test } from 'vitest';
import { CrashLoops } from '../../../src/cluster/diagnosis/crash-loops.ts';
import type { WorkloadFact } from '../../../src/problem/workload-fact.ts';

/** A container's end as the kubelet tells it: 10 s of back-off after its second, then twice as much each time. */
const end = (restarts: number, more: Partial<WorkloadFact> = {}): WorkloadFact =>
  ({
    outlook: 'doubtful',
    code: 'program-ended',
    reason: 'CrashLoopBackOff',
    exitCode: 1,
    ranMs: 1_000,
    restarts,
    backOffMs: 10_000 * 2 ** (restarts - 1),
    ...more,
  }) as WorkloadFact;

interface Seen {
  readonly atS: number;
  readonly fact: WorkloadFact;
  readonly isBusy?: boolean;
}

/** The seconds at which it is known that restarts do not help, with a grace of 30 s. */
function triedAt(seen: readonly Seen[]): readonly number[] {
  let nowMs = 0;
  const loops = new CrashLoops(30_000, () => nowMs);
  return seen.flatMap(({ atS, fact, isBusy = false }) => {
    nowMs = atS * 1_000;
    return loops.isTried('p app', fact, isBusy) ? [atS] : [];
  });
}

/** As a kubelet does it with a program that ends after a second. */
const kubelet = (...facts: readonly (Partial<WorkloadFact> & { isBusy?: boolean })[]): readonly Seen[] =>
  [2, 13, 34, 75, 156].flatMap((atS, index) => {
    const { isBusy = false, ...more } = facts[index] ?? {};
    return index < facts.length ? [{ atS, fact: end(index + 1, more), isBusy }] : [];
  });

describe('a crash loop that another restart does not end', () => {
  test.each<[string, readonly Seen[], readonly number[]]>([
    ['ended four times the same way, over 30 s of back-off', kubelet({}, {}, {}, {}), [34, 75]],
    ['not if it ended otherwise the last time', kubelet({}, {}, { exitCode: 2 }), []],
    ['until it has ended that way for the time of grace', kubelet({ exitCode: 2 }, {}, {}, {}), [75]],
    ['not if it ran long', kubelet({}, {}, { ranMs: 10_000 }, { ranMs: 60_000 }), []],
    ['not while something else is on its way', kubelet({}, {}, { isBusy: true }, { isBusy: true }), []],
    ['nor with what has just come to rest', kubelet({}, {}, { isBusy: true }, {}), []],
    ['but after a run that began later', kubelet({}, {}, { isBusy: true }, {}, {}), [156]],
    ['not without an exit code', kubelet({}, {}, { exitCode: undefined }), []],
    ['nor without what the kubelet says of its back-off', kubelet({}, {}, { backOffMs: undefined }), []],
  ])('%s', (_what, seen, expected) => {
    expect(triedAt(seen)).toEqual(expected);
  });

  test.each<[string, Partial<WorkloadFact>, readonly number[]]>([
    ['no such command', { exitCode: 127 }, [13]],
    ['one that may not be run', { exitCode: 126 }, [13]],
    ['a limit of memory', { code: 'out-of-memory', exitCode: 137, limit: '64Mi' } as Partial<WorkloadFact>, [13]],
    ['no memory left on the node', { code: 'out-of-memory', exitCode: 137 } as Partial<WorkloadFact>, []],
  ])('%s needs no more than a third run, whatever else is on its way', (_what, more, expected) => {
    expect(triedAt(kubelet({ ...more, isBusy: true }, { ...more, isBusy: true }))).toEqual(expected);
  });
});

test.each([
  [39_000, true],
  [41_000, false],
])('with %i ms left, the next restart after 40 s comes too late: %s', (leftMs, isTooLate) => {
  let nowMs = 0;
  const loops = new CrashLoops(60_000, () => nowMs);
  loops.isTried('p app', end(3), false);
  expect(loops.isTooLate('p app', end(3), leftMs)).toBe(isTooLate);
  nowMs = 30_000;
  loops.isTried('p app', end(3), false);
  expect(loops.isTooLate('p app', end(3), leftMs - 30_000)).toBe(isTooLate);
});
