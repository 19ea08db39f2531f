/** Ends work whose result nobody wants any more. */
class Superseded extends Error {}

type Work = (path: string, pause: () => Promise<void>) => Promise<void>;

interface Jobs {
  /** What is told of a file right after it has changed. */
  readonly quick: Work;
  /** What is told when nothing has changed for a while. */
  readonly full: Work;
  readonly failed: (error: unknown) => void;
}

/** Changes that come within this time are taken together. */
const quickDelayMs = 10;
const idleMs = 400;

/** Runs what follows a change: one job at a time, and none for a text that has changed again. */
export class Schedule {
  readonly #jobs: Jobs;
  /** Counts the changes. */
  #now = 0;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(jobs: Jobs) {
    this.#jobs = jobs;
  }

  /** A file has another text. */
  changed(path: string): void {
    this.#now += 1;
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start('quick'), quickDelayMs);
  }

  #start(kind: 'quick' | 'full'): void {
    const now = this.#now;
    const paths = [...this.#changed];
    this.#running = this.#running.then(() => this.#run(kind, paths, now));
    if (kind === 'full') return;
    this.#timer = setTimeout(() => this.#start('full'), idleMs);
  }

  async #run(kind: 'quick' | 'full', paths: readonly string[], now: number): Promise<void> {
    const pause = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#now !== now) throw new Superseded();
    };
    try {
      for (const path of paths) {
        await pause();
        await this.#jobs[kind](path, pause);
        if (kind === 'full') this.#changed.delete(path);
      }
    } catch (error) {
      if (!(error instanceof Superseded)) this.#jobs.failed(error);
    }
  }
}
