import { stepTitle } from '../execute/step-title.ts';
import type { Plan } from '../plan/types.ts';

/** A plan with the titles of its steps. */
export const titledPlan = (plan: Plan): Plan => ({
  ...plan,
  steps: plan.steps.map((step) => ({ ...step, title: stepTitle(step) })),
});
