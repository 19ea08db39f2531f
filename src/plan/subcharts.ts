import { chartAnnotationLine } from '../chart/file-text.ts';
import { annotations } from '../manifest/annotations.ts';
import { isNear } from '../support/near.ts';
import { compareText } from '../support/order.ts';
import type { ChartTree, DependsOn } from './chart-tree.ts';
import { lastOf, levelsOf } from './graph.ts';
import { cycleMistake, type Edge, idsOf, type OrderNode } from './order-node.ts';
import { type LinePlace, type OrderMistake, placeText } from './problems.ts';

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
export function subchartsOf(tree: ChartTree, problems: OrderMistake[]): Subcharts {
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
  problems.push(...cycles.map((cycle) => cycleProblem(cycle, ordered, tree)));
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
  problems: OrderMistake[],
) {
  const place = { tree, line, file, of: key === subchartsKey ? subchartsKey : `${key} of ${name}` };
  const isField = key !== subchartsKey;
  const froms = isField ? [name] : (knownNames(name, place, problems) ?? []);
  const edges = waitsFor
    .flatMap((wanted) => resolveName(wanted, { ...place, by: name }, problems))
    .map((target) => edgeTo(target, why, () => ({ file, line: line?.() })));
  return { froms, edges };
}

function ownDependencies(tree: ChartTree, problems: OrderMistake[]): readonly NamedChart[] {
  const { ownPlace } = tree;
  const line = (): number | undefined => (ownPlace ?? { line: chartAnnotationLine(tree.source, subchartsKey) }).line;
  const [of, file] = ownPlace === undefined ? [subchartsKey, `${tree.path}/Chart.yaml`] : ['dependsOn', ownPlace.file];
  const place = { tree, line, of, file };
  return tree.ownDependsOn.flatMap((name) => resolveName(name, place, problems));
}

/** A subchart that is switched on, and those that are off and lead to it. */
export interface NamedChart {
  readonly name: string;
  readonly through: readonly string[];
}

interface NamePlace {
  readonly tree: ChartTree;
  /** What names it: `depends-on of bar`. */
  readonly of: string;
  readonly line?: (() => number | undefined) | undefined;
  /** Default: where the dependencies are declared. */
  readonly file?: string | undefined;
  readonly resource?: string | undefined;
  /** The subchart that names it, which is never meant. */
  readonly by?: string | undefined;
}

/**
 * The subcharts that are switched on and that a name means. One that is off passes its edges on: in its place stands what
 * it would have waited for. A name that means none is a mistake.
 */
export function resolveName(name: string, place: NamePlace, problems: OrderMistake[]): readonly NamedChart[] {
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
  { tree, of, line, file = tree.file, resource, by }: NamePlace,
  problems: OrderMistake[],
): readonly string[] | undefined {
  const children = tree.childrenNamed(name);
  if (children !== undefined) return children;
  const others = tree.knownNames.filter((known) => known !== by);
  const near = others.filter((known) => isNear(known, name) || known.startsWith(name) || name.startsWith(known));
  const known = near.length > 0 ? near : others;
  const hint =
    known.length === 0
      ? `chart ${tree.name} has no ${by === undefined ? '' : 'other '}dependencies`
      : near.length > 0
        ? `did you mean ${listText(near)}?`
        : `its ${by === undefined ? '' : 'other '}dependencies are ${listText(known)}`;
  problems.push({
    file,
    line: line?.(),
    resource,
    message: `${of} names "${name}", which is not a dependency of chart ${tree.name}; ${hint}`,
  });
  return undefined;
}

const listText = (names: readonly string[]): string =>
  [...names]
    .sort(compareText)
    .map((name) => `"${name}"`)
    .join(', ');

const edgeTo = ({ name, through }: NamedChart, why: string, place: () => LinePlace): Edge => ({
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
      const declared = tree.ownPlace === undefined ? `Chart.yaml ${subchartsKey}` : placeText(tree.ownPlace);
      const why = target === undefined ? 'a sequenced subchart' : declared;
      return edgeTo(target ?? { name, through: [] }, why, () => tree.ownPlace ?? { file: tree.file });
    });
}

function cycleProblem(cycle: readonly string[], nodes: readonly OrderNode[], tree: ChartTree): OrderMistake {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return {
    file: tree.file,
    ...cycleMistake(`subcharts of ${tree.name}`, cycle, byId),
  };
}
