import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The path of a file of the chart as the user has it: below the folder that was named. */
export type OnDisk = (named: string) => string;

/** Messages name files with their chart's name before them, and a chart in a folder is found under the folder's. */
export const onDisk =
  (chart: string | undefined, cwd: string): OnDisk =>
  (named) =>
    chartFile(named, chart, cwd) ?? named;

/** The file on disk that `shop/templates/web.yaml` names, below the chart as it was named; undefined where there is none. */
export function chartFile(named: string, chart: string | undefined, cwd: string): string | undefined {
  const [, ...path] = named.split('/');
  if (chart === undefined || path.length === 0) return undefined;
  const file = join(chart, ...path);
  return existsSync(resolve(cwd, file)) ? file : undefined;
}
