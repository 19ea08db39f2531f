import { uninstall } from '../../actions/uninstall.ts';
import { type UpgradeOptions, upgrade } from '../../actions/upgrade.ts';
import type { Release } from '../../release/types.ts';
import { uninstallOptionsOf } from '../../stack/action-options.ts';
import { type HookEventName, runHooks } from '../../stack/hooks.ts';
import { deployOrder, needsOf, removalsLast, reversed, type StackNode } from '../../stack/plan-stack.ts';
import { awaitKinds, broughtBy } from '../../stack/promised.ts';
import { requireSecretPrograms } from '../../stack/release-values.ts';
import { runGraph } from '../../stack/run-graph.ts';
import { messageOf } from '../../support/errors.ts';
import type { CliContext, Session } from '../context.ts';
import { type FlagsOf, optionsOf } from '../flag-rows.ts';
import { type deployFlags, type destroyFlags, destroyOptionFlags, planFlags } from './change-flags.ts';
import type { StackFlags } from './flags.ts';
import { deployOptionsOf, isSameRelease } from './options.ts';
import { releasesOfRun } from './progress.ts';
import { type ChangedRelease, putBack } from './put-back.ts';
import { type Afterwards, openWork, preparedRelease, type StackWork, throwFailures, withFileHooks } from './work.ts';

type DeployFlags = StackFlags & FlagsOf<typeof deployFlags>;

/** Every release is upgraded, whether something of it changes or not. */
export const runSync = (flags: DeployFlags, context: CliContext): Promise<void> => deploy('sync', flags, context);

/** Only releases of which something changes are upgraded. */
export const runApply = (flags: DeployFlags, context: CliContext): Promise<void> => deploy('apply', flags, context);

async function deploy(command: 'sync' | 'apply', flags: DeployFlags, context: CliContext): Promise<void> {
  const work = await openWork(command, flags, optionsOf(planFlags, flags), context);
  const { progress, nodes, reading } = work;
  for (const { release, file, isWanted } of nodes) if (isWanted) requireSecretPrograms(release, file, reading);
  const isWhole = flags.rollbackOnFailure === 'stack';
  const order = deployOrder(nodes);
  const changed = new Map<string, ChangedRelease>();
  progress.begin(command, releasesOfRun(order, work.charts, { isEager: flags.eager === true }));
  await withFileHooks(work, async () => {
    const outcomes = await runGraph(
      isWhole ? removalsLast(order) : order,
      (node) => work.reach.with(node, () => progress.follow(node.id, () => deployed(node, { work, flags, changed }))),
      {
        concurrency: flags.concurrency,
        failFast: flags.failFast || isWhole,
        signal: context.interruption(),
        onSkip: (node, because) => progress.leaveOut(node.id, because),
      },
    );
    const hasFailed = [...outcomes.values()].some(({ kind }) => kind !== 'done');
    const left = isWhole && hasFailed ? await putBack(changed, work, flags.concurrency) : undefined;
    throwFailures(outcomes, work.reach, left && putBackText(changed.size, left));
  });
  progress.finish();
}

/** What is said of it behind the counts, and a line for each that stays changed. */
function putBackText(count: number, left: ReadonlyMap<string, string>): Afterwards {
  if (left.size === 0)
    return { text: `; ${count} changed ${count === 1 ? 'release was' : 'releases were'} put back`, lines: [] };
  return {
    text: `; ${left.size} of ${count} changed releases could not be put back`,
    lines: [...left].map(([id, why]) => `${id}: not put back: ${why}`),
  };
}

interface Deploying {
  readonly work: StackWork;
  readonly flags: DeployFlags;
  readonly changed: Map<string, ChangedRelease>;
}

async function deployed(node: StackNode, { work, flags, changed }: Deploying): Promise<string> {
  if (!node.isWanted) return removed(node, work, {}, 'sync');
  const { release } = node;
  const { chart, values, session } = await preparedRelease(node, work, flags);
  const before = needsOf(node, work.nodes).flatMap((id) => work.brought.get(id) ?? []);
  await awaitKinds(await session.cluster(), before, session);
  const current = await work.records.newest(release.name ?? '', session);
  const isResumed = flags.resume === true && current?.info.status === 'failed';
  const asked = deployOptionsOf(node, work.reading, flags);
  const place = `${release.kubeContext ?? ''}/${session.namespace}`;
  const options = {
    ...asked,
    createNamespace: asked.createNamespace && !work.namespaces.has(place),
    ...(isResumed ? { resume: true } : {}),
  };
  const isChecked = (work.command === 'apply' || flags.resume === true) && !isResumed;
  if (isChecked && (await isUnchanged({ chart, values, options, current }, session))) {
    return leftAlone('unchanged', node, work);
  }
  return around(node, work, async () => {
    const change = (): ReturnType<typeof upgrade> => upgrade(chart, values, options, session);
    const {
      release: done,
      isInstalled,
      warnings,
      plan,
    } = release.updateStrategy === 'reinstallIfForbidden' ? await orReinstalled(change, node, work) : await change();
    work.namespaces.add(place);
    changed.set(node.id, { revision: done.version, options, session });
    work.brought.set(node.id, broughtBy(node.id, { plan }));
    for (const warning of warnings) work.progress.tell(warning);
    return isInstalled ? 'installed' : `upgraded to revision ${done.version}`;
  });
}

