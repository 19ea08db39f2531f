import { applyRelease, type PreparedRelease, prepareRelease } from '../../saved-plan/apply.ts';
import { savedPlan, savedRelease } from '../../saved-plan/save.ts';
import type { ReviewedChange } from '../../session/saved-plan.ts';
import { TshelmError } from '../../support/errors.ts';
import { carryOut } from '../before-run.ts';
import type { CliContext } from '../context.ts';
import { endWithChanges } from '../flags/exit-code-flags.ts';
import { printResult, refuseRest } from './apply.ts';
import type { DriftRequest, FixFlags } from './drift-request.ts';
import { type DecidedForm, decidePlanForm } from './plan.ts';

/**
 * Shows what brings drifted objects back, and does just that once it is agreed to. Errors: those of a plan and of apply,
 * `bad-flag` where nobody can be asked.
 */
export async function runFix({ options, flags }: DriftRequest, context: CliContext): Promise<void> {
  const { io } = context;
  const { name, ...others } = options;
  const output = flags.output === 'table' ? 'tree' : flags.output;
  const request = { action: 'fix', words: [name], naming: {}, values: {}, access: {}, options: others } as const;
  const decided = await decidePlanForm({ ...request, flags: { ...flags, output } }, context);
  const { release, plan } = decided.change.decided;
  const count = plan.steps.length;
  if (count > 0 && flags.out === undefined && (await isAgreed(flags, context))) await apply(decided, flags, context);
  else if (count === 0) {
    if (output === 'tree') io.stdout.write('nothing to bring back\n');
    refuseRest({ release, warnings: plan.warnings });
  }
  endWithChanges(count > 0, flags, context);
}

/** Errors: `bad-flag` where nobody can be asked. */
export async function isAgreed({ yes }: Pick<FixFlags, 'yes'>, { io }: CliContext): Promise<boolean> {
  if (yes) return true;
  if (!io.stdout.isTerminal)
    throw new TshelmError('bad-flag', {
      message: '--fix asks at a terminal before it changes anything: add --yes, or save the plan with --out FILE',
    });
  const { Asking } = await import('../terminal/ask-line.ts');
  const answer = await new Asking(io).ask('Bring these objects back? [y/N] ');
  return ['y', 'yes'].includes(answer.trim().toLowerCase());
}

/** What was shown, and only if everything is still as it was. */
async function apply(
  { change, review, session }: DecidedForm,
  flags: DriftRequest['flags'],
  context: CliContext,
): Promise<void> {
  const prepared = await preparedFix({ change, review: review(), context: session }, context);
  const run = { command: 'fix', release: change.name } as const;
  const result = await carryOut(run, flags, { session, context }, () => applyRelease(prepared, session));
  if (flags.output === 'table') printResult(prepared.saved, result, flags, context);
  else refuseRest(result);
}

/** A fix that was shown, as a saved plan has it: it is carried out only if everything is still as it was. */
export async function preparedFix(
  { change, review, context: session }: ReviewedChange,
  { io }: CliContext,
): Promise<PreparedRelease> {
  const release = await savedRelease(change, { review, context: session });
  const plan = savedPlan([release], { now: io.now(), createdBy: '', expiresInMs: 0 });
  return prepareRelease(release, { plan, opener: {}, allowed: [] });
}
