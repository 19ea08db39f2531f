import { Command } from 'commander';
import { type MoveOptions, moveFlags } from '../../actions/options/moves.ts';
import { optionsOf } from '../../change/option-rows.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type Request } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { saveMoveFlags } from '../flags/saved-plan-flags.ts';

const ownFlags = { ...outputFlag, ...saveMoveFlags };
const flagsOfCommand = { ...moveFlags, ...ownFlags };

export const command = (context: CliContext, run = runMove): Command =>
  flagCommand(
    'move',
    flagsOfCommand,
    { usage: 'RELEASE KIND/NAME [...] --to RELEASE [flags]', words: { atLeast: 2 } },
    async ([name = '', ...objects], flags) => {
      const { to, ...options } = optionsOf(moveFlags, flags);
      if (to === undefined)
        throw new TshelmError('bad-flag', { message: '--to is missing: name the release that the objects go to' });
      await run({ options: { ...options, name, to, objects }, flags }, context);
    },
  ).description('make objects of one release belong to another, and change nothing else of them');

async function runMove({ options, flags }: Request<MoveOptions, typeof ownFlags>, context: CliContext): Promise<void> {
  const { moveOrSave } = await import('../saved-plan/moves.ts');
  await moveOrSave({ kind: 'move', options }, { flags }, context);
}
