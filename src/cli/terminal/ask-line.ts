import { linesOf } from '../../support/text.ts';
import type { Io } from './io.ts';

/** Asks for lines: at the terminal, or of standard input where that is none. */
export class Asking {
  readonly #io: Io;
  #piped: string[] | undefined;

  constructor(io: Io) {
    this.#io = io;
  }

  /** What is typed; not shown where it `isHidden`. Without an answer, ''. */
  async ask(prompt: string, { isHidden = false } = {}): Promise<string> {
    this.#io.stdout.write(prompt);
    if (process.stdin.isTTY) {
      const line = await typedLine(isHidden);
      if (isHidden) this.#io.stdout.write('\n');
      return line;
    }
    this.#piped ??= linesOf(Buffer.from(await this.#io.readStdin()).toString('utf8'));
    return this.#piped.shift() ?? '';
  }
}

async function typedLine(isHidden: boolean): Promise<string> {
  const { createInterface } = await import('node:readline');
  const { Writable } = await import('node:stream');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: isHidden ? nowhere : process.stdout, terminal: true });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('SIGINT', () => {
      lines.close();
      process.kill(process.pid, 'SIGINT');
    });
    lines.once('close', () => resolve(''));
  });
}
