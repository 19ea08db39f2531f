import { watch } from 'node:fs';
import { withPathErrors } from '../../../go/path-error.ts';

/** An editor writes a file in several steps. */
const settleMs = 100;

/** Says when something below charts has changed since it was asked last; snapshots that the tests write do not count. */
export class Changes {
  readonly #watchers: readonly { close(): void }[];
  #hasChanged = false;
  #settling: NodeJS.Timeout | undefined;
  #tell: (() => void) | undefined;

  /** Throws GoError for a path that cannot be watched. */
  constructor(paths: readonly string[]) {
    this.#watchers = paths.map((path) =>
      withPathErrors('watch', path, () => watch(path, { recursive: true }, (_event, file) => this.#note(file))),
    );
  }

  /** Resolves once something has changed and then nothing for a moment, or at the end of the wait. */
  async next(signal: AbortSignal): Promise<void> {
    if (!this.#hasChanged && !signal.aborted)
      await new Promise<void>((resolve) => {
        this.#tell = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    this.#hasChanged = false;
  }

  close(): void {
    clearTimeout(this.#settling);
    for (const watcher of this.#watchers) watcher.close();
  }

  #note(file: string | null): void {
    if (file?.includes('__snapshot__')) return;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      this.#hasChanged = true;
      this.#tell?.();
    }, settleMs);
  }
}
