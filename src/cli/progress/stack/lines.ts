import type { ExecutionEvent } from '../../../execute/events.ts';
import type { Output } from '../../terminal/io.ts';
import type { BuildMarks } from '../build-marks.ts';
import type { RunModel } from '../model.ts';
import { PlainDisplay } from '../plain.ts';
import type { Outcome } from '../reporter.ts';
import type { StackDisplay } from './display.ts';
import { outcomeText, type ReleaseState, type StackModel } from './model.ts';
import { slowReleaseLines } from './path.ts';

/** A line for each change of each release, which it names, and one for each release that is over. For pipes and build logs. */
export class StackLines implements StackDisplay {
  readonly #output: Output;
  readonly #nowMs: () => number;
  readonly #marks: BuildMarks | undefined;
  readonly #open = new Map<string, PlainDisplay>();
  #model: StackModel | undefined;
  #ended = 0;

  constructor(output: Output, nowMs: () => number, marks?: BuildMarks) {
    this.#output = output;
    this.#nowMs = nowMs;
    this.#marks = marks;
  }

  begin(model: StackModel): void {
    this.#model = model;
  }

  open(release: ReleaseState): void {
    const { id, run } = release;
    if (run === undefined) return;
    const display = new PlainDisplay(this.#output, this.#nowMs, {
      marks: this.#marks,
      of: { name: id, startedMs: this.#model?.startedMs ?? run.startedMs },
    });
    this.#open.set(id, display);
    display.begin(run);
  }

  show(event: ExecutionEvent, { id, run }: ReleaseState): void {
    this.#open.get(id)?.show(event, run);
  }

  endRelease(release: ReleaseState, run: RunModel, outcome: Outcome): void {
    const { id, isPutBack, startedMs = 0, endedMs = 0 } = release;
    this.#open.get(id)?.end(run, outcome);
    this.#open.delete(id);
    if (!isPutBack) this.#ended += 1;
    const count = isPutBack ? '' : `[${this.#ended}/${this.#model?.releases.length}] `;
    const outcomeLine = `${isPutBack || outcome.kind === 'succeeded' ? '' : 'failed: '}${outcomeText(release).split('\n')[0]}`;
    const took = ((endedMs - startedMs) / 1000).toFixed(1);
    this.tell(`${count}${id}: ${outcomeLine} (${took} s)\n`);
  }

  tell(text: string): void {
    this.#output.write(text);
  }

  end(model: StackModel): boolean {
    for (const line of slowReleaseLines(model)) this.tell(`${line}\n`);
    this.#output.write(this.#marks?.end() ?? '', 'control');
    return false;
  }

  close(): void {
    for (const display of this.#open.values()) display.close();
    this.#output.write(this.#marks?.close() ?? '', 'control');
  }
}
