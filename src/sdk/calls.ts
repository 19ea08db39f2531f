import { whenAborted } from '../support/abort.ts';
import { hasCode, TshelmError } from '../support/errors.ts';

/** The calls of one `Tshelm` that are under way: each ends with its own signal, and all of them with `close()`. */
export class Calls {
  readonly #closed = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /**
   * Runs a call that may change something: its end is waited for. Errors: those of the work; the reason of the signal where
   * that ended it; `closed`.
   */
  async run<T>(own: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.refuseClosed();
    own?.throwIfAborted();
    const ended = new AbortController();
    // Not AbortSignal.any: on Node 20, one of a timeout may never fire.
    const sources = own === undefined ? [this.#closed.signal] : [own, this.#closed.signal];
    const stopListening = sources.map((source) => whenAborted(source, () => ended.abort(source.reason)));
    const running = work(ended.signal);
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw ended.signal.aborted && isEndedBy(ended.signal.reason, error) ? ended.signal.reason : error;
    } finally {
      this.#running.delete(running);
      for (const one of stopListening) one();
    }
  }

  /** Errors: `closed`. */
  refuseClosed(): void {
    this.#closed.signal.throwIfAborted();
  }

  /** Ends the calls that run, and resolves when they have ended. */
  async close(): Promise<void> {
    if (!this.#closed.signal.aborted) this.#closed.abort(closed());
    await Promise.allSettled(this.#running);
  }
}

const closed = (): TshelmError =>
  new TshelmError('closed', { message: 'this Tshelm instance is closed and its calls have ended; create a new one' });

/** What changes nothing is given up at once when it is to end. */
export function endedBy<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopListening = whenAborted(signal, () => reject(signal.reason as Error));
    void work.then(resolve, reject).finally(stopListening);
  });
}

/** Whether a failure is what became of an interruption, undone as it was asked for; a failure to undo it is another. */
function isEndedBy(reason: unknown, failure: unknown): boolean {
  if (hasCode(failure, 'install-rolled-back', 'upgrade-rolled-back')) return true;
  let cause = failure;
  while (cause !== reason && cause instanceof Error) cause = cause.cause;
  return cause === reason;
}
