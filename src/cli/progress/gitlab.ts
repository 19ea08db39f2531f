import { isOfObject } from '../../problem/problem.ts';
import { printable } from '../../support/printable.ts';
import { factText } from '../../words/fact.ts';
import { labelOf } from '../../words/problem.ts';
import { knownProblems } from '../errors/problems-text.ts';
import type { BuildMarks } from './build-marks.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';

/** Sections of GitLab's job log. What others wrote has lost its control characters, without which it marks no section. */
export class GitlabMarks implements BuildMarks {
  #open: string | undefined;
  #count = 0;

  openGroup(title: string, nowMs: number): string {
    const before = this.closeGroup(nowMs);
    this.#count += 1;
    this.#open = `tshelm_${process.pid}_${this.#count}`;
    return `${before}\x1b[0Ksection_start:${unixTime(nowMs)}:${this.#open}\r\x1b[0K${printable(title)}\n`;
  }

  closeGroup(nowMs: number): string {
    const open = this.#open;
    this.#open = undefined;
    return open === undefined ? '' : `\x1b[0Ksection_end:${unixTime(nowMs)}:${open}\r\x1b[0K\n`;
  }

  foreign(lines: string): string {
    return lines;
  }

  /** GitLab has no annotations in the log: what failed is in red, outside the sections. */
  failures(model: RunModel, outcome: Outcome): string {
    if (outcome.kind === 'succeeded') return '';
    const faults = knownProblems(outcome.failure)
      .filter(isOfObject)
      .map((fault) => `${labelOf(fault)} failed: ${factText(fault.cause)}`);
    const failed = model.rows.filter(({ state }) => state === 'failed');
    const lines = faults.length > 0 ? faults : failed.map(({ label, reason }) => `${label} failed: ${reason}`);
    return lines.map((line) => `\x1b[31m${printable(line)}\x1b[0m\n`).join('');
  }

  end(): string {
    return '';
  }

  close(): string {
    return '';
  }
}

const unixTime = (ms: number): number => Math.trunc(ms / 1000);
