import { textOfFile } from '../chart/file-text.ts';
import type { Chart } from '../chart/types.ts';
import { type GoMap, goInt, type Value } from '../go/value.ts';
import { isPartial } from '../manifest/classify.ts';
import { type Capabilities, CapabilitiesObject } from './capabilities.ts';
import { chartObject } from './chart-object.ts';
import { filesOf } from './files.ts';
import { asValues, tableAt } from './values-object.ts';

/** What `.Release` says. */
export interface ReleaseInfo {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
  /** false is an upgrade, where `isUpgrade` says nothing else. */
  readonly isInstall: boolean;
  /** `helm lint` neither installs nor upgrades. */
  readonly isUpgrade?: boolean;
}

/** A template file of a chart, and what it is rendered with. */
export interface Renderable {
  readonly source: string;
  /** The chart's own scope, shared by all its templates: templates have it as common.Values, a parent in `.Subcharts` as a map. */
  readonly scope: GoMap;
  /** `.Template.BasePath`. */
  readonly basePath: string;
}

/**
 * Every template of a chart and its subcharts by its full path (`parent/charts/sub/templates/x.yaml`), each with its
 * chart's scope. Of a library chart only partials. Follows engine.go: allTemplates.
 */
export function renderables(
  chart: Chart,
  values: GoMap,
  release: ReleaseInfo,
  capabilities: Capabilities,
): Map<string, Renderable> {
  const found = new Map<string, Renderable>();
  const shared = new Map<string, Value>([
    ['Release', releaseObject(release)],
    ['Capabilities', new CapabilitiesObject(capabilities)],
  ]);
  addChart(chart, values, { path: chart.metadata.name, isRoot: true, shared, found });
  return found;
}

/** Where a chart is in the tree, what all charts see, and where its templates go. */
interface ChartPlace {
  readonly path: string;
  readonly isRoot: boolean;
  readonly shared: GoMap;
  readonly found: Map<string, Renderable>;
}

function addChart(chart: Chart, values: GoMap, place: ChartPlace): GoMap {
  const { path, isRoot, shared, found } = place;
  const subcharts: GoMap = new Map();
  const scope = new Map<string, Value>([
    ['Chart', chartObject(chart.metadata, isRoot)],
    ['Files', filesOf(chart.files)],
    ...shared,
    ['Values', asValues(values)],
    ['Subcharts', subcharts],
  ]);
  for (const child of chart.dependencies) {
    const { name } = child.metadata;
    const childValues = tableAt(values, name) ?? new Map();
    subcharts.set(name, addChart(child, childValues, { ...place, path: `${path}/charts/${name}`, isRoot: false }));
  }
  const isLibrary = chart.metadata.type?.toLowerCase() === 'library';
  for (const template of chart.templates) {
    if (isLibrary && !isPartial(template.name)) continue;
    const source = textOfFile(template);
    found.set(joinPath(path, template.name), { source, scope, basePath: joinPath(path, 'templates') });
  }
  return scope;
}

const releaseObject = (release: ReleaseInfo): GoMap =>
  new Map<string, Value>([
    ['Name', release.name],
    ['Namespace', release.namespace],
    ['IsUpgrade', release.isUpgrade ?? !release.isInstall],
    ['IsInstall', release.isInstall],
    ['Revision', goInt(release.revision)],
    ['Service', 'Helm'],
  ]);

const joinPath = (folder: string, name: string): string => `${folder}/${name}`;
