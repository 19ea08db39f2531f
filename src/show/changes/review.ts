import { headlineChanges } from '../../actions/comparison/headlines.ts';
import type { ObjectDiff, ReleaseDiff } from '../../actions/comparison/object-diff.ts';
import { plannedChanges } from '../../actions/comparison/planned-changes.ts';
import type { OutlinedObject, ReleaseOutline, ReleaseReview, ReviewedObject } from '../../actions/comparison/review.ts';
import { fieldDifferences } from '../../manifest/field-differences.ts';
import type { PlannedChanges } from '../../plan/types.ts';
import { countsOf } from './diff-data.ts';
import { diffLinesText, isShown } from './diff-text.ts';

const defaultContext = 3;

/** A diff as it is reviewed; `context` lines are shown around each change. */
export const reviewOf = (diff: ReleaseDiff, context = defaultContext): ReleaseReview =>
  outline(diff, (object) => reviewed(object, context));

/** A diff without its lines, which cost the most. */
export const outlineOf = (diff: ReleaseDiff): ReleaseOutline => outline(diff, outlined);

const outline = <Of extends OutlinedObject>(
  diff: ReleaseDiff,
  tell: (object: ObjectDiff) => Of,
): ReleaseOutline<Of> => ({
  action: diff.action,
  release: diff.release,
  namespace: diff.namespace,
  ...(diff.cluster && { cluster: diff.cluster }),
  from: diff.from,
  to: diff.to,
  objects: diff.objects.filter(isShown).map(tell),
  hooks: diff.hooks.filter(isShown).map(tell),
  counts: countsOf(diff.objects),
  warnings: diff.warnings,
});

const reviewed = (object: ObjectDiff, context: number): ReviewedObject => ({
  ...outlined(object),
  diff: diffLinesText(object, context),
});

function outlined(object: ObjectDiff): OutlinedObject {
  const differences = object.change === 'changed' ? fieldDifferences(object.before, object.after) : undefined;
  const headlines = headlineChanges(differences ?? []);
  return {
    id: object.id,
    change: object.change,
    events: object.events,
    notes: object.notes,
    ...(object.insteadOf && { insteadOf: object.insteadOf.id }),
    ...(object.succeededBy && { succeededBy: object.succeededBy }),
    ...(object.random && { random: object.random }),
    fields: differences?.map(({ path }) => path),
    ...(headlines.length > 0 && { headlines }),
    adoptedFrom: object.adopted && adoptedFrom(object.adopted),
    ...(object.replaced && { replacedFor: object.replaced.forcedBy }),
    problem: object.problem,
    ...(object.mayComeYet && { mayComeYet: object.mayComeYet }),
  };
}

const adoptedFrom = ({ from }: NonNullable<ObjectDiff['adopted']>): string =>
  from === undefined ? '' : `${from.release} in ${from.namespace}`;

/** What a diff does to each object of its plan. */
export const plannedIn = (outline: ReleaseOutline, { objects }: ReleaseDiff): PlannedChanges =>
  plannedChanges(
    outline,
    objects.filter((object) => !isShown(object)).map(({ id }) => id),
  );
