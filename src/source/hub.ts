import { ifReadable } from '../go/if-readable.ts';
import { parseUrl, urlText } from '../go/net/url.ts';
import { cleanPath } from '../go/path.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { asObject } from '../support/json.ts';
import type { HttpClient } from './http/client.ts';
import { get } from './http/get.ts';

/** A chart that a hub knows. */
export interface HubChart {
  readonly url: string;
  readonly version: string;
  readonly appVersion: string;
  readonly description: string;
  readonly repository: { readonly url: string; readonly name: string };
}

const searchPath = 'api/chartsvc/v1/charts/search';

/**
 * Asks a hub (Artifact Hub, or a Monocular) for charts. Go: internal/monocular, cmd.searchHubOptions. Fails with
 * `hub-unreachable`.
 */
export async function searchHub(endpoint: string, keyword: string, http: HttpClient): Promise<readonly HubChart[]> {
  const url = searchUrl(endpoint, keyword);
  const body = await get(http, url).catch((cause: unknown) => {
    if (cause instanceof DOMException) throw cause;
    const message = `unable to perform search against ${JSON.stringify(endpoint)}: ${messageOf(cause)}`;
    throw new TshelmError('hub-unreachable', { message, details: { url }, cause });
  });
  return resultsOf(body).map((result) => hubChart(result, endpoint));
}

function searchUrl(endpoint: string, keyword: string): string {
  try {
    const url = parseUrl(endpoint);
    if (url.host === '' && url.opaque === '') throw new Error('no hostname provided');
    const path = cleanPath(`/${url.path}/${searchPath}`);
    return urlText({ ...url, path, query: `q=${queryEscape(keyword)}` });
  } catch (cause) {
    const message = `unable to create connection to ${JSON.stringify(endpoint)}: ${messageOf(cause)}`;
    throw new TshelmError('hub-unreachable', { message, cause });
  }
}

/** url.QueryEscape. */
const queryEscape = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

interface Result {
  readonly id?: string;
  readonly artifactHub?: { readonly packageUrl?: string };
  readonly attributes?: {
    readonly description?: string;
    readonly repo?: { readonly url?: string; readonly name?: string };
  };
  readonly relationships?: {
    readonly latestChartVersion?: { readonly data?: { readonly version?: string; readonly app_version?: string } };
  };
}

/** As in Helm, an answer that is no such JSON has no results. */
function resultsOf(body: Uint8Array): readonly Result[] {
  const { data } = asObject(ifReadable((): unknown => JSON.parse(Buffer.from(body).toString('utf8'))));
  return Array.isArray(data) ? (data as Result[]) : [];
}

function hubChart({ id = '', artifactHub, attributes, relationships }: Result, endpoint: string): HubChart {
  const { version = '', app_version: appVersion = '' } = relationships?.latestChartVersion?.data ?? {};
  const { url = '', name = '' } = attributes?.repo ?? {};
  return {
    url: artifactHub?.packageUrl || `${endpoint}/charts/${id}`,
    version,
    appVersion,
    description: attributes?.description ?? '',
    repository: { url, name },
  };
}
