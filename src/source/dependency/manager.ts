import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadChart } from '../../chart/load.ts';
import { dependenciesJson } from '../../chart/metadata-json.ts';
import { info } from '../../chart/notice.ts';
import type { Chart, ChartLock, Dependency } from '../../chart/types.ts';
import { jsonObject } from '../../go/json/struct-text.ts';
import { goPathError } from '../../go/path-error.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { TshelmError } from '../../support/errors.ts';
import { trimSuffix } from '../../support/text.ts';
import { formatTime } from '../../support/time.ts';
import { writeFileAtomically } from '../atomic-file.ts';
import { MissingOffline } from '../missing-offline.ts';
import { lockYaml } from '../package/chart-yaml.ts';
import { knownRepositories, type RepositoryEntry } from '../repository/repositories.ts';
import { refreshAll } from '../repository/update.ts';
import { isSameUrl } from '../repository/url.ts';
import { schemeAt } from '../schemes.ts';
import { fetchDependencies } from './fetch.ts';
import { CachedIndexes } from './indexes.ts';
import { type PlacedDependency, placeDependencies } from './origin.ts';
import { openCharts, placeArchives } from './place.ts';
import { resolveDependencies } from './resolve.ts';
import { updateSubcharts } from './subcharts.ts';
import type { DependencyTools } from './tools.ts';

/**
 * Fills charts/ with what the lock file names; without a lock file, as `dependency update` does. Go: Manager.Build.
 * Fails with `lock-out-of-sync`, and as downloads fail; charts/ is then as it was.
 */
export async function buildDependencies(chartPath: string, tools: DependencyTools): Promise<void> {
  const chart = await loadFolder(chartPath, tools);
  const { lock } = chart;
  if (lock === undefined) return updateLoaded(chart, chartPath, tools);
  const known = knownRepositories(tools.paths.repositoryConfig);
  const wanted = chart.metadata.dependencies ?? [];
  const placed = placeDependencies(wanted, chartPath, known);
  checkLock(chart, placed, lock, tools);
  const locked = placeDependencies(lock.dependencies, chartPath, known);
  const pinned = locked.filter((one) => isPinned(one, tools));
  checkManaged(
    locked.filter((one) => !pinned.includes(one)),
    known,
  );
  if (mayRefresh(tools)) {
    await refreshUnmanaged(pinned, tools);
    await refreshKnown(known, tools);
  }
  await fetchInto(chartPath, locked, tools, new MissingOffline());
}

/**
 * Chooses versions for the dependencies in Chart.yaml, fills charts/ with them and writes the lock file where it says
 * something else. Go: Manager.Update. Fails with `dependency-unresolved`, and as downloads fail; charts/ is then as it
 * was.
 */
export async function updateDependencies(
  chartPath: string,
  tools: DependencyTools,
  { recursive = false }: { readonly recursive?: boolean | undefined } = {},
): Promise<void> {
  if (recursive) return updateRecursively(chartPath, tools, []);
  await updateLoaded(await loadFolder(chartPath, tools), chartPath, tools);
}

/** The charts that it takes in come first, so that its archives of them hold all of theirs. */
async function updateRecursively(chartPath: string, tools: DependencyTools, around: readonly string[]): Promise<void> {
  const missing = new MissingOffline();
  await updateSubcharts(chartPath, tools, {
    around,
    update: async (path, outer) => missing.collect(() => updateRecursively(path, tools, outer)),
  });
  await missing.collect(async () => updateLoaded(await loadFolder(chartPath, tools), chartPath, tools));
  missing.throwIfAny();
}

async function updateLoaded(chart: Chart, chartPath: string, tools: DependencyTools): Promise<void> {
  const wanted = chart.metadata.dependencies;
  if (wanted === undefined) return;
  const known = knownRepositories(tools.paths.repositoryConfig);
  const placed = placeDependencies(wanted, chartPath, known);
  if (mayRefresh(tools)) {
    await refreshUnmanaged(placed, tools);
    await refreshKnown(known, tools);
  }
  const options = { chartPath, tools, indexes: new CachedIndexes(tools.paths.repositoryCache, tools.onNotice) };
  const missing = new MissingOffline();
  const locked = await resolveDependencies(placed, options, missing);
  const fetched = await fetchInto(chartPath, locked, tools, missing);
  const digest = lockDigest(
    placed.map(({ dependency }) => dependency),
    fetched,
  );
  if (chart.lock?.digest === digest) return;
  const lock: ChartLock = { generated: formatTime(tools.now()), digest, dependencies: fetched };
  writeLock(chartPath, lock, chart.metadata.apiVersion);
}

const mayRefresh = ({ skipRefresh, http }: DependencyTools): boolean => !skipRefresh && !http.isOffline;

async function loadFolder(chartPath: string, tools: DependencyTools): Promise<Chart> {
  let isFolder: boolean;
  try {
    isFolder = statSync(chartPath).isDirectory();
  } catch (cause) {
    const message = `could not find ${chartPath}: ${goPathError('stat', chartPath, cause).message}`;
    throw new TshelmError('chart-not-found', { message, cause });
  }
  if (!isFolder) throw new TshelmError('chart-not-found', { message: 'only unpacked charts can be updated' });
  return loadChart(chartPath, { ofAnyVersion: true, onNotice: tools.onNotice });
}

