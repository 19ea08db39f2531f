import type { ExecutionEvent } from '../../../execute/events.ts';
import { clipped } from '../../terminal/fit.ts';
import type { Output } from '../../terminal/io.ts';
import { LiveLines } from '../live.ts';
import type { Outcome } from '../reporter.ts';
import { type Style, stillStyle } from '../style.ts';
import { isScrolling } from '../tty.ts';
import { plainLine } from '../words.ts';
import type { StackDisplay } from './display.ts';
import type { ReleaseState, StackModel } from './model.ts';
import { slowReleaseLines } from './path.ts';
import { headText, stackTreeLines } from './tree.ts';

/** Room that stays for the end of the run: the prompt, the critical path's first lines. */
const keptRows = 4;

/** The releases as a tree that changes in place; what failed of one is told as soon as that is known. */
export class StackTty implements StackDisplay {
  readonly #nowMs: () => number;
  readonly #style: Style;
  readonly #live: LiveLines;

  constructor(output: Output, nowMs: () => number, style: Style) {
    this.#nowMs = nowMs;
    this.#style = style;
    this.#live = new LiveLines(output);
  }

  begin(model: StackModel): void {
    this.#live.begin((size) => stackTreeLines(model, size, this.#nowMs(), this.#style));
  }

  show(event: ExecutionEvent, { id, namespace }: ReleaseState): void {
    const line = isScrolling(event) ? plainLine(event, namespace) : undefined;
    if (line !== undefined) this.tell(`${id}: ${line}\n`);
  }

  tell(text: string): void {
    this.#live.tell(text);
  }

  end(model: StackModel, outcome: Outcome): boolean {
    const { columns } = this.#live.size;
    const path = slowReleaseLines(model).map((line) => clipped(line, columns, this.#style.marks.ellipsis));
    this.#live.end([...this.#lastLines(model, outcome), ...path].map((line) => `${line}\n`).join(''));
    return false;
  }

  close(): void {
    this.#live.end('');
  }

  /** The tree where all of it has room, else the line on the whole. */
  #lastLines(model: StackModel, { kind }: Outcome): readonly string[] {
    const { columns, rows } = this.#live.size;
    const { marks, paint } = this.#style;
    const mark = kind === 'succeeded' ? paint.good(marks.done) : paint.bad(marks.failed);
    const endedMs = model.endedMs ?? this.#nowMs();
    const head = clipped(`${mark} ${headText(model, endedMs, this.#style)}`, columns, marks.ellipsis);
    const room = rows - keptRows;
    if (model.releases.length >= room) return [head];
    return [head, ...stackTreeLines(model, { columns, rows: room }, endedMs, stillStyle(this.#style)).slice(1)];
  }
}
