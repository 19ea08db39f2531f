import type { Chart, Dependency } from '../chart/types.ts';
import { annotations } from '../manifest/annotations.ts';
import { readNames } from '../manifest/name-list.ts';
import { compareText } from '../support/order.ts';
import { dependsOnLine, fileText } from './source-lines.ts';

/** A chart with what it declares about its order; its children are the subcharts that are switched on. */
export interface ChartTree {
  /** Name, or alias where it has one. */
  readonly name: string;
  /** As template paths have it: `shop/charts/database`. */
  readonly path: string;
  readonly children: readonly ChartTree[];
  /** `depends-on` of Chart.yaml's dependencies. */
  readonly dependsOn: readonly DependsOn[];
  /** `helm.sh/depends-on/subcharts`: what the chart's own resources wait for. */
  readonly ownDependsOn: readonly string[];
  /** The children that a name or alias stands for, [] for one that is switched off; undefined for an unknown name. */
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
  /** The line that says so, looked for when it is asked for. */
  readonly line?: (() => number | undefined) | undefined;
}

/**
 * What planning needs of a chart: `chart` as loaded, and as `prepared`, where conditions and tags have removed subcharts
 * and aliases have become names.
 */
export const chartTree = (chart: Chart, prepared: Chart): ChartTree => treeOf(chart, prepared, prepared.metadata.name);

function treeOf(source: Chart | undefined, prepared: Chart, path: string): ChartTree {
  const { metadata } = source ?? prepared;
  const entries = metadata.dependencies ?? [];
  const enabled = new Set(prepared.dependencies.map((child) => child.metadata.name));
  const fileName =
    fileText(source, 'requirements.yaml') !== undefined && metadata.apiVersion === 'v1'
      ? 'requirements.yaml'
      : 'Chart.yaml';
  const text = fileText(source, fileName);
  const meant = namedChildren(entries, source ?? prepared);
  return {
    name: prepared.metadata.name,
    path,
    children: [...prepared.dependencies]
      .sort(byName)
      .map((child) => treeOf(sourceOf(child, source), child, `${path}/charts/${child.metadata.name}`)),
    dependsOn: entries.flatMap((entry) => dependsOnOf(entry, text)),
    ownDependsOn: readNames(metadata.annotations?.[annotations.dependsOnSubcharts]),
    childrenNamed: (name) => meant.get(name)?.filter((child) => enabled.has(child)),
    knownNames: [...meant.keys()],
    file: `${path}/${fileName}`,
    source,
  };
}

const byName = (a: Chart, b: Chart): number => compareText(a.metadata.name, b.metadata.name);

const nameOf = (entry: Dependency): string => entry.alias || entry.name;

function dependsOnOf(entry: Dependency, text: string | undefined): readonly DependsOn[] {
  const { dependsOn = [] } = entry;
  const waitsFor = readNames(dependsOn.length === 1 ? dependsOn[0] : dependsOn);
  if (waitsFor.length === 0) return [];
  const name = nameOf(entry);
  return [{ name, waitsFor, line: () => (text === undefined ? undefined : dependsOnLine(text, name)) }];
}

/** A name means the dependency that is called so; a name that only aliases hide means all of these. */
function namedChildren(entries: readonly Dependency[], chart: Chart): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, readonly string[]>();
  for (const entry of entries) named.set(entry.name, [...(named.get(entry.name) ?? []), nameOf(entry)]);
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
