import { join } from 'node:path';
import { loadChart } from '../../chart/load.ts';
import type { Dependency } from '../../chart/types.ts';
import { compareVersions, looseVersion, parseConstraint, parseVersion, satisfies } from '../../go/semver.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { GoError } from '../../go/value.ts';
import { hasCode, messageOf, TshelmError } from '../../support/errors.ts';
import { bundleBeside } from '../archive-signatures.ts';
import { CachedCharts } from '../cached-charts.ts';
import type { LocatedArchive } from '../chart-scheme.ts';
import { checkDigest } from '../check-digest.ts';
import { ContentCache, sha256Hex } from '../content-cache.ts';
import { located } from '../fetch-chart.ts';
import { get } from '../http/get.ts';
import { shownUrl } from '../http/shown-url.ts';
import { originOf, repositorySource } from '../locate-archive.ts';
import { chartArchive } from '../package/archive-writer.ts';
import { stamped } from '../package/stamp.ts';
import { verifyArchive } from '../provenance/verify.ts';
import type { IndexVersion } from '../repository/index-file.ts';
import { accessOf } from '../repository/refresh-index.ts';
import type { RepositoryEntry } from '../repository/repositories.ts';
import { archiveNameOf, resolveReferenceUrl } from '../repository/url.ts';
import { schemeAt } from '../schemes.ts';
import { checkTrust } from '../trust/check.ts';
import { knownSignatures } from '../trust/signatures.ts';
import { verifyInTemporaryFolder } from '../verify-in-temporary-folder.ts';
import { archiveInCharts, cachedArchive, digestKey } from './cached-archive.ts';
import type { PlacedDependency } from './origin.ts';
import type { ResolveOptions } from './resolve.ts';
import type { DependencyTools } from './tools.ts';

/** An archive for charts/; undefined where the dependency is in there already. */
export interface FetchedDependency {
  /** With the version that it has. */
  readonly dependency: Dependency;
  readonly archive: { readonly name: string; readonly data: Uint8Array } | undefined;
}

/**
 * Fetches the archives of locked dependencies side by side. Nothing is written yet. Go: Manager.downloadAll. Fails with
 * the failure of the first of them in Chart.yaml's order.
 */
export async function fetchDependencies(
  placed: readonly PlacedDependency[],
  options: ResolveOptions,
): Promise<readonly FetchedDependency[]> {
  const { tools } = options;
  if (!tools.http.isOffline) tools.onEvent({ kind: 'saving', count: placed.length });
  const urls = new Map<string, Promise<FetchedDependency['archive']>>();
  const tasks = placed.map((one) => fetchOne(one, options, urls));
  const outcomes = await Promise.allSettled(tasks);
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (failures.length > 0) {
    const error = firstFailure(failures);
    if (!tools.http.isOffline) tools.onEvent({ kind: 'failed', error });
    throw error;
  }
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<FetchedDependency>).value);
}

/** Of what is missing offline, all is reported at once. */
function firstFailure(failures: readonly unknown[]): unknown {
  const other = failures.find((failure) => !hasCode(failure, 'offline'));
  if (other !== undefined) return other;
  return new TshelmError('offline', { message: [...new Set(failures.map(messageOf))].join('\n') });
}

async function fetchOne(
  { dependency, origin }: PlacedDependency,
  options: ResolveOptions,
  urls: Map<string, Promise<FetchedDependency['archive']>>,
): Promise<FetchedDependency> {
  const { tools, chartPath } = options;
  switch (origin.kind) {
    case 'charts':
      tools.onEvent({ kind: 'in-charts', name: dependency.name });
      await checkInCharts(dependency, join(chartPath, 'charts', dependency.name));
      return { dependency, archive: undefined };
    case 'folder':
      tools.onEvent({ kind: 'archiving', name: dependency.name, repository: dependency.repository ?? '' });
      return archiveFolder(dependency, origin.path, tools);
    case 'registry':
    case 'repository': {
      return fetchRemote({ dependency, origin }, options, urls).catch((error: unknown) => {
        const inCharts = isUnchecked(tools) ? archiveInCharts(dependency, chartPath) : undefined;
        if (!hasCode(error, 'offline') || inCharts === undefined) throw error;
        return { dependency, archive: inCharts };
      });
    }
  }
}

/** Nothing has to be proved. */
const isUnchecked = ({ verifying, trust }: DependencyTools): boolean =>
  verifying === 'never' && trust.verify !== 'sigstore' && trust.trustPolicy === undefined;

