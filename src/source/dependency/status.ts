import { statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { loadChart } from '../../chart/load.ts';
import type { Notify } from '../../chart/notice.ts';
import type { Chart, Dependency } from '../../chart/types.ts';
import { ifReadable } from '../../go/if-readable.ts';
import { goPathError } from '../../go/path-error.ts';
import { parseConstraint, parseVersion, satisfies, strictVersion } from '../../go/semver.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { namesIn } from '../../support/directories.ts';
import { TshelmError } from '../../support/errors.ts';

/** What `dependency list` says of one dependency. */
export type DependencyStatus =
  | 'ok'
  | 'unpacked'
  | 'missing'
  | 'corrupt'
  | 'misnamed'
  | 'invalid version'
  | 'wrong version'
  | 'too many matches'
  | 'bad pattern';

export interface DependencyRow {
  readonly dependency: Dependency;
  readonly status: DependencyStatus;
}

export interface DependencyList {
  /** Undefined where Chart.yaml lists none. */
  readonly rows: readonly DependencyRow[] | undefined;
  /** What is in charts/ and is not listed, a line each. */
  readonly warnings: readonly string[];
}

/** The dependencies of a chart, and whether charts/ has them. Go: action.Dependency.List. Fails as loadChart does. */
export async function listDependencies(path: string, onNotice?: Notify): Promise<DependencyList> {
  try {
    statSync(path);
  } catch (cause) {
    throw new TshelmError('chart-not-found', { message: goPathError('stat', path, cause).message, cause });
  }
  const chart = await loadChart(path, { onNotice, ofAnyVersion: true });
  const listed = chart.metadata.dependencies;
  if (listed === undefined) return { rows: undefined, warnings: [] };
  const rows: DependencyRow[] = [];
  for (const dependency of listed) rows.push({ dependency, status: await statusOf(dependency, path, chart) });
  return { rows, warnings: await warningsOf(path, listed) };
}

async function statusOf(dependency: Dependency, path: string, parent: Chart): Promise<DependencyStatus> {
  const { name } = dependency;
  if (/\[[^\]]*$|\\$/.test(name)) return 'bad pattern';
  const archives = namesIn(join(path, 'charts')).filter((file) => file.startsWith(`${name}-`) && file.endsWith('.tgz'));
  const versioned = archives.filter((file) => strictVersion(file.slice(name.length + 1, -'.tgz'.length)));
  if (archives.length > 1 && versioned.length > 1) return 'too many matches';
  const [archive] = archives.length === 1 ? archives : versioned;
  if (archive !== undefined) return archiveStatus(join(path, 'charts', archive), dependency);
  const unpacked = parent.dependencies.findLast(({ metadata }) => metadata.name === name);
  if (unpacked === undefined) return 'missing';
  return versionProblem(unpacked, dependency) ?? 'unpacked';
}

async function archiveStatus(path: string, dependency: Dependency): Promise<DependencyStatus> {
  const chart = await loadChart(path, { ofAnyVersion: true }).catch(() => undefined);
  if (chart === undefined) return 'corrupt';
  if (chart.metadata.name !== dependency.name) return 'misnamed';
  return versionProblem(chart, dependency) ?? 'ok';
}

function versionProblem({ metadata }: Chart, { version = '' }: Dependency): DependencyStatus | undefined {
  if (metadata.version === version) return undefined;
  const fits = ifReadable(() => satisfies(parseConstraint(version), parseVersion(metadata.version)));
  return fits === undefined ? 'invalid version' : fits ? undefined : 'wrong version';
}

async function warningsOf(path: string, listed: readonly Dependency[]): Promise<string[]> {
  const warnings: string[] = [];
  for (const name of namesIn(join(path, 'charts'))) {
    const file = join(path, 'charts', name);
    const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory();
    if (!isFolder && extname(file) !== '.tgz') continue;
    const chart = await loadChart(file, { ofAnyVersion: true }).catch(() => undefined);
    if (chart === undefined) warnings.push(`WARNING: ${quote(file)} is not a chart.`);
    else if (!listed.some((one) => one.name === chart.metadata.name))
      warnings.push(`WARNING: ${quote(file)} is not in Chart.yaml.`);
  }
  return warnings;
}
