import { type TestOptions, type TestResult, testRelease } from '../../actions/test-release.ts';
import type { StackNode } from '../../stack/plan-stack.ts';
import { runGraph } from '../../stack/run-graph.ts';
import { type Done, releasesOfRun } from '../../stack/work/progress.ts';
import { alone } from '../../stack/work/readings.ts';
import { type StackWork, throwFailures } from '../../stack/work/work.ts';
import type { CliContext } from '../context.ts';
import { type FlagsOf, optionsOf } from '../flag-rows.ts';
import { stackTestFlags, stackTestOptionFlags } from './change-flags.ts';
import { needsFlags, type StackFlags } from './flags.ts';
import { openWork } from './open-work.ts';

type TestVerbFlags = StackFlags & FlagsOf<typeof stackTestFlags>;

/** Runs the tests of the releases, several at a time: what is tested is there, so nothing waits for what it needs. */
export async function runStackTest(flags: TestVerbFlags, context: CliContext): Promise<void> {
  const { work, progress } = await openWork('test', flags, optionsOf(needsFlags, flags), context);
  const nodes = alone(work.nodes.filter(({ isWanted }) => isWanted));
  progress.begin('test', releasesOfRun(nodes, work.charts, { action: 'test' }));
  const outcomes = await runGraph(
    nodes,
    (node) => work.reach.with(node, () => progress.follow(node.id, () => tested(node, { work, flags, context }))),
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

interface Testing {
  readonly work: StackWork;
  readonly flags: TestVerbFlags;
  readonly context: CliContext;
}

async function tested({ id, release, file }: StackNode, { work, flags, context }: Testing): Promise<Done> {
  const session = work.tools.progress.watched(id, await work.sessions.of(release, file));
  const seconds = release.timeout ?? file.spec.helmDefaults?.timeout ?? 300;
  const options: TestOptions = {
    timeoutMs: seconds * 1000,
    ...optionsOf(stackTestOptionFlags, flags),
    name: release.name ?? '',
  };
  const { failure, release: done, logs } = await testRelease(options, session);
  if (flags.logs) context.io.stdout.write(context.secrets.redact(logText(logs)));
  if (failure !== undefined) throw failure;
  const count = done.hooks.filter(({ events }) => events.includes('test')).length;
  const text = count === 0 ? 'no tests' : `${count} ${count === 1 ? 'test' : 'tests'} passed`;
  return { change: 'tested', text };
}

const logText = (logs: TestResult['logs']): string =>
  logs.map(({ pod, container, text }) => `POD LOGS: ${pod} (${container})\n${text}\n`).join('');
