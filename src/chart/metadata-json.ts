import { writeJson } from '../go/json/json.ts';
import { jsonList, jsonObject, jsonText, omitEmpty } from '../go/json/struct-text.ts';
import type { Value } from '../go/value.ts';
import type { ChartLock, ChartMetadata, Dependency, Maintainer } from './types.ts';

/** Chart.yaml as JSON: the fields that Helm knows, in the order of its struct, without empty ones. Go: json.Marshal(chart.Metadata). */
export const metadataJson = (metadata: ChartMetadata): string => jsonObject(metadataFields(metadata));

/** The same fields, each with its JSON; undefined for what is left out. */
export const metadataFields = (metadata: ChartMetadata): readonly (readonly [string, string | undefined])[] => [
  ['name', omitEmpty(metadata.name)],
  ['home', omitEmpty(metadata.home)],
  ['sources', omitEmpty(metadata.sources)],
  ['version', omitEmpty(metadata.version)],
  ['description', omitEmpty(metadata.description)],
  ['keywords', omitEmpty(metadata.keywords)],
  ['maintainers', metadata.maintainers?.length ? jsonList(metadata.maintainers.map(maintainerJson)) : undefined],
  ['icon', omitEmpty(metadata.icon)],
  ['apiVersion', omitEmpty(metadata.apiVersion)],
  ['condition', omitEmpty(metadata.condition)],
  ['tags', omitEmpty(metadata.tags)],
  ['appVersion', omitEmpty(metadata.appVersion)],
  ['deprecated', omitEmpty(metadata.deprecated)],
  ['annotations', omitEmpty(metadata.annotations)],
  ['kubeVersion', omitEmpty(metadata.kubeVersion)],
  ['dependencies', metadata.dependencies?.length ? dependenciesJson(metadata.dependencies) : undefined],
  ['type', omitEmpty(metadata.type)],
];

const maintainerJson = (maintainer: Maintainer): string =>
  jsonObject([
    ['name', omitEmpty(maintainer.name)],
    ['email', omitEmpty(maintainer.email)],
    ['url', omitEmpty(maintainer.url)],
  ]);

/** A list of dependencies, as Helm hashes it for a lock file. */
export const dependenciesJson = (dependencies: readonly Dependency[]): string =>
  jsonList(dependencies.map(dependencyJson));

const dependencyJson = (dependency: Dependency): string =>
  jsonObject([
    ['name', jsonText(dependency.name)],
    ['version', omitEmpty(dependency.version)],
    ['repository', jsonText(dependency.repository ?? '')],
    ['condition', omitEmpty(dependency.condition)],
    ['tags', omitEmpty(dependency.tags)],
    ['enabled', omitEmpty(dependency.enabled)],
    ['import-values', dependency.importValues?.length ? writeJson(dependency.importValues as Value[]) : undefined],
    ['alias', omitEmpty(dependency.alias)],
  ]);

/** Chart.lock as JSON. */
export const lockJson = (lock: ChartLock): string =>
  jsonObject([
    ['generated', jsonText(lock.generated)],
    ['digest', jsonText(lock.digest)],
    ['dependencies', lock.dependencies.length > 0 ? dependenciesJson(lock.dependencies) : 'null'],
  ]);
