import type { MovePlan } from '../../change/moves/moves.ts';
import type { Chart } from '../../chart/types.ts';
import type { GoMap } from '../../go/value.ts';
import { newestOfEach } from '../../release/history.ts';
import type { Release } from '../../release/types.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { awaitOutsideWork } from '../../support/outside-work.ts';
import type { ProvidedByRelease } from '../anticipated-cluster.ts';
import { runHooks } from '../hooks.ts';
import { planStack, type StackNode, type StackPlanOptions } from '../plan-stack.ts';
import { valuesOfRelease } from '../release-values.ts';
import { type NodeOutcome, type RunGraphOptions, runGraph, whyLeftOut } from '../run-graph.ts';
import { refuseUnsupported } from '../unsupported.ts';
import { StackCharts } from './charts.ts';
import { healthRulesOf } from './health-rules.ts';
import { noneFound, type OpenStack } from './open-stack.ts';
import { postRendererOfRelease } from './post-renderer.ts';
import type { Done } from './progress.ts';
import { ClusterReach } from './reach.ts';
import type { StackSession } from './session.ts';
import { StackSessions } from './sessions.ts';
import type { StackTools } from './tools.ts';

/** A stack that is worked on: its graph, and what its releases need. */
export interface StackWork extends OpenStack {
  /** `sync`, `apply`, …: what the user asked for, as hooks are told. */
  readonly command: string;
  readonly nodes: readonly StackNode[];
  readonly tools: StackTools;
  readonly charts: StackCharts;
  readonly sessions: StackSessions;
  readonly reach: ClusterReach;
  readonly records: StackRecords;
  /** Namespaces that are known to be there, as `context/namespace`: nobody has to ask for them again. */
  readonly namespaces: Set<string>;
  /** What releases of this run have brought. */
  readonly provided: Map<string, ProvidedByRelease>;
  /** What a plan has found to be moved before anything is deployed, in that order. */
  readonly moves: MovePlan[];
}

/** Plans a stack that was read; what it uses and tshelm lacks is refused before anything is done. Errors: `stack-empty`. */
export function workOn(
  command: string,
  { files, reading }: OpenStack,
  options: StackPlanOptions,
  tools: StackTools,
): StackWork {
  const nodes = planStack(files, options);
  if (nodes.length === 0) throw noneFound(reading);
  for (const { release, file, isWanted } of nodes)
    if (isWanted) refuseUnsupported({ release, file, purpose: 'deploy' });
  const sessions = new StackSessions(tools);
  return {
    files,
    reading,
    command,
    nodes,
    tools,
    charts: new StackCharts(reading, tools),
    sessions,
    reach: new ClusterReach(sessions, tools),
    records: new StackRecords(),
    namespaces: new Set(),
    provided: new Map(),
    moves: [],
  };
}

/** The chart and the values of a release; its hooks for `prepare` run before. */
export async function preparedRelease(
  { id, release, file }: StackNode,
  work: StackWork,
): Promise<{ readonly chart: Chart; readonly values: GoMap; readonly session: StackSession }> {
  const { charts, sessions, reading, command, tools } = work;
  await runHooks({ event: 'prepare', command, release }, file, reading, tools.progress.note);
  const chart = await charts.of(release, file);
  const values = await deployedValues({ release, file }, work);
  const userRules = healthRulesOf({ release, file }, tools.userRules);
  const session = { ...tools.progress.watched(id, await sessions.of(release, file)), userRules };
  const postRenderer = postRendererOfRelease({ release, file }, reading, tools);
  if (postRenderer === undefined) return { chart, values, session };
  return { chart, values, session: { ...session, rendering: { ...tools.rendering, postRenderer } } };
}

/** The values of a release that is deployed: its own, and what the state and the run give every release. */
export const deployedValues = async (
  { release, file }: Pick<StackNode, 'release' | 'file'>,
  { reading, tools }: Pick<StackWork, 'reading' | 'tools'>,
): Promise<GoMap> =>
  tools.withGivenValues(await awaitOutsideWork(valuesOfRelease(release, file, reading, tools.words.upgrade(file))));

/** The hooks of each file, around what is done with its releases. */
export async function withFileHooks<T>(work: StackWork, task: () => Promise<T>): Promise<T> {
  const {
    files,
    reading,
    command,
    tools: { progress },
  } = work;
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

/** Works on releases over their graph, each where its cluster answers, and shows how that goes. */
export const runReleases = (
  { reach, tools: { progress, signal } }: StackWork,
  nodes: readonly StackNode[],
  { concurrency, failFast }: Pick<RunGraphOptions<StackNode>, 'concurrency' | 'failFast'>,
  task: (node: StackNode) => Promise<Done>,
): Promise<ReadonlyMap<string, NodeOutcome<Done>>> =>
  runGraph(nodes, (node) => reach.with(node, () => progress.follow(node.id, () => task(node))), {
    concurrency,
    failFast,
    signal,
    onSkip: (node, because) => progress.leaveOut(node.id, because),
  });

/** What was done after a failure: behind the counts, and in lines. */
export interface Afterwards {
  readonly text: string;
  readonly lines: readonly string[];
}

/**
 * Fails with `stack-failed` where a release did; each failure is reported in full, and of a cluster that does not answer once.
 */
export function throwFailures<T>(
  outcomes: ReadonlyMap<string, NodeOutcome<T>>,
  reach: ClusterReach,
  afterwards: Afterwards = { text: '', lines: [] },
): void {
  const errors: Record<string, unknown> = {};
  const skipped: string[] = [];
  const lines: string[] = [];
  const waiting = new Map([...reach.unreachableClusters().keys()].map((name): [string, string[]] => [name, []]));
  for (const [id, outcome] of outcomes) {
    if (outcome.kind === 'failed') {
      errors[id] = outcome.error;
      lines.push(`${id}: ${messageOf(outcome.error)}`);
    } else if (outcome.kind === 'skipped') {
      skipped.push(id);
      const others = waiting.get(outcome.because ?? '');
      if (others === undefined) lines.push(`${id}: left out (${whyLeftOut(outcome.because)})`);
      else others.push(id);
    }
  }
  const failed = Object.keys(errors);
  if (failed.length + skipped.length === 0) return;
  const lost = [...reach.unreachableClusters()].map(
    ([name, why]) => `${name}: ${why}${leftOutText(waiting.get(name) ?? [])}`,
  );
  const left = skipped.length === 0 ? '' : `, ${skipped.length} left out`;
  const lineText = [...lost, ...lines, ...afterwards.lines].map((line) => `  ${line}`).join('\n');
  const message = `${failed.length} of ${outcomes.size} releases failed${left}${afterwards.text}:\n${lineText}`;
  throw new TshelmError('stack-failed', { message, details: { failed, skipped, errors } });
}

const leftOutText = (ids: readonly string[]): string => (ids.length === 0 ? '' : `\n    left out: ${ids.join(', ')}`);

/** The newest revision of each release: one list for each namespace, however many releases are asked for. */
class StackRecords {
  readonly #listed = new Map<StackSession['storage'], Promise<ReadonlyMap<string, Release>>>();

  async newest(name: string, session: StackSession): Promise<Release | undefined> {
    const list = this.#listed.get(session.storage) ?? recordsIn(session);
    this.#listed.set(session.storage, list);
    return (await list).get(name);
  }
}

async function recordsIn(session: StackSession): Promise<ReadonlyMap<string, Release>> {
  const storage = await session.storage();
  const found = newestOfEach(await storage.list({ namespace: session.namespace, newestOnly: true }));
  return new Map(found.map((release) => [release.name, release]));
}
