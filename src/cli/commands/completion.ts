import { basename } from 'node:path';
import { Command } from 'commander';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import { isNear } from '../../support/near.ts';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { groupUsage, helpOfGroup } from '../flags/flag-command.ts';
import { addFlags } from '../flags/flags.ts';

const shells = ['bash', 'fish', 'powershell', 'zsh'] as const;

const descriptionFlag = {
  'no-descriptions': { type: 'bool', description: 'disable completion descriptions' },
} satisfies Record<string, FlagSpec>;

export interface CompletionRequest {
  readonly shell: (typeof shells)[number];
  readonly flags: FlagsOf<typeof descriptionFlag>;
}

/** `completion SHELL`: the script that shells load; what they then ask is answered by `__complete`. */
export function command(context: CliContext, run = runCompletion): Command {
  const command = new Command('completion')
    .description('generate autocompletion scripts for the specified shell')
    .usage(groupUsage);
  for (const shell of shells) {
    const subcommand = addFlags(new Command(shell), descriptionFlag)
      .description(`generate autocompletion script for ${shell}`)
      .argument('[none...]')
      .usage('[flags]')
      .action(async (words: string[], flags: CompletionRequest['flags'], self: Command) => {
        requireArguments(self, words, { exactly: 0 });
        await run({ shell, flags }, context);
      });
    command.addCommand(subcommand);
  }
  return command.argument('[words...]').action((words: string[]) => {
    const isMisspelt = shells.some((shell) => isNear(shell, words[0] ?? ''));
    if (!isMisspelt) requireArguments(command, words, { exactly: 0 });
    return helpOfGroup(command, words[0], context);
  });
}

async function runCompletion({ shell, flags }: CompletionRequest, { io }: CliContext): Promise<void> {
  const { completionScript } = await import('../completion/scripts.ts');
  io.stdout.write(completionScript(shell, basename(io.program), { descriptions: !flags.noDescriptions }), 'data');
}
