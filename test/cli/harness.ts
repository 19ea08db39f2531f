import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../src/cli/main.ts';
import type { Io } from '../../src/cli/terminal/io.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** The folder in which the command runs. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Called with each piece of standard error as it is written. */
  readonly onStderr?: (piece: string) => void;
  readonly onStdout?: (piece: string) => void;
  /** Makes standard error a terminal of this width. */
  readonly terminal?: number;
  /** The same of standard output. */
  readonly screen?: number;
}

/** Runs a command line in this process, as a user would, with nothing of the machine's environment. */
export async function tshelm(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const text = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    write: (piece: string) => {
      text[name] += piece;
      if (name === 'stderr') options.onStderr?.(piece);
      else options.onStdout?.(piece);
    },
    isTerminal: (name === 'stderr' ? options.terminal : options.screen) !== undefined,
    columns: name === 'stderr' ? options.terminal : options.screen,
    rows: options.terminal === undefined ? undefined : 24,
  });
  const io: Io = {
    env: { HOME: '/nonexistent', ...options.env },
    program: 'tshelm',
    cwd: options.cwd ?? process.cwd(),
    stdout: output('stdout'),
    stderr: output('stderr'),
    readStdin: async () => Buffer.from(options.stdin ?? ''),
    async *stdin() {
      yield Buffer.from(options.stdin ?? '');
    },
    now: () => new Date(),
  };
  return { code: await main(words, io), ...text };
}

/** A sandbox folder of its own, and commands that use it. */
export function openTestSandbox(): {
  run(...words: string[]): Promise<Ran>;
  runWith(options: RunOptions, ...words: string[]): Promise<Ran>;
  readonly directory: string;
  remove(): void;
} {
  const directory = mkdtempSync(join(tmpdir(), 'tshelm-cli-'));
  return {
    directory,
    run: (...words) => tshelm([...words, '--sandbox-dir', directory]),
    runWith: (options, ...words) => tshelm([...words, '--sandbox-dir', directory], options),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
