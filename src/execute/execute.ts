import type { OnState } from '../cluster/observe.ts';
import { reasonOf } from '../cluster/readiness.ts';
import { manifestsOfSteps } from '../plan/arrange.ts';
import type { Plan, Step, StepOf } from '../plan/types.ts';
import type { Sentence } from '../problem/sentence.ts';
import { hasCode, isAbort, TshelmError, unreachable } from '../support/errors.ts';
import { installCrds } from './apply/crds.ts';
import { gatheredApply } from './apply/gather.ts';
import { createNamespace } from './apply/namespace.ts';
import { type DeclaredKinds, declaredKinds } from './apply/targets.ts';
import { checkMayContinue, type ExecutionContext, type Run, startRun } from './context.ts';
import { runHooks } from './hooks/hooks.ts';
import { clearHookObjects } from './hooks/left-hooks.ts';
import { awaitNeeds } from './needs.ts';
import { manifestsSentBy } from './plan-objects.ts';
import { remark } from './remark.ts';
import { deleteResources, type KeptResource } from './remove.ts';
import { isAnnounced, stepTitle } from './step-title.ts';
import { type CarryOut, walkUnit } from './units.ts';
import { awaitReady, awaitRemoved } from './waits.ts';

export interface ExecutionResult {
  /** What a deletion left alone, and why. */
  readonly kept: readonly KeptResource[];
  /** What failed on the way and did not stop the run, as its steps say (ifFails). */
  readonly failures: readonly StepFailure[];
}

export interface StepFailure {
  readonly step: Step;
  readonly error: unknown;
}

const orderedOnly: Sentence = [
  { option: 'eager' },
  ' and ',
  { option: 'readinessTimeoutMs' },
  ' only work with ',
  { option: 'wait', value: 'ordered' },
];

/**
 * Carries a plan out whole, step by step, as the plan says. The first step that fails and is to stop the run ends it with
 * its error; what the failed batch had already begun is finished first, and further errors follow the first one in the
 * message and in `details.failures`. An aborted signal ends every wait and every request.
 */
export async function executePlan(plan: Plan, context: ExecutionContext): Promise<ExecutionResult> {
  const run = startRun(plan, context);
  if (plan.steps.some(isAnnounced)) run.onEvent({ kind: 'plan-started', plan });
  if (plan.strategy !== 'ordered' && (context.eager || context.readinessTimeoutMs))
    run.onEvent(remark('note', orderedOnly));
  for (const note of run.liveLogs?.notesOn(plan) ?? []) run.onEvent(remark('note', note));
  try {
    return await executeSteps(plan, run);
  } finally {
    for (const note of run.liveLogs?.notesAtEnd() ?? []) run.onEvent(remark('note', note));
  }
}

async function executeSteps(plan: Plan, run: Run): Promise<ExecutionResult> {
  const declared = declaredKinds(manifestsSentBy(plan));
  const kept: KeptResource[] = [];
  const failures: StepFailure[] = [];
  let knowsTroubles = false;
  for (const step of plan.steps) {
    if (!knowsTroubles && (step.kind === 'run-hooks' || step.kind === 'apply')) {
      await recordExistingProblems(run);
      knowsTroubles = true;
    }
    try {
      // A namespace is nobody's; where it is missing there is no lock yet to be held.
      if (step.kind === 'create-namespace') run.signal?.throwIfAborted();
      else await checkMayContinue(run);
      kept.push(...(await executeStep(step, declared, run)));
    } catch (error) {
      if (!continuesAfter(step, error)) throw withUninstallMessage(plan, step, error);
      failures.push({ step, error });
    }
  }
  return { kept, failures };
}

function continuesAfter({ ifFails = 'stop' }: Step, error: unknown): boolean {
  if (isAbort(error)) return false;
  return ifFails === 'go-on' || (ifFails === 'go-on-after-timeout' && hasCode(error, 'wait-timeout'));
}

/** Helm says so where a deletion stops an uninstall. */
function withUninstallMessage({ action, release }: Plan, step: Step, error: unknown): unknown {
  if (action !== 'uninstall' || step.kind !== 'delete' || !(error instanceof TshelmError)) return error;
  return error.wrapped({ message: `failed to delete release: ${release}: ${error.message}`, details: { release } });
}

