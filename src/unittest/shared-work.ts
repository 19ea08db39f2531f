import type { ChartCoverage } from './coverage.ts';
import type { FoundCharts } from './found-charts.ts';
import type { KubeVersionNumbers } from './render.ts';
import type { SuiteResult } from './results.ts';
import type { SuiteOptions, SuiteRunner } from './suite-runner.ts';

/** Suites that must run one after the other, since they share a file of snapshots. */
export interface Unit {
  /** Numbers of the chart in the run, and of the suites in the chart. */
  readonly chart: number;
  readonly suites: readonly number[];
  /** What holds where they begin. */
  readonly kubeVersion: KubeVersionNumbers;
}

export interface UnitResult {
  readonly unit: number;
  /** Of each suite. */
  readonly results: readonly (readonly SuiteResult[])[];
  /** Of all suites of the chart that this thread has run. */
  readonly coverage: ChartCoverage | undefined;
}

/** What a thread begins with. */
export interface ThreadData {
  readonly charts: readonly string[];
  readonly options: ThreadOptions;
  readonly units: readonly Unit[];
  /** The number of the next unit, in memory that all threads share. */
  readonly next: Int32Array;
}

export type ThreadOptions = Omit<SuiteOptions, 'now' | 'downloadSchema'> & { readonly withCoverage: boolean };

export type FromThread =
  | ({ readonly kind: 'done' } & UnitResult)
  | { readonly kind: 'schema'; readonly id: number; readonly url: string };

/** The answer to `schema`. */
export type ToThread = { readonly id: number } & ({ readonly schema: Uint8Array } | { readonly error: string });

export interface ThreadTools {
  readonly found: FoundCharts;
  readonly runner: SuiteRunner;
  readonly withCoverage: boolean;
}

/** The number of the next unit, which from now on is the caller's; undefined where none is left. */
export function takeUnit({ next, units }: Pick<ThreadData, 'next' | 'units'>): number | undefined {
  const unit = Atomics.add(next, 0, 1);
  return unit < units.length ? unit : undefined;
}

export async function runUnit(
  unit: number,
  { chart: index, suites, kubeVersion }: Unit,
  { found, runner, withCoverage }: ThreadTools,
): Promise<UnitResult> {
  const { found: tested } = await found.at(index);
  if ('error' in tested) throw tested.error;
  const { chart } = tested;
  const coverage = withCoverage ? runner.renderer.coverageOf(chart) : undefined;
  runner.renderer.kubeVersion = kubeVersion;
  const results: SuiteResult[][] = [];
  for (const number of suites) {
    const suite = tested.suites[number];
    if (suite === undefined) throw new Error(`internal: ${tested.chart.origin} has no suite ${number}`);
    results.push(await runner.run(suite, chart));
  }
  return { unit, results, coverage: coverage?.result() };
}
