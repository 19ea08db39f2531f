import type { ObjectDiff, ReleaseDiff } from '../../actions/comparison/object-diff.ts';
import type { ReleaseReview, ReviewedObject } from '../../actions/comparison/review.ts';
import { countsOf } from './diff-data.ts';
import { diffLinesText, isShown } from './diff-text.ts';

const defaultContext = 3;

/** A diff as it is reviewed; `context` lines are shown around each change. */
export const reviewOf = (diff: ReleaseDiff, context = defaultContext): ReleaseReview => ({
  action: diff.action,
  release: diff.release,
  namespace: diff.namespace,
  from: diff.from,
  to: diff.to,
  objects: diff.objects.filter(isShown).map((object) => reviewed(object, context)),
  hooks: diff.hooks.filter(isShown).map((object) => reviewed(object, context)),
  counts: countsOf(diff.objects),
  warnings: diff.warnings,
});

const reviewed = (object: ObjectDiff, context: number): ReviewedObject => ({
  id: object.id,
  change: object.change,
  events: object.events,
  diff: diffLinesText(object, context),
  notes: object.notes,
  problem: object.problem,
  ...(object.mayComeYet && { mayComeYet: object.mayComeYet }),
});
