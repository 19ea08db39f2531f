import { readFileSync } from 'node:fs';
import { looseVersion, parseConstraint, satisfies } from '../go/semver.ts';
import { hasCode } from '../support/errors.ts';
import { CachedCharts } from './cached-charts.ts';
import { type ChartAccess, type ChartSources, versionOf } from './chart-access.ts';
import type { CachedVersions, LocatedArchive } from './chart-scheme.ts';
import { type CachedKind, ContentCache } from './content-cache.ts';
import { offlineError } from './http/client.ts';
import { isSha256, originOf, repositorySource } from './locate-archive.ts';
import { parseOciReference } from './oci/reference.ts';
import { registrySource } from './oci/registry-scheme.ts';
import { cachedIndex, isUrl, repositoryAndChart, repositoryNamed } from './repository/find-chart.ts';
import type { RepositoryIndex } from './repository/index-file.ts';
import { knownRepositories, type RepositoryEntry } from './repository/repositories.ts';
import { archiveNameOf, isSameUrl, resolveReferenceUrl } from './repository/url.ts';
import { schemeAt } from './schemes.ts';

/**
 * As `locateArchive`, by caches alone: the newest version that a reference and a constraint mean among those that are
 * here. Fails with `offline`, which names what would have to be fetched.
 */
export function locateOffline(reference: string, access: ChartAccess, sources: ChartSources): LocatedArchive {
  const wanted = versionOf(access);
  const found = candidates(reference, access, sources).next().value;
  const asked = [access.repoUrl, reference, wanted].filter((part) => part).join(' ');
  if (found === undefined) throw offlineError(asked);
  const cache = new ContentCache(sources.paths.contentCache);
  const read = async (kind: CachedKind, missing: string): Promise<Uint8Array> => {
    const path = cache.find(found.key, kind) ?? cache.own.find(found.key, kind);
    if (path === undefined) throw offlineError(missing);
    return readFileSync(path);
  };
  return {
    ...found,
    url: asked,
    origin: originHere(reference, access, sources),
    fetch: () => read('.chart', asked),
    fetchProvenance: () => read('.prov', `${asked}: its provenance file`),
    fetchSignatures: () => Promise.reject(offlineError(`${asked}: its sigstore signatures`)),
  };
}

/** The versions of a chart of a registry that are in the content cache, the newest first. */
export const cachedVersions = (reference: string, contentCache: string): readonly string[] =>
  new CachedCharts(new ContentCache(contentCache))
    .of(registrySource(parseOciReference(reference)))
    .map(({ version }) => version)
    .filter((version) => version !== '');

function originHere(reference: string, access: ChartAccess, sources: ChartSources): string {
  if (access.repoUrl) return originOf(access.repoUrl, reference);
  const cached = schemeAt(reference, sources.http.getters)?.versions?.cached?.(reference, versionOf(access));
  if (cached !== undefined) return cached.source;
  if (isUrl(reference)) return reference;
  const [repository, name] = repositoryAndChart(reference);
  return originOf(repositoryNamed(repository, sources.paths.repositoryConfig).url, name);
}

type Found = Pick<LocatedArchive, 'key' | 'name'>;

function* candidates(reference: string, access: ChartAccess, sources: ChartSources): Generator<Found, undefined> {
  const wanted = versionOf(access);
  const cached = new CachedCharts(new ContentCache(sources.paths.contentCache));
  const versions = schemeAt(reference, sources.http.getters)?.versions;
  if (access.repoUrl) {
    const url = access.repoUrl;
    const known = knownRepositories(sources.paths.repositoryConfig).find((entry) => isSameUrl(entry.url, url));
    const index = known && indexHere(known, sources);
    if (known !== undefined && index !== undefined) yield* ofIndex({ ...known, index }, reference, wanted, sources);
    yield* ofVersion(cached.of(repositorySource(url, reference)), wanted);
  } else if (versions?.cached !== undefined) {
    yield* known(versions.cached(reference, wanted), cached);
  } else if (isUrl(reference)) {
    yield* cached.of(reference);
  } else {
    const [repository, name] = repositoryAndChart(reference);
    const entry = repositoryNamed(repository, sources.paths.repositoryConfig);
    const index = indexHere(entry, sources);
    if (index === undefined) throw offlineError(resolveReferenceUrl(entry.url, 'index.yaml'));
    yield* ofIndex({ ...entry, index }, name, wanted, sources);
  }
  return undefined;
}

function* known({ source, isExactly, version }: CachedVersions, cached: CachedCharts): Generator<Found> {
  const charts = cached.of(source);
  if (isExactly === undefined) yield* ofVersion(charts, version);
  else yield* charts.filter(isExactly);
}

/** The version of exactly this name, then those that fit, the newest first. */
function* ofVersion<Version extends { readonly version: string }>(
  versions: readonly Version[],
  wanted: string,
): Generator<Version> {
  yield* versions.filter(({ version }) => version === wanted);
  const constraint = parseConstraint(wanted === '' ? '*' : wanted);
  yield* versions.filter(({ version }) => {
    const parsed = looseVersion(version);
    return parsed !== undefined && satisfies(constraint, parsed);
  });
}

/** The versions that a cached index has and whose archives are here: by the index's digests, or as they were fetched. */
function* ofIndex(
  { url: repositoryUrl, index }: Pick<RepositoryEntry, 'url'> & { readonly index: RepositoryIndex },
  name: string,
  wanted: string,
  { paths }: ChartSources,
): Generator<Found> {
  const cache = new ContentCache(paths.contentCache);
  const fetched = new CachedCharts(cache).of(repositorySource(repositoryUrl, name));
  for (const { version, entry: known } of ofVersion(index.versions(name) ?? [], wanted)) {
    const key = known.digest.slice(known.digest.indexOf(':') + 1).toLowerCase();
    const [url = ''] = known.urls;
    if (isSha256(key) && cache.find(key, '.chart') !== undefined) yield { key, name: archiveNameOf(url, version) };
    yield* fetched.filter((one) => one.version === version);
  }
}

function indexHere(entry: RepositoryEntry, { paths, onNotice }: ChartSources): RepositoryIndex | undefined {
  try {
    return cachedIndex(entry, { paths, onNotice });
  } catch (cause) {
    if (hasCode(cause, 'index-missing')) return undefined;
    throw cause;
  }
}
