import type { Chart } from '../chart/types.ts';
import { compareText } from '../support/order.ts';
import { type ChartTree, chartTree } from './chart-tree.ts';
import { needMistakes } from './need-mistakes.ts';
import { becauseOf, type Edge, idsOf } from './order-node.ts';
import { releaseNeeds } from './outside-needs.ts';
import { type OrderProblem, orderingError } from './problems.ts';
import { subchartsOf } from './subcharts.ts';
import type { BatchNode, Unit } from './types.ts';

/** The order of a chart and its subcharts, resources left aside. */
export interface ChartBatches {
  /** Names, sorted; the chart itself is in the last batch. */
  readonly batches: readonly (readonly string[])[];
  /** The batches of those subcharts that have subcharts themselves. */
  readonly units: Readonly<Record<string, ChartBatches>>;
  /** What charts wait for, and where that is declared; of those that wait for something. */
  readonly because?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Of the outermost chart: what the whole release waits for outside of it, and where that is declared. */
  readonly needs?: readonly { readonly text: string; readonly why: string }[] | undefined;
}

/**
 * Which charts go before which, to any depth (docs/ordering.md, 3). `chart` is the chart as loaded, `prepared` as it is rendered.
 * Errors: `dependency-cycle`, `invalid-ordering`, with all mistakes of all charts.
 */
export function chartBatches(chart: Chart, prepared: Chart): ChartBatches {
  const problems: OrderProblem[] = [...needMistakes(prepared)];
  const batches = batchesOf(chartTree(chart, prepared), problems);
  if (problems.length > 0) throw orderingError(problems);
  const needs = releaseNeeds(prepared).map(({ text, why }) => ({ text, why }));
  return needs.length === 0 ? batches : { ...batches, needs };
}

function batchesOf(tree: ChartTree, problems: OrderProblem[]): ChartBatches {
  const { nodes, levels, ownLevel, ownEdges } = subchartsOf(tree, problems);
  const batches: string[][] = Array.from({ length: ownLevel + 1 }, () => []);
  for (const { id, name } of nodes) batches[levels.get(id) ?? 0]?.push(name);
  batches[ownLevel]?.push(tree.name);
  const nested = tree.children.filter(({ children }) => children.length > 0);
  const because = [...nodes, { name: tree.name, edges: ownEdges }]
    .filter(({ edges }) => edges.length > 0)
    .map(({ name, edges }) => [name, becauseOf(edges)] as const)
    .sort(([a], [b]) => compareText(a, b));
  return {
    batches: batches.map((names) => names.sort(compareText)),
    units: Object.fromEntries(nested.map((child) => [child.name, batchesOf(child, problems)])),
    ...(because.length > 0 && { because: Object.fromEntries(because) }),
  };
}

/**
 * The same as a plan's unit without resources: each chart with what it waits for and why, what waits for nothing named
 * included. Errors: as {@link chartBatches}.
 */
export function chartUnit(chart: Chart, prepared: Chart): Unit {
  const problems: OrderProblem[] = [...needMistakes(prepared)];
  const { batches, ...unit } = outermostUnit(chartTree(chart, prepared), problems);
  if (problems.length > 0) throw orderingError(problems);
  const needs = releaseNeeds(prepared);
  const isFirst = ({ after = [] }: BatchNode): boolean => needs.length > 0 && after.length === 0;
  const withNeeds = (node: BatchNode): BatchNode => (isFirst(node) ? { ...node, needs } : node);
  return { ...unit, batches: batches.map(({ nodes, wait }) => ({ nodes: nodes.map(withNeeds), wait })) };
}

/** A chart without subcharts is nothing but its own resources. */
const outermostUnit = (tree: ChartTree, problems: OrderProblem[]): Unit =>
  tree.children.length > 0
    ? unitOf(tree, problems)
    : { name: tree.name, batches: [{ nodes: [ownNode(tree, [])], wait: true }] };

function unitOf(tree: ChartTree, problems: OrderProblem[]): Unit {
  const { nodes, levels, ownLevel, ownEdges } = subchartsOf(tree, problems);
  const units = new Map(tree.children.map((child) => [child.name, unitOf(child, problems)]));
  const batches: BatchNode[][] = Array.from({ length: ownLevel + 1 }, () => []);
  for (const { id, name, edges } of [...nodes].sort((a, b) => compareText(a.name, b.name)))
    batches[levels.get(id) ?? 0]?.push({ kind: 'unit', unit: units.get(name) as Unit, id, ...orderOf(edges) });
  if (tree.children.length > 0) batches[ownLevel]?.push(ownNode(tree, ownEdges));
  return { name: tree.name, batches: batches.map((inBatch) => ({ nodes: inBatch, wait: true })) };
}

const ownNode = ({ name }: ChartTree, edges: readonly Edge[]): BatchNode => ({
  kind: 'resources',
  name,
  manifests: [],
  id: 'rest',
  ...orderOf(edges),
});

const orderOf = (edges: readonly Edge[]) => ({ after: idsOf(edges), because: becauseOf(edges) });
