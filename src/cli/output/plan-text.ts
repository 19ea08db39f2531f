import type { MovePlan } from '../../change/moves/moves.ts';
import type { Plan } from '../../plan/types.ts';
import type { DoneBefore, PlanInGraph } from '../../show/diagram.ts';
import { moveText, moveTitle } from './move-text.ts';

export const planFormats = ['tree', 'json', 'yaml', 'dot', 'mermaid', 'html'] as const;
export type PlanFormat = (typeof planFormats)[number];

/** A plan in one of its forms. */
export async function planText(plan: Plan, format: PlanFormat): Promise<string> {
  switch (format) {
    case 'tree':
      return (await import('../../show/tree.ts')).drawPlan(plan);
    case 'dot':
      return (await import('../../show/diagram.ts')).dotText(plan);
    case 'html':
      return (await import('../../show/page/page.ts')).planPage(plan);
    case 'mermaid':
      return (await import('../../show/diagram.ts')).mermaidText(plan);
    case 'json':
    case 'yaml': {
      const { planData } = await import('../../show/plan-data.ts');
      const { formatted } = await import('../terminal/format.ts');
      return formatted(planData(plan), format);
    }
  }
}

/** Plans of several releases in one format, after the moves that precede them. A stack with moves has no page. */
export async function graphText(
  plans: readonly PlanInGraph[],
  format: PlanFormat,
  moves: readonly MovePlan[] = [],
): Promise<string> {
  switch (format) {
    case 'tree': {
      const first = moves.map((plan) => moveText({ plan, isUnchanged: false }, false));
      return [...first, ...(await import('../../show/equal-plans.ts')).graphTrees(plans)].join('\n');
    }
    case 'dot':
      return (await import('../../show/diagram.ts')).graphDotText(plans, moves.map(boxOfMove));
    case 'mermaid':
      return (await import('../../show/diagram.ts')).graphMermaidText(plans, moves.map(boxOfMove));
    case 'json':
    case 'yaml': {
      const { planData } = await import('../../show/plan-data.ts');
      const { formatted } = await import('../terminal/format.ts');
      const first = moves.map(({ kind, ...move }) => ({ action: kind, ...move }));
      return formatted([...first, ...plans.map(({ id, needs, plan }) => ({ id, needs, ...planData(plan) }))], format);
    }
    case 'html':
      return (await import('../../show/page/page.ts')).graphPlansPage(plans);
  }
}

const boxOfMove = (move: MovePlan): DoneBefore => ({
  title: moveTitle(move),
  contents: move.objects.map(({ kind, name }) => `${kind}/${name}`),
  releases: [move.to, ...(move.from === undefined ? [] : [move.from])],
});
