import { chartAnnotationLine } from '../chart/file-text.ts';
import { annotations } from '../manifest/annotations.ts';
import { type FileLine, fileLineText } from '../support/file-line.ts';
import { isNear } from '../support/near.ts';
import { compareText } from '../support/order.ts';
import type { ChartTree, DependsOn } from './chart-tree.ts';
import { lastOf, levelsOf } from './graph.ts';
import { cycleProblem, type Edge, idsOf, type OrderNode } from './order-node.ts';
import { type OrderProblem, orderProblem } from './problems.ts';

/** The subcharts of one chart in their order. */
export interface Subcharts {
  readonly nodes: readonly OrderNode[];
  /** By id. A cycle leaves nodes without a level. */
  readonly levels: ReadonlyMap<string, number>;
  /** The level at which the chart's own resources may begin: behind all sequenced subcharts. */
  readonly ownLevel: number;
  /** To the sequenced subcharts that no other one waits for: behind these, all of them are ready. */
  readonly ownEdges: readonly Edge[];
}

export const chartId = (name: string): string => `chart:${name}`;

/**
 * The graph of a chart's subcharts (docs/ordering.md, 3): what `depends-on` says, and orphans, which no declaration of
 * Chart.yaml names and which start when all the others are ready. Mistakes go to `problems`.
 */
export function subchartsOf(tree: ChartTree, problems: OrderProblem[]): Subcharts {
  problems.push(...tree.malformed);
  const ownTargets = ownDependencies(tree, problems);
  const declared = new Map(tree.children.map(({ name }) => [name, [] as Edge[]]));
  const sequenced = new Set(ownTargets.map(({ name }) => name));
  for (const declaration of tree.dependsOn) {
    const { froms, edges } = declaredEdges(declaration, tree, problems);
    for (const from of froms) declared.get(from)?.push(...edges);
    for (const name of [...froms, ...edges.map((edge) => edge.name)]) if (declared.has(name)) sequenced.add(name);
  }
  const ordered = nodesOf([...declared].filter(([name]) => sequenced.has(name)));
  const { levels, cycles } = levelsOf(ordered.map(({ id, edges }) => ({ id, after: idsOf(edges) })));
  const byId = new Map(ordered.map((node) => [node.id, node]));
  const { name: chart, file } = tree;
  problems.push(...cycles.map((cycle) => cycleProblem('subcharts', cycle, byId, { chart, file })));
  const ownLevel = Math.max(-1, ...levels.values()) + 1;
  const ownEdges = lastEdges(ordered, ownTargets, tree);
  const orphans = nodesOf([...declared].filter(([name]) => !sequenced.has(name)).map(([name]) => [name, ownEdges]));
  return {
    nodes: [...ordered, ...orphans],
    levels: new Map([...levels, ...orphans.map(({ id }): [string, number] => [id, ownLevel])]),
    ownLevel,
    ownEdges,
  };
}

const subchartsKey = annotations.dependsOnSubcharts;

/** Who waits by one declaration, and for what. */
function declaredEdges(
  { name, waitsFor, key, file, line, why = `Chart.yaml ${key}` }: DependsOn,
  tree: ChartTree,
  problems: OrderProblem[],
) {
  const place = { tree, line, file, key };
  const froms = key === subchartsKey ? (knownNames(name, place, problems) ?? []) : [name];
  const edges = waitsFor
    .flatMap((wanted) => resolveName(wanted, { ...place, subchart: name }, problems))
    .map((target) => edgeTo(target, why, () => ({ file, line: line?.() })));
  return { froms, edges };
}

function ownDependencies(tree: ChartTree, problems: OrderProblem[]): readonly NamedChart[] {
  const { ownPlace } = tree;
  const line = (): number | undefined => (ownPlace ?? { line: chartAnnotationLine(tree.source, subchartsKey) }).line;
  const [key, file] = ownPlace === undefined ? [subchartsKey, `${tree.path}/Chart.yaml`] : ['dependsOn', ownPlace.file];
  const place = { tree, line, key, file };
  return tree.ownDependsOn.flatMap((name) => resolveName(name, place, problems));
}

/** A subchart that is switched on, and those that are off and lead to it. */
export interface NamedChart {
  readonly name: string;
  readonly through: readonly string[];
}

interface NamePlace {
  readonly tree: ChartTree;
  /** The key that names it. */
  readonly key: string;
  readonly line?: (() => number | undefined) | undefined;
  /** Default: where the dependencies are declared. */
  readonly file?: string | undefined;
  /** What waits: a resource, or a subchart, which is never meant. */
  readonly resource?: string | undefined;
  readonly subchart?: string | undefined;
}

/**
 * The subcharts that are switched on and that a name means. One that is off passes its edges on: in its place is what
 * it would have waited for. A name that means none is a mistake.
 */
export function resolveName(name: string, place: NamePlace, problems: OrderProblem[]): readonly NamedChart[] {
  const found = knownNames(name, place, problems) ?? [];
  return enabledDependencies(found, place.tree, []);
}

/** `seen` are those that are off and lie between; one of them that waits for another, and so on in a circle, ends there. */
function enabledDependencies(
  names: readonly string[],
  tree: ChartTree,
  seen: readonly string[],
): readonly NamedChart[] {
  return names.flatMap((name): readonly NamedChart[] => {
    if (tree.children.some((child) => child.name === name)) return [{ name, through: seen }];
    if (seen.includes(name)) return [];
    const behind = tree.dependsOn
      .filter((declaration) => declaration.name === name || tree.childrenNamed(declaration.name)?.includes(name))
      .flatMap(({ waitsFor }) => waitsFor.flatMap((wanted) => tree.childrenNamed(wanted) ?? []));
    return enabledDependencies([...new Set(behind)], tree, [...seen, name]);
  });
}

function knownNames(
  name: string,
  { tree, key, line, file = tree.file, resource, subchart }: NamePlace,
  problems: OrderProblem[],
): readonly string[] | undefined {
  const children = tree.childrenNamed(name);
  if (children !== undefined) return children;
  const known = tree.knownNames.filter((one) => one !== subchart).sort(compareText);
  const meant = known.filter((one) => isNear(one, name) || one.startsWith(name) || name.startsWith(one));
  const declared = { key, resource, subchart, name, chart: tree.name };
  problems.push(orderProblem({ code: 'order-subchart-unknown', ...declared, known, meant }, { file, line: line?.() }));
  return undefined;
}

const edgeTo = ({ name, through }: NamedChart, why: string, place: () => FileLine): Edge => ({
  to: chartId(name),
  name,
  through,
  why,
  place,
});

const nodesOf = (entries: readonly (readonly [string, readonly Edge[]])[]): readonly OrderNode[] =>
  entries.map(([name, edges]) => ({ id: chartId(name), name, manifests: [], edges }));

function lastEdges(ordered: readonly OrderNode[], ownTargets: readonly NamedChart[], tree: ChartTree): readonly Edge[] {
  const named = new Map(ownTargets.map((target) => [target.name, target]));
  const last = new Set(lastOf(ordered.map(({ id, edges }) => ({ id, after: idsOf(edges) }))));
  return ordered
    .filter(({ id }) => last.has(id))
    .map(({ name }) => {
      const target = named.get(name);
      const declared = tree.ownPlace === undefined ? `Chart.yaml ${subchartsKey}` : fileLineText(tree.ownPlace);
      const why = target === undefined ? 'a sequenced subchart' : declared;
      const edge = edgeTo(target ?? { name, through: [] }, why, () => tree.ownPlace ?? { file: tree.file });
      return target === undefined ? { ...edge, isImplied: true } : edge;
    });
}
