import { executePlan } from '../execute/execute.ts';
import type { ResourceId } from '../manifest/types.ts';
import { planRollback } from '../plan/plan.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import type { Plan } from '../plan/types.ts';
import { createRevision, lastRevision, supersede, withStatus } from '../release/history.ts';
import type { Release } from '../release/types.ts';
import { TshelmError } from '../support/errors.ts';
import { formatTime } from '../support/time.ts';
import type { Context } from './context.ts';
import { type ApplyMode, refuseForce, usesServerSideApply } from './deploy/apply-method.ts';
import { deleteCreated } from './deploy/clean-up.ts';
import { type DeployOptions, executionContext, isDryRun, strategyOf } from './deploy/deploy-options.ts';
import { ObjectStates } from './deploy/object-states.ts';
import { type Order, storedOrder, withOrder } from './deploy/order.ts';
import { withHazards } from './deploy/plan-hazards.ts';
import { findExistingChange } from './deploy/resource-check.ts';
import { servedRevision } from './deploy/served-manifest.ts';
import { failureText, prefixed } from './failure.ts';
import { checkName } from './find-release.ts';
import { deleteDeadHooks, leftBehind } from './record/dead-runs.ts';
import { ReleaseRecord, updateOrWarn } from './record/release-record.ts';
import { settledHistory } from './record/settled-history.ts';
import { calmed, operationRecord, withLock } from './record/with-lock.ts';

export interface RollbackOptions extends DeployOptions {
  readonly name: string;
  /** Default and 0: the one before the last. */
  readonly revision?: number | undefined;
  readonly cleanupOnFail?: boolean | undefined;
  /** Revisions to keep; 0 means all. */
  readonly maxHistory?: number | undefined;
  readonly serverSide?: ApplyMode | undefined;
}

export interface RollbackResult {
  readonly release: Release;
  readonly plan: Plan;
}

const maxDescriptionLength = 256;

/**
 * Brings back an earlier revision, as a new one. Follows action.Rollback. Errors: `release-not-found`,
 * `revision-not-found`, `invalid-arguments`, `plan-hazards`; from the moment the new record exists, a failure is recorded in it.
 */
export async function rollback(options: RollbackOptions, context: Context): Promise<RollbackResult> {
  checkOptions(options);
  const task = (locked: Context): Promise<RollbackResult> => rollbackLocked(options, locked);
  return isDryRun(options) ? task(context) : withLock('rollback', options, context, task);
}

async function rollbackLocked(options: RollbackOptions, context: Context): Promise<RollbackResult> {
  const history = await historyFor(options, context);
  const current = lastRevision(options.name, history);
  const stored = findTarget(history, current, options);
  const target = isDryRun(options) ? stored : await servedRevision(stored, context);
  refuseForce(usesServerSideApply(options.serverSide, target), options);
  const order = storedOrder(target, history, options.wait, strategyOf(options));
  const release = {
    ...withOrder(pendingRelease(current, target, options, context), order),
    operation: operationRecord(options, context),
  };
  const planned = planOf(current, release, order, history, options);
  const plan = await withHazards(planned, order.warnings, options, context);
  if (isDryRun(options)) return { release, plan };
  await deleteDeadHooks(history, plan, options, context);
  await createRevision(await context.storage(), release, history, options.maxHistory);
  return { release: await deploy(plan, current, release, options, context), plan };
}

/** A rollback is also the way out of an operation of Helm that hangs: that is not waited for, as in Helm. */
async function historyFor(options: RollbackOptions, context: Context): Promise<readonly Release[]> {
  if (isDryRun(options)) return (await context.storage()).revisions(options.name);
  return (await settledHistory(options.name, { ...options, mayOverrule: true }, context)).history;
}

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

function findTarget(history: readonly Release[], current: Release, options: RollbackOptions): Release {
  const wanted = options.revision || current.version - 1;
  const target = history.find(({ version }) => version === wanted);
  if (target !== undefined) return target;
  throw new TshelmError('revision-not-found', {
    message: `release has no ${wanted} version`,
    details: { release: options.name, revision: wanted, revisions: history.map(({ version }) => version) },
  });
}

