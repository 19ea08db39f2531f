import { Command } from 'commander';
import type { FlagsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { addFlags } from '../flags/flags.ts';
import { type ShowPlanRequest, showPlanFlags } from '../saved-plan/show-request.ts';
import type { GlobalFlags } from '../settings.ts';

const runShowPlan = async (request: ShowPlanRequest, context: CliContext): Promise<void> =>
  (await import('../saved-plan/show.ts')).runShowPlan(request, context);

export const showPlanCommand = (context: CliContext, run = runShowPlan): Command =>
  addFlags(new Command('show-plan'), showPlanFlags)
    .description('show a plan saved with tshelm plan --out')
    .argument('[words...]')
    .usage('FILE [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 1 });
      const flags = command.optsWithGlobals<GlobalFlags & FlagsOf<typeof showPlanFlags>>();
      await run({ path: words[0] as string, flags }, context);
    });
