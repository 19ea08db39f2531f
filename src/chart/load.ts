import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { withoutTrailingSlashes } from '../go/path.ts';
import { errnoOf, goPathError } from '../go/path-error.ts';
import { quote } from '../go/strconv/strconv.ts';
import { GoError } from '../go/value.ts';
import { addedDetail, messageOf, TshelmError } from '../support/errors.ts';
import { readStart } from '../support/read-start.ts';
import { YamlError } from '../yaml/index.ts';
import { checkApiVersion } from './api-version.ts';
import { NotGzipError, readArchive } from './archive.ts';
import { chartFromFiles } from './assemble.ts';
import { detectContentType } from './content-type.ts';
import { readDirectory } from './directory.ts';
import { type BufferedFile, largestChartBytes } from './files.ts';
import { ignoreNotices, type Notify } from './notice.ts';
import type { Chart } from './types.ts';

export interface LoadOptions {
  /** Gets what Helm logs: links that were followed, files of an older layout. */
  readonly onNotice?: Notify | undefined;
  /** Reads a chart of whatever apiVersion, as `helm show` does (pkg/chart/v2/loader.Load). */
  readonly ofAnyVersion?: boolean | undefined;
  /** Makes the chart of its files: for those who remember charts by what is in them. */
  readonly assemble?: typeof chartFromFiles | undefined;
}

/**
 * The chart in a folder or an archive (.tgz), with its subcharts. Go: pkg/chart/loader.Load.
 * Fails with `chart-not-found` (`path "./x" not found`) or `chart-invalid`, in Helm's words.
 */
export async function loadChart(path: string, options: LoadOptions = {}): Promise<Chart> {
  return loadChartSync(path, options);
}

/** The same without waiting: for those who render in a constructor. */
export function loadChartSync(path: string, options: LoadOptions = {}): Chart {
  const { onNotice = ignoreNotices, ofAnyVersion = false } = options;
  const absolute = resolve(path);
  const isDirectory = isFolder(path);
  try {
    if (isDirectory && !ofAnyVersion) checkApiVersion(readChartYaml(`${absolute}/Chart.yaml`));
    const files = isDirectory ? readDirectory(absolute, onNotice) : openArchive(absolute, ofAnyVersion);
    return (options.assemble ?? chartFromFiles)(files, { origin: absolute, notify: onNotice });
  } catch (cause) {
    if (cause instanceof GoError || cause instanceof YamlError) throw chartInvalid(path, cause);
    const place = addedDetail(cause, 'place');
    if (!isDirectory || place === undefined || !(cause instanceof TshelmError)) throw cause;
    const file = `${withoutTrailingSlashes(path)}/${place.file}`;
    throw cause.wrapped({ message: cause.message, details: { place: { ...place, file } } });
  }
}

/** Whether a chart is a folder; else it is a file, taken for an archive. Fails with `chart-not-found`. */
function isFolder(path: string): boolean {
  checkIsNamed(path);
  try {
    return statSync(resolve(path)).isDirectory();
  } catch (cause) {
    throw new TshelmError('chart-not-found', { message: `path ${quote(path)} not found`, details: { path }, cause });
  }
}

/** An empty path would be the working directory, which nobody asked for. */
function checkIsNamed(path: string): void {
  if (path.trim() !== '') return;
  const message = `path ${quote(path)} not found: the chart's name is empty; is a variable unset?`;
  throw new TshelmError('chart-not-found', { message, details: { path } });
}

function readChartYaml(path: string): Uint8Array {
  try {
    return readStart(path, largestChartBytes);
  } catch (cause) {
    throw new GoError(`unable to detect chart at ${path}: ${goPathError('open', path, cause).message}`, { cause });
  }
}

function openArchive(path: string, ofAnyVersion: boolean): BufferedFile[] {
  const packed = readPacked(path);
  checkIsGzip(path, packed);
  const files = filesOfArchive(packed, path, ofAnyVersion);
  if (ofAnyVersion) return files;
  const chartYaml = files.find(({ name }) => name === 'Chart.yaml');
  if (chartYaml === undefined) throw new GoError('unable to detect chart version, no Chart.yaml found');
  checkApiVersion(chartYaml.data);
  return files;
}

function filesOfArchive(packed: Uint8Array, path: string, ofAnyVersion: boolean): BufferedFile[] {
  try {
    return readArchive(packed);
  } catch (cause) {
    const text =
      cause instanceof NotGzipError
        ? `file '${path}' does not appear to be a valid chart file (details: ${cause.message})`
        : `${ofAnyVersion ? '' : 'unable to load chart archive: '}${messageOf(cause)}`;
    throw new GoError(text, { cause });
  }
}

function readPacked(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    if (errnoOf(cause) === 'ERR_FS_FILE_TOO_LARGE')
      throw new GoError(`file '${path}' is too large for a chart`, { cause });
    throw goPathError('open', path, cause);
  }
}

function checkIsGzip(path: string, data: Uint8Array): void {
  const type = detectContentType(data);
  if (type === 'application/x-gzip') return;
  if (path.endsWith('.yml') || path.endsWith('.yaml'))
    throw new GoError(`file '${path}' seems to be a YAML file, but expected a gzipped archive`);
  throw new GoError(`file '${path}' does not appear to be a gzipped archive; got '${type}'`);
}

const chartInvalid = (path: string, cause: Error): TshelmError =>
  new TshelmError('chart-invalid', { message: cause.message, details: { path }, cause });
