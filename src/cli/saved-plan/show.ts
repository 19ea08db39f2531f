import { plannedChanges } from '../../actions/comparison/planned-changes.ts';
import { changesAnything } from '../../actions/comparison/review.ts';
import type { MovePlan } from '../../change/moves/moves.ts';
import { objectKey } from '../../manifest/resource-id.ts';
import type { PlannedChanges } from '../../plan/types.ts';
import { completeReview } from '../../saved-plan/shown-review.ts';
import { readPlan as planOf } from '../../saved-plan/steps.ts';
import type { FoundObject, SavedMove, SavedPlan, SavedRelease } from '../../saved-plan/types.ts';
import { commentLimit, fenceFor, reviewMarkdown, reviewMarker } from '../../show/changes/markdown.ts';
import { reviewsText } from '../../show/changes/review-text.ts';
import { TshelmError } from '../../support/errors.ts';
import { printableLine } from '../../support/printable.ts';
import type { CliContext } from '../context.ts';
import { endWithChanges } from '../flags/exit-code-flags.ts';
import { moveText } from '../output/move-text.ts';
import { graphText, planText } from '../output/plan-text.ts';
import { secondsTime } from '../output/time.ts';
import { kindOf } from '../terminal/io.ts';
import { readPlan } from './read-plan.ts';
import type { ShowPlanRequest } from './show-request.ts';

/** Shows a file, also one that may not be applied any more. Errors: `plan-unusable`, `bad-flag`. */
export async function runShowPlan({ path, flags }: ShowPlanRequest, context: CliContext): Promise<void> {
  const { io } = context;
  const saved = await readPlan(path, flags, io);
  if (saved.move !== undefined) return showMove(saved, saved.move, { path, flags }, context);
  const releases = chosen(saved, flags.release).map((one) => ({ ...one, review: completeReview(one) }));
  io.stdout.write(await textOf(saved, releases, { path, flags }, context), kindOf(flags.output));
  if (flags.output === 'tree' && flags.diff) io.stdout.write(`\n${reviewsText(releases.map(({ review }) => review))}`);
  endWithChanges(
    releases.some(({ review }) => changesAnything(review)),
    flags,
    context,
  );
}

/** Errors: `bad-flag` for a page: none is drawn of moves. */
async function showMove(
  saved: SavedPlan,
  { plan, warnings }: SavedMove,
  { flags }: ShowPlanRequest,
  context: CliContext,
): Promise<void> {
  const { output, release } = flags;
  const { io } = context;
  if (release !== undefined) throw new TshelmError('bad-flag', { message: '--release: the plan is of a move' });
  if (output === 'html') throw new TshelmError('bad-flag', { message: '-o html: no page is drawn of a move' });
  const text = output === 'markdown' ? moveMarkdown(plan) : await graphText([], output, [plan]);
  io.stdout.write(output === 'tree' ? `${factsText(saved)}\n${text}` : text, kindOf(output));
  for (const warning of warnings) io.stderr.write(`warning: ${printableLine(warning)}\n`);
  endWithChanges(isMoving(plan), flags, context);
}

function moveMarkdown(plan: MovePlan): string {
  const text = moveText({ plan, isUnchanged: false }, false);
  const fence = fenceFor(text);
  return `${reviewMarker}\n\n### tshelm: ${plan.kind}\n\n${fence}\n${text}${fence}\n`;
}

const isMoving = ({ objects, records }: MovePlan): boolean =>
  records.length > 0 || objects.some(({ state }) => state === 'changes');

function chosen({ releases }: SavedPlan, name: string | undefined): readonly SavedRelease[] {
  const found = name === undefined ? releases : releases.filter((release) => release.name === name);
  if (found.length > 0) return found;
  const names = releases.map((release) => release.name).join(', ');
  throw new TshelmError('bad-flag', { message: `the plan has no release ${name ?? ''}; it has: ${names}` });
}

async function textOf(
  saved: SavedPlan,
  releases: readonly SavedRelease[],
  { path, flags: { output } }: ShowPlanRequest,
  { io }: CliContext,
): Promise<string> {
  if (output === 'markdown')
    return reviewMarkdown(
      releases.map(({ review }) => review),
      commentLimit(io.env),
      `tshelm show-plan ${path} --diff`,
    );
  const plans = releases.map((release) => {
    const { id, name, needs, plan, texts, review } = release;
    return { id: id ?? name, needs, plan: { ...planOf(plan, texts, review.warnings), changes: changesOf(release) } };
  });
  const [first] = plans;
  const text =
    plans.length === 1 && first !== undefined ? await planText(first.plan, output) : await graphText(plans, output);
  return output === 'tree' ? `${factsText(saved)}\n${text}` : text;
}

const factsText = ({ createdAt, createdBy, expiresAt, tshelm }: SavedPlan): string =>
  `made at ${secondsTime(createdAt)} by ${createdBy} with tshelm ${tshelm}; can be applied until ${secondsTime(expiresAt)}\n`;

/** What a saved plan does to each object; what its review leaves out is unchanged. */
function changesOf({ review, found }: SavedRelease): PlannedChanges {
  const shown = new Set(review.objects.map(({ id }) => objectKey(id)));
  const isUnchanged = ({ id, uid, task }: FoundObject): boolean =>
    task === 'apply' && uid !== undefined && !shown.has(objectKey(id));
  return plannedChanges(
    review,
    found.filter(isUnchanged).map(({ id }) => id),
  );
}
