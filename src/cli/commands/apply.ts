import { Command } from 'commander';
import { chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import type { CliContext } from '../context.ts';
import { flagCommand } from '../flags/flag-command.ts';
import { keepQuiet } from '../flags/progress-flags.ts';
import { type ApplyRequest, applyOwnFlags } from '../saved-plan/apply-request.ts';

const applyFlags = { ...chartInputFlags, ...applyOwnFlags };

async function runApply(request: ApplyRequest, context: CliContext): Promise<void> {
  keepQuiet(request.flags, context);
  const { readPlan } = await import('../saved-plan/read-plan.ts');
  const { checkUsable } = await import('../../saved-plan/file.ts');
  const saved = await readPlan(request.path, request.flags, context.io);
  checkUsable(saved, context.io.now());
  if (saved.move !== undefined) return (await import('../saved-plan/moves.ts')).applyMove(saved.move, request, context);
  if (saved.stack === undefined) return (await import('../saved-plan/apply.ts')).runApply(saved, request, context);
  return (await import('../stack/apply-saved.ts')).applySavedStack(saved, saved.stack, request, context);
}

export const command = (context: CliContext, run = runApply): Command =>
  flagCommand('apply', applyFlags, { usage: 'FILE [flags]', words: { exactly: 1 } }, async (words, flags) => {
    await run({ path: words[0] as string, ...chartInputs(flags), flags }, context);
  }).description('apply a plan saved with tshelm plan --out, if nothing has changed since');
