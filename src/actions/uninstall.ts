import { startRun } from '../execute/context.ts';
import { type ExecutionResult, executePlan } from '../execute/execute.ts';
import { deleteHookObjects, findHookObjects, isDeletableHook } from '../execute/hooks/left-hooks.ts';
import type { Spared } from '../execute/remove.ts';
import { formatId } from '../manifest/resource-id.ts';
import type { Manifest } from '../manifest/types.ts';
import { sortByResourcePolicy } from '../plan/keep.ts';
import { planUninstall } from '../plan/plan.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import type { Plan, Step, WaitStrategy } from '../plan/types.ts';
import { lastRevision, supersede, withStatus } from '../release/history.ts';
import { isValidReleaseName } from '../release/name.ts';
import { releaseNotFound } from '../release/record.ts';
import type { Release } from '../release/types.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { formatTime } from '../support/time.ts';
import type { Context } from './context.ts';
import { executionContext } from './deploy/deploy-options.ts';
import { type Order, storedOrder } from './deploy/order.ts';
import { failureText, isAbort, prefixed } from './failure.ts';
import { deleteDeadHooks, leftBehind } from './record/dead-runs.ts';
import { ReleaseRecord } from './record/release-record.ts';
import { type LockOptions, operationRecord, withLock } from './record/with-lock.ts';

export interface UninstallOptions extends LockOptions {
  readonly name: string;
  readonly keepHistory?: boolean | undefined;
  readonly cascade?: 'background' | 'foreground' | 'orphan' | undefined;
  readonly noHooks?: boolean | undefined;
  /** Deletes the objects of hooks too, which otherwise stay. */
  readonly deleteHooks?: boolean | undefined;
  readonly ignoreNotFound?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly wait?: WaitStrategy | undefined;
  readonly readinessTimeoutMs?: number | undefined;
  readonly eager?: boolean | undefined;
  readonly description?: string | undefined;
  readonly concurrency?: number | undefined;
  /** As in DeployOptions; for the hooks. */
  readonly failFast?: boolean | undefined;
  readonly graceMs?: number | undefined;
}

export interface UninstallResult {
  /** Undefined when there was none and --ignore-not-found was given. */
  readonly release?: Release | undefined;
  readonly plan?: Plan | undefined;
  /** What Helm prints about resources that stay; '' when nothing does. */
  readonly info: string;
}

/**
 * Uninstalls a release. Follows action.Uninstall: what belongs to the release is deleted, its record too unless the
 * history is kept. Errors: `release-not-found`, `already-uninstalled`, `uninstall-failed`.
 */
export async function uninstall(options: UninstallOptions, context: Context): Promise<UninstallResult> {
  checkReleaseName(options.name);
  const task = (locked: Context): Promise<UninstallResult> => uninstallLocked(options, locked);
  return options.dryRun ? task(context) : withLock('uninstall', options, context, task);
}

async function uninstallLocked(options: UninstallOptions, context: Context): Promise<UninstallResult> {
  const history = await findHistory(options, context);
  if (history === undefined) return { info: '' };
  const last = lastRevision(options.name, history);
  if (last.info.status === 'uninstalled' && !options.dryRun) return purgeUninstalled(last, history, options, context);
  const manifests = readStoredManifest(last.manifest);
  const plan = planOf(last, manifests, storedOrder(last, history, options.wait), options, leftBehind(history));
  const kept = keptText(sortByResourcePolicy(manifests).kept);
  if (options.dryRun) return { release: last, plan, info: kept };
  return remove(last, history, plan, kept, options, context);
}

function checkReleaseName(name: string): void {
  if (isValidReleaseName(name)) return;
  throw new TshelmError('invalid-release-name', {
    message: `uninstall: Release name is invalid: ${name}`,
    details: { name },
  });
}

async function findHistory(options: UninstallOptions, context: Context): Promise<readonly Release[] | undefined> {
  const { name, ignoreNotFound, dryRun } = options;
  const find = async (): Promise<readonly Release[] | undefined> => {
    const history = await (await context.storage()).revisions(name);
    if (history.length > 0) return history;
    if (ignoreNotFound) return undefined;
    throw releaseNotFound(name);
  };
  return dryRun ? find() : prefixed(`uninstall: Release not loaded: ${name}`, find);
}

