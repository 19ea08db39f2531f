import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { validateMetadata } from '../../chart/metadata.ts';
import type { Chart } from '../../chart/types.ts';
import { errnoOf, goPathError } from '../../go/path-error.ts';
import { GoError } from '../../go/value.ts';
import { messageOf } from '../../support/errors.ts';
import { writeFileAtomically } from '../atomic-file.ts';
import { chartArchive } from './archive-writer.ts';

/**
 * Writes a chart as `NAME-VERSION.tgz` into a folder, which is made where it is not there. Gives the file's path.
 * Go: chartutil.Save. Throws GoError.
 */
export async function saveChart(chart: Chart, folder: string, now: Date): Promise<string> {
  const { name, version } = checked(chart);
  const path = join(folder, `${name}-${version}.tgz`);
  checkFolder(dirname(path));
  writeFileAtomically(path, await chartArchive(chart, now));
  return path;
}

function checked(chart: Chart): Chart['metadata'] {
  try {
    return validateMetadata(chart.metadata);
  } catch (cause) {
    throw new GoError(`chart validation: ${messageOf(cause)}`, { cause });
  }
}

function checkFolder(folder: string): void {
  try {
    if (!statSync(folder).isDirectory()) throw new GoError(`is not a directory: ${folder}`);
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return;
    if (cause instanceof GoError) throw cause;
    throw new GoError(`stat ${folder}: ${goPathError('stat', folder, cause).message}`, { cause });
  }
}
