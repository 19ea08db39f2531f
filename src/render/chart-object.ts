import type { ChartMetadata, Dependency, Maintainer } from '../chart/types.ts';
import { type GoMap, nilMap, type Value, withGoType } from '../go/value.ts';

/** `.Chart`: a map of Chart.yaml's fields by their Go names, and `IsRoot` (chart.Accessor's MetadataAsMap). */
export function chartObject(metadata: ChartMetadata, isRoot: boolean): GoMap {
  return new Map<string, Value>([
    ['Name', metadata.name],
    ['Home', metadata.home ?? ''],
    ['Sources', [...(metadata.sources ?? [])]],
    ['Version', metadata.version],
    ['Description', metadata.description ?? ''],
    ['Keywords', [...(metadata.keywords ?? [])]],
    ['Maintainers', (metadata.maintainers ?? []).map(maintainerObject)],
    ['Icon', metadata.icon ?? ''],
    ['APIVersion', metadata.apiVersion],
    ['Condition', metadata.condition ?? ''],
    ['Tags', metadata.tags ?? ''],
    ['AppVersion', metadata.appVersion ?? ''],
    ['Deprecated', metadata.deprecated ?? false],
    ['Annotations', annotationsObject(metadata.annotations)],
    ['KubeVersion', metadata.kubeVersion ?? ''],
    ['Dependencies', (metadata.dependencies ?? []).map(dependencyObject)],
    ['Type', metadata.type ?? ''],
    ['IsRoot', isRoot],
  ]);
}

/** Chart.yaml without annotations has a nil map of them. */
const annotationsObject = (annotations: ChartMetadata['annotations']): GoMap =>
  withGoType(annotations === undefined ? nilMap() : new Map(Object.entries(annotations)), 'map[string]string');

const maintainerObject = (maintainer: Maintainer): GoMap =>
  new Map([
    ['Name', maintainer.name ?? ''],
    ['Email', maintainer.email ?? ''],
    ['URL', maintainer.url ?? ''],
  ]);

const dependencyObject = (dependency: Dependency): GoMap =>
  new Map<string, Value>([
    ['Name', dependency.name],
    ['Version', dependency.version ?? ''],
    ['Repository', dependency.repository ?? ''],
    ['Condition', dependency.condition ?? ''],
    ['Tags', [...(dependency.tags ?? [])]],
    ['Enabled', dependency.enabled ?? false],
    ['ImportValues', (dependency.importValues ?? []) as Value[]],
    ['Alias', dependency.alias ?? ''],
  ]);
