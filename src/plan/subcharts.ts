import { annotations } from '../manifest/annotations.ts';
import { isNear } from '../support/near.ts';
import { compareText } from '../support/order.ts';
import type { ChartTree } from './chart-tree.ts';
import { lastOf, levelsOf } from './graph.ts';
import { cycleText, type Edge, idsOf, type OrderNode } from './order-node.ts';
import { type Problem, placeText } from './problems.ts';
import { annotationLine, fileText } from './source-lines.ts';

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
 * The graph of a chart's subcharts (ordering.md, 3): what `depends-on` says, and orphans, which no declaration of
 * Chart.yaml names and which start when all the others are ready. Mistakes go to `problems`.
 */
export function subchartsOf(tree: ChartTree, problems: Problem[]): Subcharts {
  const ownNames = ownDependencies(tree, problems);
  const declared = new Map(tree.children.map(({ name }) => [name, [] as Edge[]]));
  const sequenced = new Set(ownNames);
  for (const { name, waitsFor, line } of tree.dependsOn) {
    const place = (): string => placeText({ file: tree.file, line: line?.() });
    const targets = waitsFor.flatMap((wanted) =>
      resolveName(wanted, { tree, line, of: `depends-on of ${name}` }, problems),
    );
    for (const target of declared.has(name) ? [name, ...targets] : targets) sequenced.add(target);
    declared.get(name)?.push(...targets.map((target) => edgeTo(target, 'Chart.yaml depends-on', place)));
  }
  const ordered = nodesOf([...declared].filter(([name]) => sequenced.has(name)));
  const { levels, cycles } = levelsOf(ordered.map(({ id, edges }) => ({ id, after: idsOf(edges) })));
  problems.push(...cycles.map((cycle) => cycleProblem(cycle, ordered, tree)));
  const ownLevel = Math.max(-1, ...levels.values()) + 1;
  const ownEdges = lastEdges(ordered, ownNames, tree);
  const orphans = nodesOf([...declared].filter(([name]) => !sequenced.has(name)).map(([name]) => [name, ownEdges]));
  return {
    nodes: [...ordered, ...orphans],
    levels: new Map([...levels, ...orphans.map(({ id }): [string, number] => [id, ownLevel])]),
    ownLevel,
    ownEdges,
  };
}

const subchartsKey = annotations.dependsOnSubcharts;

function ownDependencies(tree: ChartTree, problems: Problem[]): readonly string[] {
  const line = (): number | undefined => annotationLine(fileText(tree.source, 'Chart.yaml') ?? '', subchartsKey);
  const place = { tree, line, of: subchartsKey, file: `${tree.path}/Chart.yaml` };
  return tree.ownDependsOn.flatMap((name) => resolveName(name, place, problems));
}

interface NamePlace {
  readonly tree: ChartTree;
  /** What names it: `depends-on of bar`. */
  readonly of: string;
  readonly line?: (() => number | undefined) | undefined;
  /** Default: where the dependencies are declared. */
  readonly file?: string | undefined;
  readonly resource?: string | undefined;
}

/** The subcharts that are switched on and that a name means; a name that means none is a mistake. */
export function resolveName(
  name: string,
  { tree, of, line, file = tree.file, resource }: NamePlace,
  problems: Problem[],
): readonly string[] {
  const children = tree.childrenNamed(name);
  if (children !== undefined) return children;
  const near = tree.knownNames.filter(
    (known) => isNear(known, name) || known.startsWith(name) || name.startsWith(known),
  );
  const known = near.length > 0 ? near : tree.knownNames;
  const hint =
    known.length === 0
      ? `chart ${tree.name} has no dependencies`
      : near.length > 0
        ? `did you mean ${listText(near)}?`
        : `its dependencies are ${listText(known)}`;
  problems.push({
    file,
    line: line?.(),
    resource,
    message: `${of} names "${name}", which is no dependency of chart ${tree.name}; ${hint}`,
  });
  return [];
}

const listText = (names: readonly string[]): string =>
  [...names]
    .sort(compareText)
    .map((name) => `"${name}"`)
    .join(', ');

const edgeTo = (name: string, why: string, place: () => string): Edge => ({
  to: chartId(name),
  name,
  why,
  place,
});

const nodesOf = (entries: readonly (readonly [string, readonly Edge[]])[]): readonly OrderNode[] =>
  entries.map(([name, edges]) => ({ id: chartId(name), name, manifests: [], edges }));

function lastEdges(ordered: readonly OrderNode[], ownNames: readonly string[], tree: ChartTree): readonly Edge[] {
  const named = new Set(ownNames.map(chartId));
  const last = new Set(lastOf(ordered.map(({ id, edges }) => ({ id, after: idsOf(edges) }))));
  return ordered
    .filter(({ id }) => last.has(id))
    .map(({ id, name }) =>
      edgeTo(name, named.has(id) ? `Chart.yaml ${subchartsKey}` : 'a sequenced subchart', () => tree.file),
    );
}

function cycleProblem(cycle: readonly string[], nodes: readonly OrderNode[], tree: ChartTree): Problem {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const names = cycle.map((id) => (byId.get(id) as OrderNode).name);
  return {
    file: tree.file,
    cycle: names,
    message: `subcharts of ${tree.name} wait for each other: ${[...names, names[0]].join(' -> ')}; remove one depends-on entry: ${cycleText(cycle, byId).join(', ')}`,
  };
}
