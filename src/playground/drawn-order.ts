import { givenCapabilities } from '../actions/rendering/given-capabilities.ts';
import type { TemplateOptions } from '../actions/template.ts';
import { crdManifests } from '../change/deploy/crds.ts';
import { withHazards } from '../change/deploy/plan-hazards.ts';
import { prepareForRelease, renderForRelease } from '../change/rendering/render.ts';
import type { Chart } from '../chart/types.ts';
import type { GoMap } from '../go/value.ts';
import { orderOf } from '../plan/chosen-order.ts';
import { hookModesOf } from '../plan/hook-modes.ts';
import { planInstall } from '../plan/plan.ts';
import type { Plan } from '../plan/types.ts';
import { planPage } from '../show/page/page.ts';
import { drawPlan } from '../show/tree.ts';

export interface DrawnOrder {
  /** What `tshelm plan RELEASE CHART --offline` prints. */
  readonly tree: string;
  /** The same with `-o html`. */
  readonly page: string;
}

type OrderOptions = Pick<TemplateOptions, 'name' | 'namespace' | 'kubeVersion' | 'apiVersions'>;

/** The order in which --wait=ordered installs the chart. Errors: `dependency-cycle`, `invalid-ordering`. */
export async function drawnOrder(chart: Chart, values: GoMap, options: OrderOptions): Promise<DrawnOrder> {
  const plan = await orderedPlan(chart, values, options);
  return { tree: drawPlan(plan), page: planPage(plan) };
}

async function orderedPlan(chart: Chart, values: GoMap, { name, namespace, ...versions }: OrderOptions): Promise<Plan> {
  const prepared = await prepareForRelease(chart, values, { isInstall: true, warnsOfCrds: false });
  const release = { name, namespace, revision: 1, isInstall: true };
  const capabilities = givenCapabilities(versions);
  const rendered = await renderForRelease(prepared, values, { release, legalAnnotations: true }, { capabilities });
  const charted = { chart, prepared: prepared.chart, rendered, replaced: undefined, history: [], namespace };
  const order = orderOf(charted, { strategy: 'ordered', isDerived: chart.order?.derive }, { wait: 'ordered' });
  const plan = planInstall({
    release: name,
    namespace,
    strategy: 'ordered',
    unit: order.unit,
    needs: order.needs,
    manifests: rendered.manifests,
    hooks: rendered.hooks,
    runHooks: true,
    hookModeOf: hookModesOf(prepared.chart),
    crds: crdManifests(prepared.crds),
    record: { revision: 1, status: 'pending-install' },
    ifStopped: [{ kind: 'record-failure' }],
    warnings: rendered.warnings,
  });
  return withHazards(plan, order.warnings, { asksCluster: false }, { cluster: noCluster });
}

const noCluster = (): never => {
  throw new Error('internal: a page has no cluster');
};
