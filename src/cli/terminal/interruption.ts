import { type EndingSignal, onSignals } from './signals.ts';

/**
 * The end of a command from outside: SIGINT, SIGTERM or SIGHUP. A process that listens cannot be ended while it computes,
 * so only a command that leaves something unfinished listens. Any other is ended by the system, however busy it is.
 */
export class Interruption {
  readonly #tell: (text: string) => void;
  readonly #controller = new AbortController();
  #stopListening: (() => void) | undefined;
  #exitCode: number | undefined;
  #mayUndo = false;
  #mayChange = false;

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
    // The system ends no first process of a container that does not listen.
    if (process.pid === 1) this.listen();
  }

  /** Aborted by the first signal, as soon as `listen` was called. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From now on the first signal aborts, and the second ends the process at once. */
  listen(): void {
    this.#stopListening ??= onSignals({
      interrupt: (signal, exitCode) => this.#interrupt(signal, exitCode),
      isUndoing: () => this.#mayUndo,
      tooLate: () =>
        this.#tell(`Error: interrupted, but the cluster does not answer${this.#mayChange ? leftText : ''}\n`),
    });
  }

  /** What the run may do from now on, since an interruption tells of it. */
  allow({ undoes, changes }: { readonly undoes: boolean; readonly changes: boolean }): void {
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

  #interrupt(signal: EndingSignal, exitCode: number): void {
    this.#exitCode = exitCode;
    this.#controller.abort(new DOMException(`interrupted by ${signal}`, 'AbortError'));
    if (this.#mayUndo) this.#tell(`interrupted by ${signal}: ${undoneText}\n`);
  }
}

const undoneText = 'rolling back the changes of this run first; a second signal ends the process immediately';
const leftText = ': what was started is left as it is, and the next tshelm command for this release takes over';
