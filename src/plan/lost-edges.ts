import type { Chart } from '../chart/types.ts';
import { isWrittenByHelm } from '../chart/written-by-helm.ts';
import { annotations } from '../manifest/annotations.ts';
import type { Manifest } from '../manifest/types.ts';
import type { OrderEvidence } from '../problem/order-fact.ts';
import type { ChartTree } from './chart-tree.ts';
import { declarationOf, isGrouped } from './declarations.ts';
import { resourceName } from './names.ts';
import { type OrderProblem, orderProblem } from './problems.ts';
import { ownKey } from './subchart-edges.ts';

const key = annotations.dependsOnSubcharts;

type ByChart = ReadonlyMap<string, readonly Manifest[]>;

/** What becomes of an order that Helm evidently dropped: an error where subcharts would run in reverse and a warning otherwise, a warning, or nothing. */
export type LostOrder = 'refuse' | 'warn' | 'allow';

export interface OrderAllowance {
  /** Takes charts as they are whose order between subcharts Helm evidently dropped. Default false. */
  readonly allowLostOrder?: boolean | undefined;
}

interface LostEdges {
  readonly warnings: readonly OrderProblem[];
  /** Charts whose annotation names some subcharts: the others, which these may need, would start after them. */
  readonly inverted: readonly OrderProblem[];
}

/**
 * Charts whose edges between subcharts were evidently lost (docs/ordering.md, 2): Helm may have written their Chart.yaml, there are
 * no such edges, and something in them or in a chart around them declares an order. `{}` in the annotation says that there are none.
 */
export function lostEdges(tree: ChartTree, byChart: ByChart): LostEdges {
  return edgesLostIn(tree, undefined);

  /** `around` is the chart around it that declares an order. */
  function edgesLostIn(chart: ChartTree, around: OrderEvidence | undefined): LostEdges {
    const sign = signOfOrder(chart, byChart);
    const hasOrder = sign !== undefined || chart.dependsOn.length > 0;
    const outer = around ?? (hasOrder ? ({ kind: 'chart', name: chart.name } as const) : undefined);
    const inside = chart.children.map((child) => edgesLostIn(child, outer));
    const why = mayHaveLostEdgesIn(chart, byChart) ? (sign ?? around) : undefined;
    const late = chart.ownDependsOn.length === 0 ? [] : unnamed(chart, byChart);
    const own = why === undefined ? [] : [lossOf(chart, why, late.length === 0 ? undefined : late)];
    const [warnings, inverted] = late.length === 0 ? [own, []] : [[], own];
    return {
      warnings: [...warnings, ...inside.flatMap((one) => one.warnings)],
      inverted: [...inverted, ...inside.flatMap((one) => one.inverted)],
    };
  }
}

function mayHaveLostEdgesIn(tree: ChartTree, byChart: ByChart): boolean {
  const { source, children, dependsOn } = tree;
  if (source === undefined || dependsOn.length > 0 || statesEdges(source)) return false;
  return children.filter((child) => hasResources(child, byChart)).length > 1 && isWrittenByHelm(source);
}

const statesEdges = ({ metadata }: Chart): boolean => metadata.annotations?.[key]?.trimStart().startsWith('{') === true;

const hasResources = (tree: ChartTree, byChart: ByChart): boolean =>
  (byChart.get(tree.path) ?? []).length > 0 || tree.children.some((child) => hasResources(child, byChart));

/** The subcharts that the annotation does not name: they start when those that it names are ready. */
function unnamed({ children, ownDependsOn, childrenNamed }: ChartTree, byChart: ByChart): readonly string[] {
  const named = new Set(ownDependsOn.flatMap((name) => childrenNamed(name) ?? []));
  return children.filter((child) => !named.has(child.name) && hasResources(child, byChart)).map(({ name }) => name);
}

/** That nothing in a chart declares the order that was asked for; Helm may have dropped it from the `packaged` charts. */
export const undeclaredOrder = ({ metadata: { name } }: Chart, packaged: readonly string[] = []): OrderProblem =>
  orderProblem({ code: 'order-undeclared', chart: name, key, packaged }, { file: `${name}/Chart.yaml` });

/** The same where Helm may have dropped the order, of which nothing else is left. */
export function lostDeclarations(chart: Chart): readonly OrderProblem[] {
  const lost = chartsWithLostEdges(chart);
  return lost.length === 0 ? [] : [undeclaredOrder(chart, lost)];
}

/** The charts of which nothing says whether they lost edges: Helm may have written their Chart.yaml, and they have subcharts. */
const chartsWithLostEdges = (chart: Chart): readonly string[] => [
  ...(chart.dependencies.length > 1 && !statesEdges(chart) && isWrittenByHelm(chart) ? [chart.metadata.name] : []),
  ...chart.dependencies.flatMap(chartsWithLostEdges),
];

/** `late` are the subcharts that would start after those that they may depend on. */
function lossOf({ path, name, ownDependsOn }: ChartTree, sign: OrderEvidence, late?: readonly string[]): OrderProblem {
  const none = ownDependsOn.length === 0 ? '{}' : JSON.stringify({ [ownKey]: ownDependsOn });
  return orderProblem(
    { code: 'order-lost', chart: name, key, sign, none, ...(late !== undefined && { late, after: ownDependsOn }) },
    { file: `${path}/Chart.yaml` },
    late === undefined ? [] : [{ kind: 'set-option', option: 'allowLostOrder' }],
  );
}

/** What tells that somebody thought of an order. */
function signOfOrder(tree: ChartTree, byChart: ByChart): OrderEvidence | undefined {
  if (tree.ownDependsOn.length > 0) return { kind: 'annotation', name: key };
  const isOrdered = (manifest: Manifest): boolean => {
    const declared = declarationOf(manifest);
    return isGrouped(declared) || declared.weight !== undefined;
  };
  const own = byChart.get(tree.path)?.find(isOrdered);
  if (own !== undefined) return { kind: 'resource', name: resourceName(own) };
  const child = tree.children.find((each) => each.dependsOn.length > 0 || signOfOrder(each, byChart) !== undefined);
  return child && { kind: 'subchart', name: child.name };
}
