import { withHazards } from '../../change/deploy/plan-hazards.ts';
import type { Rendered } from '../../change/rendering/render.ts';
import type { Chart } from '../../chart/types.ts';
import type { Cluster } from '../../cluster/types.ts';
import { plainWait } from '../../plan/choice.ts';
import { hookModesOf } from '../../plan/hook-modes.ts';
import { orderedUnit } from '../../plan/ordered.ts';
import { planInstall, planUpgrade } from '../../plan/plan.ts';
import type { Unit, WaitMode } from '../../plan/types.ts';

interface OrderOptions {
  readonly name: string;
  readonly namespace: string;
  readonly wait?: WaitMode | undefined;
  readonly isUpgrade?: boolean | undefined;
  readonly noHooks?: boolean | undefined;
  readonly strictPlan?: boolean | undefined;
  readonly allowLostOrder?: boolean | undefined;
  readonly cluster?: Cluster | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a printed chart would be deployed. */
export interface TemplateOrder {
  /** Undefined where no order is asked for. */
  readonly unit?: Unit | undefined;
  readonly warnings: readonly string[];
}

/** Errors: `dependency-cycle`, `invalid-ordering`, and with `strictPlan` `plan-hazards`. */
export async function templateOrder(
  chart: Chart,
  prepared: Chart,
  { manifests, hooks }: Rendered,
  options: OrderOptions,
): Promise<TemplateOrder> {
  const { name, namespace, wait, isUpgrade, noHooks, cluster } = options;
  const strategy = plainWait(wait) ?? 'hookOnly';
  const derives = wait === 'auto' || chart.order?.derive;
  const order = strategy === 'ordered' ? orderedUnit(chart, prepared, manifests, { ...options, derives }) : undefined;
  const planned = (isUpgrade ? planUpgrade : planInstall)({
    release: name,
    namespace,
    strategy,
    unit: order?.unit,
    manifests,
    hooks,
    runHooks: !noHooks,
    hookModeOf: hookModesOf(prepared),
  });
  const { warnings } = await withHazards(
    planned,
    order?.warnings ?? [],
    { strictPlan: options.strictPlan, asksCluster: cluster !== undefined },
    { cluster: async () => cluster as Cluster, signal: options.signal },
  );
  return { unit: order?.unit, warnings };
}
