import { chartFromFiles } from '../../../src/chart/assemble.ts';
import { ignoreNotices } from '../../../src/chart/notice.ts';
import type { Chart, ChartFile, ChartLock, ChartMetadata, Dependency } from '../../../src/chart/types.ts';
import type { Value } from '../../../src/go/value.ts';
import { comparable, goMap, goValue, NoCounterpart } from './go-values.ts';
import { bytesOf, fieldsOf, isTagged, itemsOf, plain, type Recorded, textOf } from './records.ts';

/** A chart that a test put together or Helm loaded, as tshelm has charts. */
export function chartOf(value: Recorded | undefined): Chart {
  const fields = fieldsOf(value);
  if (fields === undefined) throw new NoCounterpart('no chart');
  return {
    metadata: metadataOf(fields['Metadata']),
    lock: lockOf(fields['Lock']),
    templates: itemsOf(fields['Templates']).map(fileOf),
    values: goMap(fields['Values']),
    schema: isTagged(fields['Schema']) && fields['Schema'].$ === 'bytes' ? bytesOf(fields['Schema']) : undefined,
    files: itemsOf(fields['Files']).map(fileOf),
    raw: itemsOf(fields['Raw']).map(fileOf),
    dependencies: itemsOf(fields['Dependencies']).map(chartOf),
    origin: '',
  };
}

/** Chart.yaml's fields by tshelm's names; what is empty in Go is absent. */
export const metadataOf = (value: Recorded | undefined): ChartMetadata =>
  ({ name: '', version: '', apiVersion: '', ...rawMetadataOf(value) }) as ChartMetadata;

export function rawMetadataOf(value: Recorded | undefined): Partial<ChartMetadata> {
  const { Dependencies: dependencies, ...fields } = fieldsOf(value) ?? {};
  const listed = itemsOf(dependencies).map(dependencyOf);
  return { ...named(plain({ $: 'struct', t: '', v: fields })), ...(listed.length > 0 && { dependencies: listed }) };
}

export function dependencyOf(value: Recorded): Dependency {
  if (isTagged(value) && value.$ === 'nil') return null as unknown as Dependency;
  const { ImportValues: imports, ...fields } = fieldsOf(value) ?? {};
  const importValues = itemsOf(imports).map(goValue);
  return {
    ...(named(plain({ $: 'struct', t: '', v: fields })) as unknown as Dependency),
    ...(importValues.length > 0 && { importValues }),
  };
}

function lockOf(value: Recorded | undefined): ChartLock | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined) return undefined;
  const dependencies = itemsOf(fields['Dependencies']).map(dependencyOf);
  return { generated: String(plain(fields['Generated'])), digest: textOf(fields['Digest']), dependencies };
}

function fileOf(value: Recorded): ChartFile {
  const fields = fieldsOf(value) ?? {};
  return { name: textOf(fields['Name']), data: bytesOf(fields['Data']) };
}

/** A chart of what Helm's loader calls buffered files. */
export const chartOfFiles = (files: readonly Recorded[]): Chart =>
  chartFromFiles(
    files.map((file) => ({ ...fileOf(file), modifiedAt: new Date(0) })),
    { origin: '', notify: ignoreNotices },
  );

const special: Readonly<Record<string, string>> = { APIVersion: 'apiVersion', URL: 'url' };

/** Objects by JSON's names, without what is empty. */
function named(value: unknown): Record<string, unknown> {
  const entries = Object.entries(value as object).filter(([, item]) => !isEmpty(item));
  return Object.fromEntries(
    entries.map(([key, item]) => [special[key] ?? key[0]?.toLowerCase() + key.slice(1), namedItem(key, item)]),
  );
}

const namedItem = (key: string, item: unknown): unknown =>
  key === 'Maintainers' ? (item as (object | null)[]).map((one) => one && named(one)) : item;

const isEmpty = (value: unknown): boolean =>
  value === '' ||
  value === null ||
  value === undefined ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Chart.yaml's fields for a comparison: without what is empty. */
export const comparableMetadata = ({ dependencies, ...metadata }: Partial<ChartMetadata>): unknown => ({
  metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value))),
  wanted: comparableDependencies(dependencies),
});

/** A chart for a comparison. */
export function comparableChart(chart: Chart): unknown {
  return {
    metadata: comparableMetadata(chart.metadata),
    lock: chart.lock && { ...chart.lock, dependencies: comparableDependencies(chart.lock.dependencies) },
    values: comparable(chart.values),
    schema: chart.schema && text(chart.schema),
    templates: Object.fromEntries(chart.templates.map(({ name, data }) => [name, text(data)])),
    files: Object.fromEntries(chart.files.map(({ name, data }) => [name, text(data)])),
    charts: [...chart.dependencies].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)).map(comparableChart),
  };
}

const text = (data: Uint8Array): string => Buffer.from(data).toString('latin1');

const comparableDependencies = (dependencies: readonly Dependency[] = []): unknown[] =>
  dependencies.map(({ importValues = [], ...rest }) => ({
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => !isEmpty(value))),
    importValues: importValues.map((item) => comparable(item as Value)),
  }));
