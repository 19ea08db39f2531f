import type { Context } from '../change/context.ts';
import { hooksOnlyChange } from '../change/hooks-only-change.ts';
import type { RenderedForReal } from '../change/phases.ts';
import { withLock } from '../change/record/with-lock.ts';
import { runPhases } from '../change/run-phases.ts';
import type { Hook } from '../manifest/types.ts';
import { warnLostHookModes } from '../plan/hook-modes.ts';
import type { Plan } from '../plan/types.ts';
import { lastRevision } from '../release/history.ts';
import { checkName } from '../release/name.ts';
import type { Release } from '../release/types.ts';
import { isAbort } from '../support/errors.ts';
import type { TestOptions } from './options/test.ts';
import { type ContainerLog, logsOf } from './test-logs.ts';

export interface TestResult {
  /** With what became of each test in `hooks[].lastRun`. */
  readonly release: Release;
  readonly plan: Plan;
  /** The error of the test that failed. */
  readonly failure?: unknown;
  /** One for each container of a test pod, init containers first. */
  readonly logs: readonly ContainerLog[];
}

/** Runs the test hooks of a release and records how they went (action.ReleaseTesting). Errors: `release-not-found`. */
export async function testRelease(options: TestOptions, context: Context): Promise<TestResult> {
  checkName(options.name, `releaseTest: Release name is invalid: ${options.name}`);
  return withLock('test', options, context, async (locked) => {
    const history = await (await locked.storage()).revisions(options.name);
    return runTestHooks(options, history, locked);
  });
}

async function runTestHooks(options: TestOptions, history: readonly Release[], context: Context): Promise<TestResult> {
  const release = lastRevision(options.name, history);
  const logs: ContainerLog[] = [];
  const change = testChange(options, release, history);
  const beforeHookDeletion = async (): Promise<void> => {
    if (options.logs === true) logs.push(...(await logsOf(change.hooks, release.namespace, context)));
  };
  const execution = { applyMethod: release.applyMethod ?? 'csa', beforeHookDeletion } as const;
  const outcome = await runPhases({ ...change, execution }, context);
  const { record, plan } = outcome;
  // What was recorded on the way is written before an interruption goes on.
  await record.settle();
  const failure = outcome.kind === 'stopped' ? outcome.error : undefined;
  if (isAbort(failure)) throw failure;
  return { release: await record.finish((latest) => withSkippedHooksFirst(latest, options)), plan, failure, logs };
}

/** Only the tests that are wanted run. */
const testChange = (options: TestOptions, release: Release, history: readonly Release[]): RenderedForReal => ({
  ...hooksOnlyChange(release),
  action: 'test',
  plannedAs: 'test',
  // Helm's flag alone shows them afterwards.
  options: options.logs === true ? { ...options, logs: false } : options,
  hooks: release.hooks.filter((hook) => isWanted(hook, options)),
  order: { strategy: 'watcher', warnings: warnLostHookModes(release, history) },
});

const isWanted = ({ name }: Hook, { include = [], exclude = [] }: TestOptions): boolean =>
  !exclude.includes(name) && (include.length === 0 || include.includes(name));

/** Helm stores the hooks that a filter leaves out before those that may run. */
function withSkippedHooksFirst(release: Release, options: TestOptions): Release {
  const { include = [], exclude = [] } = options;
  if (include.length + exclude.length === 0) return release;
  const excluded = release.hooks.filter(({ name }) => exclude.includes(name));
  const others = release.hooks.filter((hook) => !isWanted(hook, options) && !exclude.includes(hook.name));
  return { ...release, hooks: [...excluded, ...others, ...release.hooks.filter((hook) => isWanted(hook, options))] };
}
