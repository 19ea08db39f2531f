import { defaultTimeoutMs } from '../execute/context.ts';
import type { FollowUp } from '../plan/types.ts';
import { lastGoodRevision, supersede, withStatus } from '../release/history.ts';
import { hasCode, isAbort, TshelmError, unreachable } from '../support/errors.ts';
import type { Context } from './context.ts';
import { deleteCreated } from './deploy/clean-up.ts';
import { failureText, withStepPrefix } from './failure.ts';
import type { StoppedByFailure } from './phases.ts';
import { updateOrWarn } from './record/release-record.ts';
import { withoutUserSignal } from './record/with-lock.ts';

/** A revision that was recorded as failed, and left at that. */
export interface RecordedFailure {
  readonly release: string;
  readonly namespace: string;
  readonly revision: number;
  /** The last one before it that was deployed, or had been until another one failed. */
  readonly good?: number | undefined;
}

/** Changes of their own that take one back: the actions know each other, this room does not know them. */
export interface UndoActions {
  readonly uninstall?: (context: Context) => Promise<unknown>;
  readonly rollBack?: (revision: number, context: Context) => Promise<unknown>;
}

/**
 * Carries out what the plan says of a failure, and returns the error to throw (Upgrade.failRelease). Whoever has lost the
 * lock touches nothing any more; what the user interrupted is undone all the same.
 */
export async function undo(stopped: StoppedByFailure, ways: UndoActions, context: Context): Promise<unknown> {
  const { record, plan, isRecorded } = stopped;
  if (!isRecorded || context.lock?.lost.aborted) return stopped.error;
  const text = failureText(stopped.error, record.whereabouts);
  await record.settle();
  let { error } = stopped;
  // A rollback of which only the wait failed has changed everything: Helm leaves it at that.
  const isWaitedOut = stopped.action === 'rollback' && isWaitFailure(error);
  const remedies = (plan.ifStopped ?? []).filter(({ kind }) => !isWaitedOut || kind === 'record-failure');
  const { timeoutMs } = stopped.options;
  // Each request waits for an API server that has gone: all that is undone together waits no longer than for anything else.
  const callOff = (await context.cluster()).limitAbsence?.(timeoutMs || defaultTimeoutMs);
  try {
    for (const remedy of remedies)
      error = await carryOutFollowUp(remedy, { ...stopped, error, text }, ways, withoutUserSignal(context));
  } finally {
    callOff?.();
  }
  return remedies.some(({ kind }) => kind === 'uninstall' || kind === 'roll-back') ? error : asRecorded(error, stopped);
}

/** With what the record says now, for those who want to go on. */
function asRecorded(error: unknown, { record: { release }, history, options }: StoppedByFailure): unknown {
  if (release.info.status !== 'failed') return error;
  const { name, namespace, version } = release;
  const good = lastGoodRevision(history, options.maxHistory);
  const recorded: RecordedFailure = { release: name, namespace, revision: version, good };
  if (isAbort(error)) return new InterruptedChange(error, recorded);
  return error instanceof TshelmError ? error.wrapped({ message: error.message, details: { recorded } }) : error;
}

/** Stays recognizable as an interruption, and says what it left. */
class InterruptedChange extends Error {
  constructor(cause: Error, recorded: RecordedFailure) {
    const { message } = cause;
    super(message, { cause: new TshelmError('failed', { message, details: { recorded }, cause }) });
    this.name = cause.name;
  }
}

type Failure = StoppedByFailure & { readonly text: string };

/** Carries one remedy out; returns the failure as it is to be told after it. */
async function carryOutFollowUp(
  remedy: FollowUp,
  failure: Failure,
  ways: UndoActions,
  context: Context,
): Promise<unknown> {
  const { action, error, text } = failure;
  switch (remedy.kind) {
    case 'record-failure':
      return recordFailure(failure);
    case 'supersede':
      if (failure.replaced !== undefined)
        await updateOrWarn(supersede(failure.replaced), await context.storage(), context.onEvent);
      return error;
    case 'delete-created':
      await withStepPrefix(`an error occurred while cleaning up resources. original ${action} error: ${text}`, () =>
        deleteCreated(failure, context),
      );
      return error;
    case 'uninstall':
      return uninstalled(failure, ways, context);
    case 'roll-back':
      return rolledBack(failure, remedy.revision, ways, context);
    default:
      return unreachable(remedy);
  }
}

async function recordFailure({ action, error, options: { name }, record, text }: Failure): Promise<unknown> {
  const isWaitedOut = action === 'rollback' && isWaitFailure(error);
  const what = action === 'install' || isWaitedOut ? 'Release' : action === 'rollback' ? 'Rollback' : 'Upgrade';
  await record.fail((latest) => withStatus(latest, 'failed', `${what} "${name}" failed: ${text}`));
  if (!isWaitedOut || !(error instanceof TshelmError)) return error;
  return error.wrapped({ message: `release ${name} failed: ${text}` });
}

/** Of the release's resources: a hook that timed out is a failed hook. */
const isWaitFailure = (error: unknown): boolean =>
  hasCode(error, 'wait-failed', 'wait-timeout') && error.details.event === undefined;

async function uninstalled({ error, options: { name }, text }: Failure, ways: UndoActions, context: Context) {
  await withStepPrefix(`an error occurred while uninstalling the release. original install error: ${text}`, async () =>
    ways.uninstall?.(context),
  );
  return new TshelmError('install-rolled-back', {
    message: `release ${name} failed, and has been uninstalled due to rollback-on-failure being set: ${text}`,
    details: { release: name },
    cause: error,
  });
}

async function rolledBack(
  { error, options: { name }, text }: Failure,
  revision: number | undefined,
  ways: UndoActions,
  context: Context,
): Promise<unknown> {
  if (revision === undefined) {
    return new TshelmError('no-revision-to-roll-back-to', {
      message: `unable to find a previously successful release when attempting to rollback. original upgrade error: ${text}`,
      details: { release: name },
      cause: error,
    });
  }
  await withStepPrefix(`an error occurred while rolling back the release. original upgrade error: ${text}`, async () =>
    ways.rollBack?.(revision, { ...context, isUndoing: true }),
  );
  return new TshelmError('upgrade-rolled-back', {
    message: `release ${name} failed, and has been rolled back due to rollback-on-failure being set: ${text}`,
    details: { release: name, revision },
    cause: error,
  });
}
