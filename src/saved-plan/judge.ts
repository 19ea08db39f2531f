import { changesAnything, type ReleaseReview, refusedObjects } from '../actions/comparison/review.ts';
import type { Problem } from '../problem/problem.ts';
import { TshelmError } from '../support/errors.ts';

/** Whether there are changes. `problems`: what is refused, as facts. Errors: `diff-refused`: what would fail is not saved either. */
export function hasChangesUnlessRefused(review: ReleaseReview, problems: readonly Problem[]): boolean {
  const refused = refusedObjects(review).filter(({ mayComeYet }) => mayComeYet !== true);
  if (refused.length === 0) return changesAnything(review);
  throw new TshelmError('diff-refused', {
    message: `the ${review.action} would fail: ${refused.map(({ id, problem }) => `${id.kind}/${id.name}: ${problem}`).join('; ')}`,
    details: { release: review.release, ...(problems.length > 0 && { problems }) },
  });
}
