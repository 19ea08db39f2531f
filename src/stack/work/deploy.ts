import type { UpgradeOptions } from '../../actions/options/upgrade.ts';
import { renderedOtherwise } from '../../actions/unchanged.ts';
import { uninstall } from '../../actions/uninstall.ts';
import { upgrade } from '../../actions/upgrade.ts';
import { isForbiddenUpdate } from '../../execute/refusals.ts';
import { isSameRelease } from '../../release/same-release.ts';
import type { Release } from '../../release/types.ts';
import { addedDetail, messageOf } from '../../support/errors.ts';
import { uninstallOptionsOf } from '../action-options.ts';
import { awaitKinds, providedBy } from '../anticipated-cluster.ts';
import { type HookEventName, runHooks } from '../hooks.ts';
import { deployOrder, needsOf, removalsLast, reversed, type StackNode } from '../plan-stack.ts';
import { requireSecretPrograms, withOutsideFiles } from '../release-values.ts';
import type { NodeOutcome } from '../run-graph.ts';
import { carryOutMoves } from './moves.ts';
import { deployOptionsOf, type UpgradeOverrides } from './options.ts';
import { type Done, releasesOfRun } from './progress.ts';
import { type ChangedRelease, putBack } from './put-back.ts';
import type { StackSession } from './session.ts';
import { type Afterwards, preparedRelease, runReleases, type StackWork, throwFailures, withFileHooks } from './work.ts';

export interface RunOptions {
  /** Releases at a time. */
  readonly concurrency: number;
  /** The first failure keeps everything from beginning that has not begun. */
  readonly failFast?: boolean | undefined;
}

export interface DeployOptions extends RunOptions, UpgradeOverrides {
  /** Goes on where a run failed or was killed. */
  readonly resume?: boolean | undefined;
}

/** What was done with each release, in the order of the graph. */
export type StackOutcomes = ReadonlyMap<string, NodeOutcome<Done>>;

/**
 * Makes the cluster as the state says, each release as soon as those that it needs are done. With the command `apply`,
 * releases that would not change are left alone. Errors: `stack-failed`, `stack-hook-failed`, `secret-failed`.
 */
export async function deployStack(work: StackWork, options: DeployOptions): Promise<StackOutcomes> {
  const { nodes, reading, tools } = work;
  const { progress } = tools;
  for (const { release, file, isWanted } of nodes) {
    if (!isWanted) continue;
    await withOutsideFiles(release, file, reading);
    requireSecretPrograms(release, file, reading);
  }
  const isWhole = options.rollbackOnFailure === 'stack';
  const order = deployOrder(nodes);
  const changed = new Map<string, ChangedRelease>();
  progress.begin(work.command, releasesOfRun(order, work.charts, { isEager: options.overrides.eager === true }));
  return withFileHooks(work, async () => {
    await carryOutMoves(work);
    const run = { concurrency: options.concurrency, failFast: options.failFast || isWhole };
    const outcomes = await runReleases(work, isWhole ? removalsLast(order) : order, run, (node) =>
      deployed(node, { work, options, changed }),
    );
    const hasFailed = [...outcomes.values()].some(({ kind }) => kind !== 'done');
    const left = isWhole && hasFailed ? await putBack(changed, work, options.concurrency) : undefined;
    throwFailures(outcomes, work.reach, left && putBackText(changed.size, left));
    return outcomes;
  });
}

/** What is said of it behind the counts, and a line for each that stays changed. */
function putBackText(count: number, left: ReadonlyMap<string, string>): Afterwards {
  if (left.size === 0)
    return { text: `; ${count} changed ${count === 1 ? 'release was' : 'releases were'} rolled back`, lines: [] };
  return {
    text: `; ${left.size} of ${count} changed releases could not be rolled back`,
    lines: [...left].map(([id, why]) => `${id}: rollback failed: ${why}`),
  };
}

interface Deploying {
  readonly work: StackWork;
  readonly options: DeployOptions;
  readonly changed: Map<string, ChangedRelease>;
}

