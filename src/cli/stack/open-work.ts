import { healthFlag } from '../../actions/options/health.ts';
import { learnFromPlan } from '../../change/learn-secrets.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { upgradeOptionsOf } from '../../stack/action-options.ts';
import { type stackTrustFlags, upgradeOverrideFlags } from '../../stack/option-flags.ts';
import type { StackPlanOptions } from '../../stack/plan-stack.ts';
import type { PlanningOptions } from '../../stack/work/planning.ts';
import type { StackTools } from '../../stack/work/tools.ts';
import { type StackWork, workOn } from '../../stack/work/work.ts';
import type { CliContext } from '../context.ts';
import { healthRulesOf } from '../sources/health-rules.ts';
import { postRendererNamed } from '../sources/post-renderer.ts';
import { withAddedValues } from './added-values.ts';
import type { stackProgressFlags } from './change-flags.ts';
import { chartTools } from './charts.ts';
import { helmWords } from './extra-args.ts';
import type { StackFlags } from './flags.ts';
import { placedFailure, valuesOfLine } from './given-places.ts';
import { openStack } from './open-stack.ts';
import { openProgress, type ShownProgress } from './progress.ts';
import type { releaseValueFlags } from './show-flags.ts';

type WorkFlags = StackFlags &
  FlagsOf<
    Partial<typeof stackProgressFlags & typeof releaseValueFlags & typeof healthFlag & typeof stackTrustFlags>
  > & {
    readonly rollbackOnFailure?: PlanningOptions['rollbackOnFailure'];
  };

/** Reads the stack that the flags name and plans it. Errors: those of openStack and workOn. */
export async function openWork(
  command: string,
  flags: WorkFlags,
  options: StackPlanOptions,
  context: CliContext,
): Promise<{ readonly work: StackWork; readonly progress: ShownProgress }> {
  const progress = await openProgress(flags, context);
  const opened = await openStack(flags, context);
  const given = { ...flags, mayUndo: () => mayUndoChanges(work, flags) };
  const userRules = await healthRulesOf(flags.health, context.io);
  const tools = { ...toolsOf(given, progress, context), userRules };
  const work: StackWork = workOn(command, opened, options, tools);
  return { work, progress };
}

/** Whether the end of a run may bring the undoing of a release: as it, or the command line, says. */
function mayUndoChanges({ command, nodes }: StackWork, { rollbackOnFailure }: WorkFlags): boolean {
  if (command !== 'apply' && command !== 'sync') return false;
  if (rollbackOnFailure !== undefined) return true;
  return nodes.some(({ release, file, isWanted }) => {
    if (!isWanted) return false;
    const options = upgradeOptionsOf(release, file);
    return options.rollbackOnFailure === true || options.cleanupOnFail === true;
  });
}

type OpeningFlags = WorkFlags & { readonly mayUndo: () => boolean };

/** What the command line brings to the work on a stack. */
function toolsOf(flags: OpeningFlags, progress: ShownProgress, context: CliContext): StackTools {
  const { set = [], values = [], namespace: _ofReleases, mayUndo, ...ofRun } = flags;
  return {
    ...chartTools(flags, context),
    // `-n` is the namespace of the releases, which they have by now: sessions are opened for theirs.
    async open(kubeContext) {
      const chosen = kubeContext === '' ? ofRun : { ...ofRun, kubeContext };
      const session = await context.open(chosen, { mayUndo: mayUndo(), reporter: progress.reporter });
      return { ...session, kubeContext: session.settings.kube.context };
    },
    withGivenValues: (own) => withAddedValues(own, { set, values }, context),
    postRendererNamed: (name) => postRendererNamed(name, flags, context),
    rendering: {
      now: context.io.now,
      downloadSchema: async (url) => (await import('../sources/sources.ts')).sourcesOf(flags, context).schema(url),
    },
    words: helmWords,
    placed: (failure, of) => placedFailure(failure, of, { given: valuesOfLine({ set, values }), cwd: context.io.cwd }),
    onPlan: (plan) => learnFromPlan(plan, context.secrets),
    signal: context.interruption(),
    progress,
  };
}

/** What the flags of a run say of all its releases. */
export const runOptionsOf = (
  flags: Pick<PlanningOptions, 'concurrency' | 'rollbackOnFailure'> & FlagsOf<typeof upgradeOverrideFlags>,
): PlanningOptions => ({
  concurrency: flags.concurrency,
  rollbackOnFailure: flags.rollbackOnFailure,
  overrides: optionsOf(upgradeOverrideFlags, flags),
});