async function purgeUninstalled(
  last: Release,
  history: readonly Release[],
  options: UninstallOptions,
  context: Context,
): Promise<UninstallResult> {
  if (options.keepHistory) {
    throw new TshelmError('already-uninstalled', {
      message: `the release named "${options.name}" is already deleted`,
      details: { release: options.name },
    });
  }
  await removeHooks(
    planOf(last, [], { strategy: options.wait ?? 'hookOnly', warnings: [] }, options),
    last,
    options,
    context,
  );
  await prefixed('uninstall: Failed to purge the release', () => purge(history, context));
  return { release: last, info: '' };
}

/** Hooks are not part of a release's resources: their objects stay, and a note says so, unless --delete-hooks is given. */
async function removeHooks(plan: Plan, release: Release, options: UninstallOptions, context: Context): Promise<void> {
  if (release.hooks.length === 0) return;
  const run = startRun(plan, await executionContext({ ...options, dryRun: 'none' }, context));
  const owner = { release: release.name, namespace: release.namespace };
  const found = await findHookObjects(release.hooks, owner, run);
  const deleted = options.deleteHooks ? found.filter(isDeletableHook) : [];
  await deleteHookObjects(deleted, run);
  const left = found.filter((target) => !deleted.includes(target));
  if (left.length === 0) return;
  const wayOut = left.some(isDeletableHook) ? '; --delete-hooks deletes them' : '';
  const list = left.map(({ id }) => formatId(id)).join(', ');
  context.onEvent?.({ kind: 'note', text: `objects of hooks stay in the cluster: ${list}${wayOut}` });
}

async function purge(history: readonly Release[], context: Context): Promise<void> {
  const storage = await context.storage();
  const remove = ({ name, version }: Release): Promise<void> => storage.delete(name, version);
  await Promise.all(history.slice(0, -1).map(remove));
  // The newest one goes last: until then it says that the release is being uninstalled.
  await Promise.all(history.slice(-1).map(remove));
}

const planOf = (
  release: Release,
  manifests: readonly Manifest[],
  order: Order,
  options: UninstallOptions,
  left: readonly Manifest[] = [],
): Plan =>
  planUninstall({
    leftBehind: left,
    release: release.name,
    namespace: release.namespace,
    strategy: order.strategy,
    unit: order.unit,
    manifests,
    hooks: release.hooks,
    runHooks: !options.noHooks,
  });

async function remove(
  last: Release,
  history: readonly Release[],
  plan: Plan,
  kept: string,
  options: UninstallOptions,
  context: Context,
): Promise<UninstallResult> {
  const storage = await context.storage();
  const uninstalling = uninstallingRelease(last, options, context);
  const record = new ReleaseRecord(uninstalling, storage, context.onEvent);
  await deleteDeadHooks(history, plan, { ...options, dryRun: 'none' }, context);
  await storage.update(uninstalling);
  const { spared, errors, isBlocked } = await removeResources(plan, record, options, context);
  const release = withStatus(record.release, 'uninstalled', options.description || 'Uninstallation complete');
  const info = [kept, ...sparedTexts(spared)].filter((text) => text !== '').join('\n');
  await removeHooks(plan, last, options, context).catch((error: unknown) => errors.push(error));
  // What blocks a deletion may be put right: until the objects are gone, the record says whose they are.
  if (isBlocked) throw uninstallFailure(errors, record.release);
  if (options.keepHistory) await keepHistory(release, history, record, context);
  else await purge(history, context).catch((error: unknown) => errors.push(purgeFailure(error)));
  if (errors.length > 0) throw uninstallFailure(errors, release);
  return { release, plan, info };
}

const uninstallingRelease = (release: Release, options: UninstallOptions, context: Context): Release => ({
  ...release,
  operation: operationRecord(options, context),
  info: {
    ...release.info,
    status: 'uninstalling',
    deleted: formatTime(context.clock.now()),
    description: 'Deletion in progress (or silently failed)',
  },
});

