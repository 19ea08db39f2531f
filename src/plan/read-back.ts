import { chartNamesOf } from '../chart/paths.ts';
import { sortByKind } from '../manifest/kind-order.ts';
import { readNames } from '../manifest/name-list.ts';
import type { Manifest } from '../manifest/types.ts';
import { addTo } from '../support/group-by.ts';
import { compareText } from '../support/order.ts';
import { type ChartTree, dependsOnKey } from './chart-tree.ts';
import { declarationOf } from './declarations.ts';
import { levelsOf } from './graph.ts';
import { unitOfTree } from './ordered.ts';
import type { ownNodes } from './own-resources.ts';
import type { Sequencing, StoredNode } from './sequencing.ts';
import { readStoredManifest } from './stored-manifest.ts';
import { readSubchartEdges, type SubchartEdges } from './subchart-edges.ts';
import { chartId } from './subcharts.ts';
import type { Batch, BatchNode, Unit } from './types.ts';

export interface StoredOrder {
  /** The resources of the stored manifest, in its order. */
  readonly manifests: readonly Manifest[];
  /** The name of the outermost chart. */
  readonly chart: string;
  /** Its dependencies that are switched on, as its record lists them: one that rendered nothing is in no document. */
  readonly subcharts?: readonly string[] | undefined;
  /** Its `helm.sh/depends-on/subcharts`, which Helm keeps: as a map it tells all edges between its subcharts. */
  readonly annotation?: string | undefined;
  /** What an earlier revision kept, for the order of subcharts: Helm drops it from the records that it writes. */
  readonly earlier?: Sequencing | undefined;
  /** Only what is declared was followed, and what is certain: without a declaration there is no order of subcharts. */
  readonly isFree?: boolean | undefined;
}

export interface ReadBack {
  readonly unit: Unit;
  /** Charts whose subcharts have an order that nothing tells: they go one after another. */
  readonly guesses: readonly Guess[];
}

export interface Guess {
  readonly chart: string;
  readonly subcharts: readonly string[];
}

/**
 * The order of a release whose record has no `sequencing` (docs/ordering.md, 4). A chart's annotation tells the edges
 * between its subcharts, or what an earlier revision kept, or a manifest in install order. Where nothing
 * does, subcharts go one after another as they are in the manifest. Groups, layers and weights are read from the
 * legal keys.
 */
export function readBackUnit(stored: StoredOrder): ReadBack {
  const { annotation = '', manifests, earlier, isFree } = stored;
  const isInManifest = !isFree && !annotation.trimStart().startsWith('{') && !isAsHelmSorts(manifests);
  const inOrder = isInManifest ? unitInOrder({ ...stored, name: stored.chart }, 0) : undefined;
  if (inOrder !== undefined && (earlier === undefined || !isInOrder(earlier, inOrder)))
    return { unit: inOrder, guesses: [] };
  return unitBySubcharts(stored);
}

/** Whether the subcharts of a manifest stand as an earlier revision had them: then that tells more than their places. */
function isInOrder(earlier: Sequencing, { batches }: Unit): boolean {
  const known = new Map(earlier.batches.flat().map(({ id, after }) => [id, after]));
  const ids = batches.flatMap(({ nodes }) => nodes.flatMap((node) => (node.kind === 'unit' ? (node.id ?? []) : [])));
  return ids.every((id, index) => {
    const after = known.get(id);
    return after !== undefined && after.every((before) => !ids.slice(index).includes(before));
  });
}

