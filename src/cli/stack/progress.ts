import { messageOf } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';

/** Tells how the releases of a stack go, a line for each that has ended. */
export class StackProgress {
  #ended = 0;
  readonly #total: number;
  readonly #context: CliContext;

  constructor(total: number, context: CliContext) {
    this.#total = total;
    this.#context = context;
  }

  async follow(id: string, work: () => Promise<string>): Promise<string> {
    const { io } = this.#context;
    const startedAt = io.now().getTime();
    try {
      const done = await work();
      this.#line(id, done, io.now().getTime() - startedAt);
      return done;
    } catch (error) {
      this.#line(id, `failed: ${messageOf(error).split('\n')[0]}`, io.now().getTime() - startedAt);
      throw error;
    }
  }

  tell = (text: string): void => {
    const { io, secrets } = this.#context;
    io.stderr.write(secrets.redact(`${text.replace(/\n$/, '')}\n`));
  };

  #line(id: string, text: string, elapsedMs: number): void {
    this.#ended += 1;
    this.tell(`[${this.#ended}/${this.#total}] ${id}: ${text} (${(elapsedMs / 1000).toFixed(1)} s)`);
  }
}
