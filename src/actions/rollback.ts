import type { Context } from '../change/context.ts';
import { isDryRun } from '../change/deploy/deploy-options.ts';
import { ObjectStates, withStates } from '../change/deploy/object-states.ts';
import type { Rendered } from '../change/phases.ts';
import { prepareRollback } from '../change/prepare-rollback.ts';
import { endRollback } from '../change/record/end.ts';
import { settledHistory } from '../change/record/settled-history.ts';
import { withLock } from '../change/record/with-lock.ts';
import { runPhases } from '../change/run-phases.ts';
import { undo } from '../change/undo.ts';
import type { Plan } from '../plan/types.ts';
import { checkName } from '../release/name.ts';
import type { Release } from '../release/types.ts';
import { TshelmError, unreachable } from '../support/errors.ts';
import type { RollbackOptions } from './options/rollback.ts';

export interface RollbackResult {
  readonly release: Release;
  readonly plan: Plan;
  /** Rules for fields that have no effect. */
  readonly warnings: readonly string[];
}

/**
 * Brings back an earlier revision, as a new one. Follows action.Rollback. Errors: `release-not-found`,
 * `revision-not-found`, `invalid-arguments`, `plan-hazards`; from the moment the new record exists, a failure is recorded
 * in it. It is also the way out of an operation of Helm that hangs: that is not waited for, as in Helm.
 */
export async function rollback(options: RollbackOptions, context: Context): Promise<RollbackResult> {
  checkOptions(options);
  const { name } = options;
  if (isDryRun(options)) {
    const history = await (await context.storage()).revisions(name);
    const lastPhase = replacesTried(options) ? 'tried' : 'decided';
    return runRollback(await prepareRollback({ options, history, lastPhase }, context), context);
  }
  return withLock('rollback', options, context, async (locked) => {
    const { history } = await settledHistory(name, { ...options, mayOverrule: true }, locked);
    return runRollback(await prepareRollback({ options, history, lastPhase: 'finished' }, locked), locked);
  });
}

/** Helm's dry run of a rollback asks nobody; whether objects may be replaced, the server alone can tell. */
const replacesTried = ({ dryRun, replaceImmutable, replaceObjects = [] }: RollbackOptions): boolean =>
  dryRun === 'server' && (replaceImmutable === true || replaceObjects.length > 0);

const maxDescriptionLength = 256;

function checkOptions({ name, revision = 0, description = '' }: RollbackOptions): void {
  const { length } = [...description];
  if (length > maxDescriptionLength) {
    throw new TshelmError('invalid-arguments', {
      message: `description must be ${maxDescriptionLength} characters or less, got ${length}`,
    });
  }
  checkName(name, `prepareRollback: Release name is invalid: ${name}`);
  if (revision < 0) throw new TshelmError('invalid-arguments', { message: 'invalid release revision' });
}

async function runRollback(change: Rendered, context: Context): Promise<RollbackResult> {
  const states = new ObjectStates();
  const outcome = await runPhases(change, { ...context, onEvent: states.watching(context.onEvent) });
  const { release, plan, warnings } = outcome;
  switch (outcome.kind) {
    case 'shown':
      return { release, plan, warnings };
    case 'done':
      return { release: await endRollback(outcome, context), plan, warnings };
    case 'stopped': {
      const failure = await undo(outcome, {}, context);
      throw outcome.isRecorded ? withStates(failure, states.lines(plan, change.release)) : failure;
    }
    default:
      return unreachable(outcome);
  }
}