/** Helm 2 hashed the dependencies as they are, with their aliases. */
function checkLock(chart: Chart, placed: readonly PlacedDependency[], lock: ChartLock, tools: DependencyTools): void {
  const wanted = placed.map(({ dependency }) => dependency);
  if (lockDigest(wanted, lock.dependencies) === lock.digest) return;
  if (chart.metadata.apiVersion !== 'v1') {
    throw lockOutOfSyncError(
      "the lock file (Chart.lock) is out of sync with the dependencies file (Chart.yaml). Please update the dependencies with 'helm dependency update'",
    );
  }
  tools.onNotice?.(info('warning: a valid Helm v3 hash was not found. Checking against Helm v2 hash...'));
  if (helm2Digest(chart.metadata.dependencies ?? []) !== lock.digest) {
    throw lockOutOfSyncError(
      'the lock file (requirements.lock) is out of sync with the dependencies file (requirements.yaml). Please update the dependencies',
    );
  }
}

const lockOutOfSyncError = (message: string): TshelmError => new TshelmError('lock-out-of-sync', { message });

/** What a lock names by a commit needs no name of its own. */
const isPinned = ({ origin }: PlacedDependency, { http }: DependencyTools): boolean =>
  origin.kind === 'repository' && origin.isUnmanaged && schemeAt(origin.entry.url, http.getters)?.pinned !== undefined;

/** A lock names repositories that the user has added, at least. Go: Manager.hasAllRepos. */
function checkManaged(locked: readonly PlacedDependency[], known: readonly RepositoryEntry[]): void {
  const missing = locked
    .filter(({ origin }) => origin.kind === 'repository')
    .map(({ dependency }) => dependency.repository ?? '')
    .filter((url) => !known.some((entry) => isSameUrl(entry.url, trimSuffix(url, '/'))));
  if (missing.length === 0) return;
  const message = `no repository definition for ${missing.join(', ')}. Please add the missing repos via 'helm repo add'`;
  throw new TshelmError('repository-unknown', { message, details: { missing } });
}

async function refreshKnown(known: readonly RepositoryEntry[], tools: DependencyTools): Promise<void> {
  if (known.length === 0) return;
  tools.onEvent({ kind: 'refreshing', isUnmanaged: false });
  await refresh(known, tools);
  tools.onEvent({ kind: 'all-refreshed' });
}

async function refreshUnmanaged(placed: readonly PlacedDependency[], tools: DependencyTools): Promise<void> {
  const unmanaged = placed.flatMap(({ origin }) =>
    origin.kind === 'repository' && origin.isUnmanaged ? [origin.entry] : [],
  );
  if (unmanaged.length === 0) return;
  tools.onEvent({ kind: 'refreshing', isUnmanaged: true });
  await refresh(unmanaged, tools);
}

/** Each URL once; a repository that does not answer is no failure yet: its cached index may do. */
async function refresh(repositories: readonly RepositoryEntry[], tools: DependencyTools): Promise<void> {
  const byUrl = new Map(repositories.map((entry) => [trimSuffix(entry.url, '/'), entry]));
  await refreshAll([...byUrl.values()], {
    http: tools.http,
    repositoryCache: tools.paths.repositoryCache,
    onNotice: tools.onNotice,
    onRefreshed: (refreshed) => tools.onEvent({ kind: 'refreshed', refreshed }),
  });
}

/** Everything is fetched before anything is written. Gives the dependencies with the versions that they have. */
async function fetchInto(
  chartPath: string,
  locked: readonly PlacedDependency[],
  tools: DependencyTools,
  missing: MissingOffline,
): Promise<readonly Dependency[]> {
  const folder = openCharts(chartPath);
  const indexes = new CachedIndexes(tools.paths.repositoryCache, tools.onNotice);
  const fetched = (await missing.collect(() => fetchDependencies(locked, { chartPath, tools, indexes }))) ?? [];
  missing.throwIfAny();
  await placeArchives(fetched, folder, tools);
  return fetched.map(({ dependency }) => dependency);
}

/** What a lock file keeps of the dependencies that it was made for, and of what it locks. Go: resolver.HashReq. */
export const lockDigest = (wanted: readonly Dependency[], locked: readonly Dependency[]): string =>
  digest(`[${dependenciesJson(wanted)},${dependenciesJson(locked)}]`);

/** The same of Helm 2, which looked at the dependencies alone. Go: resolver.HashV2Req. */
export const helm2Digest = (wanted: readonly Dependency[]): string =>
  digest(jsonObject([['dependencies', dependenciesJson(wanted)]]));

const digest = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/**
 * Writes Chart.lock, for a chart of API version v1 requirements.lock. Go: downloader.writeLock. Fails with
 * `lock-is-a-link`.
 */
function writeLock(folder: string, lock: ChartLock, apiVersion: string): void {
  const name = apiVersion === 'v1' ? 'requirements.lock' : 'Chart.lock';
  const path = join(folder, name);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const message = `the ${name} file is a symlink to ${quote(readlinkSync(path))}`;
    throw new TshelmError('lock-is-a-link', { message, details: { path } });
  }
  writeFileAtomically(path, lockYaml(lock));
}
