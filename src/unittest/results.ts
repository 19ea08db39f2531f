import type { TemplatePlace } from '../render/template-place.ts';
import type { SnapshotCounts } from './documents/snapshot.ts';

/** How one assertion of a test ended. */
export interface AssertionResult {
  /** Its place in the test, from 0. */
  readonly index: number;
  readonly type: string;
  readonly not: boolean;
  readonly isPassed: boolean;
  readonly skipReason: string | undefined;
  /** Why it does not hold, line by line. */
  readonly lines: readonly string[];
  /** The lines of templates that made what it does not hold for, as far as that can be told. */
  readonly places: readonly TemplatePlace[];
}

export interface TestResult {
  readonly name: string;
  readonly index: number;
  readonly isPassed: boolean;
  readonly isSkipped: boolean;
  /** What went wrong before or beside the assertions: the chart does not render, its output is no YAML. */
  readonly error: string | undefined;
  readonly assertions: readonly AssertionResult[];
  readonly milliseconds: number;
}

export interface SuiteResult {
  readonly name: string;
  /** Relative to the folder in which the command runs. */
  readonly file: string;
  readonly isPassed: boolean;
  readonly isSkipped: boolean;
  /** What kept the suite from running. */
  readonly error: string | undefined;
  readonly tests: readonly TestResult[];
  readonly snapshots: SnapshotCounts;
}

export interface ChartResult {
  /** '' where the chart could not be loaded. */
  readonly name: string;
  readonly path: string;
  readonly isPassed: boolean;
  /** What kept all suites of the chart from running. */
  readonly error: string | undefined;
  readonly suites: readonly SuiteResult[];
}
