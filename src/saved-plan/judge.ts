import { changesAnything, type ReleaseOutline, refusedObjects } from '../actions/comparison/review.ts';
import type { Problem } from '../problem/problem.ts';
import { TshelmError } from '../support/errors.ts';

/** Whether there are changes. `problems`: what is refused, as facts. Errors: `diff-refused`: what would fail is not saved either. */
export function hasChangesUnlessRefused(outline: ReleaseOutline, problems: readonly Problem[]): boolean {
  const refused = refusedObjects(outline).filter(({ mayComeYet }) => mayComeYet !== true);
  if (refused.length === 0) return changesAnything(outline);
  throw new TshelmError('diff-refused', {
    message: `the ${outline.action} would fail: ${refused.map(({ id, problem }) => `${id.kind}/${id.name}: ${problem}`).join('; ')}`,
    details: { release: outline.release, ...(problems.length > 0 && { problems }) },
  });
}
