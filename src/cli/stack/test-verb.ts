import { type TestOptions, type TestResult, testRelease } from '../../actions/test-release.ts';
import type { StackNode } from '../../stack/plan-stack.ts';
import { runGraph } from '../../stack/run-graph.ts';
import type { CliContext } from '../context.ts';
import { type FlagsOf, optionsOf } from '../flag-rows.ts';
import { stackTestFlags, stackTestOptionFlags } from './change-flags.ts';
import { needsFlags, type StackFlags } from './flags.ts';
import { releasesOfRun } from './progress.ts';
import { openWork, type StackWork, throwFailures } from './work.ts';

type TestVerbFlags = StackFlags & FlagsOf<typeof stackTestFlags>;

/** Runs the tests of the releases, several at a time: what is tested is there, so nothing waits for what it needs. */
export async function runStackTest(flags: TestVerbFlags, context: CliContext): Promise<void> {
  const work = await openWork('test', flags, optionsOf(needsFlags, flags), context);
  const nodes = work.nodes.filter(({ isWanted }) => isWanted).map((node) => ({ ...node, needs: [] }));
  const { progress } = work;
  progress.begin('test', releasesOfRun(nodes, work.charts, { action: 'test' }));
  const outcomes = await runGraph(
    nodes,
    (node) => work.reach.with(node, () => progress.follow(node.id, () => tested(node, work, flags))),
    {
      concurrency: flags.concurrency,
      failFast: flags.failFast,
      signal: context.interruption(),
      onSkip: (node, because) => progress.leaveOut(node.id, because),
    },
  );
  throwFailures(outcomes, work.reach);
  progress.finish();
}

async function tested({ id, release, file }: StackNode, work: StackWork, flags: TestVerbFlags): Promise<string> {
  const session = work.progress.watched(id, await work.sessions.of(release, file));
  const seconds = release.timeout ?? file.spec.helmDefaults?.timeout ?? 300;
  const options: TestOptions = {
    timeoutMs: seconds * 1000,
    ...optionsOf(stackTestOptionFlags, flags),
    name: release.name ?? '',
  };
  const { failure, release: done, logs } = await testRelease(options, session);
  if (flags.logs) work.context.io.stdout.write(work.context.secrets.redact(logText(logs)));
  if (failure !== undefined) throw failure;
  const count = done.hooks.filter(({ events }) => events.includes('test')).length;
  return count === 0 ? 'no tests' : `${count} ${count === 1 ? 'test' : 'tests'} passed`;
}

const logText = (logs: TestResult['logs']): string =>
  logs.map(({ pod, container, text }) => `POD LOGS: ${pod} (${container})\n${text}\n`).join('');
