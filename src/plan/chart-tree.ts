import { chartAnnotationLine, fileLine, fileText } from '../chart/file-text.ts';
import type { ChartRule, OrderFile } from '../chart/order-file.ts';
import type { Chart, Dependency } from '../chart/types.ts';
import { annotations } from '../manifest/annotations.ts';
import { readNameList } from '../manifest/name-list.ts';
import { type FileLine, fileLineText } from '../support/file-line.ts';
import { addTo } from '../support/group-by.ts';
import { compareText } from '../support/order.ts';
import { type OutsideEdges, outsideEdges } from './outside-order.ts';
import { type OrderProblem, orderProblem } from './problems.ts';
import { type EdgeMistake, readSubchartEdges } from './subchart-edges.ts';

/** A chart with what it declares about its order; its children are the subcharts that are switched on. */
export interface ChartTree {
  /** Name, or alias where it has one. */
  readonly name: string;
  /** As template paths have it: `shop/charts/database`. */
  readonly path: string;
  readonly children: readonly ChartTree[];
  /** What subcharts wait for, those that are switched off too: `depends-on`, and the map of the annotation. */
  readonly dependsOn: readonly DependsOn[];
  /** `helm.sh/depends-on/subcharts`: what the chart's own resources wait for. */
  readonly ownDependsOn: readonly string[];
  /** Where that is declared, if not in Chart.yaml. */
  readonly ownPlace?: FileLine | undefined;
  /** Declarations that cannot be read. */
  readonly malformed: readonly OrderProblem[];
  /** The dependencies that a name or alias stands for, those that are switched off too; undefined for an unknown name. */
  childrenNamed(name: string): readonly string[] | undefined;
  /** Every name and alias that a declaration may use. */
  readonly knownNames: readonly string[];
  /** The file that declares the dependencies, for messages. */
  readonly file: string;
  /** The chart as loaded, for the lines that messages name; undefined where there is none. */
  readonly source: Chart | undefined;
}

export interface DependsOn {
  /** The dependency's alias or name. */
  readonly name: string;
  readonly waitsFor: readonly string[];
  /** `depends-on`, or the annotation's key. */
  readonly key: string;
  /** For people, where Chart.yaml does not say so. */
  readonly why?: string | undefined;
  /** Where it is, without its line. */
  readonly file: string;
  /** The line that says so, looked for when it is asked for. */
  readonly line?: (() => number | undefined) | undefined;
}

/**
 * What planning needs of a chart: `chart` as loaded, and as `prepared`, where conditions and tags have removed subcharts
 * and aliases have become names.
 */
export const chartTree = (chart: Chart, prepared: Chart): ChartTree =>
  treeOf(chart, prepared, { path: prepared.metadata.name, order: chart.order });

interface TreePlace {
  readonly path: string;
  readonly order: OrderFile | undefined;
}

function treeOf(source: Chart | undefined, prepared: Chart, { path, order }: TreePlace): ChartTree {
  const { metadata } = source ?? prepared;
  const entries = metadata.dependencies ?? [];
  const fileName =
    fileText(source, 'requirements.yaml') !== undefined && metadata.apiVersion === 'v1'
      ? 'requirements.yaml'
      : 'Chart.yaml';
  const file = `${path}/${fileName}`;
  const meant = namedChildren(entries, source ?? prepared);
  const fields = fieldEdges(entries, file, (index) =>
    fileLine(source, fileName, ['dependencies', `${index}`, dependsOnKey]),
  );
  const annotated = annotationEdges(source ?? prepared, path);
  const outside = outsideEdges(order, path);
  return {
    name: prepared.metadata.name,
    path,
    children: [...prepared.dependencies]
      .sort(byName)
      .map((child) => treeOf(sourceOf(child, source), child, { path: `${path}/charts/${child.metadata.name}`, order })),
    dependsOn: declaredEdges([...fields.dependsOn, ...annotated.dependsOn], outside),
    ownDependsOn: outside.own?.dependsOn ?? annotated.own,
    ownPlace: outside.own?.place,
    malformed: [...fields.malformed, ...annotated.malformed],
    childrenNamed: (name) => meant.get(name),
    knownNames: [...meant.keys()],
    file,
    source,
  };
}

