import type { HealthOptions } from '../../actions/options/health.ts';
import type { UpgradeOptions } from '../../actions/options/upgrade.ts';
import type { TestResult } from '../../actions/test-release.ts';
import { failureWithoutSecrets } from '../../session/failure-without-secrets.ts';
import { upgradeOverrideFlags } from '../../stack/option-flags.ts';
import type { StackNode } from '../../stack/plan-stack.ts';
import { doneIn } from '../../stack/run-graph.ts';
import { deployStack, destroyStack, type StackOutcomes } from '../../stack/work/deploy.ts';
import { fixStack } from '../../stack/work/fix.ts';
import type { Done } from '../../stack/work/progress.ts';
import { testStack } from '../../stack/work/test.ts';
import { type StackWork, workOn } from '../../stack/work/work.ts';
import { hasCode, TshelmError } from '../../support/errors.ts';
import { failureForPrograms } from '../failures.ts';
import { titledPlan } from '../plans.ts';
import type { ValuesOptions } from '../user-values.ts';
import type { GivenStack } from './given.ts';
import { opened } from './open.ts';
import type {
  StackApplyOptions,
  StackDestroyOptions,
  StackFixDriftOptions,
  StackFixDriftResult,
  StackPlanOptions,
  StackReleaseResult,
  StackResult,
  StackTestedRelease,
  StackTestOptions,
  StackTestResult,
} from './options.ts';
import { changeOf } from './progress.ts';
import { toolsOf } from './tools.ts';

/** Makes the cluster as the state files say. Errors: `stack-failed`, `stack-programs`, those of reading the files. */
export const deployed = (
  command: 'apply' | 'sync',
  given: GivenStack,
  options: StackApplyOptions,
): Promise<StackResult> =>
  carriedOut(command, given, options, (work) => {
    const { failFast, resume, logs, rollbackOnFailure: back } = options;
    const run = runOptionsOf(options);
    return deployStack(work, {
      ...run,
      overrides: { ...run.overrides, logs },
      failFast,
      resume,
      rollbackOnFailure: back === true ? 'release' : back || undefined,
    });
  });

/** Takes the releases away. Errors: as of deployed. */
export const destroyed = (given: GivenStack, options: StackDestroyOptions): Promise<StackResult> =>
  carriedOut('destroy', given, options, (work) => {
    const { failFast, cascade } = options;
    const overrides = cascade === undefined ? {} : { cascade };
    return destroyStack(work, { ...runOptionsOf(options), failFast, overrides });
  });

/** Brings back what has drifted; hooks do not run. Errors: `stack-failed`, those of reading the files. */
export async function driftFixed(
  given: GivenStack,
  { concurrency = 8, ignore, dryRun, signal }: StackFixDriftOptions,
): Promise<StackFixDriftResult> {
  const work = await workOf('drift', given, { signal });
  try {
    const fixed = await fixStack(work, { concurrency, ignore, dryRun });
    const releases = fixed.map(({ node, plan, warnings }) => ({
      ...releaseOf(node),
      plan: titledPlan(plan),
      warnings: warnings.map((text) => given.secrets.redact(text)),
    }));
    return { releases };
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/**
 * Runs the tests of the releases. Failed tests are in the result. Errors: `stack-failed` for releases whose tests could not
 * be run.
 */
export async function tested(
  given: GivenStack,
  { concurrency = 8, failFast, timeoutMs, logs, signal }: StackTestOptions,
): Promise<StackTestResult> {
  const work = await workOf('test', given, { signal });
  const results = new Map<string, TestResult>();
  const options = { ...(timeoutMs === undefined ? {} : { timeoutMs }), logs };
  try {
    await testStack(work, { concurrency, failFast, options, onTested: (id, result) => results.set(id, result) });
  } catch (error) {
    signal?.throwIfAborted();
    if (!hasOnlyTestFailures(error, results)) throw error;
  }
  const releases = work.nodes.flatMap((node): StackTestedRelease[] => {
    const result = results.get(node.id);
    if (result === undefined) return [];
    const failure = failureForPrograms(failureWithoutSecrets(result.failure, given.secrets));
    const isPassed = failure === undefined;
    return [{ ...releaseOf(node), isPassed, ...(isPassed ? {} : { failure }), logs: result.logs }];
  });
  return { isPassed: releases.every(({ isPassed }) => isPassed), releases };
}

/** Whether nothing failed but tests. */
const hasOnlyTestFailures = (error: unknown, results: ReadonlyMap<string, TestResult>): boolean =>
  hasCode(error, 'stack-failed') && error.details.failed.every((id: string) => results.get(id)?.failure !== undefined);

async function carriedOut(
  command: string,
  given: GivenStack,
  options: ValuesOptions & { readonly signal?: AbortSignal | undefined },
  run: (work: StackWork) => Promise<StackOutcomes>,
): Promise<StackResult> {
  const work = await workOf(command, given, options);
  if (!given.options.programs) refuseHooks(work);
  try {
    return { releases: resultsOf(work.nodes, await run(work)) };
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error;
  }
}

/** A stack that is worked on. */
export async function workOf(
  command: string,
  given: GivenStack,
  call: ValuesOptions & HealthOptions & { readonly signal?: AbortSignal | undefined },
): Promise<StackWork> {
  const stack = await opened(given);
  return workOn(command, stack, given.options, toolsOf(given, call, stack.reading));
}

/** What the options of a call say of all releases. */
export function runOptionsOf({ concurrency = 8, ...options }: StackPlanOptions) {
  const names = Object.values(upgradeOverrideFlags).map(({ option }) => option);
  const said = names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]));
  return { concurrency, overrides: Object.fromEntries(said) as Partial<UpgradeOptions> };
}

function resultsOf(nodes: readonly StackNode[], outcomes: StackOutcomes): readonly StackReleaseResult[] {
  return nodes.flatMap((node) =>
    doneIn<Done>([node], outcomes).map((done) => ({ ...releaseOf(node), ...changeOf(done) }) as StackReleaseResult),
  );
}

/** A node as plain data. */
export const releaseOf = ({ id, release: { name = '', namespace = '' } }: Pick<StackNode, 'id' | 'release'>) => ({
  id,
  name,
  namespace,
});

/** Hooks that may not run are told of before anything is done. Errors: `stack-programs`. */
function refuseHooks({ nodes, files }: StackWork): void {
  const ofFiles = files.map((file) => ({ file, hooks: file.spec.hooks ?? [], name: undefined }));
  const ofReleases = nodes.map(({ file, release }) => ({ file, hooks: release.hooks ?? [], name: release.name }));
  for (const { file, hooks, name } of [...ofFiles, ...ofReleases]) {
    const hook = hooks.find(({ events = [] }) => events.length > 0);
    if (hook === undefined) continue;
    const program = hook.kubectlApply === undefined ? (hook.command ?? '') : 'kubectl';
    const of = name === undefined ? '' : `release ${name}: `;
    throw new TshelmError('stack-programs', {
      message: `${file.locate({ field: 'hooks', release: name })}: ${of}a hook runs the program ${program}, but the stack is not allowed to run programs; allow it with programs: true`,
      details: { program },
    });
  }
}
