import type { SuiteResult, TestResult } from '../results.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Of those that failed, the ones that could not run to the end. */
  readonly errored: number;
  readonly skipped: number;
}

export interface Totals {
  readonly charts: Counts;
  readonly suites: Counts;
  readonly tests: Counts;
  readonly snapshots: Counts;
  readonly suitesWithFailedSnapshots: number;
}

/** What charts come to; `isBroken` is one whose suites could not run. */
export interface ChartOutcome {
  readonly isPassed: boolean;
  readonly isBroken: boolean;
}

export const totalsOf = (charts: readonly ChartOutcome[], suites: readonly SuiteResult[]): Totals => {
  const failedSnapshots = sum(suites, ({ snapshots }) => snapshots.failed);
  return {
    charts: counted(charts, (chart) => ({ ...chart, isSkipped: false })),
    suites: counted(suites, (suite) => ({ ...suite, isBroken: suite.error !== undefined })),
    tests: counted(
      suites.flatMap(({ tests }) => tests),
      testState,
    ),
    snapshots: {
      passed: sum(suites, ({ snapshots }) => snapshots.total) - failedSnapshots,
      failed: failedSnapshots,
      errored: 0,
      skipped: 0,
    },
    suitesWithFailedSnapshots: suites.filter(({ isPassed, snapshots }) => !isPassed && snapshots.failed > 0).length,
  };
};

interface State extends ChartOutcome {
  readonly isSkipped: boolean;
}

/** A test that passes counts as passed although all of its assertions were left out. */
const testState = ({ isPassed, isSkipped, error }: TestResult): State => ({
  isPassed,
  isSkipped: isSkipped && !isPassed,
  isBroken: error !== undefined,
});

function counted<T>(items: readonly T[], stateOf: (item: T) => State): Counts {
  const states = items.map(stateOf);
  const failed = states.filter(({ isPassed, isSkipped }) => !isPassed && !isSkipped);
  return {
    passed: states.filter(({ isPassed, isSkipped }) => isPassed && !isSkipped).length,
    failed: failed.length,
    errored: failed.filter(({ isBroken }) => isBroken).length,
    skipped: states.filter(({ isSkipped }) => isSkipped).length,
  };
}

const sum = <T>(items: readonly T[], numberOf: (item: T) => number): number =>
  items.reduce((total, item) => total + numberOf(item), 0);
