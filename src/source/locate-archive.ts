import { parseUrl } from '../go/net/url.ts';
import { baseName } from '../go/path.ts';
import { quote } from '../go/strconv/strconv.ts';
import { GoError } from '../go/value.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { CachedCharts } from './cached-charts.ts';
import { type ChartAccess, type ChartSources, getOptionsOf, versionOf } from './chart-access.ts';
import { type ArchivePlace, checkDigest } from './check-digest.ts';
import { ContentCache, sha256Hex } from './content-cache.ts';
import { findChartAtUrl } from './find-at-url.ts';
import type { HttpClient } from './http/client.ts';
import { type GetOptions, get } from './http/get.ts';
import { isFetchable } from './http/getters.ts';
import { shownUrl } from './http/shown-url.ts';
import { type LocatedArtifact, locateArtifact } from './oci/locate.ts';
import { mediaTypes } from './oci/manifest.ts';
import { fetchLayer, findChart as findRemoteChart, pulledText, type RemoteChart } from './oci/pull.ts';
import { isOci, type OciReference, parseOciReference, referenceText } from './oci/reference.ts';
import { findChart, isUrl, repositoryOf } from './repository/find-chart.ts';
import type { RepositoryEntry } from './repository/repositories.ts';
import { archiveNameOf } from './repository/url.ts';

/** An archive whose place is known, not yet fetched. */
export interface LocatedArchive {
  /** The key in the content cache that is known before anything is fetched; '' for none. */
  readonly key: string;
  /** `demo-0.1.0.tgz`. */
  readonly name: string;
  /** As messages name it. */
  readonly url: string;
  /** Keeps what it fetches in the content cache, where that can be written to. */
  fetch(): Promise<Uint8Array>;
  fetchProvenance(): Promise<Uint8Array>;
}

/** What names a chart of a repository, of whatever version, in the list of what is cached. */
export const repositorySource = (url: string, name: string): string => `${url.replace(/\/$/, '')} ${name}`;

export const registrySource = ({ registry, repository }: OciReference): string => `oci://${registry}/${repository}`;

/** Where the chart is that a reference means, and how it is fetched. Go: ChartDownloader.ResolveChartVersion. */
export async function locateArchive(
  reference: string,
  access: ChartAccess,
  sources: ChartSources,
): Promise<LocatedArchive> {
  if (access.repoUrl) return archiveAt(await atRepository(reference, access, sources), sources);
  if (isOci(reference)) return inRegistry(reference, access, sources);
  const options = { paths: sources.paths, onNotice: sources.onNotice };
  if (!isUrl(reference)) {
    const { url, digest, version, repository } = findChart(reference, versionOf(access), options);
    const source = repositorySource(repository?.url ?? '', reference.slice(reference.indexOf('/') + 1));
    return archiveAt({ url, digest, source, version, options: optionsFor(repository, url, access) }, sources);
  }
  const getOptions = optionsFor(repositoryOf(reference, options), reference, access);
  return archiveAt({ url: reference, digest: '', source: reference, version: '', options: getOptions }, sources);
}

interface Place {
  readonly url: string;
  readonly digest: string;
  readonly source: string;
  readonly version: string;
  readonly options: GetOptions;
}

async function atRepository(name: string, access: ChartAccess, { http, onNotice }: ChartSources): Promise<Place> {
  const options = getOptionsOf(access);
  const url = access.repoUrl ?? '';
  const found = await findChartAtUrl(name, versionOf(access), { url, http, access: options, onNotice });
  return { ...found, source: repositorySource(url, name), options: { ...options, repositoryUrl: url } };
}

/** What the repository needs wins over what the user says, which may be meant for another one. */
function optionsFor(repository: RepositoryEntry | undefined, url: string, access: ChartAccess): GetOptions {
  const given = getOptionsOf(access);
  if (repository === undefined) return { ...given, repositoryUrl: url };
  const { username, password, passCredentialsAll, certFile, keyFile, caFile, insecureSkipTlsVerify } = repository;
  const hasFiles = certFile !== '' || keyFile !== '' || caFile !== '';
  const files = hasFiles ? { certFile, keyFile, caFile } : given.tls;
  return {
    ...given,
    ...(username !== '' && password !== '' && { username, password, passCredentialsAll }),
    tls: { ...files, insecureSkipTlsVerify: given.tls?.insecureSkipTlsVerify || insecureSkipTlsVerify },
    repositoryUrl: repository.url,
  };
}

function archiveAt({ url, digest, source, version, options }: Place, sources: ChartSources): LocatedArchive {
  const { http, paths } = sources;
  const { scheme } = parseUrl(url);
  if (!isOci(url) && !isFetchable(scheme, http.getters)) throw unsupported(scheme, url, options.repositoryUrl);
  const key = keyOf(digest, url);
  const name = archiveNameOf(url, version);
  const cache = new ContentCache(paths.contentCache);
  const remember = (kept: string): void =>
    new CachedCharts(cache).remember(source, { version, key: kept, name, digest: '' });
  if (key !== '' && cache.find(key, '.chart') !== undefined) remember(key);
  const remote = isOci(url) ? layersOf({ url, version, options }, sources) : filesAt(url, options, http);
  return {
    key,
    name,
    url: shownUrl(url),
    async fetch() {
      const bytes = await remote.archive();
      const found = sha256Hex(bytes);
      if (key !== '') checkContent(found, key, { url, onNotice: sources.onNotice });
      cache.keep(found, bytes, '.chart');
      remember(found);
      return bytes;
    },
    fetchProvenance: remote.provenance,
  };
}

