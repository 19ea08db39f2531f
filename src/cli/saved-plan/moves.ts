import { applySavedMove, decideSavedMove, type RequestedMove, runMove } from '../../saved-plan/moves.ts';
import type { GivenChart } from '../../saved-plan/save.ts';
import type { SavedMove } from '../../saved-plan/types.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import type { GivenFlags } from '../flags/flag-command.ts';
import type { outputFlag } from '../flags/flags.ts';
import type { saveMoveFlags } from '../flags/saved-plan-flags.ts';
import { writeMove } from '../output/write-move.ts';
import { flagsFor, loadedInputs } from './apply.ts';
import type { ApplyRequest } from './apply-request.ts';
import { writePlan } from './write-plan.ts';

type MoveFlags = GivenFlags<typeof outputFlag & typeof saveMoveFlags>;

/** Carries a move out, shows it with --dry-run, or saves it with --out. Errors: those of the move, `bad-flag`. */
export async function moveOrSave(
  request: RequestedMove,
  { flags, chart }: { readonly flags: MoveFlags; readonly chart?: GivenChart | undefined },
  context: CliContext,
): Promise<void> {
  const { out, output, signKey } = flags;
  if (out === undefined && signKey !== undefined)
    throw new TshelmError('bad-flag', { message: 'only a saved plan is signed; add --out FILE' });
  context.interruption();
  const session = await context.open(flags);
  if (out === undefined) {
    const { dryRun = false } = request.options;
    return writeMove(await runMove(request, dryRun, session), { output, dryRun }, context);
  }
  const { saved, result } = await decideSavedMove(request, { kubeContext: flags.kubeContext, chart }, session);
  writeMove(result, { output, dryRun: true }, context);
  await writePlan([], { out, move: saved }, flags, context);
}

/** Carries a saved move out. Errors: `plan-outdated`, `plan-of-other-cluster`, those of the move. */
export async function applyMove(saved: SavedMove, request: ApplyRequest, context: CliContext): Promise<void> {
  const { release, allow, output } = request.flags;
  if (release !== undefined || allow !== undefined)
    throw new TshelmError('bad-flag', {
      message: `${release ? '--release' : '--allow'} has no effect: the plan is of a move`,
    });
  const flags = flagsFor({ ...saved, name: saved.options.name }, request.flags);
  const chart = saved.inputs && (await loadedInputs(saved.inputs, {}, request, context));
  context.interruption();
  const result = await applySavedMove(saved, chart, await context.open(flags));
  writeMove(result, { output }, context);
}
