import { type EndingSignal, onSignals } from './signals.ts';

/** The end of a command from outside: SIGINT, SIGTERM or SIGHUP. It listens from the first use of its signal on. */
export class Interruption {
  readonly #tell: (text: string) => void;
  #controller: AbortController | undefined;
  #stopListening: (() => void) | undefined;
  #exitCode: number | undefined;
  #mayUndo = false;
  #mayChange = false;

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  /** Aborted by the first signal; the second ends the process at once. */
  get signal(): AbortSignal {
    this.#controller ??= this.#listen();
    return this.#controller.signal;
  }

  /** What the run may do from now on, since an interruption tells of it. */
  expect({ undoes, changes }: { readonly undoes: boolean; readonly changes: boolean }): void {
    this.#mayUndo ||= undoes;
    this.#mayChange ||= changes;
  }

  /** What the process ends with; undefined as long as no signal came. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  close(): void {
    this.#stopListening?.();
  }

  #listen(): AbortController {
    const controller = new AbortController();
    this.#stopListening = onSignals({
      interrupt: (signal, exitCode) => this.#interrupt(controller, signal, exitCode),
      isUndoing: () => this.#mayUndo,
      tooLate: () =>
        this.#tell(`Error: interrupted, but the cluster does not answer${this.#mayChange ? leftText : ''}\n`),
    });
    return controller;
  }

  #interrupt(controller: AbortController, signal: EndingSignal, exitCode: number): void {
    this.#exitCode = exitCode;
    controller.abort(new DOMException(`interrupted by ${signal}`, 'AbortError'));
    if (this.#mayUndo) this.#tell(`interrupted by ${signal}: ${undoneText}\n`);
  }
}

const undoneText = 'first undoing what this run has changed; a second signal ends the process at once';
const leftText = ': what was started is left as it is, and the next tshelm command for this release takes over';
