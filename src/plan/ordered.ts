import { chartNamesOf } from '../chart/paths.ts';
import type { Chart } from '../chart/types.ts';
import { hasObject } from '../manifest/parse.ts';
import type { Manifest } from '../manifest/types.ts';
import { addTo } from '../support/group-by.ts';
import { compareText } from '../support/order.ts';
import { type ChartTree, chartTree } from './chart-tree.ts';
import { declaresOrder } from './choice.ts';
import { type FineUnit, fineUnit } from './derived/fine-unit.ts';
import type { Need } from './derived/needs.ts';
import { type LostOrder, lostDeclarations, lostEdges, type OrderAllowance } from './lost-edges.ts';
import { resourceName } from './names.ts';
import { cycleOfNeeds, needMistakes } from './need-mistakes.ts';
import { becauseOf, idsOf, type OrderNode } from './order-node.ts';
import { type DeclaredNeeds, declaredNeeds, releaseNeeds, withNeeds } from './outside-needs.ts';
import { type Findings, isRest, ownNodes } from './own-resources.ts';
import { type OrderProblem, orderingError, orderProblem, problemText } from './problems.ts';
import { chartId, type Subcharts, subchartsOf } from './subcharts.ts';
import type { Batch, BatchNode, PlannedNeed, Unit } from './types.ts';

export interface Ordered {
  readonly unit: Unit;
  readonly warnings: readonly string[];
  /** What the whole release waits for. */
  readonly needs: readonly PlannedNeed[];
}

/** The order as far as it can be told, with everything that is wrong or odd about it. */
export interface Examined extends Findings {
  readonly unit: Unit;
  readonly needs: readonly PlannedNeed[];
}

/** What {@link orderedUnit} decides, with the mistakes as data. */
export function examineOrder(
  chart: Chart,
  prepared: Chart,
  manifests: readonly Manifest[],
  { lostOrder = 'refuse', derives = chart.order?.derive, namespace }: Examination = {},
): Examined {
  const findings: Findings = { problems: [], warnings: [] };
  const tree = chartTree(chart, prepared);
  const objects = manifests.filter(hasObject);
  const byChart = manifestsByChart(tree, objects);
  if (lostOrder !== 'allow') {
    const { warnings, inverted } = lostEdges(tree, byChart);
    const unknown = derives || declaresOrder(manifests, prepared) ? [] : lostDeclarations(chart);
    findings.warnings.push(...warnings, ...unknown);
    (lostOrder === 'refuse' ? findings.problems : findings.warnings).push(...inverted);
  }
  const declared = unitOfTree(tree, byChart, findings, derives);
  const needs = releaseNeeds(prepared);
  findings.problems.push(...needMistakes(prepared, objects, namespace));
  if (findings.problems.length > 0) return { unit: declared, needs, ...findings };
  const { unit, dropped, cycles } = unitWithNeeds(declared, declaredNeeds(objects, namespace), derives);
  findings.warnings.push(...dropped.map(droppedEdge));
  findings.problems.push(...cycles.map((waits) => cycleOfNeeds(waits, prepared, tree)));
  return { unit, needs, ...findings };
}

/** The declared order with what single objects need: those of the release, as edges, and what is outside of it. */
export function unitWithNeeds(declared: Unit, needs: DeclaredNeeds, derives = false): FineUnit {
  const isFine = derives || needs.own.length > 0;
  const fine = isFine ? fineUnit(declared, { ...needs, derives }) : { unit: declared, dropped: [], cycles: [] };
  return { ...fine, unit: withNeeds(fine.unit, needs) };
}

/** How {@link examineOrder} looks at a chart. */
export interface Examination {
  readonly lostOrder?: LostOrder | undefined;
  /** Whether edges that are certain are followed too; default: as the order file says. */
  readonly derives?: boolean | undefined;
  /** The release's, where it is known: needs name objects with their namespaces. */
  readonly namespace?: string | undefined;
}

const droppedEdge = ({ user, needed, why }: Need): OrderProblem =>
  orderProblem(
    { code: 'order-edge-dropped', resource: resourceName(user), needed: resourceName(needed), why },
    { file: user.source },
  );

