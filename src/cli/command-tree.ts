import type { Command } from 'commander';
import type { CliContext } from './context.ts';

/** A command as the list of commands shows it; its module is loaded only when it is the one that runs. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Lists of commands leave it out. */
  readonly hidden?: boolean;
  /**
   * Of a command that Helm has as a plugin: an installed plugin of that name runs instead, where tshelm is called `helm` or under
   * any name.
   */
  readonly yieldsToPlugin?: 'as helm' | 'always';
  readonly load: () => Promise<(context: CliContext) => Command>;
}

/** All commands of the program, for those that work on command lines themselves. */
export interface CommandTree {
  readonly entries: readonly CommandEntry[];
  /** The program with its global flags alone. */
  root(): Command;
  /** The innermost command that the words name, below the program, and how many of them name it; undefined for none. */
  find(words: readonly string[]): Promise<{ readonly command: Command; readonly depth: number } | undefined>;
}
