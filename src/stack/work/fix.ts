import { type FixResult, fixDrift } from '../../actions/fix-drift.ts';
import type { FixOptions } from '../../actions/options/readings.ts';
import { deployOrder, type StackNode } from '../plan-stack.ts';
import { doneIn, type NodeOutcome, runGraph } from '../run-graph.ts';
import { fixed } from './deploy.ts';
import { releasesOfRun } from './progress.ts';
import { driftOptionsOf, withoutNeeds } from './readings.ts';
import type { StackSession } from './session.ts';
import { runReleases, type StackWork, throwFailures } from './work.ts';

export interface StackFixOptions extends Pick<FixOptions, 'ignore' | 'dryRun'> {
  /** Releases at a time. */
  readonly concurrency: number;
}

/** A release, and what brings it back; a plan without steps where it has not drifted. */
export interface FixedNode extends FixResult {
  readonly node: StackNode;
}

/**
 * Restores drifted objects in the selected releases, each release after those that it needs. A release that fails does not
 * stop releases that do not need it. Errors: `stack-failed`.
 */
export async function fixStack(
  work: StackWork,
  { concurrency, dryRun, ...options }: StackFixOptions,
): Promise<readonly FixedNode[]> {
  const { sessions, reach, tools, charts } = work;
  const nodes = deployOrder(work.nodes).filter(({ isWanted }) => isWanted);
  const fix = async (node: StackNode, session: StackSession, how: FixOptions['dryRun']): Promise<FixedNode> => {
    const made = await fixDrift({ ...driftOptionsOf(node, options), dryRun: how }, session);
    tools.onPlan?.(made.plan);
    return { node, ...made };
  };
  const sessionOf = ({ release, file }: StackNode): Promise<StackSession> => sessions.of(release, file);
  const compare = (node: StackNode): Promise<FixedNode> =>
    reach.with(node, async () => fix(node, await sessionOf(node), 'plan'));
  const compared = await runGraph(withoutNeeds(nodes), compare, { concurrency, signal: tools.signal });
  const found = doneIn(nodes, compared);
  const drifted = found.filter(({ plan }) => plan.steps.length > 0).map(({ node }) => node.id);
  const due = dryRun === 'plan' ? [] : nodes.filter(({ id }) => drifted.includes(id));
  tools.progress.begin(work.command, releasesOfRun(due, charts, { action: 'fix' }));
  const done = new Map<string, FixedNode>();
  const outcomes = await runReleases(work, due, { concurrency }, async (node) => {
    done.set(node.id, await fix(node, tools.progress.watched(node.id, await sessionOf(node)), 'none'));
    return fixed;
  });
  throwFailures(new Map<string, NodeOutcome<unknown>>([...compared, ...outcomes]), reach);
  return found.map((one) => done.get(one.node.id) ?? one);
}