/**
 * The resources of a rendered chart as `--wait=ordered` deploys them (docs/ordering.md, 3 and 4): a unit for each chart, its
 * batches the levels of its graph, its subcharts units inside. `chart` is the chart as loaded, `prepared` as rendered.
 * Errors: `dependency-cycle`, `invalid-ordering`, each with all mistakes of the chart and its subcharts.
 */
export function orderedUnit(
  chart: Chart,
  prepared: Chart,
  manifests: readonly Manifest[],
  { allowLostOrder = false, ...options }: OrderAllowance & Pick<Examination, 'derives' | 'namespace'> = {},
): Ordered {
  const lostOrder = allowLostOrder ? 'allow' : 'refuse';
  const { unit, needs, problems, warnings } = examineOrder(chart, prepared, manifests, { ...options, lostOrder });
  if (problems.length > 0) throw orderingError(problems);
  return { unit, needs, warnings: warnings.map(problemText) };
}

/** The resources of each chart, by its path; what comes from no known chart is the outermost one's. */
function manifestsByChart(tree: ChartTree, manifests: readonly Manifest[]): ReadonlyMap<string, readonly Manifest[]> {
  const paths = new Set(pathsOf(tree));
  const byChart = new Map<string, Manifest[]>();
  const owners = new Map<string, string>();
  for (const manifest of manifests) {
    const path = owners.get(manifest.source) ?? chartNamesOf(manifest.source).join('/charts/');
    const owner = paths.has(path) ? path : tree.path;
    owners.set(manifest.source, owner);
    addTo(byChart, owner, manifest);
  }
  return byChart;
}

const pathsOf = (tree: ChartTree): readonly string[] => [tree.path, ...tree.children.flatMap(pathsOf)];

/**
 * The unit of a chart of which only the order is known; `byChart` holds the resources by the chart's path. Of one that is to
 * be free, no edge is implied: what nothing is declared about waits for nothing.
 */
export function unitOfTree(
  tree: ChartTree,
  byChart: ReadonlyMap<string, readonly Manifest[]>,
  findings: Findings,
  isFree = false,
): Unit {
  const subcharts = subchartsOf(tree, findings.problems);
  const own = ownNodes(tree, byChart.get(tree.path) ?? [], subcharts.ownEdges, findings);
  const levels = ownLevels(own, subcharts);
  const units = new Map(
    tree.children.map((child) => [chartId(child.name), unitOfTree(child, byChart, findings, isFree)]),
  );
  const batches: BatchNode[][] = [];
  for (const node of [...[...subcharts.nodes].sort(byName), ...own]) {
    const placed = isFree ? withoutImplied(node, subcharts) : node;
    (batches[levels.get(node.id) ?? 0] ??= []).push(batchNode(placed, units));
  }
  return { name: tree.name, batches: [...batches].map(batchOf) };
}

/** What comes last waits for what is declared of the chart's own resources, also where groups have been between. */
function withoutImplied(node: OrderNode, { ownEdges }: Subcharts): OrderNode {
  const isLast = isRest(node.id) || node.id.startsWith('weight:');
  return { ...node, edges: [...node.edges, ...(isLast ? ownEdges : [])].filter(({ isImplied }) => !isImplied) };
}

const byName = (a: OrderNode, b: OrderNode): number => compareText(a.name, b.name);

/** The own nodes' levels beside the subcharts'; the nodes are behind those that they wait for. */
function ownLevels(own: readonly OrderNode[], { levels: known, ownLevel }: Subcharts): ReadonlyMap<string, number> {
  const levels = new Map(known);
  for (const { id, edges } of own) {
    let level = ownLevel;
    for (const { to } of edges) level = Math.max(level, (levels.get(to) ?? -1) + 1);
    levels.set(id, level);
  }
  return levels;
}

function batchNode({ id, name, manifests, edges }: OrderNode, units: ReadonlyMap<string, Unit>): BatchNode {
  const order = { id, after: idsOf(edges), because: becauseOf(edges) };
  const unit = units.get(id);
  return unit === undefined ? { kind: 'resources', name, manifests, ...order } : { kind: 'unit', unit, ...order };
}

const batchOf = (nodes: readonly BatchNode[] | undefined): Batch => ({ nodes: nodes ?? [], wait: true });
