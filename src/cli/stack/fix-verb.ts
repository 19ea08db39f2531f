import { refusedProblems } from '../../actions/comparison/object-diff.ts';
import type { ReleaseReview } from '../../actions/comparison/review.ts';
import { ignoreFlag } from '../../actions/options/readings.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { applyRelease, type PreparedRelease } from '../../saved-plan/apply.ts';
import { refusalOf } from '../../saved-plan/judge.ts';
import type { ChangeToSave } from '../../saved-plan/save.ts';
import type { ReviewedChange } from '../../session/saved-plan.ts';
import { needsFlags } from '../../stack/option-flags.ts';
import { deployOrder, type StackNode } from '../../stack/plan-stack.ts';
import { doneIn, type NodeOutcome } from '../../stack/run-graph.ts';
import { stateOf } from '../../stack/saved-state.ts';
import { fixed } from '../../stack/work/deploy.ts';
import { type PlannedNode, planFixes } from '../../stack/work/planning.ts';
import type { StackSession } from '../../stack/work/session.ts';
import { runReleases, type StackWork, throwFailures } from '../../stack/work/work.ts';
import type { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { endWithChanges } from '../flags/exit-code-flags.ts';
import { fixedText, remainingDrift } from '../saved-plan/apply.ts';
import { isAgreed, preparedFix } from '../saved-plan/fix.ts';
import { writePlan } from '../saved-plan/write-plan.ts';
import type { stackDriftFlags } from './change-flags.ts';
import type { StackFlags } from './flags.ts';
import { openWork } from './open-work.ts';
import { graphOf, keptFlags, reviewsOf, showPlans, tellUnchanged } from './plan-verb.ts';

type FixVerbFlags = StackFlags & FlagsOf<typeof stackDriftFlags>;

type Outcomes = ReadonlyMap<string, NodeOutcome<unknown>>;

/** How a release is brought back. */
interface Fix {
  readonly node: StackNode;
  readonly reviewed: ReviewedChange;
}

/**
 * Shows what brings the drifted objects of all releases back, and does just that once it is agreed to, or saves it. A
 * release that cannot be brought back does not keep the others from it. Errors: `stack-failed`, naming what stays as it
 * is, `bad-flag` where nobody can be asked.
 */
export async function runStackFix(flags: FixVerbFlags, context: CliContext): Promise<void> {
  const kept = flags.out === undefined ? undefined : keptFlags(flags, context);
  const { work } = await openWork('drift', flags, optionsOf(needsFlags, flags), context);
  const { concurrency, showSecrets } = flags;
  const compared = await planFixes(work, { ...optionsOf(ignoreFlag, flags), concurrency, showSecrets });
  const planned = doneIn(deployOrder(work.nodes), compared);
  const reviews = reviewsOf(planned, context);
  const shown = graphOf(planned);
  await showPlans({ changes: shown, reviews, moves: [] }, formatOf(flags), context);
  if (shown.length > 0) tellUnchanged('nothing to bring back', planned, context);
  const refused = refusedFixes(planned, reviews);
  const changes = graphOf(planned.map((one) => (refused.has(one.node.id) ? { ...one, kind: 'unchanged' } : one)));
  const fixes = changes.map(({ node, change, session }): Fix => {
    const review = reviews.get(node.id) as ReleaseReview;
    return { node, reviewed: { change: { ...(change as ChangeToSave), needs: node.needs }, review, context: session } };
  });
  let done: Outcomes = new Map();
  if (kept !== undefined) {
    const writing = { stack: { ...kept, ...stateOf(work, context.io.cwd) }, secrets: work.reading.secrets.texts };
    const changes = fixes.map(({ reviewed }) => reviewed);
    await writePlan(changes, { ...writing, out: flags.out ?? '' }, flags, context);
  } else if (fixes.length > 0 && (await isAgreed(flags, context))) done = await carryOut(fixes, work, flags, context);
  throwFailures(new Map([...compared, ...refused, ...done]), work.reach);
  if (shown.length === 0 && flags.output === 'table') context.io.stdout.write('nothing to bring back\n');
  endWithChanges(fixes.length > 0, flags, context);
}

const formatOf = ({ output }: FixVerbFlags) => (output === 'table' ? 'tree' : output);

/** Releases of which nothing can be brought back, by their ids. */
function refusedFixes(planned: readonly PlannedNode[], reviews: ReadonlyMap<string, ReleaseReview>): Outcomes {
  const errors = planned.map(({ node, change, diff }): readonly [string, unknown] => {
    const review = reviews.get(node.id);
    if (review === undefined || diff === undefined) {
      const { release, plan } = (change as ChangeToSave).decided;
      return [node.id, remainingDrift({ release, warnings: plan.warnings })];
    }
    return [node.id, refusalOf(review, refusedProblems(diff))];
  });
  return new Map(errors.flatMap(([id, error]) => (error === undefined ? [] : [[id, { kind: 'failed', error }]])));
}

/** Each release after those that it needs. What stays as it is of one keeps no other from its turn. */
async function carryOut(
  fixes: readonly Fix[],
  work: StackWork,
  { concurrency, output }: FixVerbFlags,
  context: CliContext,
): Promise<Outcomes> {
  const left = new Map<string, NodeOutcome<unknown>>();
  const byId = new Map(fixes.map((one) => [one.node.id, one]));
  const nodes = fixes.map(({ node }) => node);
  const outcomes = await runReleases(work, nodes, { concurrency }, async ({ id }) => {
    const { reviewed } = byId.get(id) as Fix;
    const prepared = await preparedFix(reviewed, context);
    const session = work.tools.progress.watched(id, reviewed.context as StackSession);
    const rest = await fixRelease(prepared, session);
    if (rest !== undefined) left.set(id, { kind: 'failed', error: rest });
    else if (output === 'table') context.io.stdout.write(fixedText(prepared.saved.name));
    return fixed;
  });
  return new Map([...outcomes, ...left]);
}

/** Brings a release back; returns what is left as it is. */
export const fixRelease = async (
  prepared: PreparedRelease,
  session: StackSession,
): Promise<TshelmError<'drift-remains'> | undefined> => remainingDrift(await applyRelease(prepared, session));
