import { parseUrl } from '../go/net/url.ts';
import { quote } from '../go/strconv/strconv.ts';
import { GoError } from '../go/value.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { trimSuffix } from '../support/text.ts';
import { CachedCharts } from './cached-charts.ts';
import { type ChartAccess, type ChartSources, getOptionsOf, versionOf } from './chart-access.ts';
import type { LocatedArchive } from './chart-scheme.ts';
import { type ArchivePlace, checkDigest } from './check-digest.ts';
import { ContentCache, sha256Hex } from './content-cache.ts';
import { findChartAtUrl } from './find-at-url.ts';
import type { GetOptions } from './http/get-options.ts';
import { shownUrl } from './http/shown-url.ts';
import { findChart, isUrl, repositoryOf } from './repository/find-chart.ts';
import type { RepositoryEntry } from './repository/repositories.ts';
import { archiveNameOf } from './repository/url.ts';
import { pluginHint } from './scheme-plugin.ts';
import { schemeAt } from './schemes.ts';

/** What names a chart of a repository, of whatever version, in the list of what is cached. */
export const repositorySource = (url: string, name: string): string => `${trimSuffix(url, '/')} ${name}`;

/** What a trust policy knows a chart of a repository by. */
export const originOf = (url: string, name: string): string => `${trimSuffix(url, '/')}/${name}`;

/** Where the chart is that a reference means, and how it is fetched. Go: ChartDownloader.ResolveChartVersion. */
export async function locateArchive(
  reference: string,
  access: ChartAccess,
  sources: ChartSources,
): Promise<LocatedArchive> {
  if (access.repoUrl) return archiveAt(await atRepository(reference, access, sources), sources);
  const versions = schemeAt(reference, sources.http.getters)?.versions;
  if (versions !== undefined) return versions.locate(reference, access, sources);
  const options = { paths: sources.paths, onNotice: sources.onNotice };
  if (!isUrl(reference)) {
    const { url, digest, version, repository } = findChart(reference, versionOf(access), options);
    const name = reference.slice(reference.indexOf('/') + 1);
    const [source, origin] = [repositorySource(repository?.url ?? '', name), originOf(repository?.url ?? '', name)];
    return archiveAt({ url, digest, source, origin, version, options: optionsFor(repository, url, access) }, sources);
  }
  const getOptions = optionsFor(repositoryOf(reference, options), reference, access);
  return archiveAt(
    { url: reference, digest: '', source: reference, origin: reference, version: '', options: getOptions },
    sources,
  );
}

interface Place {
  readonly url: string;
  readonly digest: string;
  readonly source: string;
  readonly origin: string;
  readonly version: string;
  readonly options: GetOptions;
}

async function atRepository(name: string, access: ChartAccess, { http, onNotice }: ChartSources): Promise<Place> {
  const options = getOptionsOf(access);
  const url = access.repoUrl ?? '';
  const found = await findChartAtUrl(name, versionOf(access), { url, http, access: options, onNotice });
  return {
    ...found,
    source: repositorySource(url, name),
    origin: originOf(url, name),
    options: { ...options, repositoryUrl: url },
  };
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

function archiveAt({ url, digest, source, origin, version, options }: Place, sources: ChartSources): LocatedArchive {
  const { http, paths } = sources;
  const scheme = schemeAt(url, http.getters);
  if (scheme === undefined) throw unsupported(parseUrl(url).scheme, url, options.repositoryUrl);
  const key = keyOf(digest, url);
  const name = archiveNameOf(url, version);
  const cache = new ContentCache(paths.contentCache);
  const remember = (kept: string): void =>
    new CachedCharts(cache).remember(source, { version, key: kept, name, digest: '' });
  if (key !== '' && cache.find(key, '.chart') !== undefined) remember(key);
  const remote = scheme.files({ url, version, options }, sources);
  return {
    key,
    name,
    url: shownUrl(url),
    origin,
    async fetch() {
      const bytes = await remote.archive();
      const found = sha256Hex(bytes);
      if (key !== '')
        checkContent(found, key, { url, keepsArchives: scheme.keepsArchives, onNotice: sources.onNotice });
      cache.keep(found, bytes, '.chart');
      remember(found);
      return bytes;
    },
    fetchProvenance: remote.provenance,
    fetchSignatures: remote.signatures,
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

/** The digest of an index in hexadecimal. Errors: one that is not a SHA-256 digest. */
function keyOf(digest: string, url: string): string {
  const hex = digest.slice(digest.indexOf(':') + 1).toLowerCase();
  if (hex === '' || isSha256(hex)) return hex;
  throw new GoError(`unable to decode digest: ${quote(digest)} of ${shownUrl(url)} is not a SHA-256 digest`);
}

function unsupported(scheme: string, url: string, repositoryUrl = url): TshelmError {
  const from = repositoryUrl === url ? '' : `: the index of ${shownUrl(repositoryUrl)} names ${shownUrl(url)}`;
  const message = `scheme ${quote(scheme)} not supported${from}${pluginHint(scheme)}`;
  return new TshelmError('scheme-unsupported', { message, details: { url: shownUrl(url) } });
}

export const isSha256 = (hex: string): boolean => /^[0-9a-f]{64}$/.test(hex);