async function fetchRemote(
  placed: PlacedDependency,
  options: ResolveOptions,
  urls: Map<string, Promise<FetchedDependency['archive']>>,
): Promise<FetchedDependency> {
  const { dependency } = placed;
  const { tools } = options;
  const archive = await findArchive(placed, options);
  const { name, repository = '' } = dependency;
  const known = urls.get(archive.url);
  const kind = known === undefined ? 'downloading' : 'downloaded-already';
  if (!tools.http.isOffline) tools.onEvent({ kind, name, repository });
  const download = known ?? downloaded(archive, tools);
  urls.set(archive.url, download);
  return { dependency, archive: await download };
}

async function checkInCharts({ name, version = '' }: Dependency, path: string): Promise<void> {
  const { metadata } = await loadChart(path, { ofAnyVersion: true }).catch((cause: unknown) => {
    throw failed(`unable to load chart '${path}': ${messageOf(cause)}`, cause);
  });
  if (!satisfies(constraintOf(name, version), parseVersion(metadata.version)))
    throw failed(`dependency ${name} at version ${metadata.version} does not satisfy the constraint ${version}`);
}

async function archiveFolder(
  dependency: Dependency,
  path: string,
  { epoch, now, onNotice }: DependencyTools,
): Promise<FetchedDependency> {
  const { name, version = '' } = dependency;
  const loaded = await loadChart(path, { ofAnyVersion: true, onNotice });
  const chart = epoch === undefined ? loaded : stamped(loaded, epoch);
  const { name: chartName, version: chartVersion } = chart.metadata;
  if (!satisfies(constraintOf(name, version), parseVersion(chartVersion)))
    throw failed(`can't get a valid version for dependency ${name}`);
  const data = await chartArchive(chart, now());
  return {
    dependency: { ...dependency, version: chartVersion },
    archive: { name: `${chartName}-${chartVersion}.tgz`, data },
  };
}

function constraintOf(name: string, version: string) {
  try {
    return parseConstraint(version);
  } catch (cause) {
    throw failed(`dependency ${name} has an invalid version/constraint format: ${messageOf(cause)}`, cause);
  }
}

async function findArchive(
  { dependency, origin }: PlacedDependency,
  options: ResolveOptions,
): Promise<DependencyArchive> {
  const { name, version = '', repository = '' } = dependency;
  const { tools, indexes } = options;
  if (origin.kind !== 'repository') return inRegistry(`${repository}/${name}`, version, tools);
  const { entry } = origin;
  try {
    const versions = indexes.of(entry.name).versions(name);
    if (versions === undefined) throw new GoError('entry not found');
    return archiveAt(versionIn(versions, version), entry, tools);
  } catch (cause) {
    if (!(cause instanceof GoError)) throw cause;
    throw failed(`could not find ${name} ${version} in ${shownUrl(entry.url)}: ${cause.message}`, cause);
  }
}

/** Its failures name the chart: a registry's own words may name nothing but a tag. */
async function inRegistry(reference: string, version: string, tools: DependencyTools): Promise<DependencyArchive> {
  const sources = await tools.sources();
  try {
    return await located(reference, { version }, sources);
  } catch (cause) {
    if (cause instanceof DOMException || hasCode(cause, 'offline')) throw cause;
    throw failed(`could not download ${reference}: ${messageOf(cause)}`, cause);
  }
}

/** The one of exactly this version; without one, the newest. Go: findVersionedEntry. */
function versionIn(versions: readonly IndexVersion[], wanted: string): IndexVersion {
  const isWanted = equalityWith(wanted);
  const found = versions.find((one) => isWanted(one) && one.entry.urls.length > 0);
  if (found === undefined) throw new GoError('no matching version');
  return found;
}

function equalityWith(wanted: string): (version: IndexVersion) => boolean {
  if (wanted === '') return () => true;
  const parsed = looseVersion(wanted);
  return ({ semver, version }) => (parsed === undefined ? version === wanted : compareVersions(semver, parsed) === 0);
}

