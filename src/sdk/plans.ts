import type { ReleaseDiff } from '../actions/comparison/object-diff.ts';
import { stepTitle } from '../execute/step-title.ts';
import type { Plan } from '../plan/types.ts';
import { forPrograms } from './wording.ts';

/** A plan with the titles of its steps. */
export const titledPlan = (plan: Plan): Plan => ({
  ...plan,
  steps: plan.steps.map((step) => ({ ...step, title: stepTitle(step) })),
});

/** A plan in the words of the library. */
export const planForPrograms = (plan: Plan): Plan => ({
  ...titledPlan(plan),
  warnings: plan.warnings.map(forPrograms),
  ...(plan.hazards && { hazards: plan.hazards.map(forPrograms) }),
});

/** The same of what a change would do in the cluster. */
export const diffForPrograms = (diff: ReleaseDiff): ReleaseDiff => ({
  ...diff,
  objects: diff.objects.map((object) => ({
    ...object,
    notes: object.notes.map(forPrograms),
    ...(object.problem !== undefined && { problem: forPrograms(object.problem) }),
  })),
  warnings: diff.warnings.map(forPrograms),
  reportedWarnings: diff.reportedWarnings.map(forPrograms),
});
