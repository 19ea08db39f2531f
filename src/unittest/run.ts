import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, posix, relative, resolve } from 'node:path';
import { loadChart } from '../chart/load.ts';
import type { Chart } from '../chart/types.ts';
import { slashes } from '../go/path.ts';
import { goPathError } from '../go/path-error.ts';
import { encodeText } from '../go/text.ts';
import type { GoMap } from '../go/value.ts';
import { hasCode } from '../support/errors.ts';
import type { ChartCoverage } from './coverage.ts';
import { Snapshots } from './documents/snapshot.ts';
import { TestRenderer, type TestRenderOptions } from './render.ts';
import type { SuiteResult } from './results.ts';
import { runSuite } from './run-suite.ts';
import { findSuites } from './suite/find.ts';
import { snapshotFileOf } from './suite/read.ts';
import type { Suite } from './suite/types.ts';
import { readValuesFile } from './values.ts';

/** Hears how the suites of charts go, in their order. */
export interface UnittestListener {
  chartBegins(name: string, path: string): void;
  /** A chart whose suites cannot run. */
  chartFails(path: string, error: Error): void;
  /** With what its tests covered, where that is wanted. */
  chartEnds(path: string, isPassed: boolean, coverage: ChartCoverage | undefined): void;
  suiteEnds(result: SuiteResult): void;
}

export interface UnittestOptions extends TestRenderOptions {
  /** The folder that paths are relative to. */
  readonly folder: string;
  readonly testFiles: readonly string[];
  readonly valuesFiles: readonly string[];
  readonly withSubcharts: boolean;
  readonly isStrict: boolean;
  readonly failFast: boolean;
  readonly updatesSnapshots: boolean;
  readonly withCoverage: boolean;
  /** Whether failures tell the lines of the templates. */
  readonly withPlaces: boolean;
  readonly chartTestsPath: string;
  /** A folder for everything that was rendered; undefined for none. */
  readonly renderedTo?: string | undefined;
  readonly now: () => number;
}

const noSnapshots = { total: 0, failed: 0, created: 0, vanished: 0 };

const brokenSuite = (file: string, error: Error): SuiteResult => ({
  name: '',
  file,
  isPassed: false,
  isSkipped: false,
  error: error.message,
  tests: [],
  snapshots: noSnapshots,
});

/** Runs the suites of charts; true where all pass. Follows helm-unittest's TestRunner.RunV3. */
export async function runUnittests(
  charts: readonly string[],
  options: UnittestOptions,
  listener: UnittestListener,
): Promise<boolean> {
  const run = new UnittestRun(options, listener);
  let isPassed = true;
  for (const path of charts) {
    const outcome = await run.chart(path);
    isPassed &&= outcome === 'passed';
    if (outcome === 'broken' && options.failFast) break;
  }
  return isPassed;
}

const failureOf = (path: string, error: unknown): Error =>
  hasCode(error, 'chart-not-found')
    ? goPathError('stat', path, Object.assign(new Error(), { code: 'ENOENT' }))
    : (error as Error);

class UnittestRun {
  private readonly options: UnittestOptions;
  private readonly listener: UnittestListener;
  private readonly renderer: TestRenderer;
  private readonly valuesFiles = new Map<string, GoMap>();

  constructor(options: UnittestOptions, listener: UnittestListener) {
    this.options = options;
    this.listener = listener;
    this.renderer = new TestRenderer(options);
  }

  async chart(path: string): Promise<'passed' | 'failed' | 'broken'> {
    const { listener } = this;
    let found: { readonly chart: Chart; readonly suites: readonly Suite[] };
    try {
      const chart = await loadChart(this.absolute(path));
      found = { chart, suites: await this.suitesOf(chart, path) };
    } catch (error) {
      listener.chartFails(path, failureOf(path, error));
      return 'broken';
    }
    listener.chartBegins(found.chart.metadata.name, path);
    const coverage = this.options.withCoverage ? this.renderer.beginCoverage(found.chart) : undefined;
    const isPassed = await this.suites(found.suites, found.chart);
    listener.chartEnds(path, isPassed, coverage?.result());
    return isPassed ? 'passed' : 'failed';
  }

  private suitesOf(chart: Chart, path: string): Promise<Suite[]> {
    const { listener, options } = this;
    return findSuites(chart, path, {
      ...options,
      absolute: (file) => this.absolute(file),
      relative: (file) => slashes(relative(options.folder, this.absolute(file))),
      onBroken: (file, error) => listener.suiteEnds(brokenSuite(file, error)),
    });
  }

  private async suites(suites: readonly Suite[], chart: Chart): Promise<boolean> {
    let isPassed = true;
    for (const suite of suites) {
      isPassed = (await this.suite(suite, chart)) && isPassed;
      if (!isPassed && this.options.failFast) break;
    }
    return isPassed;
  }

  private async suite(suite: Suite, chart: Chart): Promise<boolean> {
    const { options, listener, renderer } = this;
    const file = snapshotFileOf(suite);
    try {
      const snapshots = new Snapshots(this.absolute(file), options.updatesSnapshots);
      const result = await runSuite(suite, {
        chart,
        renderer,
        snapshots,
        failFast: options.failFast,
        withPlaces: options.withPlaces,
        readValues: (path) => this.values(path),
        now: options.now,
        onRendered: options.renderedTo === undefined ? undefined : (files) => this.writeRendered(files),
      });
      listener.suiteEnds(result);
      snapshots.store();
      return result.isPassed;
    } catch (error) {
      listener.suiteEnds(brokenSuite(suite.file, error as Error));
      return false;
    }
  }

  private values(path: string): GoMap {
    const known = this.valuesFiles.get(path);
    if (known !== undefined) return known;
    const values = readValuesFile(path, this.absolute(path));
    this.valuesFiles.set(path, values);
    return values;
  }

  private writeRendered(files: ReadonlyMap<string, string>): void {
    const { renderedTo = '' } = this.options;
    for (const [path, text] of files) {
      const target = this.absolute(posix.join(renderedTo, path));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, encodeText(text));
    }
  }

  private absolute(path: string): string {
    return resolve(this.options.folder, path);
  }
}
