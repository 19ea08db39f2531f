import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { readRawMetadata } from '../../chart/metadata.ts';
import type { OnDisk } from '../../words/problem.ts';

/** Messages name files with their chart's name before them, and a chart in a folder is found under the folder's. */
export const onDisk =
  (chart: string | undefined, cwd: string): OnDisk =>
  (named) =>
    chartFile(named, chart, cwd) ?? named;

/** The folder of a subchart: of one with an alias it has the chart's name. */
function subchartFolder(folder: string, name: string): string {
  const named = join(folder, 'charts', name);
  if (existsSync(named)) return named;
  const listed = readRawMetadata(readFileSync(join(folder, 'Chart.yaml'), 'utf8')).dependencies ?? [];
  const entry = listed.find((one) => one?.alias === name);
  return entry?.name === undefined ? named : join(folder, 'charts', entry.name);
}

/** The file on disk that `shop/templates/web.yaml` names, below the chart as it was named; undefined where there is none. */
export function chartFile(named: string, chart: string | undefined, cwd: string): string | undefined {
  const [, ...path] = named.split('/');
  if (chart === undefined || path.length === 0) return undefined;
  try {
    let folder = resolve(cwd, chart);
    while (path[0] === 'charts' && path.length > 2) folder = subchartFolder(folder, path.splice(0, 2)[1] as string);
    const file = join(chart, relative(resolve(cwd, chart), join(folder, ...path)));
    return existsSync(resolve(cwd, file)) ? file : undefined;
  } catch {
    return undefined;
  }
}
