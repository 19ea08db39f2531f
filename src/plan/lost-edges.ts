import type { Chart } from '../chart/types.ts';
import { isWrittenByHelm } from '../chart/written-by-helm.ts';
import { annotations } from '../manifest/annotations.ts';
import type { Manifest } from '../manifest/types.ts';
import type { ChartTree } from './chart-tree.ts';
import { declarationOf, isGrouped } from './declarations.ts';
import type { OrderMistake } from './problems.ts';
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
  readonly warnings: readonly OrderMistake[];
  /** Charts whose annotation names some subcharts: the others, which these may need, would start after them. */
  readonly inverted: readonly OrderMistake[];
}

/**
 * Charts whose edges between subcharts were evidently lost (docs/ordering.md, 2): Helm may have written their Chart.yaml, there are
 * no such edges, and something in them or in a chart around them declares an order. `{}` in the annotation says that there are none.
 */
export function lostEdges(tree: ChartTree, byChart: ByChart): LostEdges {
  return edgesLostIn(tree, undefined);

  /** `around` is the chart around it that declares an order. */
  function edgesLostIn(chart: ChartTree, around: string | undefined): LostEdges {
    const sign = signOfOrder(chart, byChart);
    const hasOrder = sign !== undefined || chart.dependsOn.length > 0;
    const outer = around ?? (hasOrder ? `chart ${chart.name}` : undefined);
    const inside = chart.children.map((child) => edgesLostIn(child, outer));
    const why = mayHaveLostEdgesIn(chart, byChart) ? (sign ?? around) : undefined;
    const own = why === undefined ? [] : [lossOf(chart, why)];
    const isInverted = chart.ownDependsOn.length > 0 && unnamed(chart, byChart).length > 0;
    return {
      warnings: [...(isInverted ? [] : own), ...inside.flatMap(({ warnings }) => warnings)],
      inverted: [
        ...(isInverted ? own.map((loss) => inversionOf(loss, chart, unnamed(chart, byChart))) : []),
        ...inside.flatMap(({ inverted }) => inverted),
      ],
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

/** That nothing in a chart declares the order that was asked for. */
export const undeclaredOrder = ({ metadata }: Chart): string =>
  `nothing in chart ${metadata.name} declares an order, so an ordered wait starts everything at once`;

/** The same where Helm may have dropped the order, of which nothing else is left. */
export function lostDeclarations(chart: Chart): readonly OrderMistake[] {
  const lost = chartsWithLostEdges(chart);
  if (lost.length === 0) return [];
  const reason = `Helm drops depends-on from charts that it packages, and may have packaged ${lost.join(', ')}; declare the order in ${key} instead ('{}' for no order)`;
  return [{ file: `${chart.metadata.name}/Chart.yaml`, message: `${undeclaredOrder(chart)} (${reason})` }];
}

/** The charts of which nothing says whether they lost edges: Helm may have written their Chart.yaml, and they have subcharts. */
const chartsWithLostEdges = (chart: Chart): readonly string[] => [
  ...(chart.dependencies.length > 1 && !statesEdges(chart) && isWrittenByHelm(chart) ? [chart.metadata.name] : []),
  ...chart.dependencies.flatMap(chartsWithLostEdges),
];

const lossOf = ({ path, name, ownDependsOn }: ChartTree, sign: string): OrderMistake => {
  const none = ownDependsOn.length === 0 ? '{}' : JSON.stringify({ [ownKey]: ownDependsOn });
  return {
    file: `${path}/Chart.yaml`,
    message: `chart ${name} seems to have been packaged by Helm, which drops depends-on from Chart.yaml; ${sign} declares an order, so its subcharts may have had one too; package the chart with tshelm, or declare the order of its subcharts in ${key} ('${none}' for no order)`,
  };
};

const inversionOf = (
  { file, message }: OrderMistake,
  { ownDependsOn }: ChartTree,
  late: readonly string[],
): OrderMistake => ({
  file,
  message: `${message}; otherwise ${late.join(', ')} would start after ${ownDependsOn.join(', ')}, possibly the reverse of the intended order`,
  remedies: [{ kind: 'set-option', option: 'allowLostOrder' }],
});

/** What tells that somebody thought of an order. */
function signOfOrder(tree: ChartTree, byChart: ByChart): string | undefined {
  if (tree.ownDependsOn.length > 0) return `its ${key}`;
  const isOrdered = (manifest: Manifest): boolean => {
    const declared = declarationOf(manifest);
    return isGrouped(declared) || declared.weight !== undefined;
  };
  const own = byChart.get(tree.path)?.find(isOrdered);
  if (own !== undefined) return `${own.object.kind}/${own.object.metadata.name}`;
  const child = tree.children.find((each) => each.dependsOn.length > 0 || signOfOrder(each, byChart) !== undefined);
  return child && `subchart ${child.name}`;
}
