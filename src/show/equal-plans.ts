import type { Plan } from '../plan/types.ts';
import { groupBy } from '../support/group-by.ts';
import { sameIn, unnamed } from './changes/equal-releases.ts';
import type { PlanInGraph } from './diagram.ts';
import { drawPlan } from './tree.ts';

/** The trees of several releases, in their order; those that are equal but for revisions, their names and what is random in names once. */
export const graphTrees = (plans: readonly PlanInGraph[]): readonly string[] =>
  [...groupBy(plans, keyOf).values()].map(([first, ...others]) => {
    const { needs, plan } = first as PlanInGraph;
    const tree = `${drawPlan(plan)}${sameIn(others.map(placeOf))}`;
    return needs.length === 0 ? tree : `after ${needs.join(', ')}:\n${tree}`;
  });

const placeOf = ({ plan: { release, namespace, changes } }: PlanInGraph) => ({
  release,
  namespace,
  cluster: changes?.cluster,
});

function keyOf({ needs, plan }: PlanInGraph): string {
  const names = plan.changes?.randomNames ?? [];
  const tree = names.reduce((text, name) => text.replaceAll(name, '\0random'), drawPlan(withoutRevisions(plan)));
  return JSON.stringify([needs, unnamed(tree, plan)]);
}

function withoutRevisions({ steps, changes, ...plan }: Plan): Plan {
  const [from, to] = [changes?.from, changes?.to].map((one) => one && { revision: 0, chart: '' });
  return {
    ...plan,
    steps: steps.map((step) => (step.kind === 'record' ? { ...step, revision: 0 } : step)),
    ...(changes && to && { changes: { ...changes, from, to } }),
  };
}
