import { escapedPath, type GoUrl, hostnameOf, parseUrl } from '../../go/net/url.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { messageOf } from '../../support/errors.ts';
import { CelError } from '../error.ts';
import type { Library } from './library.ts';

/** net/url.URL */
class Url {
  readonly url: GoUrl;

  constructor(url: GoUrl) {
    this.url = url;
  }
}

/** Why a text is no absolute URL, and no path (url.ParseRequestURI); undefined where it is one. */
export function requestUriProblem(text: string): string | undefined {
  if (text === '') return 'parse "": empty url';
  try {
    const { scheme } = parseUrl(text.split('#')[0] as string);
    return scheme === '' && !text.startsWith('/') ? `parse ${quote(text)}: invalid URI for request` : undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function urlOf(text: string): Url {
  const problem = requestUriProblem(text);
  if (problem !== undefined) throw new CelError(`URL parse error during conversion from string: ${problem}`);
  return new Url(parseUrl(text));
}

function queryOf({ url }: Url): Readonly<Record<string, readonly string[]>> {
  const query: Record<string, string[]> = {};
  for (const [key, value] of new URLSearchParams(url.query)) query[key] = [...(query[key] ?? []), value];
  return query;
}

const name = 'kubernetes.URL';

export const urls: Library = {
  types: { [name]: Url },
  functions: {
    [`url(string): ${name}`]: urlOf,
    'isURL(string): bool': (text: string) => requestUriProblem(text) === undefined,
    [`${name}.getScheme(): string`]: ({ url }: Url) => url.scheme,
    [`${name}.getHost(): string`]: ({ url }: Url) => url.host,
    [`${name}.getHostname(): string`]: ({ url }: Url) => hostnameOf(url.host),
    [`${name}.getPort(): string`]: ({ url }: Url) => /:(\d*)$/.exec(url.host)?.[1] ?? '',
    [`${name}.getEscapedPath(): string`]: ({ url }: Url) => escapedPath(url),
    [`${name}.getQuery(): map<string, list<string>>`]: queryOf,
  },
  operators: { [`${name} == ${name}`]: (a: Url, b: Url) => JSON.stringify(a.url) === JSON.stringify(b.url) },
};