/** A failed pre-delete hook or deletion ends the uninstall; what fails later is reported at its end. */
async function removeResources(
  plan: Plan,
  record: ReleaseRecord,
  options: UninstallOptions,
  context: Context,
): Promise<{ readonly spared: readonly Spared[]; readonly errors: unknown[]; readonly isBlocked: boolean }> {
  const execution = {
    ...(await executionContext({ ...options, dryRun: 'none' }, context)),
    onEvent: record.onEvent,
    propagation: propagations[options.cascade ?? 'background'],
    onHook: async (hook: Parameters<ReleaseRecord['hookChanged']>[0]) => record.hookChanged(hook),
  };
  const executeStep = (step: Step): Promise<ExecutionResult> => executePlan({ ...plan, steps: [step] }, execution);
  const errors: unknown[] = [];
  const spared: Spared[] = [];
  let isBlocked = false;
  try {
    for (const step of plan.steps) {
      try {
        spared.push(...(await executeStep(step)).spared);
      } catch (error) {
        if (isAbort(error)) await recordStop(error, record, context);
        if (isAbort(error) || !isSurvivable(error, step)) throw removalFailure(error, step, options.name);
        errors.push(error);
        isBlocked ||= step.kind === 'delete';
      }
    }
  } finally {
    await record.settle();
  }
  return { spared, errors, isBlocked };
}

/** The release stays `uninstalling`, as Helm leaves it, and says how far that went; the next uninstall goes on from there. */
async function recordStop(error: unknown, record: ReleaseRecord, { lock }: Context): Promise<void> {
  if (lock?.lost.aborted) return;
  const text = `Uninstallation stopped: ${failureText(error, record.whereabouts)}`;
  await record.fail((latest) => withStatus(latest, 'uninstalling', text));
}

const propagations = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

/** Whether the uninstall goes on after this: objects that stay too long, or a failed post-delete hook. */
const isSurvivable = (error: unknown, step: Step): boolean =>
  (step.kind === 'run-hooks' && step.event === 'post-delete') ||
  (step.kind === 'delete' && error instanceof TshelmError && error.code === 'wait-timeout');

function removalFailure(error: unknown, step: Step, name: string): unknown {
  if (step.kind !== 'delete' || !(error instanceof TshelmError)) return error;
  return new TshelmError(error.code, {
    message: `failed to delete release: ${name}: ${error.message}`,
    details: { ...error.details, release: name },
    cause: error,
  });
}

async function keepHistory(
  release: Release,
  history: readonly Release[],
  record: ReleaseRecord,
  context: Context,
): Promise<void> {
  await record.finish(() => release);
  const storage = await context.storage();
  const deployed = history.filter(({ version, info }) => version !== release.version && info.status === 'deployed');
  await Promise.all(deployed.map((old) => storage.update(supersede(old))));
}

const purgeFailure = (error: unknown): Error =>
  new TshelmError('purge-failed', {
    message: `uninstall: Failed to purge the release: ${messageOf(error)}`,
    cause: error,
  });

const uninstallFailure = (errors: readonly unknown[], release: Release): TshelmError =>
  new TshelmError('uninstall-failed', {
    message: `uninstallation completed with ${errors.length} error(s): ${errors.map((error) => failureText(error)).join('; ')}`,
    details: { release: release.name, errors: errors.map((error) => failureText(error)) },
    cause: errors[0],
  });

/** Helm's text about resources that `helm.sh/resource-policy: keep` protects. */
export const keptText = (kept: readonly Manifest[]): string =>
  kept.length === 0
    ? ''
    : `These resources were kept due to the resource policy:\n${kept
        .map(({ object }) => `[${object.kind}] ${object.metadata.name}\n`)
        .join('')}`;

/** Helm's texts about resources that were not deleted because of whose they are. */
function sparedTexts(spared: readonly Spared[]): readonly string[] {
  const notOwned = spared.filter(({ why }) => why === 'not-owned');
  const unknown = spared.filter(({ why }) => why === 'ownership-unknown');
  return [
    listText(notOwned, 'they are not owned by this release', ({ id }) => `[${id.kind}] ${id.name}`),
    listText(
      unknown,
      'their ownership could not be verified',
      ({ id, reason }) => `[${id.kind}] ${id.name}: ${reason}`,
    ),
  ];
}

const listText = (spared: readonly Spared[], why: string, line: (one: Spared) => string): string =>
  spared.length === 0
    ? ''
    : `${spared.length} resource(s) were not deleted because ${why}:\n${spared.map((one) => `${line(one)}\n`).join('')}`;
