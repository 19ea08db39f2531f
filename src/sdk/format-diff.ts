import type { ReleaseDiff } from '../actions/comparison/object-diff.ts';
import { diffText, plainDiff } from '../show/changes/diff-text.ts';
import { commentLimits, reviewMarkdown } from '../show/changes/markdown.ts';
import { reviewOf } from '../show/changes/review.ts';
import { checkShape, must, number, oneOf, type Shape } from './option-checks.ts';

export interface FormatDiffOptions {
  /** `text`: unified diffs, as `tshelm diff` prints them. `markdown`: a comment for a pull request. Default `text`. */
  readonly format?: 'text' | 'markdown' | undefined;
  /** Unchanged lines shown around each change. Default 3; `Infinity` shows whole objects. */
  readonly context?: number | undefined;
  /**
   * For `markdown`: bytes that the comment may have. Diffs that do not fit are left out, and the comment says so. Default
   * 64,000, which GitHub accepts.
   */
  readonly limit?: number | undefined;
}

const shape: Shape<FormatDiffOptions> = {
  context: must('a number that is not negative', (value) => typeof value === 'number' && value >= 0),
  format: oneOf('text', 'markdown'),
  limit: number,
};

/** What `diff` found, for people: of one release, or of several in one text. */
export function formatDiff(diffs: ReleaseDiff | readonly ReleaseDiff[], options: FormatDiffOptions = {}): string {
  checkShape(options, shape);
  const { format = 'text', context = 3, limit = commentLimits.github } = options;
  const all = Array.isArray(diffs) ? (diffs as readonly ReleaseDiff[]) : [diffs as ReleaseDiff];
  if (format === 'text') return all.map((diff) => diffText(diff, { context, paint: plainDiff })).join('\n');
  const reviews = all.map((diff) => reviewOf(diff, context));
  return reviewMarkdown(reviews, limit);
}
