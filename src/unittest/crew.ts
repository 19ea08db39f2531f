import { realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Chart } from '../chart/types.ts';
import { type ChartCoverage, mergedCoverage } from './coverage.ts';
import type { FoundChart, FoundCharts } from './found-charts.ts';
import type { SuiteResult } from './results.ts';
import type { ThreadTools, Unit } from './shared-work.ts';
import { snapshotFileOf } from './suite/read.ts';
import type { Suite } from './suite/types.ts';
import type { SuiteOptions, SuiteRunner } from './suite-runner.ts';
import { type StartThread, Threads } from './threads.ts';

/** A suite by the numbers of its chart in the run and of the suite in the chart. */
export interface SuitePlace {
  readonly chart: number;
  readonly suite: number;
}

export interface CrewOptions extends SuiteOptions {
  readonly withCoverage: boolean;
  /** Starts a thread that runs suites beside this one; undefined where there are none. */
  readonly startThread?: StartThread | undefined;
}

/**
 * What a run takes alone before it looks whether threads are worth their start, and what must then be left for each of
 * them: until a thread has loaded and warmed up, it takes so long more for the same tests.
 */
const aloneMs = 300;
const worthMs = 700;

/**
 * Runs the suites of charts in their order. In a run that takes long, threads run later suites meanwhile. The results are
 * those of a run without threads: what a suite takes over from those before it, the Kubernetes version, is found out ahead;
 * suites that share more than that run alone.
 */
export class Crew {
  private readonly charts: readonly string[];
  private readonly options: CrewOptions;
  private readonly tools: ThreadTools;
  private readonly start: number;
  private isAlone: boolean;
  private testsRun = 0;
  private threads: Threads | undefined;

  constructor(
    charts: readonly string[],
    options: CrewOptions,
    { found, runner }: { readonly found: FoundCharts; readonly runner: SuiteRunner },
  ) {
    this.charts = charts;
    this.options = options;
    this.tools = { found, runner, withCoverage: options.withCoverage };
    this.start = options.now();
    const { startThread, failFast, renderedTo } = options;
    // What follows a failure does not run then, and of two suites that render a file the last one writes it.
    this.isAlone = startThread === undefined || failFast || renderedTo !== undefined || processors() < 2;
  }

  /** To be asked for one suite after the other. */
  async results(place: SuitePlace): Promise<readonly SuiteResult[]> {
    const { found } = await this.tools.found.at(place.chart);
    if ('error' in found) throw found.error;
    const suite = found.suites[place.suite];
    if (suite === undefined) throw new Error(`internal: no suite ${place.suite}`);
    if (!this.isAlone && this.threads === undefined) await this.lookForHelp(place);
    if (this.threads !== undefined) return this.threads.results(place);
    if (this.options.withCoverage) this.tools.runner.renderer.coverageOf(found.chart);
    const results = await this.tools.runner.run(suite, found.chart);
    this.testsRun += suite.tests.length;
    return results;
  }

  /** What the suites of a chart covered, once they have all been asked for. */
  coverageOf(index: number, chart: Chart): ChartCoverage {
    const own = this.tools.runner.renderer.coverageOf(chart).result();
    return mergedCoverage(own, this.threads?.coverageOf(index) ?? []);
  }

  private async lookForHelp(from: SuitePlace): Promise<void> {
    const { options, charts, tools } = this;
    const elapsed = options.now() - this.start;
    if (options.startThread === undefined || this.testsRun === 0 || elapsed < aloneMs) return;
    const left = suitesFrom(from, await tools.found.all());
    const count = left.reduce((sum, { suite }) => sum + suite.tests.length, 0);
    const leftMs = (elapsed / this.testsRun) * count;
    if (leftMs < worthMs) return;
    const groups = groupsOf(left, options.folder);
    this.isAlone = groups === undefined;
    if (groups === undefined) return;
    const units = await this.unitsOf(groups);
    const { now: _now, downloadSchema, startThread, ...plain } = options;
    const size = Math.min(processors(), units.length, 1 + Math.floor(leftMs / worthMs));
    const next = new Int32Array(new SharedArrayBuffer(4));
    this.threads = new Threads({ charts, options: plain, units, next }, { tools, downloadSchema, startThread, size });
  }

  /** With the Kubernetes version that each begins with. */
  private async unitsOf(groups: readonly (readonly PlacedSuite[])[]): Promise<Unit[]> {
    const { runner, withCoverage } = this.tools;
    let { kubeVersion } = runner.renderer;
    const units: Unit[] = [];
    for (const group of groups) {
      const [first] = group;
      if (first === undefined) continue;
      units.push({ chart: first.index, suites: group.map(({ number }) => number), kubeVersion });
      if (withCoverage) runner.renderer.coverageOf(first.chart);
      for (const { suite, chart } of group) kubeVersion = await runner.versionBehind(suite, chart, kubeVersion);
    }
    return units;
  }
}

const processors = (): number => Math.min(availableParallelism(), 8);

interface PlacedSuite {
  readonly suite: Suite;
  readonly chart: Chart;
  readonly index: number;
  readonly number: number;
}

const suitesFrom = (from: SuitePlace, charts: readonly FoundChart[]): PlacedSuite[] =>
  charts.flatMap(({ found }, index) =>
    'error' in found || index < from.chart
      ? []
      : found.suites
          .map((suite, number) => ({ suite, chart: found.chart, index, number }))
          .filter(({ number }) => index > from.chart || number >= from.suite),
  );

/**
 * The suites with those that share their snapshots; undefined where suites that are not neighbours do, or where tests run
 * programs, which may share anything.
 */
function groupsOf(suites: readonly PlacedSuite[], folder: string): PlacedSuite[][] | undefined {
  if (suites.some(({ suite }) => suite.tests.some(({ postRenderer }) => postRenderer !== undefined))) return undefined;
  const groups: PlacedSuite[][] = [];
  const seen = new Set<string>();
  let last = '';
  for (const placed of suites) {
    const file = realSnapshotFile(resolve(folder, placed.suite.file), placed.suite);
    const key = `${placed.index} ${file}`;
    if (key === last) groups.at(-1)?.push(placed);
    else if (seen.has(file)) return undefined;
    else groups.push([placed]);
    seen.add(file);
    last = key;
  }
  return groups;
}

/** One file may have several names, by links between charts. */
function realSnapshotFile(file: string, suite: Suite): string {
  const name = basename(snapshotFileOf(suite));
  try {
    return join(realpathSync(dirname(file)), name);
  } catch {
    return join(dirname(file), name);
  }
}
