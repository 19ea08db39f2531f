import type { ReleaseDiff } from '../../actions/comparison/object-diff.ts';
import type { ReleaseReview } from '../../actions/comparison/review.ts';
import { countOf } from '../../support/text.ts';
import { type DiffTextOptions, diffText, isRandomOnly, isShown } from './diff-text.ts';
import { equalReleases, sameIn } from './equal-releases.ts';
import { reviewOf } from './review.ts';

/** A release of a stack, and how its diff is shown. */
export interface StackDiff extends DiffTextOptions {
  readonly diff: ReleaseDiff;
}

/** What would change in the releases of a stack: equal changes once, with the releases that have them, and those without changes as a number. */
export function stackDiffText(diffs: readonly StackDiff[]): string {
  const shown = diffs.filter(({ diff }) => hasChanges(diff));
  const byReview = new Map(shown.map((one): [ReleaseReview, StackDiff] => [reviewOf(one.diff, one.context), one]));
  const texts = equalReleases([...byReview.keys()]).map(({ first, others }) => {
    const { diff, ...options } = byReview.get(first) as StackDiff;
    return `${diffText(diff, options)}${sameIn(others)}`;
  });
  const same = diffs.length - shown.length;
  const count = `no changes in ${countOf(same, 'release')}\n`;
  return [...texts, ...(same === 0 ? [] : [count])].join('\n');
}

/** A hook that only has another name or value at each render is no change; an object of the release would get the value. */
const hasChanges = ({ objects, hooks }: ReleaseDiff): boolean =>
  objects.some(isShown) || hooks.some((hook) => isShown(hook) && !isRandomOnly(hook));
