import type { CheckResult } from '../../actions/check.ts';
import type { Rehearsal } from '../../actions/rehearsal/rehearsal.ts';
import type { Document } from '../documents/documents.ts';
import type { DocumentSelector } from '../documents/selector.ts';
import type { SnapshotComparer } from '../documents/snapshot.ts';

/** What an assertion looks at: the documents of one template. */
export interface AssertionContext {
  /** All documents of the template. */
  readonly documents: readonly Document[];
  /** Those that the selector or the index chose. */
  readonly selected: readonly Document[];
  /** Whether the opposite is asserted: by `not`, by the name of the assertion, or by neither or both. */
  readonly isNegative: boolean;
  readonly snapshots: SnapshotComparer;
  /** What the render failed with, where that is not what a template printed. */
  readonly renderError: string | undefined;
  readonly failFast: boolean;
}

/** A document for which an assertion does not hold, and the path that it looks at; '' for the document itself. */
export interface Fault {
  readonly document: Document;
  readonly path: string;
}

/** Whether an assertion holds, and the lines that say why not. */
export interface Judgement {
  readonly isPassed: boolean;
  readonly lines: readonly string[];
  /** Undefined where no single document is at fault. */
  readonly faults?: readonly Fault[] | undefined;
}

export type Judge = (context: AssertionContext) => Judgement;

/** What a test may ask of the whole chart beyond what it prints. */
export interface Trials {
  /** What `tshelm check` finds, for the version of Kubernetes that the test names, or the newest one that is known. */
  check(): Promise<CheckResult>;
  /** How an install with `--wait=ordered` goes in simulated time. Fails where the chart does not render. */
  rehearsal(): Promise<Rehearsal>;
}

/** Judges the whole chart with the values of a test: what helm-unittest does not have. */
export type Trial = (trials: Trials, isNegative: boolean) => Promise<Judgement>;

/** An assertion of a test, as it was read. */
export interface Assertion {
  /** Its name in the suite: `equal`, `notMatchRegex`. */
  readonly type: string;
  readonly not: boolean;
  /** Whether the name stands for the opposite: `notEqual`. */
  readonly isAntonym: boolean;
  /** Whether the chart has to render; only `failedTemplate` needs the opposite. */
  readonly needsRender: boolean;
  /** '' for what the test or the suite names. */
  readonly template: string;
  /** undefined for all documents. */
  readonly documentIndex: number | undefined;
  readonly documentSelector: DocumentSelector | undefined;
  readonly judge: Judge;
  /** Of an assertion about the whole chart; `judge` has no say in it then. */
  readonly trial?: Trial | undefined;
}
