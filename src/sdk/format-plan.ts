import type { Plan } from '../plan/types.ts';
import { plain } from '../show/changes/markdown.ts';
import { type Branch, drawPlan, planTree } from '../show/tree.ts';
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

/** A plan as Markdown: a heading, its steps as a numbered list with what is in them, and its warnings. Ends with a newline. */
function planMarkdown(plan: Plan): string {
  const { title, steps, ifStopped } = planTree(plan);
  const notes = ifStopped === undefined ? [] : ['', plain(ifStopped)];
  const warnings = plan.warnings.flatMap((text) => ['', `> **Warning:** ${plain(text)}`]);
  return `${[`### ${plain(title)}`, '', ...items(steps, '1.', ''), ...notes, ...warnings].join('\n')}\n`;
}

const items = (branches: readonly Branch[], mark: '1.' | '-', indent: string): readonly string[] =>
  branches.flatMap(({ text, branches: inner = [] }) => [
    `${indent}${mark} ${plain(text)}`,
    ...items(inner, '-', `${indent}${' '.repeat(mark.length + 1)}`),
  ]);
