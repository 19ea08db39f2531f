import type { Plan } from '../plan/types.ts';
import { drawPlan } from '../show/tree.ts';

/** A plan for people, as `tshelm plan` prints it: every step, its batches, the reasons for their order, the hazards. */
export const formatPlan = (plan: Plan): string => drawPlan(plan);
