import { helmRenderer } from '../../actions/rendering/renderer.ts';
import type { Renderer } from '../../change/context.ts';
import type { Chart } from '../../chart/types.ts';
import type { GoMap } from '../../go/value.ts';
import type { PostRenderer } from '../../render/post-renderer.ts';
import { runHooks } from '../../stack/hooks.ts';
import { planStack, type StackNode, type StackPlanOptions } from '../../stack/plan-stack.ts';
import type { Brought } from '../../stack/promised.ts';
import { valuesOfRelease } from '../../stack/release-values.ts';
import { type NodeOutcome, whyLeftOut } from '../../stack/run-graph.ts';
import { refuseUnsupported } from '../../stack/unsupported.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { CliContext, Session } from '../context.ts';
import type { FlagsOf } from '../flag-rows.ts';
import type { GlobalFlags } from '../settings.ts';
import { withAddedValues } from './added-values.ts';
import type { stackProgressFlags } from './change-flags.ts';
import { StackCharts } from './charts.ts';
import { extraUpgrade } from './extra-args.ts';
import type { StackFlags } from './flags.ts';
import { noneFound, type OpenStack, openStack } from './open-stack.ts';
import { postRendererOfRelease } from './post-renderer.ts';
import { openProgress, type StackProgress } from './progress.ts';
import { ClusterReach } from './reach.ts';
import { StackRecords } from './records.ts';
import { StackSessions } from './sessions.ts';
import type { releaseValueFlags } from './show-flags.ts';

/** A stack that is worked on: its graph, and what its releases need. */
export interface StackWork extends OpenStack {
  readonly command: string;
  readonly flags: GlobalFlags;
  readonly nodes: readonly StackNode[];
  readonly charts: StackCharts;
  readonly sessions: StackSessions;
  readonly reach: ClusterReach;
  readonly progress: StackProgress;
  readonly context: CliContext;
  readonly records: StackRecords;
  /** Namespaces that are known to be there, as `context/namespace`: nobody has to ask for them again. */
  readonly namespaces: Set<string>;
  /** What releases of this run have brought. */
  readonly brought: Map<string, Brought>;
}

/** Reads the stack and plans it; what it uses and tshelm lacks is refused before anything is done. */
export async function openWork(
  command: string,
  flags: StackFlags & FlagsOf<Partial<typeof stackProgressFlags>>,
  options: StackPlanOptions,
  context: CliContext,
): Promise<StackWork> {
  const progress = await openProgress(flags, context);
  const opened = await openStack(flags, context);
  const nodes = planStack(opened.files, options);
  if (nodes.length === 0) throw noneFound(opened.reading);
  for (const { release, file, isWanted } of nodes)
    if (isWanted) refuseUnsupported({ release, file, purpose: 'deploy' }, opened.reading);
  const sessions = new StackSessions(withoutNamespace(flags), progress.reporter, context);
  return {
    ...opened,
    command,
    flags,
    nodes,
    charts: new StackCharts(flags, opened.reading, context),
    sessions,
    reach: new ClusterReach(sessions),
    progress,
    context,
    records: new StackRecords(),
    namespaces: new Set(),
    brought: new Map(),
  };
}

/** `-n` is the namespace of the releases, which they have by now; sessions are opened for theirs. */
function withoutNamespace({ namespace: _namespace, ...flags }: StackFlags): Omit<StackFlags, 'namespace'> {
  return flags;
}

/** The chart and the values of a release; its hooks for `prepare` run before. */
export async function preparedRelease(
  { id, release, file }: StackNode,
  work: StackWork,
  flags: FlagsOf<typeof releaseValueFlags>,
): Promise<{ readonly chart: Chart; readonly values: GoMap; readonly session: Session }> {
  const { charts, sessions, reading, context, command, progress } = work;
  await runHooks({ event: 'prepare', command, release }, file, reading, progress.note);
  const chart = await charts.of(release, file);
  const values = await deployedValues({ release, file }, work, flags);
  const session = progress.watched(id, await sessions.of(release, file));
  const postRenderer = postRendererOfRelease({ release, file }, reading, work.flags, context);
  if (postRenderer === undefined) return { chart, values, session };
  return { chart, values, session: { ...session, renderer: rendererWith(postRenderer, work) } };
}

/** A renderer with the post-renderer of a release. */
export const rendererWith = (
  postRenderer: PostRenderer | undefined,
  { flags, context }: Pick<StackWork, 'flags' | 'context'>,
): Renderer =>
  helmRenderer({
    now: context.io.now,
    postRenderer,
    downloadSchema: async (url) => (await import('../download.ts')).downloadSchema(url, flags, context),
  });

/** The values of a release that is deployed: its own, and what the state and the command line give every release. */
export const deployedValues = async (
  { release, file }: Pick<StackNode, 'release' | 'file'>,
  { reading, context }: Pick<StackWork, 'reading' | 'context'>,
  flags: FlagsOf<typeof releaseValueFlags>,
): Promise<GoMap> =>
  withAddedValues(await valuesOfRelease(release, file, reading, extraUpgrade(file, reading)), flags, context);

/** The hooks of each file, around what is done with its releases. */
export async function withFileHooks<T>(work: StackWork, task: () => Promise<T>): Promise<T> {
  const { files, reading, progress, command } = work;
  for (const file of files) await runHooks({ event: 'prepare', command }, file, reading, progress.note);
  let error: unknown;
  try {
    return await task();
  } catch (cause) {
    error = cause;
    throw cause;
  } finally {
    for (const file of files) await runHooks({ event: 'cleanup', command, error }, file, reading, progress.note);
  }
}

/** What was done after a failure: behind the counts, and in lines. */
export interface Afterwards {
  readonly text: string;
  readonly lines: readonly string[];
}

/**
 * Fails with `stack-failed` where a release did; each failure is told in full, and of a cluster that does not answer once.
 */
export function throwFailures<T>(
  outcomes: ReadonlyMap<string, NodeOutcome<T>>,
  reach: ClusterReach,
  afterwards: Afterwards = { text: '', lines: [] },
): void {
  const failed: string[] = [];
  const skipped: string[] = [];
  const lines: string[] = [];
  const waiting = new Map([...reach.lost().keys()].map((name): [string, string[]] => [name, []]));
  for (const [id, outcome] of outcomes) {
    if (outcome.kind === 'failed') {
      failed.push(id);
      lines.push(`${id}: ${messageOf(outcome.error)}`);
    } else if (outcome.kind === 'skipped') {
      skipped.push(id);
      const others = waiting.get(outcome.because ?? '');
      if (others === undefined) lines.push(`${id}: left out (${whyLeftOut(outcome.because)})`);
      else others.push(id);
    }
  }
  if (failed.length + skipped.length === 0) return;
  const lost = [...reach.lost()].map(([name, why]) => `${name}: ${why}${leftOutText(waiting.get(name) ?? [])}`);
  const left = skipped.length === 0 ? '' : `, ${skipped.length} left out`;
  const told = [...lost, ...lines, ...afterwards.lines].map((line) => `  ${line}`).join('\n');
  const message = `${failed.length} of ${outcomes.size} releases failed${left}${afterwards.text}:\n${told}`;
  throw new TshelmError('stack-failed', { message, details: { failed, skipped } });
}

const leftOutText = (ids: readonly string[]): string => (ids.length === 0 ? '' : `\n    left out: ${ids.join(', ')}`);
