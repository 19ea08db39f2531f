import { TshelmError } from '../support/errors.ts';
import type { Program, StackWorld } from './world.ts';

/** Brings what a URL names onto this machine, and gives the path of the file or the folder. */
export type FetchRemote = (url: string) => Promise<string>;

/** A file that reading cannot go on without. */
class NotHere extends Error {
  readonly url: string;

  constructor(url: string) {
    super(`internal: ${url} is not fetched`);
    this.url = url;
  }
}

/**
 * Files of a stack that are not on this machine. State files are read without waiting, and what they name is known only
 * when they are read: where a file is missing it is fetched, and reading begins anew. What it did before is not done again.
 */
export class RemoteFiles {
  readonly #fetch: FetchRemote;
  readonly #paths = new Map<string, string | TshelmError>();

  constructor(fetch: FetchRemote) {
    this.#fetch = fetch;
  }

  /** Where the file of a URL is. Throws why it could not be fetched, and what `read` catches where nobody has tried to. */
  pathOf(url: string): string {
    const path = this.#paths.get(url);
    if (path === undefined) throw new NotHere(url);
    if (path instanceof TshelmError) throw path;
    return path;
  }

  async fetch(url: string): Promise<void> {
    if (this.#paths.has(url)) return;
    const path = await this.#fetch(url).catch((error: unknown) => {
      // Who names the file says where.
      if (error instanceof TshelmError) return error;
      throw error;
    });
    this.#paths.set(url, path);
  }

  /** Runs what reads, with a machine that runs each program and says each warning once, until nothing is missing. */
  async read<T>(world: StackWorld, work: (world: StackWorld) => T): Promise<T> {
    const done: Done = { outputs: [], warnings: 0 };
    for (;;) {
      try {
        return work(continued(world, done));
      } catch (error) {
        if (!(error instanceof NotHere)) throw error;
        await this.fetch(error.url);
      }
    }
  }
}

/** What earlier attempts did. */
interface Done {
  readonly outputs: { readonly program: string; readonly output: string }[];
  warnings: number;
}

/** The machine for the next attempt: files say the same again, so programs are run in the same order. */
function continued(world: StackWorld, done: Done): StackWorld {
  let runs = 0;
  let warnings = 0;
  return {
    ...world,
    run(program: Program) {
      const text = JSON.stringify(program);
      const at = runs++;
      if (done.outputs[at]?.program !== text) done.outputs[at] = { program: text, output: world.run(program) };
      return done.outputs[at].output;
    },
    warn(text) {
      warnings += 1;
      if (warnings <= done.warnings) return;
      done.warnings = warnings;
      world.warn(text);
    },
  };
}
