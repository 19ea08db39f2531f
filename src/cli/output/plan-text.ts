import type { Plan } from '../../plan/types.ts';

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
      const { formatted } = await import('./format.ts');
      return formatted(planData(plan), format);
    }
  }
}
