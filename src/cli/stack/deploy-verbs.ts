import { uninstall } from '../../actions/uninstall.ts';
import { type UpgradeOptions, upgrade } from '../../actions/upgrade.ts';
import type { Release } from '../../release/types.ts';
import { uninstallOptionsOf, upgradeOptionsOf } from '../../stack/action-options.ts';
import { type HookEventName, runHooks } from '../../stack/hooks.ts';
import { deployOrder, reversed, type StackNode } from '../../stack/plan-stack.ts';
import { runGraph } from '../../stack/run-graph.ts';
import type { CliContext, Session } from '../context.ts';
import { type FlagsOf, optionsOf } from '../flag-rows.ts';
import {
  type deployFlags,
  type destroyFlags,
  destroyOptionFlags,
  planFlags,
  upgradeOverrideFlags,
} from './change-flags.ts';
import type { StackFlags } from './flags.ts';
import { openWork, preparedRelease, type StackWork, throwFailures, withFileHooks } from './work.ts';

type DeployFlags = StackFlags & FlagsOf<typeof deployFlags>;

/** Every release is upgraded, whether something of it changes or not. */
export const runSync = (flags: DeployFlags, context: CliContext): Promise<void> => deploy('sync', flags, context);

/** Only releases of which something changes are upgraded. */
export const runApply = (flags: DeployFlags, context: CliContext): Promise<void> => deploy('apply', flags, context);

async function deploy(command: 'sync' | 'apply', flags: DeployFlags, context: CliContext): Promise<void> {
  const work = await openWork(command, flags, optionsOf(planFlags, flags), context);
  const { progress, nodes } = work;
  const outcomes = await withFileHooks(work, () =>
    runGraph(deployOrder(nodes), (node) => progress.follow(node.id, () => deployed(node, work, flags)), {
      concurrency: flags.concurrency,
      failFast: flags.failFast,
      signal: context.interruption(),
    }),
  );
  throwFailures(outcomes);
}

async function deployed(node: StackNode, work: StackWork, flags: DeployFlags): Promise<string> {
  if (!node.isWanted) return removed(node, work, {}, 'sync');
  const { release, file } = node;
  const { chart, values, session } = await preparedRelease(node, work, flags);
  const current = await work.records.newest(release.name ?? '', session);
  const isResumed = flags.resume === true && current?.info.status === 'failed';
  const asked = upgradeOptionsOf(release, file);
  const place = `${release.kubeContext ?? ''}/${session.namespace}`;
  const options = {
    ...asked,
    createNamespace: asked.createNamespace && !work.namespaces.has(place),
    ...optionsOf(upgradeOverrideFlags, flags),
    ...(isResumed ? { resume: true } : {}),
  };
  const isChecked = work.command === 'apply' && !isResumed;
  if (isChecked && (await isUnchanged({ chart, values, options, current }, session))) return 'unchanged';
  return around(node, work, async () => {
    const { release: done, isInstalled, warnings } = await upgrade(chart, values, options, session);
    work.namespaces.add(place);
    for (const warning of warnings) work.progress.tell(warning);
    return isInstalled ? 'installed' : `upgraded to revision ${done.version}`;
  });
}

interface Candidate {
  readonly chart: Parameters<typeof upgrade>[0];
  readonly values: Parameters<typeof upgrade>[1];
  readonly options: UpgradeOptions;
  /** The newest revision. */
  readonly current: Release | undefined;
}

/** Whether the newest revision is deployed and an upgrade would store the same manifest and hooks, as helm-diff compares them. */
async function isUnchanged({ chart, values, options, current }: Candidate, session: Session): Promise<boolean> {
  if (current?.info.status !== 'deployed') return false;
  const quiet = { ...session, onEvent: () => undefined };
  const { release } = await upgrade(chart, values, { ...options, dryRun: 'plan' }, quiet);
  return release.manifest === current.manifest && hookText(release) === hookText(current);
}

const hookText = ({ hooks }: Release): string =>
  hooks
    .map(({ path, manifest }) => `${path}\n${manifest}`)
    .sort()
    .join('\n');

/** The hooks of a release around its change. What fails after the change is its failure too. */
async function around(node: StackNode, work: StackWork, task: () => Promise<string>): Promise<string> {
  const { command } = work;
  const hooks = (event: HookEventName, error?: unknown): Promise<void> =>
    runHooks({ event, command, release: node.release, error }, node.file, work.reading, work.progress.tell);
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

type Removal = Parameters<typeof uninstall>[0];

/** Uninstalls a release, where there is one. */
async function removed(
  node: StackNode,
  work: StackWork,
  options: Partial<Removal>,
  when: 'sync' | 'delete',
): Promise<string> {
  const { release, file } = node;
  const session = await work.sessions.of(release, file);
  if ((await work.records.newest(release.name ?? '', session)) === undefined) return 'not installed';
  const hooks = (event: HookEventName): Promise<void> =>
    runHooks({ event, command: work.command, release }, file, work.reading, work.progress.tell);
  const remove = async (): Promise<string> => {
    await hooks('preuninstall');
    await uninstall({ ...uninstallOptionsOf(release, file), ...options }, session);
    await hooks('postuninstall');
    return 'uninstalled';
  };
  return when === 'sync' ? around(node, work, remove) : remove();
}

type DestroyFlags = StackFlags & FlagsOf<typeof destroyFlags>;

/** Uninstalls all releases, each after those that need it. */
export async function runDestroy(flags: DestroyFlags, context: CliContext): Promise<void> {
  const work = await openWork('destroy', flags, optionsOf(planFlags, flags), context);
  const options = optionsOf(destroyOptionFlags, flags);
  const outcomes = await withFileHooks(work, () =>
    runGraph(
      reversed(work.nodes),
      (node) => work.progress.follow(node.id, () => removed(node, work, options, 'delete')),
      { concurrency: flags.concurrency, failFast: flags.failFast, signal: context.interruption() },
    ),
  );
  throwFailures(outcomes);
}
