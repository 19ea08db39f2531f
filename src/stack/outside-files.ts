import type { Program } from '../secrets/world.ts';
import { TshelmError } from '../support/errors.ts';
import type { StackWorld } from './world.ts';

/** What reading asks others for, who answer later. */
export interface Outside {
  /** Brings what a URL names onto this machine, and gives the path of the file or the folder. */
  readonly fetch: (url: string) => Promise<string>;
  /** A file in plain, where it is encrypted; else undefined. */
  readonly decrypt: (path: string, data: Uint8Array) => Promise<Uint8Array | undefined>;
}

/** What reading cannot go on without. */
class NotYet extends Error {
  readonly settle: () => Promise<void>;

  constructor(what: string, settle: () => Promise<void>) {
    super(`internal: not waited for: ${what}`);
    this.settle = settle;
  }
}

type Answer = { readonly found: unknown } | { readonly failure: TshelmError };

/**
 * Files of a stack that others bring or open. State files are read without waiting, and what they name is known only when
 * they are read: where something is missing it is waited for, and reading begins anew. What it did before is not done again.
 */
export class OutsideFiles {
  readonly #outside: Outside;
  readonly #answers = new Map<string, Answer>();

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /** Where the file of a URL is. Throws why it could not be fetched, and what `read` catches where nobody has tried to. */
  pathOf(url: string): string {
    return this.#answer(`fetch ${url}`, () => this.#outside.fetch(url));
  }

  /** A file in plain, where it is encrypted; else undefined. Throws as `pathOf` does. */
  plainOf(path: string, data: () => Uint8Array): Uint8Array | undefined {
    return this.#answer(`decrypt ${path}`, () => this.#outside.decrypt(path, data()));
  }

  /** Does the work, which does no more than read, until nothing is missing. */
  async ready(work: () => unknown): Promise<void> {
    for (;;) {
      try {
        work();
        return;
      } catch (error) {
        // Who works with it in earnest says what is wrong.
        if (!(error instanceof NotYet)) return;
        await error.settle();
      }
    }
  }

  /** Runs what reads, with a machine that runs each program and says each warning once, until nothing is missing. */
  async read<T>(world: StackWorld, work: (world: StackWorld) => T): Promise<T> {
    const done: Done = { outputs: [], warnings: 0 };
    for (;;) {
      try {
        return work(continued(world, done));
      } catch (error) {
        if (!(error instanceof NotYet)) throw error;
        await error.settle();
      }
    }
  }

  #answer<T>(what: string, ask: () => Promise<T>): T {
    const answer = this.#answers.get(what);
    if (answer === undefined) throw new NotYet(what, () => this.#settle(what, ask));
    if ('failure' in answer) throw answer.failure;
    return answer.found as T;
  }

  async #settle(what: string, ask: () => Promise<unknown>): Promise<void> {
    const answer = await ask().then(
      (found): Answer => ({ found }),
      (error: unknown): Answer => {
        // Who names the file says where.
        if (error instanceof TshelmError) return { failure: error };
        throw error;
      },
    );
    this.#answers.set(what, answer);
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
