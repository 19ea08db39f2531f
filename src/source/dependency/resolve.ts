import { loadChart } from '../../chart/load.ts';
import type { Dependency } from '../../chart/types.ts';
import { type Constraint, looseVersion, parseConstraint, parseVersion, satisfies } from '../../go/semver.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { GoError } from '../../go/value.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { ChartSources } from '../chart-access.ts';
import { offlineError } from '../http/client.ts';
import { cachedVersions } from '../locate-offline.ts';
import type { MissingOffline } from '../missing-offline.ts';
import { listTags } from '../oci/locate.ts';
import { indexPath } from '../repository/find-chart.ts';
import type { IndexVersion } from '../repository/index-file.ts';
import type { RepositoryEntry } from '../repository/repositories.ts';
import { resolveReferenceUrl } from '../repository/url.ts';
import { schemeAt } from '../schemes.ts';
import { archiveInCharts, cachedArchive } from './cached-archive.ts';
import type { CachedIndexes } from './indexes.ts';
import { localPath, type Origin, type PlacedDependency } from './origin.ts';
import type { DependencyTools } from './tools.ts';

export interface ResolveOptions {
  readonly chartPath: string;
  readonly tools: DependencyTools;
  readonly indexes: CachedIndexes;
}

type InRepository = PlacedDependency & { readonly origin: Extract<Origin, { readonly kind: 'repository' }> };

/**
 * Chooses a version for each dependency: the newest that meets its constraint. Go: Resolver.Resolve. Fails with
 * `dependency-unresolved`, which names all for which there is none. What is missing offline is left out and collected.
 */
export async function resolveDependencies(
  placed: readonly PlacedDependency[],
  options: ResolveOptions,
  missing: MissingOffline,
): Promise<readonly PlacedDependency[]> {
  const choices = await Promise.allSettled(
    placed.map(async (one) => ({ ...one, version: await chosenVersion(one, options) })),
  );
  const here = choices.flatMap((choice) => {
    if (choice.status === 'fulfilled') return [choice.value];
    if (missing.add(choice.reason)) return [];
    throw choice.reason;
  });
  const without = here.filter(({ version }) => version === undefined);
  if (without.length > 0) throw unresolved(without.map(({ dependency }) => dependency));
  return here.map(({ origin, dependency: { name, repository = '' }, version = '' }) => ({
    origin,
    dependency: { name, version, repository: lockedUrl({ name, version, repository }, origin, options) },
  }));
}

/** Of a repository that the user has added, Helm wants to see the URL that it was added with. */
function lockedUrl({ name, version, repository = '' }: Dependency, origin: Origin, options: ResolveOptions): string {
  if (origin.kind !== 'repository' || !origin.isUnmanaged) return repository;
  const { pinned } = schemeAt(repository, options.tools.http.getters) ?? {};
  if (pinned === undefined) return repository;
  const chosen = versionsInIndex(name, origin.entry, options)?.find((one) => one.version === version);
  return pinned(repository, chosen?.entry.urls[0] ?? repository);
}

async function chosenVersion(placed: PlacedDependency, options: ResolveOptions): Promise<string | undefined> {
  const { dependency, origin } = placed;
  const constraint = constraintOf(dependency);
  switch (origin.kind) {
    case 'charts':
      localPath(`charts/${dependency.name}`, options.chartPath);
      return dependency.version ?? '';
    case 'folder':
      return versionInFolder(origin.path, constraint);
    case 'registry':
      return versionInRegistry(dependency, constraint, options.tools);
    case 'repository':
      return versionInIndex({ dependency, origin }, constraint, options);
  }
}

function constraintOf({ name, version = '' }: Dependency): Constraint {
  try {
    return parseConstraint(version);
  } catch (cause) {
    const message = `dependency ${quote(name)} has an invalid version/constraint format: ${messageOf(cause)}`;
    throw new TshelmError('bad-constraint', { message, cause });
  }
}

async function versionInFolder(path: string, constraint: Constraint): Promise<string | undefined> {
  const { metadata } = await loadChart(path, { ofAnyVersion: true });
  return satisfies(constraint, parseVersion(metadata.version)) ? metadata.version : undefined;
}

async function versionInRegistry(
  { name, version = '', repository = '' }: Dependency,
  constraint: Constraint,
  tools: DependencyTools,
): Promise<string | undefined> {
  if (looseVersion(version) !== undefined) return version;
  const sources = await tools.sources();
  const versions = await versionsOf(`${repository}/${name}`, sources).catch((cause: unknown) => {
    if (cause instanceof DOMException) throw cause;
    const message = `could not retrieve list of tags for repository ${repository}: ${messageOf(cause)}`;
    throw new TshelmError('registry-refused', { message, cause });
  });
  const found = versions.find((one) => looseVersion(one) !== undefined && satisfies(constraint, parseVersion(one)));
  if (found === undefined && tools.http.isOffline) throw offlineError(`${repository}/${name} ${version}`);
  return found;
}

/** The newest first; offline those that are in the cache. */
const versionsOf = async (
  reference: string,
  { isOffline, paths, registry }: ChartSources,
): Promise<readonly string[]> =>
  isOffline ? cachedVersions(reference, paths.contentCache) : (await listTags(reference, registry)).tags;

/** Offline the newest of those that are here comes before newer ones. */
function versionInIndex(
  { dependency: { name, repository }, origin: { entry } }: InRepository,
  constraint: Constraint,
  { indexes, tools, chartPath }: ResolveOptions,
): string | undefined {
  const versions = versionsInIndex(name, entry, { indexes, tools });
  if (versions === undefined)
    throw new TshelmError('chart-not-found', { message: `${name} chart not found in repo ${repository}` });
  const fitting = versions.filter((one) => satisfies(constraint, one.semver) && one.entry.urls.length > 0);
  const isHere = (one: IndexVersion): boolean =>
    archiveInCharts({ name, version: one.version }, chartPath) !== undefined ||
    cachedArchive(one, entry, tools) !== undefined;
  return ((tools.http.isOffline ? fitting.find(isHere) : undefined) ?? fitting[0])?.version;
}

function versionsInIndex(
  name: string,
  { name: repositoryName, url }: RepositoryEntry,
  { indexes, tools }: Pick<ResolveOptions, 'indexes' | 'tools'>,
): readonly IndexVersion[] | undefined {
  try {
    return indexes.of(repositoryName).versions(name);
  } catch (cause) {
    if (!(cause instanceof GoError)) throw cause;
    if (tools.http.isOffline) throw offlineError(resolveReferenceUrl(url, 'index.yaml'));
    const message = `no cached repository for ${repositoryName} found. (try 'helm repo update'): ${cause.message}`;
    const details = { path: indexPath('', repositoryName) };
    throw new TshelmError('index-missing', { message, details, cause });
  }
}

function unresolved(missing: readonly Dependency[]): TshelmError {
  const listed = missing
    .map(
      ({ name, repository = '', version = '' }) =>
        `${quote(name)} (repository ${quote(repository)}, version ${quote(version)})`,
    )
    .join(', ');
  const message = `can't get a valid version for ${missing.length} subchart(s): ${listed}. Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml`;
  return new TshelmError('dependency-unresolved', { message, details: { missing: missing.map(({ name }) => name) } });
}
