import { isRefusedFor, lacksNamespace, refusalIn } from '../cluster/api-error.ts';
import { executePlan } from '../execute/execute.ts';
import { remark } from '../execute/remark.ts';
import type { ResourceId } from '../manifest/types.ts';
import { createRevision, withStatus } from '../release/history.ts';
import type { Release, ReleaseStorage } from '../release/types.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import type { Context } from './context.ts';
import { refuseForce } from './deploy/apply-method.ts';
import { executionContext } from './deploy/deploy-options.ts';
import { preflightAfterHooks, preflightBeforeHooks } from './deploy/preflight.ts';
import { explainedFailure } from './explained-failure.ts';
import type { Checked, Done, StoppedByFailure } from './phases.ts';
import { ReleaseRecord } from './record/release-record.ts';
import { droppedRulesNote } from './record/remembered-fields.ts';

const appliedStates: ReadonlySet<string> = new Set(['created', 'configured', 'unchanged']);

/** Executes the plan, once and whole. What goes wrong is part of the result: undo.ts is next then. */
export async function carryOut(checked: Checked, context: Context): Promise<Done | StoppedByFailure> {
  const record = new ReleaseRecord(checked.release, await context.storage(), context.onEvent);
  const created: ResourceId[] = [];
  const sent: ResourceId[] = [];
  const run = { ...checked, record, created };
  const forgotten = droppedRulesNote(checked.options.takeFields, checked.history);
  for (const note of [checked.note, checked.order.note, forgotten])
    if (note !== undefined) context.onEvent?.(remark('note', note));
  let isRecorded = checked.recordedAs === undefined;
  try {
    const result = await executePlan(checked.plan, {
      ...(await executionContext(checked.options, context, checked.action === 'install')),
      ...checked.execution,
      onEvent: (event) => {
        if (event.kind === 'resource' && appliedStates.has(event.state)) sent.push(event.id);
        record.onEvent(event);
      },
      onCreate: (id) => created.push(id),
      onReplace: (object) => record.objectReplaced(object),
      beforeHooks: async (hooks) => record.hooksBegin(hooks),
      onHook: async (hook, isRefused) => record.hookChanged(hook, isRefused),
      onRecord: async () => {
        await beginRecord(checked, context);
        isRecorded = true;
        await context.onRecorded?.();
        refuseForceWithServerSide(checked);
        await preflightBeforeHooks(checked, context);
      },
      beforeApply: () => preflightAfterHooks(checked, context),
      progress: checked.done && record.progress(checked.done),
    });
    return { ...run, kind: 'done', result };
  } catch (error) {
    return { ...run, kind: 'stopped', error: await explainedFailure(error, checked, context, sent), isRecorded };
  }
}

/** Helm's client says it once it updates, when the revision is recorded: so it is here, before hooks run for nothing. */
function refuseForceWithServerSide({ action, release, options }: Checked): void {
  if (action === 'upgrade' || action === 'rollback') refuseForce(release.applyMethod === 'ssa', options);
}

/** Writes down that a change begins: a new revision, or of an uninstall the last one as `uninstalling`. */
async function beginRecord({ action, release, history, options }: Checked, context: Context): Promise<void> {
  const storage = await context.storage();
  if (action === 'uninstall') return beginUninstall(release, storage, context);
  if (action !== 'install') return createRevision(storage, release, history, options.maxHistory);
  await supersedeReplaced(history, storage);
  await createRevision(storage, release, []).catch((error: unknown) => {
    throw withNamespaceRemedy(error, options.createNamespace);
  });
}

/** Of a namespace that is there no more, although it was to be created, something else is the cause. */
function withNamespaceRemedy(error: unknown, isCreated: boolean | undefined): unknown {
  const refused = refusalIn(error);
  if (isCreated || refused === undefined || !lacksNamespace(refused) || !(error instanceof TshelmError)) return error;
  return error.wrapped({
    message: error.message,
    details: { remedies: [{ kind: 'set-option', option: 'createNamespace' }] },
  });
}

/** Helm too goes on where the role may not update records, and deletes them at the end. */
async function beginUninstall(release: Release, storage: ReleaseStorage, { onEvent }: Context): Promise<void> {
  try {
    await storage.update(release);
  } catch (error) {
    if (!isRefusedFor(error, 'Forbidden')) throw error;
    onEvent?.({ kind: 'warning', text: messageOf(error) });
  }
}

/** A release that failed keeps its status; any other that is replaced is superseded (Install.replaceRelease). */
async function supersedeReplaced(history: readonly Release[], storage: ReleaseStorage): Promise<void> {
  const last = history.at(-1);
  if (last === undefined || last.info.status === 'failed') return;
  await storage.update(withStatus(last, 'superseded', 'superseded by new release'));
}
