import { refusedProblems } from '../../actions/comparison/object-diff.ts';
import { changesAnything, type ReleaseReview } from '../../actions/comparison/review.ts';
import type { MovePlan } from '../../change/moves/moves.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { hasChangesUnlessRefused } from '../../saved-plan/judge.ts';
import { keptTexts } from '../../saved-plan/kept-values.ts';
import { maskedReview } from '../../saved-plan/save.ts';
import type { SavedStack } from '../../saved-plan/types.ts';
import { commentLimit, reviewMarkdown } from '../../show/changes/markdown.ts';
import { plannedIn, reviewOf } from '../../show/changes/review.ts';
import { planFlags } from '../../stack/option-flags.ts';
import { deployOrder, without } from '../../stack/plan-stack.ts';
import { doneIn } from '../../stack/run-graph.ts';
import { stateOf } from '../../stack/saved-state.ts';
import { type PlannedNode, planNodes } from '../../stack/work/planning.ts';
import { throwFailures } from '../../stack/work/work.ts';
import { TshelmError } from '../../support/errors.ts';
import { camelCase, splitOnce } from '../../support/text.ts';
import type { CliContext } from '../context.ts';
import { fullCommand } from '../errors/next-command.ts';
import { endWithChanges } from '../flags/exit-code-flags.ts';
import { keyOf } from '../flags/saved-plan-flags.ts';
import { moveTitle } from '../output/move-text.ts';
import { graphText } from '../output/plan-text.ts';
import { writePlan } from '../saved-plan/write-plan.ts';
import { kindOf } from '../terminal/io.ts';
import { stackDecideFlags, stackDiffFlags, type stackPlanFlags } from './change-flags.ts';
import { type StackFlags, stackFileFlags } from './flags.ts';
import { openWork, runOptionsOf } from './open-work.ts';

type PlanVerbFlags = StackFlags & FlagsOf<typeof stackPlanFlags>;

/**
 * Decides what `stack apply` would do, shows it and, with --out, saves it. Errors: `stack-failed` for releases that cannot
 * be planned, `diff-refused` for what the API server would refuse, `plan-key`, those of reading the stack.
 */
export async function runStackPlan(flags: PlanVerbFlags, context: CliContext): Promise<void> {
  const { io } = context;
  const key = await keyOf(flags, io);
  const kept = flags.out === undefined ? undefined : keptFlags(flags, context);
  const { work } = await openWork('plan', flags, optionsOf(planFlags, flags), context);
  const stack = kept && { ...kept, ...stateOf(work, io.cwd) };
  const nodes = deployOrder(work.nodes);
  const outcomes = await planNodes(nodes, work, runOptionsOf(flags));
  const planned = doneIn(nodes, outcomes);
  const changes = graphOf(planned).filter(({ kind }) => kind === 'change');
  const reviews = reviewsOf(planned, context);
  await showPlans({ changes, reviews, moves: work.moves }, flags.output, context);
  tellUnchanged('unchanged', planned, context);
  throwFailures(outcomes, work.reach);
  for (const { node, diff } of planned) {
    const review = reviews.get(node.id);
    if (diff !== undefined && review !== undefined) hasChangesUnlessRefused(review, refusedProblems(diff));
  }
  if (flags.out !== undefined) {
    refuseMoves(planned);
    const decided = changes.map(({ change, node, session }) => ({
      change: { ...(change as NonNullable<PlannedNode['change']>), needs: node.needs },
      review: reviews.get(node.id) as ReleaseReview,
      context: session,
    }));
    await writePlan(decided, { out: flags.out, key, stack, secrets: work.reading.secrets.texts }, flags, context);
  }
  endWithChanges(work.moves.length > 0 || [...reviews.values()].some(changesAnything), flags, context);
}

/** Errors: `stack-moves-pending`. A saved plan is of the releases as they are, and a move changes the records of two. */
function refuseMoves(planned: readonly PlannedNode[]): void {
  const moved = planned.filter(({ moves = [] }) => moves.length > 0).map(({ node }) => node.id);
  if (moved.length === 0) return;
  throw new TshelmError('stack-moves-pending', {
    message: `a saved plan does not carry out what the stack says under moved (${moved.join(', ')}); run \`tshelm stack apply\`, or \`tshelm move\` and \`tshelm rename\`, first`,
    details: { releases: moved },
  });
}

