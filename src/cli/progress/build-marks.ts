import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';

/** What a build service makes of lines in a log. Every text ends with a line break; '' is nothing. */
export interface BuildMarks {
  /** Begins a group of lines that can be folded away, after closing the one before. */
  openGroup(title: string, nowMs: number): string;
  closeGroup(nowMs: number): string;
  /** Lines that somebody else wrote: they must not be taken for commands. */
  foreign(lines: string): string;
  /** What failed of a run. */
  failures(model: RunModel, outcome: Outcome): string;
  /** After the run come the error's text and the chart's notes, which may quote anybody. */
  end(): string;
  close(): string;
}
