import type { ExecutionEvent } from '../../execute/events.ts';
import { countOf } from '../../execute/step-title.ts';
import type { Output } from '../io.ts';
import type { Display } from './display.ts';
import { clipped } from './fit.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';
import { columnsOf, rowsOf, Screen } from './screen.ts';
import type { Style } from './style.ts';
import { tailLines } from './tails.ts';
import { sums, treeLines } from './tree.ts';
import { plainLine, seconds } from './words.ts';

const redrawMs = 100;
/** Of the time that goes by, drawing takes a fiftieth at most: large trees are drawn less often. */
const restPerDrawing = 49;
/** On a busy machine a drawing may take long for reasons that have gone by. */
const maxRestMs = 1000;
const maxLinesLeft = 12;
const scrollingKinds: ReadonlySet<ExecutionEvent['kind']> = new Set(['log', 'warning', 'note']);

/** A tree that stands at the bottom of the terminal and changes in place; warnings, notes and logs scroll by above it. */
export class TtyDisplay implements Display {
  readonly followsLogs = true;
  readonly #output: Output;
  readonly #nowMs: () => number;
  readonly #style: Style;
  readonly #screen: Screen;
  #model: RunModel | undefined;
  #timer: NodeJS.Timeout | undefined;
  #restUntilMs = 0;

  constructor(output: Output, nowMs: () => number, style: Style) {
    this.#output = output;
    this.#nowMs = nowMs;
    this.#style = style;
    this.#screen = new Screen(output);
  }

  begin(model: RunModel): void {
    this.#model = model;
    this.#timer = setInterval(() => this.#redraw(), redrawMs);
    this.#timer.unref();
    process.on('SIGTSTP', this.#suspend);
    process.on('SIGCONT', this.#resume);
  }

  show(event: ExecutionEvent, model: RunModel | undefined): void {
    if (scrollingKinds.has(event.kind)) this.tell(`${plainLine(event, model?.namespace ?? '') ?? ''}\n`);
  }

  tell(text: string): void {
    if (this.#model === undefined) this.#output.write(text);
    else this.#draw(text);
  }

  end(model: RunModel, outcome: Outcome): boolean {
    this.#stop(this.#lastLines(model, outcome));
    return false;
  }

  close(): void {
    this.#stop('');
  }

  #stop(last: string): void {
    clearInterval(this.#timer);
    process.off('SIGTSTP', this.#suspend);
    process.off('SIGCONT', this.#resume);
    this.#model = undefined;
    this.#screen.close(last);
  }

  #redraw(): void {
    const startedMs = performance.now();
    if (startedMs < this.#restUntilMs) return;
    this.#draw();
    const endedMs = performance.now();
    this.#restUntilMs = endedMs + Math.min((endedMs - startedMs) * restPerDrawing, maxRestMs);
  }

  #draw(above = ''): void {
    const lines = this.#model === undefined ? [] : this.#lines(this.#model, rowsOf(this.#output));
    this.#screen.draw(lines, above);
  }

  /** The last column stays free: a terminal that writes into it may go on to the next row. */
  #lines(model: RunModel, rows: number): string[] {
    const columns = columnsOf(this.#output) - 1;
    const tails = tailLines(model, { columns, rows }, this.#style);
    return [...treeLines(model, { columns, rows: rows - tails.length }, this.#nowMs(), this.#style), ...tails];
  }

  /** What stays on the terminal: one line of a run that went well, the open part of the tree of one that did not. */
  #lastLines(model: RunModel, outcome: Outcome): string {
    const { marks, paint } = this.#style;
    const time = seconds((model.endedMs ?? this.#nowMs()) - model.startedMs);
    const title = `${model.action} ${model.release} in ${model.namespace}`;
    if (model.steps.length === 0) return '';
    if (outcome.kind === 'succeeded') {
      const line = `${paint.good(marks.done)} ${title}  ${paint.dim(`${time}  ${countOf(sums(model).done, 'object')}`)}`;
      return `${clipped(line, columnsOf(this.#output) - 1, marks.ellipsis)}\n`;
    }
    const still = { paint: { ...paint, busy: paint.bad }, marks: { ...marks, spinner: [marks.failed] } };
    const size = { columns: columnsOf(this.#output) - 1, rows: Math.min(maxLinesLeft, rowsOf(this.#output)) };
    const lines = treeLines(model, size, model.endedMs ?? this.#nowMs(), still);
    return lines.map((line) => `${line}\n`).join('');
  }

  /** Ctrl-Z: the shell gets a cursor; `fg` brings the tree back. */
  readonly #suspend = (): void => {
    this.#screen.leave();
    process.kill(process.pid, 'SIGSTOP');
  };

  readonly #resume = (): void => this.#draw();
}
