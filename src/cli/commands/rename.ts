import { Command } from 'commander';
import { type RenameOptions, renameFlags } from '../../actions/options/moves.ts';
import { optionsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type Request } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { writeMove } from '../output/write-move.ts';

const flagsOfCommand = { ...renameFlags, ...outputFlag };

export const command = (context: CliContext, run = runRename): Command =>
  flagCommand(
    'rename',
    flagsOfCommand,
    { usage: 'RELEASE NEW_NAME [flags]', words: { exactly: 2 } },
    ([name = '', to = ''], flags) => run({ options: { ...optionsOf(renameFlags, flags), name, to }, flags }, context),
  ).description('give a release another name, or its records another namespace; its objects stay');

async function runRename(
  { options, flags }: Request<RenameOptions, typeof outputFlag>,
  context: CliContext,
): Promise<void> {
  const { rename } = await import('../../actions/rename.ts');
  context.interruption();
  const result = await rename(options, await context.open(flags));
  writeMove(result, { output: flags.output, dryRun: options.dryRun }, context);
}
