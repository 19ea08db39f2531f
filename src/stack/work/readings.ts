import { drift, type ReleaseDrift } from '../../actions/drift.ts';
import type { DriftOptions } from '../../actions/options/readings.ts';
import type { Release } from '../../release/types.ts';
import { fieldRulesOfRelease } from '../field-rules.ts';
import type { StackNode } from '../plan-stack.ts';
import { type NodeOutcome, runGraph } from '../run-graph.ts';
import type { StackWork } from './work.ts';

/** The newest revision of each release, undefined where there is none: one list of records for each namespace. */
export function recordedReleases(
  { sessions, records, reach, nodes }: StackWork,
  concurrency = nodes.length,
): Promise<ReadonlyMap<string, NodeOutcome<Release | undefined>>> {
  const newest = (node: StackNode): Promise<Release | undefined> =>
    reach.with(node, async () => records.newest(node.release.name ?? '', await sessions.of(node.release, node.file)));
  return runGraph(withoutNeeds(nodes), newest, { concurrency });
}

export interface StackDriftOptions extends Pick<DriftOptions, 'ignore' | 'showSecrets'> {
  /** Releases at a time. */
  readonly concurrency: number;
}

/** Where the cluster no longer matches the releases that are wanted. One that is not there is a failure. */
export function driftOfReleases(
  { sessions, reach, nodes }: StackWork,
  { concurrency, ...options }: StackDriftOptions,
): Promise<ReadonlyMap<string, NodeOutcome<ReleaseDrift>>> {
  const compared = (node: StackNode): Promise<ReleaseDrift> =>
    reach.with(node, async () => drift(driftOptionsOf(node, options), await sessions.of(node.release, node.file)));
  return runGraph(withoutNeeds(nodes.filter(({ isWanted }) => isWanted)), compared, { concurrency });
}

/** What a release is compared by: the rules of its file, and behind them those of the run. */
export const driftOptionsOf = (
  { release, file }: StackNode,
  { showSecrets, ignore = [] }: Pick<DriftOptions, 'ignore' | 'showSecrets'>,
): DriftOptions => ({
  name: release.name ?? '',
  showSecrets,
  ignore: [...fieldRulesOfRelease(release, file), ...ignore],
});

/** What only looks at releases waits for none. */
export const withoutNeeds = (nodes: readonly StackNode[]): readonly StackNode[] =>
  nodes.map((node) => ({ ...node, needs: [] }));