/** The subchart of each document of a manifest; undefined for those of the outermost chart. */
export const subchartsOf = (manifest: string): readonly (string | undefined)[] =>
  [...manifest.matchAll(/^# Source: (.*)$/gm)].map(([, source = '']) => chartNamesOf(source)[1]);

/**
 * The order that a manifest itself tells: subcharts one after another, as only an ordered deploy writes it. Undefined
 * where it tells none: one that is as Helm sorts is believed only where it is known to be of an ordered deploy.
 */
export function orderOfManifest(text: string, chart: string, isKnownOrdered = false): Unit | undefined {
  const sources = subchartsOf(text);
  const children = sources.filter((child, index) => child !== undefined && child !== sources[index - 1]);
  if (children.length === 0 || new Set(children).size < children.length) return undefined;
  const manifests = readStoredManifest(text);
  return !isKnownOrdered && isAsHelmSorts(manifests) ? undefined : unitInOrder({ name: chart, manifests }, 0);
}

/** Helm sorts by kind, and those of one kind by the path of their template. */
function isAsHelmSorts(manifests: readonly Manifest[]): boolean {
  const byPath = [...manifests].sort((a, b) => compareText(a.source, b.source));
  return sortByKind(byPath, kindOf).every((manifest, index) => manifest === manifests[index]);
}

const kindOf = ({ object }: Manifest): string => object.kind;

/** A run of documents that belong to one direct subchart, or to the chart itself. */
interface DocumentRun {
  readonly child: string | undefined;
  readonly manifests: Manifest[];
}

/** Subcharts one after another, in the order of their documents; undefined where a subchart's documents are not next to each other. */
function unitInOrder(
  { name, manifests, subcharts }: Pick<StoredOrder, 'manifests' | 'subcharts'> & { readonly name: string },
  depth: number,
): Unit | undefined {
  const runs = runsOf(manifests, depth);
  const children = runs.flatMap(({ child }) => child ?? []);
  if (new Set(children).size < children.length) return undefined;
  const own = runs.flatMap((run) => (run.child === undefined ? run.manifests : []));
  const below = children.map((child) => [child]);
  const byChart = new Map([[name, own]]);
  const groups = unitOfTree(treeOf({ name, path: name, below, subcharts }, { byChart }), byChart, noFindings());
  const batches: BatchNode[][] = [];
  for (const run of runs) {
    if (run.child === undefined) batches.push(...restrictedTo(run.manifests, groups, batches.length));
    else {
      const unit = unitInOrder({ name: run.child, manifests: run.manifests }, depth + 1);
      if (unit === undefined) return undefined;
      batches.push([{ kind: 'unit', unit, id: chartId(run.child), because: [] }]);
    }
  }
  return { name, batches: chained(batches) };
}

function runsOf(manifests: readonly Manifest[], depth: number): readonly DocumentRun[] {
  const runs: DocumentRun[] = [];
  for (const manifest of manifests) {
    const child = chartNamesOf(manifest.source)[depth + 1];
    const last = runs.at(-1);
    if (last !== undefined && last.child === child) last.manifests.push(manifest);
    else runs.push({ child, manifests: [manifest] });
  }
  return runs;
}

function restrictedTo(run: readonly Manifest[], { batches }: Unit, place: number): BatchNode[][] {
  const wanted = new Set(run);
  return batches
    .map(({ nodes }) =>
      nodes.flatMap((node): BatchNode[] => {
        const manifests = node.kind === 'resources' ? node.manifests.filter((manifest) => wanted.has(manifest)) : [];
        if (node.kind === 'unit' || manifests.length === 0) return [];
        const isWhole = manifests.length === node.manifests.length;
        return [{ ...node, manifests, id: isWhole ? node.id : `${node.id}#${place}` }];
      }),
    )
    .filter((nodes) => nodes.length > 0);
}

/** Each batch behind the one before it. */
function chained(batches: readonly (readonly BatchNode[])[]): readonly Batch[] {
  return batches.map((nodes, index) => {
    const after = (batches[index - 1] ?? []).flatMap(({ id }) => id ?? []);
    const because = after.length === 0 ? [] : ['the resources before it (order of the stored manifest)'];
    return {
      wait: true,
      nodes: nodes.map((node) => ({ ...node, after, because: node.because.length > 0 ? node.because : because })),
    };
  });
}

/** By the graph, with the edges between subcharts that are known. */
function unitBySubcharts({ manifests, chart, subcharts, annotation, earlier, isFree = false }: StoredOrder): ReadBack {
  const paths = manifests.map(({ source }) => chartNamesOf(source));
  const edges = annotation?.trimStart().startsWith('{') ? readSubchartEdges(annotation) : undefined;
  const guesses: Guess[] = [];
  const byChart = new Map<string, Manifest[]>();
  for (const [index, manifest] of manifests.entries()) {
    const path = [chart, ...(paths[index] ?? []).slice(1)].join('/charts/');
    addTo(byChart, path, manifest);
  }
  const below = paths.map((names) => names.slice(1));
  const tree = treeOf(
    { name: chart, path: chart, below, subcharts, earlier: earlier?.batches.flat() },
    { byChart, edges, guesses, isFree },
  );
  const own = edges === undefined ? readNames(annotation) : edges.own;
  const unit = unitOfTree({ ...tree, ownDependsOn: [...own, ...tree.ownDependsOn] }, byChart, noFindings(), isFree);
  return { unit, guesses };
}

/** What is known of a chart in a record. */
interface StoredChart {
  readonly name: string;
  readonly path: string;
  /** The names of the charts below it around each document, outermost first. */
  readonly below: readonly (readonly string[])[];
  /** As of StoredOrder; undefined for a subchart, whose dependencies no record lists. */
  readonly subcharts?: readonly string[] | undefined;
  /** Its nodes in an earlier revision. */
  readonly earlier?: readonly StoredNode[] | undefined;
}

interface Known {
  /** The resources of each chart, by its path. */
  readonly byChart: ReadonlyMap<string, readonly Manifest[]>;
  readonly edges?: SubchartEdges | undefined;
  readonly guesses?: Guess[];
  readonly isFree?: boolean | undefined;
}

function treeOf(chart: StoredChart, { byChart, edges, guesses = [], isFree }: Known): ChartTree {
  const { name, path, below, earlier = [] } = chart;
  const nodes = new Map(earlier.filter(({ batches }) => batches !== undefined).map((node) => [node.name, node]));
  const rendered = [...new Set(below.flatMap(([child]) => child ?? []))];
  const enabled = chart.subcharts ?? [...nodes.keys(), ...awaitedCharts(byChart.get(path) ?? [])];
  const names = [...new Set([...rendered, ...enabled])];
  const chartsAmong = (ids: readonly string[]): readonly string[] =>
    names.filter((child) => ids.includes(chartId(child)));
  const own = earlier.filter(({ batches }) => batches === undefined);
  const ownAfter = own.flatMap(({ after }) => after);
  const sequenced = own.length === 0 ? undefined : allBehind(ownAfter, earlier);
  const known = (child: string): readonly string[] => {
    if (edges !== undefined) return edges.bySubchart.get(child) ?? [];
    // An orphan waits as the own resources do, and nobody waits for it.
    return sequenced?.has(chartId(child)) === false ? [] : chartsAmong(nodes.get(child)?.after ?? []);
  };
  const isKnown = isFree || edges !== undefined || rendered.length < 2 || rendered.every((child) => nodes.has(child));
  if (!isKnown) guesses.push({ chart: name, subcharts: rendered });
  // What is switched off passes on what it waits for.
  const declaring = [...new Set([...names, ...(edges?.bySubchart.keys() ?? [])])];
  const order = isKnown
    ? declaring.map((child) => ({ name: child, waitsFor: known(child) }))
    : oneByOne(rendered, known);
  return {
    name,
    path,
    children: names.map((child) => {
      const inside = below.filter(([first]) => first === child).map(([, ...rest]) => rest);
      const nested = (nodes.get(child)?.batches ?? []).flat();
      return treeOf(
        { name: child, path: `${path}/charts/${child}`, below: inside, earlier: nested },
        { byChart, guesses, isFree },
      );
    }),
    dependsOn: order
      .filter(({ waitsFor }) => waitsFor.length > 0)
      .map((edge) => ({ ...edge, key: dependsOnKey, file: `${path}/Chart.yaml`, why: isKnown ? undefined : guessed })),
    ownDependsOn: edges === undefined ? chartsAmong(ownAfter) : [],
    malformed: [],
    childrenNamed: (child) => [child],
    knownNames: names,
    file: `${path}/Chart.yaml`,
    source: undefined,
  };
}

/** The subcharts that a chart's own resources wait for. */
const awaitedCharts = (manifests: readonly Manifest[]): readonly string[] =>
  manifests.flatMap((manifest) => declarationOf(manifest).afterCharts);

/** The ids that come before any of these, and these. */
function allBehind(ids: readonly string[], nodes: readonly StoredNode[]): ReadonlySet<string> {
  const after = new Map(nodes.map((node) => [node.id, node.after]));
  const found = new Set<string>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(after.get(id) ?? []));
  }
  return found;
}

const guessed = 'order of the manifest, no other order is recorded';

/** Each behind the one before it, as they are, but for what is known. */
function oneByOne(names: readonly string[], known: (child: string) => readonly string[]) {
  const { levels } = levelsOf(names.map((id) => ({ id, after: known(id).filter((name) => names.includes(name)) })));
  const sorted = [...names].sort((a, b) => (levels.get(a) ?? 0) - (levels.get(b) ?? 0));
  return sorted.map((name, index) => ({ name, waitsFor: sorted.slice(Math.max(0, index - 1), index) }));
}

/** What is wrong with a stored order cannot be put right any more: it was told when it was deployed. */
const noFindings = (): Parameters<typeof ownNodes>[3] => ({ problems: [], warnings: [] });
