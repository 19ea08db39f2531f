import type { Hook, Manifest } from '../manifest/types.ts';
import { manifestsOf } from '../plan/arrange.ts';
import type { Batch, BatchNode, Plan, Step, Unit } from '../plan/types.ts';
import { settleAll } from '../support/concurrency.ts';
import { unreachable } from '../support/errors.ts';
import { applyResources } from './apply.ts';
import { type ExecutionContext, type Run, startRun } from './context.ts';
import { installCrds } from './crds.ts';
import { joinFailures } from './failures.ts';
import { runHooks } from './hooks.ts';
import { createNamespace } from './namespace.ts';
import { deleteResources, type Spared } from './remove.ts';
import { type DeclaredKinds, declaredKinds, type Target } from './targets.ts';
import { awaitDeleted, awaitReady } from './waits.ts';

export interface ExecutionResult {
  /** What a deletion left alone, and why. */
  readonly spared: readonly Spared[];
}

/**
 * Carries a plan out, step by step. Stops at the first step that fails and throws its error; what the failed batch had
 * already begun is finished first, and further errors follow the first one in the message and in `details.failures`.
 * An aborted signal ends every wait and every request.
 */
export async function executePlan(plan: Plan, context: ExecutionContext): Promise<ExecutionResult> {
  const run = startRun(plan, context);
  const declared = declaredKinds(plan.steps.flatMap(manifestsOfStep), plan.steps.flatMap(hooksOfStep));
  const spared: Spared[] = [];
  for (const step of plan.steps) {
    run.signal?.throwIfAborted();
    spared.push(...(await executeStep(step, declared, run)));
  }
  return { spared };
}

const manifestsOfStep = (step: Step): readonly Manifest[] => {
  if (step.kind === 'install-crds') return step.manifests;
  return step.kind === 'apply' ? manifestsOf(step.unit) : [];
};

const hooksOfStep = (step: Step): readonly Hook[] => (step.kind === 'run-hooks' ? step.batches.flat(2) : []);

async function executeStep(step: Step, declared: DeclaredKinds, run: Run): Promise<readonly Spared[]> {
  run.onEvent({ kind: 'step-started', title: stepTitle(step) });
  switch (step.kind) {
    case 'install-crds':
      await installCrds(step.manifests, run);
      return [];
    case 'create-namespace':
      await createNamespace(step.name, run);
      return [];
    case 'run-hooks':
      await runHooks(step, run);
      return [];
    case 'apply':
      await applyUnit(step.unit, declared, run);
      return [];
    case 'delete':
      return deleteUnit(step.unit, run);
    default:
      return unreachable(step);
  }
}

function stepTitle(step: Step): string {
  switch (step.kind) {
    case 'install-crds':
      return `install ${step.manifests.length} CRDs`;
    case 'create-namespace':
      return `create namespace ${step.name}`;
    case 'run-hooks':
      return `run ${step.event} hooks`;
    case 'apply':
      return `apply ${manifestsOf(step.unit).length} resources`;
    case 'delete':
      return `delete ${manifestsOf(step.unit).length} resources`;
    default:
      return unreachable(step);
  }
}

const applyUnit = (unit: Unit, declared: DeclaredKinds, run: Run): Promise<void> =>
  eachBatch(unit, run, async (batch) => {
    const applied = await eachNode(batch, (node) => applyNode(node, declared, run));
    if (batch.wait) await awaitReady(applied, run);
  });

/** What the node applied and its batch has to wait for; a unit inside has waited for its own. */
async function applyNode(node: BatchNode, declared: DeclaredKinds, run: Run): Promise<readonly Target[]> {
  switch (node.kind) {
    case 'resources':
      return applyResources(node.manifests, declared, run);
    case 'unit':
      await applyUnit(node.unit, declared, run);
      return [];
    default:
      return unreachable(node);
  }
}

async function deleteUnit(unit: Unit, run: Run): Promise<readonly Spared[]> {
  const spared: Spared[] = [];
  await eachBatch(unit, run, async (batch) => {
    const removals = await eachNode(batch, async (node) => [await deleteNode(node, run)]);
    spared.push(...removals.flatMap((removal) => removal.spared));
    const deleted = removals.flatMap((removal) => removal.deleted);
    if (batch.wait) await awaitDeleted(deleted, run.timeoutMs, run);
  });
  return spared;
}

async function deleteNode(node: BatchNode, run: Run) {
  switch (node.kind) {
    case 'resources':
      return deleteResources(node.manifests, run);
    case 'unit':
      return { deleted: [], spared: await deleteUnit(node.unit, run) };
    default:
      return unreachable(node);
  }
}

async function eachBatch(unit: Unit, run: Run, execute: (batch: Batch) => Promise<void>): Promise<void> {
  const of = unit.batches.length;
  for (const [index, batch] of unit.batches.entries()) {
    run.signal?.throwIfAborted();
    const position = { unit: unit.name, number: index + 1, of };
    const startedAt = performance.now();
    run.onEvent({ kind: 'batch-started', ...position, names: batch.nodes.map(nodeName) });
    await execute(batch);
    run.onEvent({ kind: 'batch-finished', ...position, elapsedMs: performance.now() - startedAt });
  }
}

const nodeName = (node: BatchNode): string => (node.kind === 'unit' ? node.unit.name : node.name);

async function eachNode<T>(batch: Batch, execute: (node: BatchNode) => Promise<readonly T[]>): Promise<readonly T[]> {
  const { values, errors } = await settleAll(batch.nodes.map((node) => () => execute(node)));
  if (errors.length > 0) throw joinFailures(errors);
  return values.flat();
}
