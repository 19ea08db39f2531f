import { TshelmError } from '../../support/errors.ts';
import { basicAuthorization, type HttpClient } from './client.ts';
import { schemeOf } from './getters.ts';
import type { HttpRequest, TlsFiles } from './request.ts';
import { shownUrl } from './shown-url.ts';

/** How a repository, or a URL that a user named, is asked. */
export interface GetOptions extends Pick<HttpRequest, 'timeoutMs' | 'maxBytes' | 'isText' | 'headers' | 'retries'> {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** The repository's own URL: credentials go to its scheme, host and port only. Default: the URL itself. */
  readonly repositoryUrl?: string | undefined;
  /** Sends the credentials to other hosts too (--pass-credentials). */
  readonly passCredentialsAll?: boolean | undefined;
  readonly tls?: TlsFiles | undefined;
}

/** The bytes behind a URL, through a plugin where that knows its scheme. Go: getter.HTTPGetter. Fails with `download-failed`: `failed to fetch URL : 404 Not Found`. */
export async function get(client: HttpClient, url: string, options: GetOptions = {}): Promise<Uint8Array> {
  const scheme = schemeOf(url);
  if (client.getters.knows(scheme)) return client.getters.fetch(url, scheme, options);
  const { headers, tls, timeoutMs, maxBytes, isText, retries } = options;
  const authorization = authorizationFor(url, options);
  const { status, statusLine, body } = await client.send({
    url,
    headers: { ...headers, ...(authorization && { authorization }) },
    tls,
    timeoutMs,
    maxBytes,
    isText,
    retries,
  });
  if (status === 200) return body;
  const details = { url: shownUrl(url), status };
  throw new TshelmError('download-failed', { message: `failed to fetch ${shownUrl(url)} : ${statusLine}`, details });
}

function authorizationFor(url: string, options: GetOptions): string | undefined {
  const { username, password, repositoryUrl, passCredentialsAll } = options;
  if (!username || !password) return undefined;
  const isOwn = !repositoryUrl || originOf(repositoryUrl) === originOf(url);
  return passCredentialsAll || isOwn ? basicAuthorization(username, password) : undefined;
}

/** Scheme, host and port as they are written: Go compares the text. */
const originOf = (url: string): string =>
  /^[^:]*:\/\/(?:[^/?#]*@)?[^/?#]*/.exec(url)?.[0].replace(/\/\/.*@/, '//') ?? '';
