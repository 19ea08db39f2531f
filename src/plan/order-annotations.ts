import type { Chart, ChartMetadata } from '../chart/types.ts';
import { isWrittenByHelm } from '../chart/written-by-helm.ts';
import { annotations } from '../manifest/annotations.ts';
import { readNameList } from '../manifest/name-list.ts';
import { type ChartTree, chartTree } from './chart-tree.ts';
import { ownKey, readSubchartEdges } from './subchart-edges.ts';
import { resolveName } from './subcharts.ts';

/**
 * The annotations that Chart.yaml still needs, so that its order outlives Helm, which drops the fields `depends-on` and
 * `runHooksInParallel` from archives and records (docs/ordering.md, 2); {} when nothing would be lost.
 */
export function orderAnnotations({ metadata }: OrderedChart): Readonly<Record<string, string>> {
  const { annotations: given = {}, runHooksInParallel } = metadata;
  const edges = missingEdges(metadata, given[annotations.dependsOnSubcharts]);
  const isModeMissing = runHooksInParallel !== undefined && given[annotations.runHooksInParallel] === undefined;
  return {
    ...(edges !== undefined && { [annotations.dependsOnSubcharts]: edges }),
    ...(isModeMissing && { [annotations.runHooksInParallel]: runHooksInParallel }),
  };
}

/**
 * The annotations that an archive gets: those that it still needs, and for a list of what the chart's own resources wait
 * for the map that says the same. Beside a list, edges that Helm dropped cannot be told from edges that never were.
 */
export function archivedAnnotations(chart: Chart): Readonly<Record<string, string>> {
  const added = orderAnnotations(chart);
  const given = chart.metadata.annotations?.[annotations.dependsOnSubcharts];
  const { own } = readSubchartEdges(given);
  const isList = own.length > 0 && given?.trimStart().startsWith('{') === false;
  if (!isList || chart.dependencies.length < 2 || isWrittenByHelm(chart)) return added;
  return { [annotations.dependsOnSubcharts]: edgesText(new Map(), own), ...added };
}

/** A chart, as far as its Chart.yaml declares an order. */
export interface OrderedChart {
  readonly metadata: Partial<ChartMetadata>;
}

/** The annotation with the edges of the fields in it; undefined where it has them all, or where nobody can read them. */
function missingEdges({ dependencies = [] }: Partial<ChartMetadata>, annotation: string | undefined) {
  const annotated = readSubchartEdges(annotation);
  if (annotated.mistakes.length > 0) return undefined;
  const edges = new Map(annotated.bySubchart);
  let isMissing = false;
  for (const { name, alias, dependsOn = [] } of dependencies) {
    const key = alias || name;
    const known = edges.get(key) ?? [];
    const { names } = readNameList(dependsOn.length === 1 ? dependsOn[0] : dependsOn);
    const missing = names.filter((wanted) => !known.includes(wanted));
    if (missing.length === 0) continue;
    isMissing = true;
    edges.set(key, [...known, ...missing]);
  }
  return isMissing ? edgesText(edges, annotated.own) : undefined;
}

const edgesText = (edges: ReadonlyMap<string, readonly string[]>, own: readonly string[]): string =>
  JSON.stringify({ ...Object.fromEntries(edges), ...(own.length > 0 && { [ownKey]: own }) });

/**
 * The annotations of a chart for its record, which holds neither the fields nor the subcharts that are off: the edges
 * between those that are rendered, by the names that they are rendered under.
 */
export function recordedAnnotations(chart: Chart, prepared: Chart): Readonly<Record<string, string>> {
  const tree = chartTree(chart, prepared);
  const edges = edgesOf(tree);
  const own = namesBehind(tree.ownDependsOn, tree);
  const text = edgesText(edges, [...own, ...unnamed(tree, edges, own)]);
  const isKnown = text === edgesTextOf(prepared.metadata.annotations?.[annotations.dependsOnSubcharts]);
  return isKnown || text === '{}' ? {} : { [annotations.dependsOnSubcharts]: text };
}

function edgesTextOf(annotation: string | undefined): string {
  const { bySubchart, own } = readSubchartEdges(annotation);
  return edgesText(bySubchart, own);
}

function edgesOf(tree: ChartTree): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, readonly string[]>();
  for (const { name } of tree.children) {
    const wanted = tree.dependsOn
      .filter((declaration) => tree.childrenNamed(declaration.name)?.includes(name))
      .flatMap(({ waitsFor }) => waitsFor);
    const found = namesBehind(wanted, tree);
    if (found.length > 0) edges.set(name, found);
  }
  return edges;
}

/**
 * Sequenced subcharts whose only edges lead to or from such as are off: no edge of the record names them, and the chart's
 * own resources wait for them all the same.
 */
function unnamed(
  tree: ChartTree,
  edges: ReadonlyMap<string, readonly string[]>,
  own: readonly string[],
): readonly string[] {
  const declared = new Set(
    tree.dependsOn.flatMap(({ name, waitsFor }) => [
      ...(tree.childrenNamed(name) ?? []),
      ...namesBehind(waitsFor, tree),
    ]),
  );
  const named = new Set([...edges.keys(), ...[...edges.values()].flat(), ...own]);
  return tree.children.map(({ name }) => name).filter((name) => declared.has(name) && !named.has(name));
}

const namesBehind = (names: readonly string[], tree: ChartTree): readonly string[] => [
  ...new Set(names.flatMap((wanted) => resolveName(wanted, { tree, key: '' }, [])).map(({ name }) => name)),
];
