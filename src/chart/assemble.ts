import { extension } from '../go/path.ts';
import { decodeText } from '../go/text.ts';
import { GoError, type GoMap } from '../go/value.ts';
import { addedDetail, messageOf, TshelmError } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import { YamlError } from '../yaml/index.ts';
import { readArchive } from './archive.ts';
import type { BufferedFile } from './files.ts';
import { type RawMetadata, readLock, readRawMetadata, validateMetadata } from './metadata.ts';
import { info, type Notify } from './notice.ts';
import type { Chart, ChartFile, ChartLock } from './types.ts';
import { readValues } from './values-file.ts';

/**
 * A chart from its files, its subcharts (folders and archives in `charts/`) included. Go: loader.LoadFiles.
 * Helm takes subcharts in any order; here it is the order of their names. Throws GoError or YamlError.
 */
export function chartFromFiles(
  files: readonly BufferedFile[],
  options: { readonly origin: string; readonly notify: Notify },
): Chart {
  const parts = sortFiles(files, options.notify);
  const metadata = validateMetadata(parts.metadata);
  const chartYaml = files.findLast(({ name }) => name === 'Chart.yaml');
  return {
    metadata,
    lock: parts.lock,
    templates: parts.templates,
    values: parts.values,
    schema: parts.schema?.data,
    schemaModifiedAt: parts.schema?.modifiedAt,
    files: parts.files,
    raw: files.map(chartFile),
    modifiedAt: chartYaml?.modifiedAt,
    dependencies: subcharts(parts.charts, metadata.name, options.notify),
    origin: options.origin,
  };
}

interface Parts {
  metadata: RawMetadata;
  lock: ChartLock | undefined;
  values: GoMap;
  schema: BufferedFile | undefined;
  readonly templates: ChartFile[];
  readonly files: ChartFile[];
  /** What is below `charts/`, named from there, by its first element. */
  readonly charts: Map<string, BufferedFile[]>;
}

/** Puts each file where it belongs, and reads the ones that have a meaning. */
function sortFiles(files: readonly BufferedFile[], notify: Notify): Parts {
  const parts: Parts = {
    metadata: readChartYaml(files),
    lock: undefined,
    values: new Map(),
    schema: undefined,
    templates: [],
    files: [],
    charts: new Map(),
  };
  for (const file of files) sortFile(file, parts, notify);
  if (!files.some(({ name }) => isMetadataFile(name))) throw new GoError('Chart.yaml file is missing');
  return parts;
}

/** A chart without apiVersion is one of Helm 2. */
function readChartYaml(files: readonly BufferedFile[]): RawMetadata {
  let metadata: RawMetadata = {};
  for (const file of files) {
    if (file.name !== 'Chart.yaml') continue;
    metadata = { ...metadata, ...reading(file, (text) => readRawMetadata(text)) };
    if (!metadata.apiVersion) metadata = { ...metadata, apiVersion: 'v1' };
  }
  return metadata;
}

const isMetadataFile = (name: string): boolean =>
  name === 'Chart.yaml' || name === 'requirements.yaml' || name === 'requirements.lock';

function sortFile(file: BufferedFile, parts: Parts, notify: Notify): void {
  switch (file.name) {
    case 'Chart.yaml':
      return;
    case 'Chart.lock':
      parts.lock = reading(file, readLock);
      return;
    case 'values.yaml':
      parts.values = reading(file, (_text, data) => readValues(data));
      return;
    case 'values.schema.json':
      parts.schema = file;
      return;
    case 'requirements.yaml':
      return requirements(file, parts, notify);
    case 'requirements.lock':
      return requirementsLock(file, parts, notify);
    default:
      if (file.name.startsWith('templates/')) parts.templates.push(chartFile(file));
      else if (file.name.startsWith('charts/')) subchartFile(file, parts);
      else parts.files.push(chartFile(file));
  }
}

function requirements(file: BufferedFile, parts: Parts, notify: Notify): void {
  if (parts.metadata.apiVersion !== 'v1')
    notify(
      info(
        'Warning: Dependencies are handled in Chart.yaml since apiVersion "v2". We recommend migrating dependencies to Chart.yaml.',
      ),
    );
  parts.metadata = { ...parts.metadata, ...reading(file, (text) => readRawMetadata(text)) };
  if (parts.metadata.apiVersion === 'v1') parts.files.push(chartFile(file));
}

function requirementsLock(file: BufferedFile, parts: Parts, notify: Notify): void {
  parts.lock = reading(file, readLock);
  if (parts.metadata.apiVersion === 'v1') parts.files.push(chartFile(file));
  else
    notify(
      info(
        'Warning: Dependency locking is handled in Chart.lock since apiVersion "v2". We recommend migrating to Chart.lock.',
      ),
    );
}

function subchartFile(file: BufferedFile, parts: Parts): void {
  if (extension(file.name) === '.prov') {
    parts.files.push(chartFile(file));
    return;
  }
  const name = file.name.slice('charts/'.length);
  const [chart = ''] = name.split('/', 1);
  const known = parts.charts.get(chart) ?? [];
  parts.charts.set(chart, [...known, { ...file, name }]);
}

function subcharts(charts: ReadonlyMap<string, readonly BufferedFile[]>, parent: string, notify: Notify): Chart[] {
  const names = [...charts.keys()].filter((name) => !name.startsWith('_') && !name.startsWith('.')).sort(compareText);
  return names.map((name) => subchart(name, charts.get(name) ?? [], parent, notify));
}

function subchart(name: string, files: readonly BufferedFile[], parent: string, notify: Notify): Chart {
  const isArchive = extension(name) === '.tgz';
  const [first] = files;
  if (isArchive && first?.name !== name)
    throw new GoError(`error unpacking subchart tar in ${parent}: expected ${name}, got ${first?.name}`);
  try {
    const inner = isArchive ? readArchive((first as BufferedFile).data) : filesInFolder(files);
    return chartFromFiles(inner, { origin: '', notify });
  } catch (cause) {
    const message = `error unpacking subchart ${name} in ${parent}: ${messageOf(cause)}`;
    const place = addedDetail(cause, 'place');
    if (place === undefined) throw new GoError(message, { cause });
    const file = `charts/${name}/${place.file}`;
    throw new TshelmError('chart-invalid', { message, details: { path: file, place: { ...place, file } }, cause });
  }
}

/** Files that are in `charts/` themselves belong to no chart. */
const filesInFolder = (files: readonly BufferedFile[]): BufferedFile[] =>
  files
    .filter(({ name }) => name.includes('/'))
    .map((file) => ({ ...file, name: file.name.slice(file.name.indexOf('/') + 1) }));

function reading<T>(file: BufferedFile, read: (text: string, data: Uint8Array) => T): T {
  try {
    return read(decodeText(file.data), file.data);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** A file of a chart that cannot be read, with the place where that is known. */
export function unreadable({ name, data }: Pick<BufferedFile, 'name' | 'data'>, cause: unknown): Error {
  const message = `cannot load ${name}: ${messageOf(cause)}`;
  if (!(cause instanceof YamlError) || cause.line === 0) return new GoError(message, { cause });
  const place = { file: name, line: cause.line, column: cause.column, text: decodeText(data) };
  return new TshelmError('chart-invalid', { message, details: { path: name, place }, cause });
}

const chartFile = ({ name, data, modifiedAt }: BufferedFile): ChartFile => ({ name, data, modifiedAt });