/** `updateStrategy: reinstallIfForbidden`: what may not be changed in place is taken away and made again, as in helmfile. */
async function orReinstalled<T>(change: () => Promise<T>, node: StackNode, work: StackWork): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!/Forbidden: updates/.test(messageOf(error))) throw error;
    work.progress.tell(`${node.id}: the change is forbidden, so the release is reinstalled (updateStrategy)`);
    await takenAway(node, work, await work.sessions.of(node.release, node.file), { wait: 'watcher' });
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
async function isUnchanged({ chart, values, options, current }: Candidate, session: Session): Promise<boolean> {
  if (current?.info.status !== 'deployed') return false;
  const storage = await session.storage();
  const known: Session = {
    ...session,
    onEvent: () => undefined,
    storage: async () => ({ ...storage, revisions: async () => [current] }),
  };
  const { release } = await upgrade(chart, values, { ...options, dryRun: 'plan' }, known);
  return isSameRelease(current, release);
}

/** The hooks of a release around its change. What fails after the change is its failure too. */
export async function around(
  node: StackNode,
  work: Pick<StackWork, 'command' | 'reading' | 'progress'>,
  task: () => Promise<string>,
): Promise<string> {
  const { command } = work;
  const hooks = (event: HookEventName, error?: unknown): Promise<void> =>
    runHooks({ event, command, release: node.release, error }, node.file, work.reading, work.progress.note);
  if (command === 'apply') await hooks('preapply');
  await hooks('presync');
  let done: string;
  try {
    done = await task();
  } catch (error) {
    for (const event of ['postsync', 'cleanup'] as const) await hooks(event, error).catch(() => undefined);
    throw error;
  }
  await hooks('postsync');
  await hooks('cleanup');
  return done;
}

/** What needs no change has its hooks for `cleanup` run, as in helmfile; one that fails is only told. */
async function leftAlone(
  done: string,
  { id, release, file }: StackNode,
  { command, reading, progress }: Pick<StackWork, 'command' | 'reading' | 'progress'>,
): Promise<string> {
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
): Promise<string> {
  const { release, file } = node;
  const session = work.progress.watched(node.id, await work.sessions.of(release, file));
  if ((await work.records.newest(release.name ?? '', session)) === undefined) {
    return leftAlone('not installed', node, { ...work, command: when === 'sync' ? work.command : when });
  }
  const remove = async (): Promise<string> => {
    await takenAway(node, work, session, options);
    return 'uninstalled';
  };
  return when === 'sync' ? around(node, work, remove) : remove();
}

/** Uninstalls a release, between its hooks for that. helmfile names them `delete` in `destroy`. */
async function takenAway(
  { release, file }: StackNode,
  work: StackWork,
  session: Session,
  options: Partial<Removal>,
): Promise<void> {
  const command = work.command === 'destroy' ? 'delete' : work.command;
  const hooks = (event: HookEventName): Promise<void> =>
    runHooks({ event, command, release }, file, work.reading, work.progress.note);
  await hooks('preuninstall');
  await uninstall({ ...uninstallOptionsOf(release, file), ...options }, session);
  await hooks('postuninstall');
}

/** As in helmfile, the hooks for `prepare` of what is wanted run first. */
async function destroyed(node: StackNode, work: StackWork, options: Partial<Removal>): Promise<string> {
  const { file, isWanted, release } = node;
  const { command, reading, progress } = work;
  if (isWanted) await runHooks({ event: 'prepare', command, release }, file, reading, progress.note);
  return removed(node, work, options, 'delete');
}

type DestroyFlags = StackFlags & FlagsOf<typeof destroyFlags>;

/** Uninstalls all releases, each after those that need it. */
export async function runDestroy(flags: DestroyFlags, context: CliContext): Promise<void> {
  const work = await openWork('destroy', flags, optionsOf(planFlags, flags), context);
  const options = optionsOf(destroyOptionFlags, flags);
  const { progress } = work;
  const order = reversed(work.nodes);
  progress.begin('destroy', releasesOfRun(order, work.charts, { action: 'uninstall' }));
  const outcomes = await withFileHooks(work, () =>
    runGraph(
      order,
      (node) => work.reach.with(node, () => progress.follow(node.id, () => destroyed(node, work, options))),
      {
        concurrency: flags.concurrency,
        failFast: flags.failFast,
        signal: context.interruption(),
        onSkip: (node, because) => progress.leaveOut(node.id, because),
      },
    ),
  );
  throwFailures(outcomes, work.reach);
  progress.finish();
}
