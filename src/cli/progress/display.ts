import type { ExecutionEvent } from '../../execute/events.ts';
import { RunModel } from './model.ts';
import type { Outcome, Reporter, RunIntroduction } from './reporter.ts';
import type { ReleaseState, StackModel } from './stack/model.ts';

/**
 * One way of showing runs: on a terminal, as lines, as JSON; or a file that is written at the end. In a stack, the releases
 * have runs of their own, side by side, which `id` tells apart.
 */
export interface Display {
  readonly followsLogs?: boolean;
  beginStack?(stack: StackModel): void;
  begin?(model: RunModel): void;
  /** `model` has taken the event already; undefined before the first run and after the last. */
  show?(event: ExecutionEvent, model: RunModel | undefined): void;
  leaveOut?(release: ReleaseState): void;
  tell?(text: string): void;
  aside?(write: () => void): void;
  /** Tells whether the failure needs no further words. */
  end?(model: RunModel, outcome: Outcome): boolean;
  /** Tells the same of the failure of the whole. */
  endStack?(stack: StackModel, outcome: Outcome): boolean;
  /** Sends what others are told at the end, before anything is closed. */
  deliver?(): Promise<void>;
  close?(): void;
}

/**
 * A reporter that keeps the model of the run and hands everything to the displays. What ends the process at once (a
 * second signal) ends the run for them too: the cursor comes back, files are written.
 */
export class DisplayReporter implements Reporter {
  readonly #displays: readonly Display[];
  readonly #nowMs: () => number;
  #model: RunModel | undefined;
  #toldFailure: unknown;
  readonly #onExit = (): void => {
    this.finish({ kind: 'interrupted', failure: new Error(exitText), text: exitText });
    this.close();
  };

  constructor(displays: readonly Display[], nowMs: () => number) {
    this.#displays = displays;
    this.#nowMs = nowMs;
    process.once('exit', this.#onExit);
  }

  get followsLogs(): boolean {
    return this.#displays.some(({ followsLogs }) => followsLogs);
  }

  begin(run: RunIntroduction): void {
    this.finish();
    const model = new RunModel(run, this.#nowMs());
    this.#model = model;
    for (const display of this.#displays) display.begin?.(model);
  }

  readonly onEvent = (event: ExecutionEvent): void => {
    this.#model?.take(event, this.#nowMs());
    for (const display of this.#displays) display.show?.(event, this.#model);
  };

  tell(text: string): void {
    for (const display of this.#displays) display.tell?.(text);
  }

  aside(write: () => void): void {
    const drawing = this.#displays.find((display) => display.aside !== undefined);
    if (drawing?.aside === undefined) write();
    else drawing.aside(write);
  }

  finish(outcome: Outcome = { kind: 'succeeded' }): boolean {
    const model = this.#model;
    const failure = outcome.kind === 'succeeded' ? undefined : outcome.failure;
    if (model === undefined) return failure !== undefined && failure === this.#toldFailure;
    this.#model = undefined;
    model.end(this.#nowMs(), failure);
    const wasReported = this.#displays.map((display) => display.end?.(model, outcome) ?? false).includes(true);
    if (wasReported) this.#toldFailure = failure;
    return wasReported;
  }

  readonly deliver = (): Promise<void> => deliverAll(this.#displays);

  close(): void {
    process.off('exit', this.#onExit);
    for (const display of this.#displays) display.close?.();
  }
}

export async function deliverAll(displays: readonly Display[]): Promise<void> {
  for (const display of displays) await display.deliver?.();
}

const exitText = 'the process was terminated';
