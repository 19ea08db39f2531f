import { findExisting } from '../../execute/apply/existing.ts';
import { defaultConcurrency } from '../../execute/context.ts';
import { objectKey } from '../../manifest/resource-id.ts';
import type { Hazard } from '../../plan/hazards/hazard.ts';
import { hazardsOf, hazardText } from '../../plan/hazards/hazards.ts';
import type { Plan } from '../../plan/types.ts';
import { createLimiter } from '../../support/concurrency.ts';
import { TshelmError } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import type { Assessed, Decided } from '../phases.ts';

type HazardContext = Pick<Context, 'cluster' | 'signal' | 'onEvent'>;

/**
 * The plan with its hazards and with what was seen in the chart's order, all of it told as warnings. What is taken up
 * again was weighed when it began; what is taken away endangers nothing.
 * Errors: `plan-hazards` with `strictPlan`, naming every one, before anything is sent.
 */
export async function assessHazards(decided: Decided, context: Context): Promise<Assessed> {
  const { plan, order, options, sight } = decided;
  if (!decided.isWeighed) return { ...decided, plan: withWarnings(plan, order.warnings, context) };
  const { strictPlan } = options;
  const asksCluster = sight !== 'nothing';
  return { ...decided, plan: await withHazards(plan, order.warnings, { strictPlan, asksCluster }, context) };
}

interface HazardOptions {
  readonly strictPlan?: boolean | undefined;
  /** Whether what is in the cluster already counts. */
  readonly asksCluster: boolean;
}

/** The same for a plan alone; `found` is what was seen in the chart's order. */
export async function withHazards(
  plan: Plan,
  found: readonly string[],
  options: HazardOptions,
  context: HazardContext,
): Promise<Plan> {
  const hazards = hazardsOf(plan);
  const texts = [
    ...found,
    ...(options.asksCluster ? await withoutExisting(hazards, context) : hazards).map(hazardText),
  ];
  if (options.strictPlan) refuseHazards(texts);
  return withWarnings(plan, texts, context);
}

function withWarnings(plan: Plan, texts: readonly string[], { onEvent }: Pick<Context, 'onEvent'>): Plan {
  for (const text of texts) onEvent?.({ kind: 'warning', text });
  return { ...plan, warnings: [...plan.warnings, ...texts], hazards: texts };
}

/** What a plan needs too early may be in the cluster already, from an earlier revision or from somebody else. */
async function withoutExisting(
  hazards: readonly Hazard[],
  { cluster, signal }: HazardContext,
): Promise<readonly Hazard[]> {
  const needed = hazards.flatMap(({ needs }) => needs ?? []);
  if (needed.length === 0) return hazards;
  const limit = createLimiter(defaultConcurrency);
  const { objects } = await findExisting(needed, { cluster: await cluster(), limit, signal });
  return hazards.filter(({ needs }) => needs === undefined || !objects.has(objectKey(needs)));
}

/** Errors: `plan-hazards`, when there are any. */
export function refuseHazards(hazards: readonly string[]): void {
  if (hazards.length === 0) return;
  const head = hazards.length === 1 ? 'the plan has a hazard' : `the plan has ${hazards.length} hazards`;
  throw new TshelmError('plan-hazards', {
    message: `${head}, and a strict plan must have none:\n  ${hazards.join('\n  ')}`,
    details: { hazards },
  });
}
