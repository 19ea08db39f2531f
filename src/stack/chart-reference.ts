import { resolve } from 'node:path';
import type { LoadedState } from './load-file.ts';
import { joined, type Reading } from './reading.ts';
import type { ReleaseSpec, RepositorySpec, StateSpec } from './schema.ts';

/** Whether helmfile takes a chart's name for a path. */
export function isLocalChart(chart: string): boolean {
  if (chart.startsWith('./') || chart.startsWith('../')) return true;
  if (chart.includes('://')) return false;
  const { length } = chart.split('/');
  return chart === '' || chart.startsWith('/') || length === 1 || length > 3;
}

export interface RepositoryChart {
  readonly repository: RepositorySpec;
  /** Behind the repository's name; of an OCI chart, its last part. */
  readonly name: string;
}

/** The chart of a release by the repository of the state that it names. */
export function repositoryChart({ chart = '' }: ReleaseSpec, spec: StateSpec): RepositoryChart | undefined {
  if (isLocalChart(chart) || chart.includes('://')) return undefined;
  const [name, ...rest] = chart.split('/');
  const repository = spec.repositories?.findLast((one) => one.name === name);
  if (repository === undefined) return undefined;
  return { repository, name: repository.oci ? (rest.at(-1) as string) : rest.join('/') };
}

/** The folder of a release's chart as helmfile names it; undefined where the chart is somewhere else. */
export function chartFolder(
  release: ReleaseSpec,
  { place, spec }: LoadedState,
  { world }: Reading,
): string | undefined {
  const chart = spec.chart ?? release.chart ?? '';
  const path = isLocalChart(chart) && !chart.startsWith('/') ? joined(place.base, chart) : chart;
  return world.kindOf(resolve(place.cwd, path)) === 'directory' ? path : undefined;
}
