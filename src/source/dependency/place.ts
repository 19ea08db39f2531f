import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadChart } from '../../chart/load.ts';
import { goPathError } from '../../go/path-error.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { makeDirectories } from '../../support/directories.ts';
import { TshelmError } from '../../support/errors.ts';
import { compareText } from '../../support/order.ts';
import { writeFileAtomically } from '../atomic-file.ts';
import type { FetchedDependency } from './fetch.ts';
import type { DependencyTools } from './tools.ts';

/** Makes charts/, where it is not there. Fails with `charts-unusable`. */
export function openCharts(chartPath: string): string {
  const folder = join(chartPath, 'charts');
  try {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats?.isDirectory() === false)
      throw new TshelmError('charts-unusable', { message: `${quote(folder)} is not a directory` });
    makeDirectories(folder);
    return folder;
  } catch (cause) {
    if (cause instanceof TshelmError) throw cause;
    const reason = goPathError('stat', folder, cause).message;
    throw new TshelmError('charts-unusable', {
      message: `unable to retrieve file info for '${folder}': ${reason}`,
      cause,
    });
  }
}

/**
 * Puts archives into charts/, each in one step, and takes out the archives of other versions. Folders stay, and so do
 * files that are no charts. Go: Manager.safeMoveDeps.
 */
export async function placeArchives(
  fetched: readonly FetchedDependency[],
  folder: string,
  { onEvent }: DependencyTools,
): Promise<void> {
  const before = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const names = new Set<string>();
  for (const { archive } of fetched) {
    if (archive === undefined) continue;
    names.add(archive.name);
    writeFileAtomically(join(folder, archive.name), archive.data);
  }
  onEvent({ kind: 'cleaning' });
  const inCharts = new Set(
    fetched.filter(({ archive }) => archive === undefined).map(({ dependency }) => dependency.name),
  );
  for (const name of before.map((entry) => entry.name).sort(compareText)) {
    if (!names.has(name)) await removeOutdated(join(folder, name), inCharts, onEvent);
  }
}

async function removeOutdated(
  path: string,
  inCharts: ReadonlySet<string>,
  onEvent: DependencyTools['onEvent'],
): Promise<void> {
  try {
    const { metadata } = await loadChart(path, { ofAnyVersion: true });
    if (!inCharts.has(metadata.name)) rmSync(path);
  } catch (error) {
    onEvent({ kind: 'kept', path, error });
  }
}
