import { changesAnything, type ReleaseOutline, refusedObjects } from '../actions/comparison/review.ts';
import type { Problem } from '../problem/problem.ts';
import { TshelmError } from '../support/errors.ts';

/** Whether there are changes. `problems`: what is refused, as facts. Errors: `diff-refused`: what would fail is not saved either. */
export function hasChangesUnlessRefused(outline: ReleaseOutline, problems: readonly Problem[]): boolean {
  const refusal = refusalOf(outline, problems);
  if (refusal !== undefined) throw refusal;
  return changesAnything(outline);
}

/** Why a change would fail; undefined where it would not. */
export function refusalOf(
  outline: ReleaseOutline,
  problems: readonly Problem[],
): TshelmError<'diff-refused'> | undefined {
  const refused = refusedObjects(outline).filter(({ mayComeYet }) => mayComeYet !== true);
  if (refused.length === 0) return undefined;
  return new TshelmError('diff-refused', {
    message: `the ${outline.action} would fail: ${refused.map(({ id, problem }) => `${id.kind}/${id.name}: ${problem}`).join('; ')}`,
    details: { release: outline.release, ...(problems.length > 0 && { problems }) },
  });
}
