import { type FSWatcher, watch } from 'node:fs';
import { withPathErrors } from '../../../go/path-error.ts';

/** An editor writes a file in several steps. */
const settleMs = 100;

/** Says when something below charts has changed since it was asked last; snapshots that the tests write do not count. */
export class Changes {
  readonly #folders: readonly WatchedFolder[];
  #hasChanged = false;
  #settling: NodeJS.Timeout | undefined;
  #tell: (() => void) | undefined;

  /** Throws GoError for a path that cannot be watched. */
  constructor(paths: readonly string[]) {
    this.#folders = paths.map((path) => new WatchedFolder(path, (file) => this.#note(file)));
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
    for (const folder of this.#folders) folder.close();
  }

  #note(file: string | null): void {
    if (file?.includes('__snapshot__')) return;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      for (const folder of this.#folders) folder.lookAgain();
      this.#hasChanged = true;
      this.#tell?.();
    }, settleMs);
  }
}

const returnCheckMs = 500;

/**
 * A folder that may be removed, moved, and made again under the same path. Node's watcher then falls silent, or watches what
 * is no longer there, and nothing would keep the process running.
 */
class WatchedFolder {
  readonly #path: string;
  readonly #note: (file: string | null) => void;
  #watcher: FSWatcher;
  #waitingForReturn: NodeJS.Timeout | undefined;

  /** Throws GoError for a path that cannot be watched. */
  constructor(path: string, note: (file: string | null) => void) {
    this.#path = path;
    this.#note = note;
    this.#watcher = this.#watch();
  }

  /** Watches what has this path now, or as soon as there is something. */
  lookAgain(): void {
    this.#watcher.close();
    if (this.#isWatchedAgain()) return;
    this.#waitingForReturn ??= setInterval(() => {
      if (this.#isWatchedAgain()) this.#note(null);
    }, returnCheckMs);
  }

  close(): void {
    clearInterval(this.#waitingForReturn);
    this.#waitingForReturn = undefined;
    this.#watcher.close();
  }

  #isWatchedAgain(): boolean {
    try {
      this.#watcher = this.#watch();
    } catch {
      return false;
    }
    clearInterval(this.#waitingForReturn);
    this.#waitingForReturn = undefined;
    return true;
  }

  #watch(): FSWatcher {
    const note = (_event: unknown, file: string | null): void => this.#note(file);
    const watcher = withPathErrors('watch', this.#path, () => watch(this.#path, { recursive: true }, note));
    return watcher.on('error', () => this.#note(null));
  }
}
