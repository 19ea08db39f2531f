import type { ExecutionEvent } from '../../execute/events.ts';
import type { Output } from '../terminal/io.ts';
import type { BuildMarks } from './build-marks.ts';
import type { Display } from './display.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';
import { objectLabel } from './rows.ts';
import { WaitingLines } from './waiting.ts';
import { PlainLines, seconds } from './words.ts';

const heartbeatMs = 30_000;

export interface PlainOptions {
  readonly marks?: BuildMarks | undefined;
  /** The release of several that the lines are of, each of which names it; and when the run over all began. */
  readonly of?: { readonly name: string; readonly startedMs: number } | undefined;
}

/** One line for each change, for pipes and build logs; every 30 seconds one that tells what is waited for. */
export class PlainDisplay implements Display {
  readonly #output: Output;
  readonly #nowMs: () => number;
  readonly #marks: BuildMarks | undefined;
  readonly #of: PlainOptions['of'];
  #last = new Map<string, string>();
  /** Of each object, what was said of why it is waited for. */
  #waits = new Set<string>();
  #lines = new PlainLines();
  #waiting = new WaitingLines();
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(output: Output, nowMs: () => number, { marks, of }: PlainOptions = {}) {
    this.#output = output;
    this.#nowMs = nowMs;
    this.#marks = marks;
    this.#of = of;
  }

  begin(model: RunModel): void {
    this.#last = new Map();
    this.#waits = new Set();
    this.#lines = new PlainLines();
    this.#waiting = new WaitingLines();
    this.#heartbeat = setInterval(() => this.#beat(model), heartbeatMs);
    this.#heartbeat.unref();
  }

  show(event: ExecutionEvent, model: RunModel | undefined): void {
    const text = this.#lines.of(event, model?.namespace ?? '');
    if (text === undefined || this.#wasSaid(event, text, model)) return;
    // Releases that go on side by side cannot be folded away.
    if (event.kind === 'step-started' && this.#of === undefined)
      this.#mark(this.#marks?.openGroup(text, this.#nowMs()));
    const line = this.#timed(text, model);
    const marked = event.kind === 'log' ? this.#marks?.foreign(line) : undefined;
    if (marked === undefined) this.#write(line);
    else this.#mark(marked);
  }

  tell(text: string): void {
    this.#write(text);
  }

  end(model: RunModel, outcome: Outcome): boolean {
    clearInterval(this.#heartbeat);
    if (this.#of !== undefined) {
      this.#mark(this.#marks?.failures(model, outcome));
      return false;
    }
    this.#mark(this.#marks?.closeGroup(this.#nowMs()));
    this.#mark(this.#marks?.failures(model, outcome));
    this.#mark(this.#marks?.end());
    return false;
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.#mark(this.#marks?.close());
  }

  #beat(model: RunModel): void {
    const text = this.#waiting.next(model, this.#nowMs());
    if (text !== undefined) this.#write(this.#timed(text, model));
  }

  /**
   * The same news of an object, twice in a row, are told once; a change of its counts alone is in its reason. Why it is
   * waited for is told once, however often that comes and goes.
   */
  #wasSaid(event: ExecutionEvent, text: string, model: RunModel | undefined): boolean {
    if (event.kind !== 'resource' && event.kind !== 'hook') return false;
    const key = objectLabel(event.id, model?.namespace ?? '');
    const wasSaid = this.#last.get(key) === text || (event.state === 'waiting' && this.#waits.has(text));
    this.#last.set(key, text);
    if (event.state === 'waiting') this.#waits.add(text);
    return wasSaid;
  }

  #timed(text: string, model: RunModel | undefined): string {
    const now = this.#nowMs();
    const time = seconds(now - (this.#of?.startedMs ?? model?.startedMs ?? now)).padStart(7);
    return `${time}  ${this.#of === undefined ? '' : `${this.#of.name}: `}${text}\n`;
  }

  #write(text: string): void {
    if (text !== '') this.#output.write(text);
  }

  #mark(text: string | undefined): void {
    if (text !== undefined && text !== '') this.#output.write(text, 'control');
  }
}