const byName = (a: Chart, b: Chart): number => compareText(a.metadata.name, b.metadata.name);

const nameOf = (entry: Dependency): string => entry.alias || entry.name;

type Edges = Pick<ChartTree, 'dependsOn' | 'malformed'>;

export const dependsOnKey = 'depends-on';

/** What an order file says of a subchart goes before what the chart says of it. */
const declaredEdges = (ofChart: readonly DependsOn[], { bySubchart }: OutsideEdges): readonly DependsOn[] => [
  ...ofChart.filter(({ name }) => !bySubchart.has(name)),
  ...[...bySubchart].map(([name, rule]) => outsideEdge(name, rule)),
];

const outsideEdge = (name: string, { dependsOn = [], place }: ChartRule): DependsOn => ({
  name,
  waitsFor: dependsOn,
  key: 'dependsOn',
  why: fileLineText(place),
  file: place.file,
  line: () => place.line,
});

/** The field `depends-on` of the dependencies. */
function fieldEdges(
  entries: readonly Dependency[],
  file: string,
  lineOf: (index: number) => number | undefined,
): Edges {
  const read = entries.map((entry, index) => {
    const { dependsOn = [] } = entry;
    const name = nameOf(entry);
    const line = (): number | undefined => lineOf(index);
    return { name, line, ...readNameList(dependsOn.length === 1 ? dependsOn[0] : dependsOn) };
  });
  return {
    dependsOn: read
      .filter(({ names }) => names.length > 0)
      .map(({ name, line, names }) => ({ name, waitsFor: names, key: dependsOnKey, file, line })),
    malformed: read.flatMap(({ name, line, mistake }) =>
      mistake === undefined
        ? []
        : [malformedNames({ key: dependsOnKey, subchart: name, mistake }, { file, line: line() })],
    ),
  };
}

const malformedNames = (declared: EdgeMistake & { readonly key: string }, at: FileLine): OrderProblem =>
  orderProblem({ code: 'order-names-malformed', ...declared }, at);

const annotationKey = annotations.dependsOnSubcharts;

/** The annotation, which outlives what Helm does to a chart; its map says the same as the field. */
function annotationEdges(chart: Chart, path: string): Edges & { readonly own: readonly string[] } {
  const { own, bySubchart, mistakes } = readSubchartEdges(chart.metadata.annotations?.[annotationKey]);
  const file = `${path}/Chart.yaml`;
  const line = (): number | undefined => chartAnnotationLine(chart, annotationKey);
  return {
    own,
    dependsOn: [...bySubchart].map(([name, waitsFor]) => ({ name, waitsFor, key: annotationKey, file, line })),
    malformed: mistakes.map((one) => malformedNames({ key: annotationKey, ...one }, { file, line: line() })),
  };
}

/** A name means the dependency that is called so; a name that only aliases hide means all of these. */
function namedChildren(entries: readonly Dependency[], chart: Chart): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>();
  for (const entry of entries) addTo(named, entry.name, nameOf(entry));
  for (const { metadata } of chart.dependencies)
    if (!named.has(metadata.name)) named.set(metadata.name, [metadata.name]);
  for (const entry of entries) named.set(nameOf(entry), [nameOf(entry)]);
  return named;
}

/** The loaded chart behind a prepared one, which may carry an alias. */
function sourceOf(child: Chart, parent: Chart | undefined): Chart | undefined {
  const { name, version } = child.metadata;
  const original = parent?.metadata.dependencies?.find((entry) => nameOf(entry) === name)?.name ?? name;
  const candidates = (parent?.dependencies ?? []).filter(({ metadata }) => metadata.name === original);
  return candidates.find(({ metadata }) => metadata.version === version) ?? candidates[0];
}
