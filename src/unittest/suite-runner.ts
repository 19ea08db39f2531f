import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, posix, resolve } from 'node:path';
import type { Chart } from '../chart/types.ts';
import { encodeText } from '../go/text.ts';
import type { GoMap } from '../go/value.ts';
import { Snapshots } from './documents/snapshot.ts';
import type { SearchOptions } from './found-charts.ts';
import { type KubeVersionNumbers, TestRenderer, type TestRenderOptions } from './render.ts';
import type { SuiteResult } from './results.ts';
import { runSuite } from './run-suite.ts';
import { snapshotFileOf } from './suite/read.ts';
import type { Suite, TestJob } from './suite/types.ts';
import { readValuesFile, userValues } from './values.ts';

export interface SuiteOptions extends TestRenderOptions, SearchOptions {
  readonly failFast: boolean;
  readonly updatesSnapshots: boolean;
  /** Whether failures tell the lines of the templates. */
  readonly withPlaces: boolean;
  /** A folder for everything that was rendered; undefined for none. */
  readonly renderedTo?: string | undefined;
  readonly now: () => number;
}

const noSnapshots = { total: 0, failed: 0, created: 0, vanished: 0 };

export const brokenSuite = (file: string, error: Error): SuiteResult => ({
  name: '',
  file,
  isPassed: false,
  isSkipped: false,
  error: error.message,
  tests: [],
  snapshots: noSnapshots,
});

/** Runs suites, one after the other. */
export class SuiteRunner {
  readonly renderer: TestRenderer;
  private readonly options: SuiteOptions;
  private readonly valuesFiles = new Map<string, GoMap>();

  constructor(options: SuiteOptions) {
    this.options = options;
    this.renderer = new TestRenderer(options);
  }

  /** How it went; two results where the snapshots of a suite that ran cannot be written. */
  async run(suite: Suite, chart: Chart): Promise<SuiteResult[]> {
    const { options, renderer } = this;
    const results: SuiteResult[] = [];
    try {
      const snapshots = this.snapshotsOf(suite);
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
      results.push(result);
      snapshots.store();
    } catch (error) {
      results.push(brokenSuite(suite.file, error as Error));
    }
    return results;
  }

  /** The Kubernetes version that holds behind a suite which begins with the given one, without running it. */
  async versionBehind(suite: Suite, chart: Chart, before: KubeVersionNumbers): Promise<KubeVersionNumbers> {
    let [major, minor] = ['', ''];
    for (const test of suite.tests.toReversed()) {
      const { majorVersion, minorVersion } = test.capabilities;
      const isNews = (major === '' && majorVersion !== '') || (minor === '' && minorVersion !== '');
      if (!isNews || !(await this.reachesRender(test, suite, chart))) continue;
      major ||= majorVersion;
      minor ||= minorVersion;
    }
    return { major: major || before.major, minor: minor || before.minor };
  }

  private async reachesRender(test: TestJob, suite: Suite, chart: Chart): Promise<boolean> {
    if (test.skipReason !== '') return false;
    try {
      this.snapshotsOf(suite);
      const values = userValues(test, suite, (path) => this.values(path));
      return await this.renderer.reachesRender(test, { chart, values });
    } catch {
      return false;
    }
  }

  private snapshotsOf(suite: Suite): Snapshots {
    return new Snapshots(this.absolute(snapshotFileOf(suite)), this.options.updatesSnapshots);
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