/** By the id of the release, without what is secret. */
export const reviewsOf = (
  planned: readonly PlannedNode[],
  { secrets }: CliContext,
): ReadonlyMap<string, ReleaseReview> =>
  new Map(
    planned.flatMap(({ node, diff }) =>
      diff === undefined ? [] : [[node.id, maskedReview(reviewOf(diff), (text) => secrets.redact(text))]],
    ),
  );

/** What is changed, with the needs of what is not passed on. */
export function graphOf(planned: readonly PlannedNode[]): readonly PlannedNode[] {
  const byId = new Map(planned.map((one) => [one.node.id, one]));
  const isIdle = ({ id }: { readonly id: string }): boolean => byId.get(id)?.kind !== 'change';
  const nodes = without(
    planned.map(({ node }) => node),
    isIdle,
  );
  return nodes.map((node) => ({ ...(byId.get(node.id) as PlannedNode), node }));
}

interface PlannedStack {
  /** Those that would be carried out, as a graph. */
  readonly changes: readonly PlannedNode[];
  /** By the id of the release. */
  readonly reviews: ReadonlyMap<string, ReleaseReview>;
  readonly moves: readonly MovePlan[];
}

export async function showPlans(
  { changes, reviews, moves }: PlannedStack,
  output: PlanVerbFlags['output'],
  context: CliContext,
): Promise<void> {
  const { io, secrets } = context;
  if (output === 'markdown') {
    const whole = await fullCommand(context, {
      command: 'stack diff',
      flags: { ...stackFileFlags, ...stackDiffFlags },
    });
    io.stdout.write(reviewMarkdown([...reviews.values()], commentLimit(io.env), whole, moves.map(moveTitle)), 'data');
    return;
  }
  const plans = changes.flatMap(({ node: { id, needs }, change, diff }) => {
    const review = reviews.get(id);
    const planned = review && diff && plannedIn(review, diff);
    return change === undefined ? [] : [{ id, needs, plan: { ...change.decided.plan, changes: planned } }];
  });
  io.stdout.write(secrets.redact(await graphText(plans, output, moves)), kindOf(output));
}

/** Names the releases that a plan leaves alone. */
export function tellUnchanged(what: string, planned: readonly PlannedNode[], { io }: CliContext): void {
  const same = planned.filter(({ kind }) => kind === 'unchanged').map(({ node }) => node.id);
  const isMany = same.length > mostNames;
  if (same.length > 0) io.stderr.write(`${what}: ${isMany ? `${same.length} releases` : same.join(', ')}\n`, 'folded');
}

/** So many unchanged releases are named; more are counted. */
const mostNames = 10;

/** What of the command line a file keeps. Errors: `bad-flag` for a secret that it must not keep. */
export function keptFlags(
  flags: StackFlags & Partial<Pick<PlanVerbFlags, 'set'>>,
  { secrets }: CliContext,
): Pick<SavedStack, 'flags' | 'leftOut'> {
  const { stateValuesSet, stateValuesSetString, set = [] } = flags;
  for (const text of [...stateValuesSet, ...stateValuesSetString, ...set]) secrets.addAssignment(text);
  const isOpen = (text: string): boolean => secrets.redact(text) === text;
  const closed = [...stateValuesSet, ...stateValuesSetString].find((text) => !isOpen(text));
  if (closed !== undefined) {
    throw new TshelmError('bad-flag', {
      message: `--state-values-set ${nameIn(closed)} holds a secret, and a saved plan does not keep secrets: put it in a file and pass the file with --state-values-file`,
    });
  }
  const names = Object.keys({ ...stackFileFlags, ...stackDecideFlags, namespace: 0, 'kube-context': 0 });
  const kept = names.map(camelCase);
  const { kept: keptSet, leftOut } = keptTexts('set', set, (text) => secrets.redact(text));
  const all: Readonly<Record<string, unknown>> = { ...flags, set: keptSet };
  const given = kept.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]);
  return { flags: Object.fromEntries(given) as SavedStack['flags'], leftOut };
}

const nameIn = (assignment: string): string => splitOnce(assignment, '=')[0];
