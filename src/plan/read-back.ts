import { installOrder, sortByKind } from '../manifest/kind-order.ts';
import { readNames } from '../manifest/name-list.ts';
import type { Manifest } from '../manifest/types.ts';
import { addTo } from '../support/lists.ts';
import { compareText } from '../support/order.ts';
import { chartNamesOf } from './chart-path.ts';
import type { ChartTree } from './chart-tree.ts';
import { unitOfTree } from './ordered.ts';
import { ownNodes } from './own-resources.ts';
import type { Sequencing, StoredNode } from './sequencing.ts';
import { readStoredManifest } from './stored-manifest.ts';
import { chartId } from './subcharts.ts';
import type { Batch, BatchNode, Unit } from './types.ts';

export interface StoredOrder {
  /** The resources of the stored manifest, in its order. */
  readonly manifests: readonly Manifest[];
  /** The name of the outermost chart. */
  readonly chart: string;
  /** Its `helm.sh/depends-on/subcharts`, which Helm keeps. */
  readonly ownDependsOn?: string | undefined;
  /** What an earlier revision kept, for the order of subcharts: Helm drops it from the records that it writes. */
  readonly earlier?: Sequencing | undefined;
}

/**
 * The order of a release whose record has no `sequencing`: a manifest that stands in install order tells the order of
 * the subcharts itself; one that Helm sorted leaves it to what an earlier revision kept. Groups, layers and
 * weights are read from the legal keys.
 */
export function readBackUnit(stored: StoredOrder): Unit {
  const { manifests, earlier } = stored;
  const isUncertain = isAsHelmSorts(manifests) && (earlier !== undefined || stored.ownDependsOn !== undefined);
  const inOrder = isUncertain ? undefined : unitInOrder(stored.chart, manifests, 0);
  return inOrder ?? unitBySubcharts(stored);
}

/**
 * The order that a manifest itself tells: subcharts one after another, as only an ordered deploy writes it. Undefined
 * where it tells none: one that stands as Helm sorts is believed only where it is known to be of an ordered deploy.
 */
export function orderOfManifest(text: string, chart: string, isKnownOrdered = false): Unit | undefined {
  const sources = [...text.matchAll(/^# Source: (.*)$/gm)].map(([, source = '']) => chartNamesOf(source)[1]);
  const children = sources.filter((child, index) => child !== undefined && child !== sources[index - 1]);
  if (children.length === 0 || new Set(children).size < children.length) return undefined;
  const manifests = readStoredManifest(text);
  return !isKnownOrdered && isAsHelmSorts(manifests) ? undefined : unitInOrder(chart, manifests, 0);
}

/** Helm sorts by kind, and those of one kind by the path of their template. */
function isAsHelmSorts(manifests: readonly Manifest[]): boolean {
  const byPath = [...manifests].sort((a, b) => compareText(a.source, b.source));
  return sortByKind(byPath, kindOf, installOrder).every((manifest, index) => manifest === manifests[index]);
}

const kindOf = ({ object }: Manifest): string => object.kind;

/** A run of documents that belong to one direct subchart, or to the chart itself. */
interface DocumentRun {
  readonly child: string | undefined;
  readonly manifests: Manifest[];
}

/** Subcharts one after another, as their documents stand; undefined where a subchart's documents do not stand together. */
function unitInOrder(name: string, manifests: readonly Manifest[], depth: number): Unit | undefined {
  const runs = runsOf(manifests, depth);
  const children = runs.flatMap(({ child }) => child ?? []);
  if (new Set(children).size < children.length) return undefined;
  const own = runs.flatMap((run) => (run.child === undefined ? run.manifests : []));
  const groups = ownBatches(treeOf(name, name, []), own);
  const batches: BatchNode[][] = [];
  for (const run of runs) {
    if (run.child === undefined) batches.push(...restrictedTo(run.manifests, groups, batches.length));
    else {
      const unit = unitInOrder(run.child, run.manifests, depth + 1);
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

/** A chart's own groups and weights in batches, without its subcharts. */
const ownBatches = (tree: ChartTree, manifests: readonly Manifest[]): Unit =>
  unitOfTree(tree, new Map([[tree.path, manifests]]), noFindings());

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
    const because = after.length === 0 ? [] : ['what comes before it (the order of the stored manifest)'];
    return {
      wait: true,
      nodes: nodes.map((node) => ({ ...node, after, because: node.because.length > 0 ? node.because : because })),
    };
  });
}

/** By the graph, with the edges between subcharts that are known. */
function unitBySubcharts({ manifests, chart, ownDependsOn, earlier }: StoredOrder): Unit {
  const paths = manifests.map(({ source }) => chartNamesOf(source));
  const nodes = (earlier?.batches ?? []).flat();
  const tree = treeOf(
    chart,
    chart,
    paths.map((names) => names.slice(1)),
    nodes,
    readNames(ownDependsOn),
  );
  const byChart = new Map<string, Manifest[]>();
  for (const [index, manifest] of manifests.entries()) {
    const path = [chart, ...(paths[index] ?? []).slice(1)].join('/charts/');
    addTo(byChart, path, manifest);
  }
  return unitOfTree(tree, byChart, noFindings());
}

/** A chart of which only the paths of its subcharts are known, and what an earlier revision said of their order. */
function treeOf(
  name: string,
  path: string,
  below: readonly (readonly string[])[],
  earlier: readonly StoredNode[] = [],
  ownDependsOn: readonly string[] = [],
): ChartTree {
  const names = [...new Set(below.flatMap(([child]) => child ?? []))];
  const nodes = new Map(earlier.filter(({ batches }) => batches !== undefined).map((node) => [node.name, node]));
  const chartsAmong = (ids: readonly string[]): readonly string[] =>
    names.filter((child) => ids.includes(chartId(child)));
  const ownAfter = earlier.filter(({ batches }) => batches === undefined).flatMap(({ after }) => after);
  return {
    name,
    path,
    children: names.map((child) => {
      const inside = below.filter(([first]) => first === child).map(([, ...rest]) => rest);
      return treeOf(child, `${path}/charts/${child}`, inside, (nodes.get(child)?.batches ?? []).flat());
    }),
    dependsOn: names
      .map((child) => ({ name: child, waitsFor: chartsAmong(nodes.get(child)?.after ?? []) }))
      .filter(({ waitsFor }) => waitsFor.length > 0),
    ownDependsOn: [...ownDependsOn, ...chartsAmong(ownAfter)],
    childrenNamed: (child) => (names.includes(child) ? [child] : []),
    knownNames: names,
    file: `${path}/Chart.yaml`,
    source: undefined,
  };
}

/** What is wrong with a stored order cannot be put right any more: it was told when it was deployed. */
const noFindings = (): Parameters<typeof ownNodes>[3] => ({ problems: [], warnings: [] });
