import type { Plan } from '../types.ts';
import { definitionHazards } from './definitions.ts';
import type { Hazard, HazardInput } from './hazard.ts';
import { placedObjects } from './places.ts';
import { podHazards } from './pods.ts';
import { readinessHazards } from './readiness.ts';
import { replicaHazards } from './replicas.ts';

/** The hazards of a plan (docs/ordering.md, 7), each once. What the plan does not apply is taken to be in the cluster. */
export function hazardsOf(plan: Plan): readonly Hazard[] {
  const { namespace, strategy } = plan;
  const input: HazardInput = { objects: placedObjects(plan), namespace, strategy };
  const found = [
    ...podHazards(input),
    ...definitionHazards(input),
    ...replicaHazards(input),
    ...readinessHazards(input),
  ];
  return [...new Map(found.map((hazard) => [hazardText(hazard), hazard])).values()];
}

/** `shop/templates/web.yaml: Deployment/web …`. */
export const hazardText = ({ source, message }: Hazard): string => `${source}: ${message}`;
