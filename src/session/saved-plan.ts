import { type ReleaseDiff, refusedProblems } from '../actions/comparison/object-diff.ts';
import type { ReleaseOutline, ReleaseReview } from '../actions/comparison/review.ts';
import { diffDecidedChange } from '../actions/diff.ts';
import type { Context } from '../change/context.ts';
import type { PlannedChanges } from '../plan/types.ts';
import type { Problem } from '../problem/problem.ts';
import { planFileText, writePlanFile } from '../saved-plan/file.ts';
import { planner } from '../saved-plan/planner.ts';
import { type ChangeToSave, maskedReview, randomWarnings, savedPlan, savedRelease } from '../saved-plan/save.ts';
import type { Key } from '../saved-plan/seal.ts';
import type { SavedMove, SavedPlan, SavedStack } from '../saved-plan/types.ts';
import { outlineOf, plannedIn, reviewOf } from '../show/changes/review.ts';
import type { Session } from './open.ts';

/** What a decided change does in the cluster: for people, and for each object of the plan. */
export interface ChangesOfPlan {
  readonly diff: ReleaseDiff;
  readonly outline: ReleaseOutline;
  /** With the lines that change, where somebody wants to see or save them. */
  readonly review: () => ReleaseReview;
  /** Why the server refuses it. */
  readonly problems: readonly Problem[];
  readonly changes: PlannedChanges;
}

/** Asks the API server what a decided change would do; without what the run knows to be secret. */
export async function changesOfPlan(
  change: Pick<ChangeToSave, 'decided' | 'renderAgain' | 'name' | 'options'>,
  session: Session,
): Promise<ChangesOfPlan> {
  const diff = await diffDecidedChange(change, { ...change.options, name: change.name }, session);
  const mask = (text: string): string => session.secrets.redact(text);
  const outline = maskedReview(outlineOf(diff), mask);
  const review = (): ReleaseReview => maskedReview(reviewOf(diff), mask);
  return { diff, outline, review, problems: refusedProblems(diff), changes: plannedIn(outline, diff) };
}

/** A change that goes into a file. */
export interface ReviewedChange {
  readonly change: ChangeToSave;
  readonly review: ReleaseReview;
  /** In which it was decided. */
  readonly context: Context;
}

/** The file of a plan, and who makes it. */
export interface PlanTarget {
  /** Its absolute path. */
  readonly path: string;
  readonly expiresInMs: number;
  /** With one, what was rendered is kept, encrypted. */
  readonly key?: Key | undefined;
  readonly signKey?: string | undefined;
  readonly stack?: SavedStack | undefined;
  readonly move?: SavedMove | undefined;
  /** What is secret beside what the changes themselves tell, such as what sops decrypted. */
  readonly secrets?: ReadonlySet<string> | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
}

/**
 * Writes a plan that its owner alone can read. Errors: `plan-of-other-cluster`, `plan-key`, `plan-signature`,
 * `plan-unwritable`.
 */
export async function savePlan(
  changes: readonly ReviewedChange[],
  { path, expiresInMs, key, signKey, stack, move, secrets, env, now }: PlanTarget,
): Promise<{ readonly plan: SavedPlan; readonly warnings: readonly string[] }> {
  const releases = await Promise.all(
    changes.map(({ change, review, context }) => savedRelease(change, { review, key, secrets, context })),
  );
  const plan = savedPlan(releases, { now, createdBy: planner(env), expiresInMs, stack, move });
  writePlanFile(path, planFileText(plan, signKey));
  const warnings = key === undefined ? await Promise.all(changes.map(({ change }) => randomWarnings(change))) : [];
  return { plan, warnings: warnings.flat() };
}
