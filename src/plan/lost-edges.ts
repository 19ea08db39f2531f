import type { Chart } from '../chart/types.ts';
import { isWrittenByHelm } from '../chart/written-by-helm.ts';
import { annotations } from '../manifest/annotations.ts';
import type { Manifest } from '../manifest/types.ts';
import type { ChartTree } from './chart-tree.ts';
import { declarationOf, isGrouped } from './declarations.ts';
import type { Problem } from './problems.ts';

const key = annotations.dependsOnSubcharts;

/**
 * Charts whose edges between subcharts were evidently lost (docs/ordering.md, 2): Helm may have written their Chart.yaml, there are
 * no such edges, and something else in them declares an order. `{}` in the annotation says that there are none.
 */
export function lostEdges(tree: ChartTree, byChart: ReadonlyMap<string, readonly Manifest[]>): readonly Problem[] {
  const inside = tree.children.flatMap((child) => lostEdges(child, byChart));
  const { source } = tree;
  if (source === undefined || tree.children.length < 2 || tree.dependsOn.length > 0) return inside;
  const isSaid = source.metadata.annotations?.[key]?.trimStart().startsWith('{') === true;
  const sign = isSaid || !isWrittenByHelm(source) ? undefined : signOfOrder(tree, byChart);
  return sign === undefined ? inside : [lossOf(tree, sign), ...inside];
}

/** Whether a chart may have lost edges of which nothing tells: Helm may have written its Chart.yaml, and it has subcharts. */
export const mayHaveLostEdges = (chart: Chart): boolean => chart.dependencies.length > 1 && isWrittenByHelm(chart);

const lossOf = ({ path, name }: ChartTree, sign: string): Problem => ({
  file: `${path}/Chart.yaml`,
  message: `Chart.yaml of ${name} looks as if Helm had packaged the chart, which drops any depends-on; ${sign} declares an order, so the subcharts may have had one too; package the chart with tshelm, or write the order of its subcharts into ${key} ('{}' if there is none)`,
});

/** What tells that somebody thought of an order. */
function signOfOrder(tree: ChartTree, byChart: ReadonlyMap<string, readonly Manifest[]>): string | undefined {
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
