import type { Notify } from '../chart/notice.ts';
import { ifReadable } from '../go/if-readable.ts';
import { parseUrl } from '../go/net/url.ts';
import { quote } from '../go/strconv/strconv.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import type { HttpClient } from './http/client.ts';
import { get } from './http/get.ts';
import type { GetOptions } from './http/get-options.ts';
import { shownUrl } from './http/shown-url.ts';
import { chooseVersion } from './repository/choose-version.ts';
import { choosing } from './repository/find-chart.ts';
import { type RepositoryIndex, readIndex } from './repository/index-file.ts';
import { resolveReferenceUrl } from './repository/url.ts';
import { pluginHint } from './scheme-plugin.ts';
import { schemeAt } from './schemes.ts';

/** The largest index that is taken; the largest that is known has 60 MB. */
const mostIndexBytes = 256 << 20;

/** The bytes of a repository's index, as it is now. Go: ChartRepository.DownloadIndexFile. */
export function downloadIndex(http: HttpClient, repositoryUrl: string, options: GetOptions): Promise<Uint8Array> {
  const url = resolveReferenceUrl(repositoryUrl, 'index.yaml');
  return get(http, url, { maxBytes: mostIndexBytes, isText: true, ...options, repositoryUrl });
}

export interface RepositoryAtUrl {
  readonly url: string;
  readonly http: HttpClient;
  readonly access: GetOptions;
  readonly onNotice?: Notify | undefined;
}

/**
 * Where a repository that is named by its URL (--repo) has a chart. Go: repo.FindChartInRepoURL.
 * Fails with `chart-not-found` or `repository-unreadable`.
 */
export async function findChartAtUrl(
  name: string,
  version: string,
  repository: RepositoryAtUrl,
): Promise<{ readonly url: string; readonly digest: string; readonly version: string }> {
  const index = await indexAt(repository);
  const what = `chart ${quote(name)}${version === '' ? '' : ` version ${quote(version)}`}`;
  const { entry, version: found } = choosing(
    () => chooseVersion(index, name, { version, onNotice: repository.onNotice }),
    () => notFound(`${what} not found in ${shownUrl(repository.url)} repository`, name),
  );
  const [url] = entry.urls;
  if (url === undefined) throw notFound(`${what} has no downloadable URLs`, name);
  try {
    return { url: resolveReferenceUrl(repository.url, url), digest: entry.digest, version: found };
  } catch (cause) {
    throw notFound(`failed to make chart URL absolute: ${messageOf(cause)}`, name);
  }
}

async function indexAt(repository: RepositoryAtUrl): Promise<RepositoryIndex> {
  const { url, http, access, onNotice } = repository;
  checkScheme(url, http);
  try {
    return readIndex(await downloadIndex(http, url, access), { source: shownUrl(url), onNotice });
  } catch (cause) {
    if (cause instanceof DOMException) throw cause;
    const shown = quote(shownUrl(url));
    const message = `looks like ${shown} is not a valid chart repository or cannot be reached: ${messageOf(cause)}`;
    throw new TshelmError('repository-unreadable', { message, details: { url: shownUrl(url) }, cause });
  }
}

/** Go: repo.NewChartRepository. */
function checkScheme(url: string, { getters }: HttpClient): void {
  const parsed = ifReadable(() => parseUrl(url));
  if (parsed === undefined) throw unreadable(url, `invalid chart URL format: ${shownUrl(url)}`);
  if (schemeAt(url, getters)?.read === undefined)
    throw unreadable(url, `could not find protocol handler for: ${parsed.scheme}${pluginHint(parsed.scheme)}`);
}

const unreadable = (url: string, message: string): TshelmError =>
  new TshelmError('repository-unreadable', { message, details: { url: shownUrl(url) } });

const notFound = (message: string, chart: string): TshelmError =>
  new TshelmError('chart-not-found', { message, details: { chart } });
