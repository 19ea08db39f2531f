import { lstatSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { readArchive } from '../chart/archive.ts';
import { readRawMetadata } from '../chart/metadata.ts';
import { withPathErrors } from '../go/path-error.ts';
import { quote } from '../go/strconv/strconv.ts';
import { decodeText } from '../go/text.ts';
import { GoError } from '../go/value.ts';
import { messageOf } from '../support/errors.ts';

/** Unpacks a chart's archive into a folder of the chart's name below `folder`. Go: chartutil.ExpandFile. */
export const expandChart = (folder: string, archive: string): string => unpackChart(folder, readFileSync(archive));

/**
 * The folder that the chart is unpacked into. Nothing is written outside of it, whatever the archive names and whatever
 * links are there. Go: chartutil.Expand.
 */
export function unpackChart(folder: string, archive: Uint8Array): string {
  const files = readArchive(archive);
  const chartYaml = files.findLast(({ name }) => name === 'Chart.yaml');
  const chartFolder = join(folder, chartName(chartYaml === undefined ? '' : decodeText(chartYaml.data)));
  for (const { name, data } of files) {
    const path = join(chartFolder, name);
    withPathErrors('open', path, () => {
      mkdirSync(dirname(path), { recursive: true });
      checkIsInside(path, folder);
      writeFileSync(path, data, { mode: 0o644 });
    });
  }
  return chartFolder;
}

/** The name of the chart, which must be that of a folder. */
function chartName(chartYaml: string): string {
  const name = nameIn(chartYaml);
  if (name === '') throw new GoError('chart name not specified');
  if (name === '.' || name === '..') throw new GoError(`chart name ${quote(name)} is not allowed`);
  if (name.includes('/') || name.includes('\\'))
    throw new GoError(`chart name ${quote(name)} must not contain path separators`);
  return name;
}

function nameIn(chartYaml: string): string {
  try {
    return readRawMetadata(chartYaml).name ?? '';
  } catch (cause) {
    throw new GoError(`cannot load Chart.yaml: ${messageOf(cause)}`, { cause });
  }
}

function checkIsInside(path: string, folder: string): void {
  const inside = realpathSync(resolve(folder)) + sep;
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new GoError(`${path} is a link: tshelm does not write through links`);
  if (`${realpathSync(dirname(path))}${sep}`.startsWith(inside)) return;
  throw new GoError(`${path} is outside of ${folder}: a link leads there`);
}
