import { TshelmError } from '../../support/errors.ts';
import { bundleBeside } from '../archive-signatures.ts';
import type { ChartScheme } from '../chart-scheme.ts';
import { basicAuthorization, type HttpClient } from './client.ts';
import type { GetOptions } from './get-options.ts';
import { schemeOf } from './getters.ts';
import { shownUrl } from './shown-url.ts';

type Read = NonNullable<ChartScheme['read']>;

/** An archive is a file, and its provenance file has its name with `.prov`. */
export const filesBy =
  (read: Read): ChartScheme['files'] =>
  ({ url, options }, { http }) => {
    const request = { ...options, headers: { accept: 'application/gzip,application/octet-stream' } };
    return {
      archive: () => read(url, request, http),
      provenance: () => read(`${url}.prov`, request, http),
      signatures: () => bundleBeside(url, (file) => read(file, request, http)),
    };
  };

/** Go: getter.HTTPGetter. Fails with `download-failed`: `failed to fetch URL : 404 Not Found`. */
const readByHttp: Read = async (url, options, http: HttpClient) => {
  const { headers, tls, timeoutMs, maxBytes, isText, retries } = options;
  const authorization = authorizationFor(url, options);
  const { status, statusLine, body } = await http.send({
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
};

const readByPlugin: Read = (url, options, { getters }) => getters.fetch(url, schemeOf(url), options);

export const webScheme: ChartScheme = { read: readByHttp, keepsArchives: true, files: filesBy(readByHttp) };

/** What a getter plugin of Helm fetches. */
export const getterScheme: ChartScheme = { read: readByPlugin, keepsArchives: false, files: filesBy(readByPlugin) };

function authorizationFor(url: string, options: GetOptions): string | undefined {
  const { username, password, repositoryUrl, passCredentialsAll } = options;
  if (!username || !password) return undefined;
  const isOwn = !repositoryUrl || originOf(repositoryUrl) === originOf(url);
  return passCredentialsAll || isOwn ? basicAuthorization(username, password) : undefined;
}

/** Scheme, host and port as they are written: Go compares the text. */
const originOf = (url: string): string =>
  /^[^:]*:\/\/(?:[^/?#]*@)?[^/?#]*/.exec(url)?.[0].replace(/\/\/.*@/, '//') ?? '';
