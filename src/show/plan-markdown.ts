import type { Plan } from '../plan/types.ts';
import { plain } from './changes/markdown.ts';
import { type Branch, planTree } from './tree.ts';

/** A plan as Markdown: a heading, its steps as a numbered list with what is in them, and its warnings. Ends with a newline. */
export function planMarkdown(plan: Plan): string {
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
