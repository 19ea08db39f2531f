import { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { flagCommand } from '../flags/flag-command.ts';
import { type ShowPlanRequest, showPlanFlags } from '../saved-plan/show-request.ts';

const runShowPlan = async (request: ShowPlanRequest, context: CliContext): Promise<void> =>
  (await import('../saved-plan/show.ts')).runShowPlan(request, context);

export const command = (context: CliContext, run = runShowPlan): Command =>
  flagCommand('show-plan', showPlanFlags, { usage: 'FILE [flags]', words: { exactly: 1 } }, ([path = ''], flags) =>
    run({ path, flags }, context),
  ).description('show a plan saved with tshelm plan --out');
