import { existsSync } from 'node:fs';
import type { Notify } from '../../chart/notice.ts';
import { parseUrl } from '../../go/net/url.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { GoError } from '../../go/value.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { writeFileAtomically } from '../atomic-file.ts';
import { downloadIndex } from '../find-at-url.ts';
import { type HttpClient, offlineError } from '../http/client.ts';
import type { GetOptions } from '../http/get-options.ts';
import { shownUrl } from '../http/shown-url.ts';
import { readTrust } from '../http/tls.ts';
import { pluginHint } from '../scheme-plugin.ts';
import { schemeAt } from '../schemes.ts';
import { chartsPath, indexPath } from './find-chart.ts';
import { type RepositoryIndex, readIndex, readIndexFile } from './index-file.ts';
import type { RepositoryEntry } from './repositories.ts';
import { resolveReferenceUrl } from './url.ts';

export interface RefreshOptions {
  readonly http: HttpClient;
  /** The folder of indexes. */
  readonly repositoryCache: string;
  readonly timeoutMs?: number | undefined;
  readonly onNotice?: Notify | undefined;
}

/**
 * Fetches a repository's index, checks it whole, and puts it into the folder of indexes, with the names of its charts
 * beside it. Offline the one that is there serves. Go: ChartRepository.DownloadIndexFile. Fails with `download-failed` or `index-invalid`.
 */
export async function refreshIndex(repository: RepositoryEntry, options: RefreshOptions): Promise<RepositoryIndex> {
  const { repositoryCache } = options;
  if (options.http.isOffline) return indexHere(repository, options);
  const bytes = await downloaded(repository, options);
  const index = checkedIndex(bytes, repository.url, options.onNotice);
  writeNames(chartsPath(repositoryCache, repository.name), index);
  failing(() => writeFileAtomically(indexPath(repositoryCache, repository.name), bytes), 'index-unwritable');
  return index;
}

/** They serve completion alone: Helm too goes on where they cannot be kept. */
function writeNames(path: string, { names }: RepositoryIndex): void {
  try {
    writeFileAtomically(path, names.map((name) => `${name}\n`).join(''));
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
  }
}

function indexHere({ name, url }: RepositoryEntry, { repositoryCache, onNotice }: RefreshOptions): RepositoryIndex {
  const path = indexPath(repositoryCache, name);
  if (existsSync(path)) return failing(() => readIndexFile(path, onNotice));
  throw offlineError(failing(() => resolveReferenceUrl(url, 'index.yaml')));
}

async function downloaded(repository: RepositoryEntry, { http, timeoutMs }: RefreshOptions): Promise<Uint8Array> {
  const { caFile, certFile, keyFile } = repository;
  // As in Helm, also for a server that needs none of them.
  if (caFile !== '' || (certFile !== '' && keyFile !== '')) await readTrust({ caFile, certFile, keyFile });
  return failing(() => downloadIndex(http, repository.url, { timeoutMs, ...accessOf(repository) }));
}

/** How a repository's server is asked: its credentials stay with it, unless they are for all. */
export const accessOf = (repository: RepositoryEntry): GetOptions => {
  const { username, password, passCredentialsAll, url: repositoryUrl } = repository;
  const { caFile, certFile, keyFile, insecureSkipTlsVerify } = repository;
  return {
    username,
    password,
    passCredentialsAll,
    repositoryUrl,
    tls: { caFile, certFile, keyFile, insecureSkipTlsVerify },
  };
};

/** Every version is looked at: what is kept is an index to the end. */
function checkedIndex(bytes: Uint8Array, url: string, onNotice: Notify | undefined): RepositoryIndex {
  return failing(() => {
    const index = readIndex(bytes, { source: shownUrl(url), onNotice });
    for (const name of index.names) index.versions(name);
    return index;
  });
}

/** Fails with `scheme-unsupported` for a URL that no index can be fetched from. Go: repo.NewChartRepository. */
export function checkScheme(url: string, { getters }: HttpClient): void {
  let scheme: string;
  try {
    scheme = parseUrl(url).scheme;
  } catch (cause) {
    throw unsupported(`invalid chart URL format: ${shownUrl(url)}`, cause);
  }
  if (scheme === 'oci') {
    const reason = 'a registry has no index; refer to its charts as oci://HOST/PATH';
    throw unsupported(`looks like ${quote(url)} is not a valid chart repository or cannot be reached: ${reason}`);
  }
  if (schemeAt(url, getters)?.read === undefined)
    throw unsupported(`could not find protocol handler for: ${scheme}${pluginHint(scheme)}`);
}

const unsupported = (message: string, cause?: unknown): TshelmError =>
  new TshelmError('scheme-unsupported', { message, cause });

function failing<T>(work: () => T, code: 'index-invalid' | 'index-unwritable' = 'index-invalid'): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof GoError)) throw cause;
    throw new TshelmError(code, { message: messageOf(cause), cause });
  }
}
