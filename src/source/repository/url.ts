import { ifReadable } from '../../go/if-readable.ts';
import { escapedPath, type GoUrl, parseUrl, pathOf, resolveUrl, urlText } from '../../go/net/url.ts';
import { baseName, cleanPath } from '../../go/path.ts';
import { GoError } from '../../go/value.ts';
import { messageOf } from '../../support/errors.ts';
import { trimSuffix } from '../../support/text.ts';
import { shownUrl } from '../http/shown-url.ts';
import { isOci } from '../oci/reference.ts';

/**
 * A chart's URL as an index names it, made absolute below the repository's. The query of the repository's URL goes
 * with it. Go: repo.ResolveReferenceURL. Throws GoError.
 */
export function resolveReferenceUrl(base: string, reference: string): string {
  const relative = parsed(reference);
  if (relative.scheme !== '') return reference;
  const from = parsed(base);
  const folder = { ...from, ...pathOf(`${trimSuffix(escapedPath(from), '/')}/`) };
  return urlText({ ...resolveUrl(folder, relative), query: from.query });
}

/** Whether two URLs are the same but for slashes and dots in their paths. Go: urlutil.Equal. */
export function isSameUrl(a: string, b: string): boolean {
  const left = ifReadable(() => parseUrl(a));
  if (left === undefined) return cleanPath(a) === cleanPath(b);
  const right = ifReadable(() => parseUrl(b));
  return right !== undefined && normalText(left) === normalText(right);
}

const normalText = (url: GoUrl): string => urlText({ ...url, path: cleanPath(url.path === '' ? '/' : url.path) });

/** A URL with further elements of its path. Go: urlutil.URLJoin. Throws GoError. */
export function joinUrl(base: string, ...elements: readonly string[]): string {
  const url = parseUrl(base);
  const parts = [url.path, ...elements].filter((part) => part !== '');
  return urlText({ ...url, path: parts.length === 0 ? '' : cleanPath(parts.join('/')) });
}

/** The name of a file at a URL: the last element of its path, unescaped. */
export const fileNameOf = (url: string): string => baseName(parsed(url).path);

/**
 * The name of the file that an archive at a URL is kept in. In a registry that is `demo-0.1.0.tgz` for `demo:0.1.0`, or
 * with the version where the URL has no tag. Throws GoError for a URL that ends in no name.
 */
export function archiveNameOf(url: string, version: string): string {
  const name = fileNameOf(url);
  if (['.', '..', '/'].includes(name) || /[\\\0]/.test(name))
    throw new GoError(`${shownUrl(url)} does not name an archive: it does not end in a file name`);
  if (!isOci(url)) return name;
  const [, base = '', tag = version] = /^([^:@]*)(?::([^@]*))?/.exec(name) ?? [];
  return `${base}-${tag}.tgz`;
}

function parsed(url: string): GoUrl {
  try {
    return parseUrl(url);
  } catch (cause) {
    throw new GoError(`failed to parse ${url} as URL: ${messageOf(cause)}`, { cause });
  }
}
