import { statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { loadChart } from '../../chart/load.ts';
import type { Notify } from '../../chart/notice.ts';
import type { Chart, ChartFile, ChartMetadata } from '../../chart/types.ts';
import { makeFolder } from '../../go/files.ts';
import { withPathErrors } from '../../go/path-error.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { decodeText, encodeText } from '../../go/text.ts';
import { makeDirectories } from '../../support/directories.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { chartYaml } from './chart-yaml.ts';
import { saveChart } from './save.ts';
import { scaffold } from './scaffold.ts';

const longestName = 250;

/**
 * Writes a new chart into a folder of its name; files that are there already are replaced, for each of which `onOverwrite` is called.
 * Go: chartutil.Create. Fails with `create-failed`.
 */
export function createChart(
  name: string,
  parent: string,
  onOverwrite: (path: string) => void,
  files: Readonly<Record<string, string>> = scaffold,
): void {
  checkName(name);
  const folder = join(resolve(parent), name);
  checkParent(resolve(parent));
  checkIsFolder(folder);
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path);
    if (statSync(target, { throwIfNoEntry: false }) !== undefined) onOverwrite(target);
    writeFile(target, encodeText(named(text, name)));
  }
  makeDirectories(join(folder, 'charts'));
}

/**
 * Writes a new chart that is made from a starter, a chart in which `<CHARTNAME>` stands for the name. Go:
 * chartutil.CreateFrom. Fails with `create-failed`.
 */
export async function createFromStarter(
  name: string,
  parent: string,
  options: { readonly starter: string; readonly now: Date; readonly onNotice?: Notify | undefined },
): Promise<void> {
  const { starter, onNotice } = options;
  if (statSync(starter, { throwIfNoEntry: false }) === undefined)
    throw failed(`could not load ${starter}: stat ${starter}: no such file or directory`);
  const loaded = await loadChart(starter, { onNotice, ofAnyVersion: true }).catch((cause: unknown) => {
    throw failed(`could not load ${starter}: ${messageOf(cause)}`, cause);
  });
  const rename = (file: ChartFile): ChartFile => ({ ...file, data: encodeText(named(decodeText(file.data), name)) });
  const chart: Chart = {
    ...loaded,
    metadata: newMetadata(name),
    templates: loaded.templates.map(rename),
    raw: loaded.raw.filter((file) => file.name === 'values.yaml').map(rename),
  };
  await saveFolder(chart, parent, options.now);
}

const newMetadata = (name: string): ChartMetadata => ({
  name,
  description: 'A Helm chart for Kubernetes',
  type: 'application',
  version: '0.1.0',
  appVersion: '0.1.0',
  apiVersion: 'v2',
});

/** Writes a chart as files; its subcharts become archives in `charts/`. Go: chartutil.SaveDir. */
async function saveFolder(chart: Chart, parent: string, now: Date): Promise<void> {
  const folder = join(parent, chart.metadata.name);
  checkIsFolder(folder);
  writeFile(join(folder, 'Chart.yaml'), encodeText(chartYaml(chart)));
  for (const { name, data } of chart.raw) writeFile(join(folder, name), data);
  if (chart.schema !== undefined) writeFile(join(folder, 'values.schema.json'), chart.schema);
  for (const { name, data } of [...chart.templates, ...chart.files]) writeFile(join(folder, name), data);
  for (const child of chart.dependencies) {
    await saveChart(child, join(folder, 'charts'), now).catch((cause: unknown) => {
      throw failed(`saving ${chart.metadata.name}/charts/${child.metadata.name}: ${messageOf(cause)}`, cause);
    });
  }
}

const named = (text: string, name: string): string => text.replaceAll('<CHARTNAME>', name);

function checkName(name: string): void {
  if (name === '' || Buffer.byteLength(name) > longestName)
    throw failed(`chart name must be between 1 and ${longestName} characters`);
  if (!/^[a-zA-Z0-9._-]+$/.test(name))
    throw failed(`chart name must match the regular expression ${quote('^[a-zA-Z0-9._-]+$')}`);
}

function checkParent(parent: string): void {
  const stats = failing(() => withPathErrors('stat', parent, () => statSync(parent)));
  if (!stats.isDirectory()) throw failed(`no such directory ${parent}`);
}

function checkIsFolder(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) throw failed(`file ${folder} already exists and is not a directory`);
}

function writeFile(path: string, data: Uint8Array): void {
  failing(() => makeFolder(dirname(path)));
  failing(() => withPathErrors('open', path, () => writeFileSync(path, data, { mode: 0o644 })));
}

function failing<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw failed(messageOf(cause), cause);
  }
}

const failed = (message: string, cause?: unknown): TshelmError => new TshelmError('create-failed', { message, cause });
