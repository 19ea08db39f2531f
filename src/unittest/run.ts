import type { ChartCoverage } from './coverage.ts';
import { Crew, type CrewOptions } from './crew.ts';
import { type FoundChart, FoundCharts } from './found-charts.ts';
import type { SuiteResult } from './results.ts';
import { brokenSuite, SuiteRunner } from './suite-runner.ts';

/** Hears how the suites of charts go, in their order. */
export interface UnittestListener {
  chartBegins(name: string, path: string): void;
  /** A chart whose suites cannot run. */
  chartFails(path: string, error: Error): void;
  /** With what its tests covered, where that is wanted. */
  chartEnds(path: string, isPassed: boolean, coverage: ChartCoverage | undefined): void;
  suiteEnds(result: SuiteResult): void;
}

/** Runs the suites of charts; true where all pass. Follows helm-unittest's TestRunner.RunV3. */
export async function runUnittests(
  charts: readonly string[],
  options: CrewOptions,
  listener: UnittestListener,
): Promise<boolean> {
  const found = new FoundCharts(charts, options);
  const crew = new Crew(charts, options, { found, runner: new SuiteRunner(options) });
  let isPassed = true;
  for (const index of charts.keys()) {
    const outcome = await runChart(index, await found.at(index), { crew, options, listener });
    isPassed &&= outcome === 'passed';
    if (outcome === 'broken' && options.failFast) break;
  }
  return isPassed;
}

interface Run {
  readonly crew: Crew;
  readonly options: CrewOptions;
  readonly listener: UnittestListener;
}

async function runChart(
  index: number,
  { path, broken, found }: FoundChart,
  { crew, options, listener }: Run,
): Promise<'passed' | 'failed' | 'broken'> {
  for (const { file, error } of broken) listener.suiteEnds(brokenSuite(file, error));
  if ('error' in found) {
    listener.chartFails(path, found.error);
    return 'broken';
  }
  listener.chartBegins(found.chart.metadata.name, path);
  let isPassed = true;
  for (const suite of found.suites.keys()) {
    for (const result of await crew.results({ chart: index, suite })) {
      listener.suiteEnds(result);
      isPassed &&= result.isPassed;
    }
    if (!isPassed && options.failFast) break;
  }
  listener.chartEnds(path, isPassed, options.withCoverage ? crew.coverageOf(index, found.chart) : undefined);
  return isPassed ? 'passed' : 'failed';
}
