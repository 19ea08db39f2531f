import { join } from 'node:path';
import { fetchPublicRoot, keptPublicRoot } from '../../sigstore/tuf.ts';
import type { FetchTrustedRoot } from '../../sigstore/verify.ts';
import { hasCode, isAbort, messageOf, TshelmError } from '../../support/errors.ts';
import type { ChartSources } from '../chart-access.ts';
import { offlineError } from '../http/client.ts';
import type { HelmPaths } from '../paths.ts';

/** Where trusted roots come from. */
export interface TrustSources extends Pick<ChartSources, 'http' | 'isOffline'> {
  readonly paths: Pick<HelmPaths, 'cacheHome' | 'contentCache'>;
}

/**
 * The trusted root of the public sigstore; offline the one that was fetched the last time. Fails with `offline`,
 * `bad-trusted-root`.
 */
export async function publicRoot({ http, paths, isOffline }: TrustSources): ReturnType<FetchTrustedRoot> {
  const folder = join(paths.cacheHome, 'tshelm', 'sigstore');
  const unusable = (cause: unknown): TshelmError =>
    new TshelmError('bad-trusted-root', { message: messageOf(cause), details: { path: folder }, cause });
  if (isOffline) {
    try {
      const kept = keptPublicRoot(folder);
      if (kept !== undefined) return kept;
    } catch (cause) {
      throw unusable(cause);
    }
    throw offlineError('the sigstore trusted root');
  }
  const read = async (url: string, maxBytes: number): Promise<Uint8Array | undefined> => {
    const { status, statusLine, body } = await http.send({ url, maxBytes });
    if (status === 404 || status === 403) return undefined;
    if (status === 200) return body;
    throw new TshelmError('download-failed', {
      message: `failed to fetch ${url} : ${statusLine}`,
      details: { url, status },
    });
  };
  return fetchPublicRoot({ folder, read }).catch((cause: unknown) => {
    if (isAbort(cause) || hasCode(cause, 'download-failed')) throw cause;
    throw unusable(cause);
  });
}
