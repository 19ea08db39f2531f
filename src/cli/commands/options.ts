import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { flagCommand } from '../flags/flag-command.ts';

export interface OptionsRequest {
  /** Any command of the program. */
  readonly command: Command;
}

/** `options`: what help leaves out of every command's list. */
export const command = (context: CliContext, run = runOptions): Command =>
  flagCommand('options', {}, { usage: '', words: { exactly: 0 } }, (_words, _flags, self) =>
    run({ command: self }, context),
  ).description('list the options that every command takes');

async function runOptions({ command }: OptionsRequest, context: CliContext): Promise<void> {
  const { writeGlobalOptions } = await import('../help/help.ts');
  writeGlobalOptions(command, context);
}