/** Where an index says that an archive is; what the content cache holds under the index's digest is not fetched. */
function archiveAt(chosen: IndexVersion, repository: RepositoryEntry, tools: DependencyTools): DependencyArchive {
  const { name, version, entry } = chosen;
  const url = resolveReferenceUrl(repository.url, entry.urls[0] ?? '');
  const fileName = archiveNameOf(url, version);
  const key = digestKey(entry.digest);
  const cache = new ContentCache(tools.paths.contentCache);
  const scheme = schemeAt(url, tools.http.getters);
  const isVersioned = scheme?.versions !== undefined && scheme.read === undefined;
  const remote = isVersioned ? versionAt(url, version, tools) : filesAt(url, repository, tools);
  return {
    name: fileName,
    origin: originOf(repository.url, name),
    url: isVersioned ? untagged(url) : shownUrl(url),
    async fetch() {
      const kept = key === undefined && !tools.http.isOffline ? undefined : cachedArchive(chosen, repository, tools);
      if (kept !== undefined) return kept;
      const bytes = await remote.fetch();
      const found = sha256Hex(bytes);
      if (key !== undefined)
        checkDigest(found, key, { url, keepsArchives: scheme?.keepsArchives !== false, onNotice: tools.onNotice });
      const file = { version, key: found, name: fileName, digest: '' };
      cache.keep(file.key, bytes, '.chart');
      new CachedCharts(cache).remember(repositorySource(repository.url, name), file);
      return bytes;
    },
    fetchProvenance: () => remote.fetchProvenance(),
    fetchSignatures: () => remote.fetchSignatures(),
  };
}

type DependencyArchive = Omit<LocatedArchive, 'key'>;

type RemoteFiles = Pick<LocatedArchive, 'fetch' | 'fetchProvenance' | 'fetchSignatures'>;

function filesAt(url: string, repository: RepositoryEntry, { http }: DependencyTools): RemoteFiles {
  const request = { ...accessOf(repository), headers: { accept: 'application/gzip,application/octet-stream' } };
  const read = (file: string): Promise<Uint8Array> => get(http, file, request);
  return {
    fetch: () => read(url),
    fetchProvenance: () => read(`${url}.prov`),
    fetchSignatures: () => bundleBeside(url, read),
  };
}

/** An index may name charts of a registry; one without a tag means the version that the index tells. */
function versionAt(url: string, version: string, tools: DependencyTools): RemoteFiles {
  const isExact = untagged(url) !== url;
  const archive = async () => located(url, { version: isExact ? '' : version }, await tools.sources());
  return {
    fetch: async () => (await archive()).fetch(),
    fetchProvenance: async () => (await archive()).fetchProvenance(),
    fetchSignatures: async () => (await archive()).fetchSignatures(),
  };
}

/** `oci://HOST/PATH` of `oci://HOST/PATH:TAG@DIGEST`. */
const untagged = (url: string): string => url.replace(/[:@][^/]*$/, '');

async function downloaded(archive: DependencyArchive, tools: DependencyTools): Promise<FetchedDependency['archive']> {
  const { name, url } = archive;
  try {
    const data = await archive.fetch();
    await verify(archive, data, tools);
    return { name, data };
  } catch (cause) {
    if (cause instanceof DOMException || hasCode(cause, 'offline')) throw cause;
    throw failed(`could not download ${url}: ${messageOf(cause)}`, cause);
  }
}

async function verify(archive: DependencyArchive, bytes: Uint8Array, tools: DependencyTools): Promise<void> {
  const { trust, http, paths } = tools;
  const sources = { http, paths, isOffline: http.isOffline };
  const subject = {
    ...archive,
    bytes,
    provenance: () => archive.fetchProvenance(),
    signatures: () => knownSignatures(archive, bytes, sources),
  };
  await checkTrust(subject, trust, { sources, verify: verifyArchive });
  if (trust.verify !== 'sigstore') await verifyByPgp(archive, bytes, tools);
}

async function verifyByPgp(archive: DependencyArchive, data: Uint8Array, tools: DependencyTools): Promise<void> {
  const { verifying, trust, onEvent } = tools;
  const { keyring = '' } = trust;
  if (verifying === 'never') return;
  let provenance: Uint8Array;
  try {
    provenance = await archive.fetchProvenance();
  } catch (error) {
    if (error instanceof DOMException || hasCode(error, 'offline')) throw error;
    if (verifying === 'always') throw new GoError(`failed to fetch provenance ${quote(`${archive.url}.prov`)}`);
    onEvent({ kind: 'unverified', reference: archive.url, error });
    return;
  }
  await verifyInTemporaryFolder({ name: archive.name, bytes: data, signed: provenance, keyring }, verifyArchive);
}

const failed = (message: string, cause?: unknown): TshelmError =>
  new TshelmError('dependency-failed', { message, cause });
