import { relative, resolve } from 'node:path';
import { loadChart } from '../chart/load.ts';
import type { Chart } from '../chart/types.ts';
import { slashes } from '../go/path.ts';
import { goPathError } from '../go/path-error.ts';
import { hasCode } from '../support/errors.ts';
import { findSuites } from './suite/find.ts';
import type { Suite } from './suite/types.ts';

/** What is looked for in charts. */
export interface SearchOptions {
  /** The folder that paths are relative to. */
  readonly folder: string;
  readonly testFiles: readonly string[];
  readonly valuesFiles: readonly string[];
  readonly withSubcharts: boolean;
  readonly isStrict: boolean;
  readonly chartTestsPath: string;
}

/** A chart with the suites that were found for it. */
export interface FoundChart {
  readonly path: string;
  /** Suite files that cannot be read. */
  readonly broken: readonly { readonly file: string; readonly error: Error }[];
  readonly found: { readonly chart: Chart; readonly suites: readonly Suite[] } | { readonly error: Error };
}

/** The charts of a run, each loaded when it is first asked for. */
export class FoundCharts {
  private readonly known = new Map<number, Promise<FoundChart>>();
  private readonly paths: readonly string[];
  private readonly options: SearchOptions;

  constructor(paths: readonly string[], options: SearchOptions) {
    this.paths = paths;
    this.options = options;
  }

  at(index: number): Promise<FoundChart> {
    const known = this.known.get(index) ?? findChart(this.paths[index] ?? '', this.options);
    this.known.set(index, known);
    return known;
  }

  all(): Promise<FoundChart[]> {
    return Promise.all(this.paths.map((_, index) => this.at(index)));
  }
}

async function findChart(path: string, options: SearchOptions): Promise<FoundChart> {
  const absolute = (file: string): string => resolve(options.folder, file);
  const broken: { file: string; error: Error }[] = [];
  try {
    const chart = await loadChart(absolute(path));
    const suites = await findSuites(chart, path, {
      ...options,
      absolute,
      relative: (file) => slashes(relative(options.folder, absolute(file))),
      onBroken: (file, error) => broken.push({ file, error }),
    });
    return { path, broken, found: { chart, suites } };
  } catch (error) {
    return { path, broken, found: { error: failureOf(path, error) } };
  }
}

const failureOf = (path: string, error: unknown): Error =>
  hasCode(error, 'chart-not-found')
    ? goPathError('stat', path, Object.assign(new Error(), { code: 'ENOENT' }))
    : (error as Error);