function pendingRelease(current: Release, target: Release, options: RollbackOptions, context: Context): Release {
  return {
    ...target,
    namespace: current.namespace,
    version: current.version + 1,
    info: {
      firstDeployed: current.info.firstDeployed,
      lastDeployed: formatTime(context.clock.now()),
      status: 'pending-rollback',
      description: options.description || `Rollback to ${target.version}`,
      rollbackRevision: target.version,
      notes: target.info.notes,
    },
    applyMethod: usesServerSideApply(options.serverSide, target) ? 'ssa' : 'csa',
  };
}

const planOf = (
  current: Release,
  release: Release,
  order: Order,
  history: readonly Release[],
  options: RollbackOptions,
): Plan =>
  planRollback({
    release: release.name,
    namespace: release.namespace,
    strategy: order.strategy,
    unit: order.unit,
    current: readStoredManifest(current.manifest),
    leftBehind: leftBehind(history),
    currentUnit: order.unit && storedOrder(current, history, 'ordered').unit,
    manifests: readStoredManifest(release.manifest),
    hooks: release.hooks,
    runHooks: !options.noHooks,
  });

async function deploy(
  plan: Plan,
  current: Release,
  release: Release,
  options: RollbackOptions,
  context: Context,
): Promise<Release> {
  const storage = await context.storage();
  const record = new ReleaseRecord(release, storage, context.onEvent);
  const created: ResourceId[] = [];
  const states = new ObjectStates();
  try {
    const manifests = readStoredManifest(release.manifest);
    const existing = await findExistingChange(
      manifests,
      readStoredManifest(current.manifest),
      release,
      options,
      context,
    );
    await executePlan(plan, {
      ...(await executionContext(options, context)),
      onEvent: (event) => {
        states.onEvent(event);
        record.onEvent(event);
      },
      ...existing,
      applyMethod: release.applyMethod,
      upgradeFieldManager: current.applyMethod !== 'ssa' && release.applyMethod === 'ssa',
      onCreate: (id) => created.push(id),
      onHook: async (hook) => record.hookChanged(hook),
    });
  } catch (error) {
    const failure = await failRollback(error, record, current, created, options, context);
    throw withStates(failure, states.lines(plan, release.info.rollbackRevision ?? release.version));
  }
  return finish(record, release, context);
}

/** The failure, with the state that each object was left in: text for a terminal. */
function withStates(failure: unknown, objects: readonly string[]): unknown {
  if (!(failure instanceof TshelmError) || objects.length === 0) return failure;
  const { code, message, details } = failure;
  const report = `State of each object:\n${objects.map((line) => `  ${line}`).join('\n')}`;
  return new TshelmError(code, { message, details: { ...details, objects, report }, cause: failure });
}

/** What was deployed until now is superseded, all of it (helm issue 2941). */
async function finish(record: ReleaseRecord, release: Release, context: Context): Promise<Release> {
  const storage = await context.storage();
  const revisions = await storage.revisions(release.name);
  const deployed = await record.finish((latest) => withStatus(latest, 'deployed'));
  const replaced = revisions.filter(({ version, info }) => version !== release.version && info.status === 'deployed');
  await Promise.all(replaced.map((old) => storage.update(supersede(old))));
  return deployed;
}

/** Records the failure in the new revision; a rollback that changed something leaves nothing deployed, as in Helm. */
async function failRollback(
  error: unknown,
  record: ReleaseRecord,
  current: Release,
  created: readonly ResourceId[],
  options: RollbackOptions,
  context: Context,
): Promise<unknown> {
  const { name } = options;
  if (context.lock?.lost.aborted) return error;
  const text = failureText(error, record.whereabouts);
  if (isWaitFailure(error)) {
    await record.fail((latest) => withStatus(latest, 'failed', `Release "${name}" failed: ${text}`));
    return new TshelmError(error.code, {
      message: `release ${name} failed: ${text}`,
      details: error.details,
      cause: error,
    });
  }
  await record.fail((latest) => withStatus(latest, 'failed', `Rollback "${name}" failed: ${text}`));
  await updateOrWarn(supersede(current), await context.storage(), context.onEvent);
  if (options.cleanupOnFail) {
    await prefixed(`an error occurred while cleaning up resources. original rollback error: ${text}`, () =>
      deleteCreated(created, calmed(context)),
    );
  }
  return error;
}

const isWaitFailure = (error: unknown): error is TshelmError =>
  error instanceof TshelmError &&
  (error.code === 'wait-failed' || error.code === 'wait-timeout') &&
  error.details['event'] === undefined;
