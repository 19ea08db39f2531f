import type { ExecutionEvent } from '../../execute/events.ts';
import { printableLine } from '../../support/printable.ts';
import { countOf } from '../../support/text.ts';
import { wrapForTerminal } from '../errors/error-text.ts';
import type { Echo } from '../terminal/echo.ts';
import { clipped } from '../terminal/fit.ts';
import type { Output } from '../terminal/io.ts';
import type { Display } from './display.ts';
import { LiveLines } from './live.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';
import type { StackModel } from './stack/model.ts';
import { slowReleaseLines } from './stack/path.ts';
import { headText, stackTreeLines } from './stack/tree.ts';
import { type Style, stillStyle } from './style.ts';
import { tailLines } from './tails.ts';
import { type Size, sums, treeLines } from './tree.ts';
import { isOfPodLog, PlainLines, type PodLogEvent, plainLine, podPrefix, seconds } from './words.ts';

const maxLinesLeft = 12;
/** Room that stays for the end of a stack: the prompt, the critical path's first lines. */
const keptRows = 4;
/** What scrolls by above the tree. */
const scrollingKinds: ReadonlySet<ExecutionEvent['kind']> = new Set(['log', 'log-line', 'log-gap', 'warning', 'note']);

/** A Service that is ready, and that no pod answers: of a run that goes well nothing else is left on the screen. */
const leadsNowhere = (event: ExecutionEvent): boolean =>
  event.kind === 'resource' && event.state === 'ready' && Boolean(event.reason);

/**
 * A tree at the bottom of the terminal and changes in place; warnings, notes and logs scroll by above it. The
 * tree of a stack has its releases.
 */
export class TtyDisplay implements Display {
  readonly followsLogs = true;
  readonly #nowMs: () => number;
  readonly #style: Style;
  readonly #live: LiveLines;
  readonly #texts = new PlainLines();
  #stack: StackModel | undefined;

  constructor(output: Output, nowMs: () => number, style: Style, echo?: Echo) {
    this.#nowMs = nowMs;
    this.#style = style;
    this.#live = new LiveLines(output, echo);
  }

  beginStack(stack: StackModel): void {
    this.#stack = stack;
    this.#live.begin((size) => stackTreeLines(stack, size, this.#nowMs(), this.#style));
  }

  begin(model: RunModel): void {
    if (this.#stack === undefined) this.#live.begin((size) => this.#lines(model, size));
  }

  show(event: ExecutionEvent, model: RunModel | undefined): void {
    if (!scrollingKinds.has(event.kind) && !leadsNowhere(event)) return;
    const namespace = model?.namespace ?? '';
    const line = this.#stack === undefined ? this.#texts.of(event, namespace) : plainLine(event, namespace);
    if (line === undefined) return;
    const named = model?.id === undefined ? '' : `${model.id}: `;
    if (isOfPodLog(event)) this.#live.tellPainted(`${named}${this.#painted(event, line)}\n`);
    else if (event.kind === 'log') this.tell(`${named}${line}\n`);
    else this.tell(`${wrapForTerminal(`${named}${line}`, this.#live.size.columns)}\n`);
  }

  /** Each pod has a colour. */
  #painted(event: PodLogEvent, line: string): string {
    const prefix = podPrefix(event);
    return this.#style.paint.pod(event.id.name, prefix) + line.slice(prefix.length);
  }

  tell(text: string): void {
    this.#live.tell(text);
  }

  aside(write: () => void): void {
    this.#live.aside(write);
  }

  end(model: RunModel, outcome: Outcome): boolean {
    if (this.#stack === undefined) this.#live.end(this.#lastLines(model, outcome));
    return false;
  }

  endStack(stack: StackModel, outcome: Outcome): boolean {
    const { columns } = this.#live.size;
    const path = slowReleaseLines(stack).map((line) => clipped(line, columns, this.#style.marks.ellipsis));
    this.#live.end([...this.#lastStackLines(stack, outcome), ...path].map((line) => `${line}\n`).join(''));
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

  /** The tree where all of it has room, else the line on the whole. */
  #lastStackLines(stack: StackModel, { kind }: Outcome): readonly string[] {
    const { columns, rows } = this.#live.size;
    const { marks, paint } = this.#style;
    const mark = kind === 'succeeded' ? paint.good(marks.done) : paint.bad(marks.failed);
    const endedMs = stack.endedMs ?? this.#nowMs();
    const head = clipped(`${mark} ${headText(stack, endedMs, this.#style)}`, columns, marks.ellipsis);
    const room = rows - keptRows;
    if (stack.releases.length >= room) return [head];
    return [head, ...stackTreeLines(stack, { columns, rows: room }, endedMs, stillStyle(this.#style)).slice(1)];
  }
}
