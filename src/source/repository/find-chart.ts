import { join } from 'node:path';
import { ignoreNotices, type Notify } from '../../chart/notice.ts';
import { ifReadable } from '../../go/if-readable.ts';
import { parseUrl } from '../../go/net/url.ts';
import { GoError } from '../../go/value.ts';
import { type KnownDetails, messageOf, TshelmError } from '../../support/errors.ts';
import type { HelmPaths } from '../paths.ts';
import { chooseVersion } from './choose-version.ts';
import { type RepositoryIndex, readIndexFile } from './index-file.ts';
import { knownRepositories, type RepositoryEntry } from './repositories.ts';
import { fileNameOf, isSameUrl, resolveReferenceUrl } from './url.ts';

/** Where an archive is, and what is needed to fetch it. */
export interface ChartLocation {
  readonly url: string;
  /** The archive's SHA-256 as the index has it, with or without `sha256:`; '' where none is known. */
  readonly digest: string;
  readonly version: string;
  /** The repository that names the URL, with its credentials and TLS files; undefined for a URL of nobody. */
  readonly repository: RepositoryEntry | undefined;
}

export interface FindOptions {
  readonly paths: Pick<HelmPaths, 'repositoryConfig' | 'repositoryCache'>;
  readonly onNotice?: Notify | undefined;
}

/** `NAME-index.yaml` in the folder of indexes. Go: helmpath.CacheIndexFile. */
export const indexPath = (repositoryCache: string, name: string): string =>
  join(repositoryCache, `${name === '' ? '' : `${name}-`}index.yaml`);

/** `NAME-charts.txt` beside it, for completion. Go: helmpath.CacheChartsFile. */
export const chartsPath = (repositoryCache: string, name: string): string =>
  join(repositoryCache, `${name === '' ? '' : `${name}-`}charts.txt`);

/**
 * Where the chart `REPOSITORY/NAME` is, of the version that a constraint chooses, by the cached index.
 * Go: ChartDownloader.ResolveChartVersion. Fails with `chart-not-found`, `repository-unknown`, `index-missing`.
 */
export function findChart(reference: string, version: string, options: FindOptions): ChartLocation {
  const { paths, onNotice = ignoreNotices } = options;
  const [name, chart] = repositoryAndChart(reference);
  const repository = repositoryNamed(name, paths.repositoryConfig);
  const index = cachedIndex(repository, options);
  const found = choosing(
    () => chooseVersion(index, chart, { version, onNotice }),
    (reason) => {
      const message = `chart "${chart}" matching ${version} not found in ${name} index. (try 'helm repo update'): ${reason}`;
      return notFound(reference, message);
    },
  );
  const [url] = found.entry.urls;
  if (url === undefined) throw notFound(reference, `chart "${reference}" has no downloadable URLs`);
  const absolute = choosing(
    () => resolveReferenceUrl(repository.url, url),
    () => notFound(reference, `invalid chart URL format: ${reference}`),
  );
  return { url: absolute, digest: found.entry.digest, version: found.version, repository };
}

/** Words what a choice fails with. */
export function choosing<T>(work: () => T, failure: (reason: string) => TshelmError): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof GoError) throw failure(messageOf(cause));
    throw cause;
  }
}

/** `REPOSITORY/NAME` in its parts. Fails with `chart-not-found`. */
export function repositoryAndChart(reference: string): readonly [repository: string, chart: string] {
  const slash = reference.indexOf('/');
  if (slash >= 0) return [reference.slice(0, slash), reference.slice(slash + 1)];
  throw notFound(reference, `non-absolute URLs should be in form of repo_name/path_to_chart, got: ${reference}`);
}

/** The repository of this name. Fails with `repository-unknown`. */
export function repositoryNamed(name: string, repositoryConfig: string): RepositoryEntry {
  const repository = knownRepositories(repositoryConfig).find((entry) => entry.name === name);
  if (repository === undefined)
    throw unknown(name, `repo ${name} not found; a chart in a registry is oci://HOST/PATH`, [
      { kind: 'run', verb: 'repo', arguments: ['add', name, 'URL'] },
    ]);
  if (repository.url === '') throw unknown(name, `no URL found for repository ${name}`);
  return repository;
}

/** The index of a repository as it was last fetched. Fails with `index-missing`. */
export function cachedIndex({ name }: RepositoryEntry, { paths, onNotice }: FindOptions): RepositoryIndex {
  try {
    return readIndexFile(indexPath(paths.repositoryCache, name), onNotice);
  } catch (cause) {
    if (!(cause instanceof GoError)) throw cause;
    const message = `no cached repo found. (try 'helm repo update'): ${cause.message}`;
    throw new TshelmError('index-missing', { message, details: { repository: name }, cause });
  }
}

/**
 * The repository whose index names a URL: its credentials may go there. The first one counts; undefined for a URL of
 * nobody. Go: ChartDownloader.scanReposForURL. Fails with `index-missing`.
 */
export function repositoryOf(url: string, options: FindOptions): RepositoryEntry | undefined {
  const file = fileNameOf(url);
  return knownRepositories(options.paths.repositoryConfig).find((repository) => {
    const index = cachedIndex(repository, options);
    const names = index.namesMentioning(file);
    const urls = names.flatMap((name) => index.versions(name) ?? []).flatMap(({ entry }) => entry.urls);
    return urls.some((one) => isSameUrl(url, one));
  });
}

/** Whether a reference is a URL with a host, so that no repository's name is at its start. */
export function isUrl(reference: string): boolean {
  const url = ifReadable(() => parseUrl(reference));
  return url !== undefined && url.scheme !== '' && url.host !== '' && url.path !== '';
}

const notFound = (reference: string, message: string): TshelmError =>
  new TshelmError('chart-not-found', { message, details: { reference } });

const unknown = (repository: string, message: string, remedies: KnownDetails['remedies'] = []): TshelmError =>
  new TshelmError('repository-unknown', { message, details: { repository, remedies } });
