import { fileText } from '../../chart/file-text.ts';
import { dependencyValue, metadataValue } from '../../chart/metadata-value.ts';
import type { Chart, ChartLock } from '../../chart/types.ts';
import type { GoMap, Value } from '../../go/value.ts';
import { readTypedYaml, writeYaml } from '../../yaml/index.ts';

/**
 * Chart.yaml for an archive: what Helm writes, and with it every field that Helm does not know and would drop. Go:
 * yaml.Marshal(chart.Metadata).
 */
export function chartYaml(chart: Chart): string {
  const { metadata } = chart;
  // Helm 2 kept them in requirements.yaml, which is in the archive as it is.
  const written = metadataValue(metadata.apiVersion === 'v1' ? { ...metadata, dependencies: undefined } : metadata);
  const source = readTypedYaml(fileText(chart, 'Chart.yaml') ?? '');
  return writeYaml(source instanceof Map ? withUnknown(written, source) : written);
}

/** Chart.lock, or requirements.lock. Go: yaml.Marshal(chart.Lock). */
export const lockYaml = ({ generated, digest, dependencies }: ChartLock): string =>
  writeYaml(
    new Map<string, Value>(Object.entries({ generated, digest, dependencies: dependencies.map(dependencyValue) })),
  );

const knownFields: ReadonlySet<string> = new Set(
  'name home sources version description keywords maintainers icon apiversion condition tags appversion deprecated annotations kubeversion dependencies type runhooksinparallel'.split(
    ' ',
  ),
);
const knownOfDependency: ReadonlySet<string> = new Set(
  'name version repository condition tags enabled import-values alias depends-on'.split(' '),
);
const knownOfMaintainer: ReadonlySet<string> = new Set(['name', 'email', 'url']);

function withUnknown(written: GoMap, source: GoMap): GoMap {
  return new Map([
    ...written,
    ...unknownOf(source, knownFields),
    ...itemsWithUnknown(written, source, 'dependencies', knownOfDependency),
    ...itemsWithUnknown(written, source, 'maintainers', knownOfMaintainer),
  ]);
}

/** Go finds a field whatever the case of its name. */
const unknownOf = (source: GoMap, known: ReadonlySet<string>): [string, Value][] =>
  [...source].filter(([key]) => !known.has(key.toLowerCase()));

function itemsWithUnknown(written: GoMap, source: GoMap, key: string, known: ReadonlySet<string>): [string, Value][] {
  const items = written.get(key);
  const sources = source.get(key);
  if (!Array.isArray(items) || !Array.isArray(sources) || items.length !== sources.length) return [];
  const complete = items.map((item, index) => {
    const from = sources[index];
    return item instanceof Map && from instanceof Map ? new Map([...item, ...unknownOf(from, known)]) : item;
  });
  return [[key, complete]];
}