function checkContent(found: string, wanted: string, place: ArchivePlace): void {
  try {
    checkDigest(found, wanted, place);
  } catch (cause) {
    const url = shownUrl(place.url);
    throw new TshelmError('download-failed', { message: `${url}: ${messageOf(cause)}`, details: { url }, cause });
  }
}

interface RemoteFiles {
  archive(): Promise<Uint8Array>;
  provenance(): Promise<Uint8Array>;
}

function filesAt(url: string, options: GetOptions, http: HttpClient): RemoteFiles {
  const request = { ...options, headers: { accept: 'application/gzip,application/octet-stream' } };
  return { archive: () => get(http, url, request), provenance: () => get(http, `${url}.prov`, request) };
}

/** An index may name charts of a registry. As in Helm it is not said what is pulled. */
function layersOf(
  { url, version, options }: Pick<Place, 'url' | 'version' | 'options'>,
  sources: ChartSources,
): RemoteFiles {
  const registry = options.passCredentialsAll ? sources.registry : sources.registry.forOthers();
  const repository = registry.repository(taggedReference(url, version));
  let found: Promise<RemoteChart> | undefined;
  const remote = (): Promise<RemoteChart> => (found ??= findRemoteChart(repository));
  return {
    archive: async () => fetchLayer(repository, (await remote()).chart),
    async provenance() {
      const { provenance } = await remote();
      if (provenance !== undefined) return fetchLayer(repository, provenance);
      throw new GoError(`manifest does not contain a layer with mediatype ${mediaTypes.provenance}`);
    },
  };
}

/** A URL without a tag means the version that the index tells. */
function taggedReference(url: string, version: string): OciReference {
  const reference = parseOciReference(url);
  const isExact = reference.tag !== '' || reference.digest !== '';
  return isExact ? reference : { ...reference, tag: version.replaceAll('+', '_') };
}

/** The digest of an index in hexadecimal. Errors: one that is not a SHA-256 digest. */
function keyOf(digest: string, url: string): string {
  const hex = digest.slice(digest.indexOf(':') + 1).toLowerCase();
  if (hex === '' || /^[0-9a-f]{64}$/.test(hex)) return hex;
  throw new GoError(`unable to decode digest: ${quote(digest)} of ${shownUrl(url)} is not a SHA-256 digest`);
}

async function inRegistry(reference: string, access: ChartAccess, sources: ChartSources): Promise<LocatedArchive> {
  const { registry, paths, tell } = sources;
  const located = await locateArtifact(reference, versionOf(access), registry);
  const repository = registry.repository(located.reference);
  const cache = new ContentCache(paths.contentCache);
  let found: Promise<RemoteChart> | undefined;
  const remote = (): Promise<RemoteChart> => (found ??= findRemoteChart(repository));
  return {
    key: located.digest.slice(located.digest.indexOf(':') + 1),
    name: archiveName(located),
    url: `oci://${referenceText(located.reference)}`,
    async fetch() {
      const chart = await remote();
      const kept = chart.chart.digest.startsWith('sha256:') ? cache.readProved(chart.chart.digest.slice(7)) : undefined;
      const bytes = kept ?? (await fetchLayer(repository, chart.chart));
      tell(pulledText(chart));
      const [key, { version }, name] = [sha256Hex(bytes), located, archiveName(located)];
      if (kept === undefined) cache.keep(key, bytes, '.chart');
      new CachedCharts(cache).remember(registrySource(located.reference), { version, key, name, digest: chart.digest });
      return bytes;
    },
    async fetchProvenance() {
      const chart = await remote();
      const bytes = chart.provenance && (await fetchLayer(repository, chart.provenance));
      // As in Helm, where each of the two files is pulled by itself.
      if (bytes !== undefined) tell(pulledText(chart));
      if (bytes !== undefined) return bytes;
      throw new GoError(`manifest does not contain a layer with mediatype ${mediaTypes.provenance}`);
    },
  };
}

/** `demo-0.1.0.tgz`; `demo@sha256-….tgz` where a digest alone is named. */
function archiveName({ reference, version }: LocatedArtifact): string {
  const name = baseName(reference.repository);
  return version === '' ? `${name}@${reference.digest.replace(':', '-')}.tgz` : `${name}-${version}.tgz`;
}

function unsupported(scheme: string, url: string, repositoryUrl = url): TshelmError {
  const from = repositoryUrl === url ? '' : `: the index of ${shownUrl(repositoryUrl)} names ${shownUrl(url)}`;
  const message = `scheme ${quote(scheme)} not supported${from}`;
  return new TshelmError('scheme-unsupported', { message, details: { url: shownUrl(url) } });
}
