import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { loadChart } from '../../chart/load.ts';
import { TshelmError } from '../../support/errors.ts';
import { compareText } from '../../support/order.ts';
import { localPath } from './origin.ts';
import type { DependencyTools } from './tools.ts';

/** How a chart is updated: `around` are the folders of the charts that take it in. */
export interface RecursiveUpdate {
  readonly around: readonly string[];
  readonly update: (path: string, around: readonly string[]) => Promise<void>;
}

/**
 * Updates the charts on this machine that a chart takes in: folders of `file://` dependencies and folders in charts/,
 * each after those that it takes in itself. Fails with `dependency-cycle`.
 */
export async function updateSubcharts(
  chartPath: string,
  tools: DependencyTools,
  { around, update }: RecursiveUpdate,
): Promise<void> {
  const path = [...around, realpathSync(chartPath)];
  if (new Set(path).size < path.length) {
    const message = `charts depend on each other: ${path.join(' -> ')}`;
    throw new TshelmError('dependency-cycle', { message, details: { cycle: path } });
  }
  for (const folder of await localSubcharts(chartPath)) {
    tools.onEvent({ kind: 'subchart', path: folder });
    await update(folder, path);
  }
}

/** The folders of the charts that a chart takes in: those that Chart.yaml names by `file://`, and those in charts/. */
export async function localSubcharts(chartPath: string): Promise<readonly string[]> {
  const { metadata } = await loadChart(chartPath, { ofAnyVersion: true });
  const listed = (metadata.dependencies ?? [])
    .filter(({ repository }) => repository?.startsWith('file://'))
    .map(({ repository = '' }) => localPath(repository, chartPath));
  const charts = join(chartPath, 'charts');
  const inside = existsSync(charts)
    ? readdirSync(charts, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(charts, name))
        .filter((folder) => existsSync(join(folder, 'Chart.yaml')))
        .sort(compareText)
    : [];
  return [...new Set([...listed, ...inside])];
}
