import type { ExecutionEvent } from '../../execute/events.ts';
import { countOf } from '../../execute/step-title.ts';
import { printableLine } from '../../support/printable.ts';
import { wrapForTerminal } from '../errors/error-text.ts';
import { clipped } from '../terminal/fit.ts';
import type { Output } from '../terminal/io.ts';
import type { Display } from './display.ts';
import { LiveLines } from './live.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';
import { type Style, stillStyle } from './style.ts';
import { tailLines } from './tails.ts';
import { type Size, sums, treeLines } from './tree.ts';
import { PlainLines, seconds } from './words.ts';

const maxLinesLeft = 12;
const scrollingKinds: ReadonlySet<ExecutionEvent['kind']> = new Set(['log', 'warning', 'note']);

/** Whether an event scrolls by above a live tree: a warning, a note or a log. */
export const isScrolling = ({ kind }: ExecutionEvent): boolean => scrollingKinds.has(kind);

/** A tree that stands at the bottom of the terminal and changes in place; warnings, notes and logs scroll by above it. */
export class TtyDisplay implements Display {
  readonly followsLogs = true;
  readonly #nowMs: () => number;
  readonly #style: Style;
  readonly #live: LiveLines;
  readonly #texts = new PlainLines();

  constructor(output: Output, nowMs: () => number, style: Style) {
    this.#nowMs = nowMs;
    this.#style = style;
    this.#live = new LiveLines(output);
  }

  begin(model: RunModel): void {
    this.#live.begin((size) => this.#lines(model, size));
  }

  show(event: ExecutionEvent, model: RunModel | undefined): void {
    const line = isScrolling(event) ? this.#texts.of(event, model?.namespace ?? '') : undefined;
    if (line === undefined) return;
    this.tell(`${event.kind === 'log' ? line : wrapForTerminal(line, this.#live.size.columns)}\n`);
  }

  tell(text: string): void {
    this.#live.tell(text);
  }

  end(model: RunModel, outcome: Outcome): boolean {
    this.#live.end(this.#lastLines(model, outcome));
    return false;
  }

  close(): void {
    this.#live.end('');
  }

  #lines(model: RunModel, { columns, rows }: Size): readonly string[] {
    const tails = tailLines(model, { columns, rows }, this.#style);
    return [...treeLines(model, { columns, rows: rows - tails.length }, this.#nowMs(), this.#style), ...tails];
  }

  /** What stays on the terminal: one line of a run that went well, the open part of the tree of one that did not. */
  #lastLines(model: RunModel, outcome: Outcome): string {
    const { marks, paint } = this.#style;
    const { columns, rows } = this.#live.size;
    const time = seconds((model.endedMs ?? this.#nowMs()) - model.startedMs);
    const title = printableLine(`${model.action} ${model.release} in ${model.namespace}`);
    if (model.steps.length === 0) return '';
    if (outcome.kind === 'succeeded') {
      const line = `${paint.good(marks.done)} ${title}  ${paint.dim(`${time}  ${countOf(sums(model).done, 'object')}`)}`;
      return `${clipped(line, columns, marks.ellipsis)}\n`;
    }
    const size = { columns, rows: Math.min(maxLinesLeft, rows), outcomeText: outcome.text.replace(/\s+/g, ' ') };
    const lines = treeLines(model, size, model.endedMs ?? this.#nowMs(), stillStyle(this.#style));
    // The error follows.
    return [...lines, ''].map((line) => `${line}\n`).join('');
  }
}