/** What is wrong before a change is not blamed on it. A first install finds nothing of its own. */
async function recordExistingProblems({ plan, failFast, cluster, signal, context }: Run): Promise<void> {
  const isWaiting = plan.strategy === 'watcher' || plan.strategy === 'ordered';
  const isChange = plan.action !== 'install' || (context.existing?.size ?? 0) > 0;
  const manifests = manifestsOfSteps(plan, 'apply');
  if (failFast === undefined || !isWaiting || !isChange || manifests.length === 0) return;
  const namespaces = new Set(manifests.map(({ object }) => object.metadata.namespace || plan.namespace));
  await failFast.remember(cluster, [...namespaces], { signal });
}

async function executeStep(step: Step, declared: DeclaredKinds, run: Run): Promise<readonly KeptResource[]> {
  if (isAnnounced(step)) run.onEvent({ kind: 'step-started', title: stepTitle(step), step });
  switch (step.kind) {
    case 'install-crds':
      await installCrds(step, run);
      return [];
    case 'create-namespace':
      await createNamespace(step.name, run);
      return [];
    case 'record':
      await run.context.onRecord?.(step);
      return [];
    case 'await-needs':
      await awaitNeeds(step.needs, run);
      return [];
    case 'run-hooks':
      await runHooks(step, run);
      return [];
    case 'apply':
      await run.context.beforeApply?.();
      await applyUnit(step, declared, run);
      return [];
    case 'delete':
      return deleteUnit(step, run);
    case 'hook-objects':
      await clearHookObjects(step, run);
      return [];
    default:
      return unreachable(step);
  }
}

/** Applies a unit; where a batch is waited for, each of its nodes until it is ready. */
function applyUnit({ unit, waves }: StepOf<'apply'>, declared: DeclaredKinds, run: Run): Promise<void> {
  const apply = gatheredApply(waves, declared, run);
  const reportsStates = run.plan.strategy === 'ordered';
  const awaited = new Set(unit.batches.flatMap(({ nodes }) => nodes.flatMap(({ after = [] }) => after)));
  const carryOut: CarryOut = async (node, isWaitedFor, waitRun) => {
    await awaitNeeds(node.needs, { ...waitRun, timeoutMs: batchTimeoutMs(run) });
    const applied = await apply(node.manifests);
    const isLast = unit.isFree === true && !awaited.has(node.id ?? '');
    if (isWaitedFor) await awaitReady(applied, { ...waitRun, timeoutMs: batchTimeoutMs(run) }, isLast);
  };
  return walkUnit(unit, run, carryOut, { reportsStates, progress: run.context.progress, isFree: unit.isFree });
}

/** The readiness timeout is one of batches: a wait for everything at once knows only the timeout. */
const batchTimeoutMs = ({ timeoutMs, context, plan }: Run): number =>
  plan.strategy === 'ordered' ? Math.min(timeoutMs, context.readinessTimeoutMs || timeoutMs) : timeoutMs;

const reportDeletion =
  (run: Run): OnState =>
  (id, state) =>
    run.onEvent({
      kind: 'resource',
      id,
      state: state.state === 'ready' ? 'deleted' : 'deleting',
      reason: reasonOf(state),
    });

/** A run that does not call an object deleted because its deletion was accepted: the wait tells when it is gone. */
const untilGone = (run: Run): Run => ({
  ...run,
  onEvent: (event) => {
    if (event.kind !== 'resource' || event.state !== 'deleted') run.onEvent(event);
  },
});

async function deleteUnit({ unit, waves }: StepOf<'delete'>, run: Run): Promise<readonly KeptResource[]> {
  const kept: KeptResource[] = [];
  const carryOut: CarryOut = async (node, isWaitedFor, waitRun) => {
    const removal = await deleteResources(node.manifests, waves, isWaitedFor ? untilGone(run) : run);
    kept.push(...removal.kept);
    if (isWaitedFor) await awaitRemoved(removal.deleted, batchTimeoutMs(run), waitRun, reportDeletion(run));
  };
  await walkUnit(unit, run, carryOut, { reportsStates: false });
  return kept;
}
