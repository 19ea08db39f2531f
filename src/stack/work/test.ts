import type { TestOptions } from '../../actions/options/test.ts';
import { type TestResult, testRelease } from '../../actions/test-release.ts';
import { countOf } from '../../support/text.ts';
import type { StackNode } from '../plan-stack.ts';
import type { NodeOutcome } from '../run-graph.ts';
import type { RunOptions } from './deploy.ts';
import { type Done, releasesOfRun } from './progress.ts';
import { withoutNeeds } from './readings.ts';
import { runReleases, type StackWork, throwFailures } from './work.ts';

export interface StackTesting extends RunOptions {
  /** Over what the releases say. */
  readonly options: Partial<Omit<TestOptions, 'name'>>;
  /** Told of the tests of a release, failed ones too, before the run goes on. */
  readonly onTested?: ((id: string, result: TestResult) => void) | undefined;
}

/**
 * Runs the tests of the releases, several at a time: what is tested is there, so nothing waits for what it needs. Errors:
 * `stack-failed`.
 */
export async function testStack(
  work: StackWork,
  testing: StackTesting,
): Promise<ReadonlyMap<string, NodeOutcome<Done>>> {
  const nodes = withoutNeeds(work.nodes.filter(({ isWanted }) => isWanted));
  work.tools.progress.begin('test', releasesOfRun(nodes, work.charts, { action: 'test' }));
  const outcomes = await runReleases(work, nodes, testing, (node) => tested(node, work, testing));
  throwFailures(outcomes, work.reach);
  return outcomes;
}

async function tested(
  { id, release, file }: StackNode,
  work: StackWork,
  { options, onTested }: StackTesting,
): Promise<Done> {
  const session = work.tools.progress.watched(id, await work.sessions.of(release, file));
  const seconds = release.timeout ?? file.spec.helmDefaults?.timeout ?? 300;
  const result = await testRelease({ timeoutMs: seconds * 1000, ...options, name: release.name ?? '' }, session);
  onTested?.(id, result);
  if (result.failure !== undefined) throw result.failure;
  const count = result.release.hooks.filter(({ events }) => events.includes('test')).length;
  const text = count === 0 ? 'no tests' : `${countOf(count, 'test')} passed`;
  return { change: 'tested', text };
}