async function deployed(node: StackNode, { work, options: run, changed }: Deploying): Promise<Done> {
  if (!node.isWanted) return removed(node, work, { logs: run.overrides.logs }, 'sync');
  const { release } = node;
  const { chart, values, session } = await preparedRelease(node, work);
  const before = needsOf(node, work.nodes).flatMap((id) => work.provided.get(id) ?? []);
  await awaitKinds(await session.cluster(), before, session);
  const current = await work.records.newest(release.name ?? '', session);
  const isResumed = run.resume === true && current?.info.status === 'failed';
  const asked = deployOptionsOf(node, work, run);
  const place = `${release.kubeContext ?? ''}/${session.namespace}`;
  const options = {
    ...asked,
    createNamespace: asked.createNamespace && !work.namespaces.has(place),
    ...(isResumed ? { resume: true } : {}),
  };
  const isChecked = (work.command === 'apply' || run.resume === true) && !isResumed;
  const tell = (text: string): void => work.tools.progress.tell(`${node.id} is upgraded: ${text}`);
  if (isChecked && (await isUnchanged({ chart, values, options, current }, session, tell))) {
    return runCleanupHooks({ change: 'unchanged', text: 'unchanged' }, node, work);
  }
  return withReleaseHooks(node, work, async () => {
    const change = (): ReturnType<typeof upgrade> => upgrade(chart, values, options, session);
    const {
      release: done,
      isInstalled,
      isUnchanged: isSkipped,
      warnings,
      plan,
    } = release.updateStrategy === 'reinstallIfForbidden'
      ? await withReinstallIfForbidden(change, node, work)
      : await change();
    work.namespaces.add(place);
    if (isSkipped) return { change: 'unchanged', text: 'unchanged' };
    changed.set(node.id, { revision: done.version, options, session });
    work.provided.set(node.id, providedBy(node.id, { plan }));
    for (const warning of warnings) work.tools.progress.tell(warning);
    return isInstalled ? installedAs(done.version) : upgradedTo(done.version);
  });
}

export const installedAs = (revision: number): Done => ({ change: 'installed', revision, text: 'installed' });

export const upgradedTo = (revision: number): Done => ({
  change: 'upgraded',
  revision,
  text: `upgraded to revision ${revision}`,
});

/** Drift was brought back: the revision is as it was. */
export const fixed: Done = { change: 'unchanged', text: 'brought back' };

export const uninstalled: Done = { change: 'uninstalled', text: 'uninstalled' };

/** `updateStrategy: reinstallIfForbidden`: what may not be changed in place is taken away and made again, as in helmfile. */
async function withReinstallIfForbidden<T>(change: () => Promise<T>, node: StackNode, work: StackWork): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const refusals = addedDetail(error, 'refusals') ?? [];
    if (refusals.length === 0 || !refusals.every(isForbiddenUpdate)) throw error;
    work.tools.progress.tell(
      `${node.id}: the API server does not allow the change in place, so the release is reinstalled (updateStrategy: reinstallIfForbidden)`,
    );
    await uninstallWithHooks(node, work, await work.sessions.of(node.release, node.file), { wait: 'watcher' });
    return change();
  }
}

interface Candidate {
  readonly chart: Parameters<typeof upgrade>[0];
  readonly values: Parameters<typeof upgrade>[1];
  readonly options: UpgradeOptions;
  /** The newest revision. */
  readonly current: Release | undefined;
}

/**
 * Whether the newest revision is deployed and an upgrade would store the same manifest and hooks, as helm-diff compares
 * them. What the run has read already, records and the server's version, is not read again for each release.
 */
async function isUnchanged(
  { chart, values, options, current }: Candidate,
  session: StackSession,
  tell: (text: string) => void,
): Promise<boolean> {
  if (current?.info.status !== 'deployed') return false;
  const storage = await session.storage();
  const known: StackSession = {
    ...session,
    onEvent: () => undefined,
    storage: async () => ({ ...storage, revisions: async () => [current] }),
  };
  const { release } = await upgrade(chart, values, { ...options, dryRun: 'plan' }, known);
  const otherwise = renderedOtherwise(current, release);
  if (otherwise !== undefined) tell(otherwise);
  return isSameRelease(current, release);
}

