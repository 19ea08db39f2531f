import type { ReleaseDiff } from '../../actions/comparison/object-diff.ts';
import { type DiffTextOptions, diffText, isShown } from './diff-text.ts';

/** A release of a stack, and how its diff is shown. */
export interface StackDiff extends DiffTextOptions {
  readonly diff: ReleaseDiff;
}

/** What would change in the releases of a stack. Those without changes are counted. */
export function stackDiffText(diffs: readonly StackDiff[]): string {
  const shown = diffs.filter(({ diff }) => [...diff.objects, ...diff.hooks].some(isShown));
  const same = diffs.length - shown.length;
  const texts = shown.map(({ diff, ...options }) => diffText(diff, options));
  const count = `no changes in ${same} ${same === 1 ? 'release' : 'releases'}\n`;
  return [...texts, ...(same === 0 ? [] : [count])].join('\n');
}
