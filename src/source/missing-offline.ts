import { hasCode, TshelmError } from '../support/errors.ts';

/** What --offline could not find, so that all of it is reported at once. */
export class MissingOffline {
  readonly #messages = new Set<string>();

  /** What the work gives; undefined where it needs something that is in no cache. */
  async collect<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (cause) {
      if (!this.add(cause)) throw cause;
      return undefined;
    }
  }

  /** Whether the failure is about something that is in no cache. */
  add(failure: unknown): boolean {
    if (!hasCode(failure, 'offline')) return false;
    this.#messages.add(failure.message);
    return true;
  }

  throwIfAny(): void {
    if (this.#messages.size > 0) throw new TshelmError('offline', { message: [...this.#messages].join('\n') });
  }
}
