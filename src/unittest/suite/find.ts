import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { coalesceValues, mergeTables } from '../../chart/coalesce.ts';
import { loadChart } from '../../chart/load.ts';
import { deepCopy, valueIn } from '../../chart/tables.ts';
import type { Chart } from '../../chart/types.ts';
import { GoError, type GoMap } from '../../go/value.ts';
import { defaultCapabilities } from '../../render/capabilities.ts';
import { loadHandlebars, renderChart } from '../../render/engine.ts';
import { messageOf } from '../../support/errors.ts';
import { compareText } from '../../support/order.ts';
import { splitDocuments } from '../documents/documents.ts';
import { filesMatching } from '../files.ts';
import { readValuesFile } from '../values.ts';
import { SuiteError } from './fields.ts';
import { readSuite, readSuiteFile } from './read.ts';
import type { Suite } from './types.ts';

export interface FindOptions {
  /** Makes a path absolute: relative ones are relative to the folder in which the command runs. */
  readonly absolute: (path: string) => string;
  /** A path relative to that folder. */
  readonly relative: (path: string) => string;
  /** Patterns of suite files, below the chart. */
  readonly testFiles: readonly string[];
  /** Values files for every test, and for which subcharts are enabled. */
  readonly valuesFiles: readonly string[];
  readonly withSubcharts: boolean;
  readonly isStrict: boolean;
  /** A folder of the chart with a chart that renders to suites; '' for none. */
  readonly chartTestsPath: string;
  /** Hears of a file that holds no suite that can be read. */
  readonly onBroken: (file: string, error: Error) => void;
}

/**
 * The suites of a chart and of its subcharts that are enabled. Throws where one of the chart's own cannot be read; those of a
 * subchart are then left out. Follows helm-unittest's getV3TestSuites.
 */
export async function findSuites(chart: Chart, path: string, options: FindOptions): Promise<Suite[]> {
  const place = { path, route: chart.metadata.name };
  const own = await suitesOf(place, options);
  if (!options.withSubcharts) return own;
  return [...own, ...(await suitesBelow(chart, place, enabledBy(chart, path, options), options))];
}

interface Place {
  readonly path: string;
  readonly route: string;
}

async function suitesBelow(
  chart: Chart,
  { path, route }: Place,
  values: GoMap | undefined,
  options: FindOptions,
): Promise<Suite[]> {
  const found: Suite[] = [];
  for (const child of chart.dependencies) {
    const { name } = child.metadata;
    if (values !== undefined && !isEnabled(chart, name, values)) continue;
    const place = { path: posix.join(path, 'charts', name), route: posix.join(route, 'charts', name) };
    try {
      found.push(...(await suitesOf(place, options)), ...(await suitesBelow(child, place, values, options)));
    } catch {
      // The file that cannot be read was told of.
    }
  }
  return found;
}

async function suitesOf({ path, route }: Place, options: FindOptions): Promise<Suite[]> {
  const { absolute, relative, testFiles, valuesFiles, isStrict, chartTestsPath, onBroken } = options;
  const files = filesMatching(path, testFiles, absolute);
  const shared = { chartRoute: route, isStrict, valuesFiles: filesMatching('', valuesFiles, absolute).map(absolute) };
  const rendered =
    chartTestsPath === '' ? [] : await renderedSuites(posix.join(path, chartTestsPath), { ...options, ...shared });
  const read = files.flatMap((file) => {
    try {
      return readSuiteFile(absolute(file), { ...shared, file: relative(file) });
    } catch (error) {
      onBroken(file, error as Error);
      throw error;
    }
  });
  return [...read, ...rendered];
}

type RenderedOptions = FindOptions & { readonly chartRoute: string };

/** The suites that a chart of suites renders to. */
async function renderedSuites(folder: string, options: RenderedOptions): Promise<Suite[]> {
  const { absolute } = options;
  if (!existsSync(absolute(folder))) return [];
  if (!existsSync(absolute(posix.join(folder, 'Chart.yaml')))) {
    throw new GoError(`stat ${posix.join(folder, 'Chart.yaml')}: no such file or directory`);
  }
  const chart = await loadChart(absolute(folder));
  const { files } = renderChart(chart, {
    values: coalesceValues(chart, new Map()),
    release: { name: 'TEST-SUITE-RELEASE', namespace: 'NAMESPACE', revision: 1, isInstall: false, isUpgrade: false },
    capabilities: defaultCapabilities,
    handlebars: await loadHandlebars(chart),
  });
  const problems: string[] = [];
  const suites: Suite[] = [];
  for (const [name, text] of [...files].sort(([a], [b]) => compareText(a, b))) {
    const file = posix.join(folder, name.replace(chart.metadata.name, ''));
    try {
      suites.push(...suitesIn(text, file, options));
    } catch (error) {
      problems.push(`test suite template (${name}) ${messageOf(error)}`);
    }
  }
  if (problems.length > 0) throw new GoError(problems.join('\n'));
  return suites;
}

function suitesIn(text: string, file: string, options: RenderedOptions): Suite[] {
  const suites: Suite[] = [];
  const documents = splitDocuments(text).filter((document) => document.trim() !== '');
  for (const [index, document] of documents.entries()) {
    const suite = readSuite(document, { ...options, file: options.relative(file) });
    if (suite === undefined) continue;
    if (suite.name === '') throw new SuiteError('error: helm chart based test suites must include `suite` field');
    suites.push(suite.snapshotId === '' ? { ...suite, snapshotId: String(index) } : suite);
  }
  if (suites.length === 0) throw new SuiteError('file did not render a manifest');
  return suites;
}

/** The values that decide which subcharts are enabled; undefined, and then all are, where a file of them cannot be read. */
function enabledBy(chart: Chart, path: string, { valuesFiles, absolute }: FindOptions): GoMap | undefined {
  try {
    return valuesFiles.reduce((base, file) => {
      const below = posix.isAbsolute(file) ? file : posix.join(path, file);
      return mergeTables(readValuesFile(below, absolute(below)), base);
    }, deepCopy(chart.values));
  } catch {
    return undefined;
  }
}

/** By its condition; without one, by its tags. What is not said is enabled. */
function isEnabled(chart: Chart, name: string, values: GoMap): boolean {
  const entry = chart.metadata.dependencies?.find(({ alias, name: plain }) => (alias || plain) === name);
  if (entry?.condition) return valueIn(values, entry.condition.split('.')) !== false;
  const tags = values.get('tags');
  if (!entry?.tags?.length || !(tags instanceof Map)) return true;
  return entry.tags.some((tag) => tags.get(tag) === true);
}
