import { Command } from 'commander';
import { type RenameOptions, renameFlags } from '../../actions/options/moves.ts';
import { optionsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type Request } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { saveMoveFlags } from '../flags/saved-plan-flags.ts';

const ownFlags = { ...outputFlag, ...saveMoveFlags };
const flagsOfCommand = { ...renameFlags, ...ownFlags };

export const command = (context: CliContext, run = runRename): Command =>
  flagCommand(
    'rename',
    flagsOfCommand,
    { usage: 'RELEASE NEW_NAME [flags]', words: { exactly: 2 } },
    ([name = '', to = ''], flags) => run({ options: { ...optionsOf(renameFlags, flags), name, to }, flags }, context),
  ).description('give a release another name, or its records another namespace; its objects stay');

async function runRename(
  { options, flags }: Request<RenameOptions, typeof ownFlags>,
  context: CliContext,
): Promise<void> {
  const { moveOrSave } = await import('../saved-plan/moves.ts');
  await moveOrSave({ kind: 'rename', options }, { flags }, context);
}
