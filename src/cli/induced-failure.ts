import type { GivenFate } from '../actions/rehearsal/script.ts';
import type { DeployOptions } from '../change/deploy/deploy-options.ts';
import type { OnEvent } from '../execute/events.ts';
import type { Plan } from '../plan/types.ts';
import type { AnnotationRule } from '../sandbox/index.ts';
import { TshelmError } from '../support/errors.ts';
import type { CliContext, CommandSession } from './context.ts';
import type { GlobalFlags } from './settings.ts';

/** A failure in the sandbox that --fail asks for. */
export interface InducedFailure {
  readonly text: string;
  /** What fails, and how: empty until the plan is known. */
  readonly fates: Map<string, GivenFate>;
  readonly annotation: AnnotationRule;
}

/** What --fail asks for. Errors: `bad-flag`. */
export async function inducedFailure(
  flags: GlobalFlags & { readonly fail?: string | undefined },
  { dryRun }: DeployOptions,
  context: CliContext,
): Promise<InducedFailure | undefined> {
  if (flags.fail === undefined) return undefined;
  if (context.settings(flags).sandboxDirectory === undefined)
    throw badFlag('--fail needs --sandbox: in a real cluster nothing can be made to fail');
  if (dryRun !== 'none') throw badFlag('--fail and --dry-run cannot be used together: a dry run starts nothing');
  const { failureRule } = await import('../actions/rehearsal/script.ts');
  const fates: InducedFailure['fates'] = new Map();
  return { text: flags.fail, fates, annotation: failureRule(fates) };
}

const badFlag = (message: string): TshelmError => new TshelmError('bad-flag', { message });

interface Changed {
  readonly plan: Plan;
  readonly warnings: readonly string[];
}

/**
 * Runs a change in which a part of its plan fails. `change` plans it first, without showing that. Errors: `bad-options` for what the plan does not have, and those of the change.
 */
export async function withInducedFailure<Result extends Changed>(
  induced: InducedFailure | undefined,
  session: CommandSession,
  change: (session: CommandSession, ofPlan: { readonly dryRun?: 'plan' }) => Promise<Result>,
): Promise<Result> {
  if (induced === undefined) return change(session, {});
  const { isFailure } = await import('../sandbox/index.ts');
  const { readFailing } = await import('../actions/rehearsal/script.ts');
  const { plan } = await change({ ...session, onEvent: () => {} }, { dryRun: 'plan' });
  for (const [key, fate] of readFailing(induced.text, plan)) induced.fates.set(key, fate);
  const fates = [...induced.fates.values()];
  const result = await change({ ...session, onEvent: endingFates(induced, session) }, {})
    .catch((failure: unknown) => {
      session.onEvent?.({
        kind: 'note',
        text: '--fail ends with this command: the next one starts everything as usual',
      });
      throw failure;
    })
    // This process serves the sandbox until the last command that uses it has ended: what they start is not to fail.
    .finally(() => induced.fates.clear());
  if (fates.every(({ fate }) => fate !== undefined && !isFailure(fate))) return result;
  const warning = `warning: ${induced.text} did not fail: this run does not start any of it, or does not wait for it`;
  return { ...result, warnings: [...result.warnings, warning] };
}

/** What undoes a failed change is another plan, and starts its objects as usual. */
function endingFates({ fates }: InducedFailure, { onEvent }: CommandSession): OnEvent {
  let plans = 0;
  return (event) => {
    if (event.kind === 'plan-started') plans += 1;
    if (plans > 1) fates.clear();
    onEvent?.(event);
  };
}
