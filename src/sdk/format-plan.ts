import type { Plan } from '../plan/types.ts';
import { planMarkdown } from '../show/plan-markdown.ts';
import { drawPlan } from '../show/tree.ts';
import { checkShape, oneOf, type Shape } from './option-checks.ts';

export interface FormatPlanOptions {
  /** `text`: a tree, as `tshelm plan` prints it. `markdown`: a list, for a comment or a summary. Default `text`. */
  readonly format?: 'text' | 'markdown' | undefined;
}

const shape: Shape<FormatPlanOptions> = { format: oneOf('text', 'markdown') };

/** A plan for people: every step, its batches, the reasons for their order, the hazards. */
export function formatPlan(plan: Plan, options: FormatPlanOptions = {}): string {
  checkShape(options, shape);
  return options.format === 'markdown' ? planMarkdown(plan) : drawPlan(plan);
}
