import { executePlan } from '../execute/execute.ts';
import type { Hook } from '../manifest/types.ts';
import { planTest } from '../plan/plan.ts';
import type { Plan } from '../plan/types.ts';
import { lastRevision } from '../release/history.ts';
import type { Release } from '../release/types.ts';
import { messageOf } from '../support/errors.ts';
import type { Context } from './context.ts';
import { executionContext } from './deploy/deploy-options.ts';
import { isAbort } from './failure.ts';
import { checkName } from './find-release.ts';
import { ReleaseRecord } from './record/release-record.ts';
import { type LockOptions, withLock } from './record/with-lock.ts';

export interface TestOptions extends LockOptions {
  readonly name: string;
  /** Only the tests of these names; default: all. */
  readonly include?: readonly string[] | undefined;
  /** Not the tests of these names. */
  readonly exclude?: readonly string[] | undefined;
  /** Fetches the logs of the test pods before they are deleted. */
  readonly logs?: boolean | undefined;
  /** As in {@link DeployOptions}. */
  readonly failFast?: boolean | undefined;
  readonly graceMs?: number | undefined;
}

export interface TestResult {
  /** With what became of each test in `hooks[].lastRun`. */
  readonly release: Release;
  readonly plan: Plan;
  /** The error of the test that failed. */
  readonly failure?: unknown;
  /** One for each container of a test pod, init containers first. */
  readonly logs: readonly ContainerLog[];
}

export interface ContainerLog {
  readonly pod: string;
  readonly container: string;
  readonly text: string;
}

/** Runs the test hooks of a release and records how they went (action.ReleaseTesting). Errors: `release-not-found`. */
export async function testRelease(options: TestOptions, context: Context): Promise<TestResult> {
  checkName(options.name, `releaseTest: Release name is invalid: ${options.name}`);
  return withLock('test', options, context, (locked) => testLocked(options, locked));
}

async function testLocked(options: TestOptions, context: Context): Promise<TestResult> {
  const { name, timeoutMs, failFast, graceMs } = options;
  const storage = await context.storage();
  const release = lastRevision(name, await storage.revisions(name));
  const tests = release.hooks.filter((hook) => isWanted(hook, options));
  const plan = planTest({ release: name, namespace: release.namespace, strategy: 'watcher', hooks: tests });
  const record = new ReleaseRecord(release, storage, context.onEvent);
  const logs: ContainerLog[] = [];
  const failure = await failureOf(record, async () =>
    executePlan(plan, {
      ...(await executionContext({ timeoutMs, failFast, graceMs }, context)),
      applyMethod: release.applyMethod ?? 'csa',
      onHook: async (hook) => record.hookChanged(hook),
      beforeHookDeletion: async () => {
        if (options.logs) logs.push(...(await logsOf(tests, release.namespace, context)));
      },
    }),
  );
  return { release: await record.finish((latest) => latest), plan, failure, logs };
}

const isWanted = ({ name }: Hook, { include = [], exclude = [] }: TestOptions): boolean =>
  !exclude.includes(name) && (include.length === 0 || include.includes(name));

/** What was recorded on the way is written before an interruption goes on. */
async function failureOf(record: ReleaseRecord, task: () => Promise<unknown>): Promise<unknown> {
  try {
    await task();
    return undefined;
  } catch (error) {
    await record.settle();
    if (isAbort(error)) throw error;
    return error;
  }
}

/** What cannot be read is a warning: the tests have run all the same. */
async function logsOf(tests: readonly Hook[], namespace: string, context: Context): Promise<readonly ContainerLog[]> {
  const logs: ContainerLog[] = [];
  for (const { name } of tests.filter(isTestPod)) {
    for (const container of await containersOf(name, namespace, context)) {
      const text = await readLog({ name, namespace }, container, context);
      if (text !== undefined) logs.push({ pod: name, container, text });
    }
  }
  return logs;
}

const isTestPod = ({ kind, events }: Hook): boolean =>
  kind === 'Pod' && (events.includes('test') || events.includes('test-failure'));

async function containersOf(name: string, namespace: string, context: Context): Promise<readonly string[]> {
  const cluster = await context.cluster();
  const pod = await cluster.get({ apiVersion: 'v1', kind: 'Pod', namespace, name }, { signal: context.signal });
  const spec = pod?.['spec'] as Record<'initContainers' | 'containers', { name: string }[] | undefined> | undefined;
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map((container) => container.name);
}

async function readLog(
  pod: { readonly name: string; readonly namespace: string },
  container: string,
  context: Context,
): Promise<string | undefined> {
  try {
    return await (await context.cluster()).logs(pod, { container, signal: context.signal });
  } catch (error) {
    const text = `unable to get logs for pod ${pod.name}, container ${container}: ${messageOf(error)}`;
    context.onEvent?.({ kind: 'warning', text });
    return undefined;
  }
}
