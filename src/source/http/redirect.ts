import { downloadFailed } from './failure.ts';
import type { HttpRequest } from './request.ts';
import { shownUrl } from './shown-url.ts';

/** As net/http.Client: ten requests in a row. */
const mostRequests = 10;

/**
 * The request that an answer sends on to another place; undefined where it does not. As net/http.Client does, with one
 * rule more: what began by https does not go on by http. Credentials stay with the host that they were meant for and its
 * subdomains.
 */
export function redirected(
  request: HttpRequest,
  { status, location }: { readonly status: number; readonly location: string | undefined },
  way: readonly string[],
): HttpRequest | undefined {
  const { method = 'GET', url } = request;
  const keepsMethod = status === 307 || status === 308;
  if (!keepsMethod && status !== 301 && status !== 302 && status !== 303) return undefined;
  if (location === undefined || (!keepsMethod && method !== 'GET' && method !== 'HEAD')) return undefined;
  if (!URL.canParse(location, url)) {
    throw downloadFailed(request, `failed to parse Location header ${JSON.stringify(shownUrl(location))}`);
  }
  const next = new URL(location, url);
  const sent = { method, url: next.href };
  if (next.protocol !== 'http:' && next.protocol !== 'https:') {
    throw downloadFailed(sent, `unsupported protocol scheme ${JSON.stringify(next.protocol.slice(0, -1))}`);
  }
  if (next.protocol === 'http:' && new URL(url).protocol === 'https:') {
    throw downloadFailed({ method, url }, `the server redirects from https to http: ${shownUrl(next.href)}`);
  }
  if (way.length >= mostRequests) throw downloadFailed(sent, `stopped after ${mostRequests} redirects`);
  const first = new URL(way[0] ?? url);
  const isTrusted = request.staysAtOrigin ? next.origin === new URL(url).origin : isBelow(next, first);
  return { ...request, url: next.href, headers: isTrusted ? request.headers : withoutCredentials(request.headers) };
}

/** Go: net/http.shouldCopyHeaderOnRedirect. */
const isBelow = (next: URL, first: URL): boolean =>
  next.hostname === first.hostname || next.hostname.endsWith(`.${first.hostname}`);

const withoutCredentials = (headers: HttpRequest['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'authorization' && name !== 'cookie'));