/** The hooks of a release around its change. What fails after the change is its failure too. */
export async function withReleaseHooks(
  node: StackNode,
  { command, reading, tools }: Pick<StackWork, 'command' | 'reading' | 'tools'>,
  task: () => Promise<Done>,
): Promise<Done> {
  const hooks = (event: HookEventName, error?: unknown): Promise<void> =>
    runHooks({ event, command, release: node.release, error }, node.file, reading, tools.progress.note);
  if (command === 'apply') await hooks('preapply');
  await hooks('presync');
  let done: Done;
  try {
    done = await task();
  } catch (error) {
    // The release's own failure is the one that is reported.
    for (const event of ['postsync', 'cleanup'] as const) await hooks(event, error).catch(() => undefined);
    throw error;
  }
  await hooks('postsync');
  await hooks('cleanup');
  return done;
}

/** What needs no change has its hooks for `cleanup` run, as in helmfile; one that fails is only told. */
async function runCleanupHooks(
  done: Done,
  { id, release, file }: StackNode,
  { command, reading, tools: { progress } }: Pick<StackWork, 'command' | 'reading' | 'tools'>,
): Promise<Done> {
  try {
    await runHooks({ event: 'cleanup', command, release }, file, reading, progress.note);
  } catch (error) {
    progress.tell(`warning: ${id}: ${messageOf(error)}`);
  }
  return done;
}

type Removal = Parameters<typeof uninstall>[0];

/** Uninstalls a release, where there is one. */
async function removed(
  node: StackNode,
  work: StackWork,
  options: Partial<Removal>,
  when: 'sync' | 'delete',
): Promise<Done> {
  const { release, file } = node;
  const session = work.tools.progress.watched(node.id, await work.sessions.of(release, file));
  if ((await work.records.newest(release.name ?? '', session)) === undefined) {
    const done: Done = { change: 'not-installed', text: 'not installed' };
    return runCleanupHooks(done, node, { ...work, command: when === 'sync' ? work.command : when });
  }
  const remove = async (): Promise<Done> => {
    await uninstallWithHooks(node, work, session, options);
    return uninstalled;
  };
  return when === 'sync' ? withReleaseHooks(node, work, remove) : remove();
}

/** Uninstalls a release, between its hooks for that. helmfile names them `delete` in `destroy`. */
async function uninstallWithHooks(
  { release, file }: StackNode,
  work: StackWork,
  session: StackSession,
  options: Partial<Removal>,
): Promise<void> {
  const command = work.command === 'destroy' ? 'delete' : work.command;
  const hooks = (event: HookEventName): Promise<void> =>
    runHooks({ event, command, release }, file, work.reading, work.tools.progress.note);
  await hooks('preuninstall');
  await uninstall({ ...uninstallOptionsOf(release, file), ...options }, session);
  await hooks('postuninstall');
}

/** As in helmfile, the hooks for `prepare` of what is wanted run first. */
async function destroyed(node: StackNode, work: StackWork, options: Partial<Removal>): Promise<Done> {
  const { file, isWanted, release } = node;
  const { command, reading, tools } = work;
  if (isWanted) await runHooks({ event: 'prepare', command, release }, file, reading, tools.progress.note);
  return removed(node, work, options, 'delete');
}

export interface DestroyOptions extends RunOptions {
  readonly overrides: Partial<Removal>;
}

/** Uninstalls all releases, each after those that need it. Errors: `stack-failed`, `stack-hook-failed`. */
export async function destroyStack(work: StackWork, options: DestroyOptions): Promise<StackOutcomes> {
  const { progress } = work.tools;
  const order = reversed(work.nodes);
  progress.begin(work.command, releasesOfRun(order, work.charts, { action: 'uninstall' }));
  const outcomes = await withFileHooks(work, () =>
    runReleases(work, order, options, (node) => destroyed(node, work, options.overrides)),
  );
  throwFailures(outcomes, work.reach);
  return outcomes;
}
