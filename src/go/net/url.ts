import { fromByteString, toByteString } from '../byte-string.ts';
import { isIPv6 } from '../ip-address.ts';
import { quote } from '../strconv/strconv.ts';
import { GoError } from '../value.ts';

/** The parts of a URL as Go's net/url reads them, unescaped. */
export interface GoUrl {
  readonly scheme: string;
  readonly opaque: string;
  /** Name and password, escaped again as Userinfo.String() has them; undefined where there is no `@`. */
  readonly userinfo: string | undefined;
  /** With the port. */
  readonly host: string;
  readonly path: string;
  /** The path as it was written, where escaping `path` would give another text (`a%2Fb`). Counts only while it means `path`. */
  readonly rawPath?: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

type Mode = 'path' | 'host' | 'zone' | 'user' | 'fragment';

const hostCharacters = /[-A-Za-z0-9_.~!"$&'()*+,:;<=>[\]]/;
const unescaped: Readonly<Record<Mode, RegExp>> = {
  path: /[-A-Za-z0-9_.~$&+,/:;=@]/,
  host: hostCharacters,
  zone: hostCharacters,
  user: /[-A-Za-z0-9_.~$&+,;=]/,
  fragment: /[-A-Za-z0-9_.~!$&()*+,/:;=?@]/,
};

/** url.Parse. Fails with Go's words: `parse ":x": missing protocol scheme`. */
export function parseUrl(text: string): GoUrl {
  const [beforeFragment, fragment] = cut(toByteString(text), '#');
  try {
    const url = parseWithoutFragment(beforeFragment);
    if (fragment === '') return url;
    return { ...url, fragment: withUrl(text, () => fromByteString(unescape(fragment, 'fragment'))) };
  } catch (error) {
    if (!(error instanceof UrlProblem)) throw error;
    throw new GoError(`parse ${quote(fromByteString(beforeFragment))}: ${error.message}`);
  }
}

/** What is wrong with a URL; the URL itself is named further out. */
class UrlProblem extends Error {}

function withUrl<T>(url: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UrlProblem) throw new GoError(`parse ${quote(url)}: ${error.message}`);
    throw error;
  }
}

function parseWithoutFragment(url: string): GoUrl {
  if (/[\0-\x1f\x7f]/.test(url)) throw new UrlProblem('net/url: invalid control character in URL');
  const none: GoUrl = { scheme: '', opaque: '', userinfo: undefined, host: '', path: '', query: '', fragment: '' };
  if (url === '*') return { ...none, path: '*' };
  if (url.startsWith(':')) throw new UrlProblem('missing protocol scheme');
  const scheme = /^([A-Za-z][-A-Za-z0-9+.]*):/.exec(url)?.[1] ?? '';
  const [rest, query] = cut(scheme === '' ? url : url.slice(scheme.length + 1), '?');
  const base = { ...none, scheme: scheme.toLowerCase(), query: fromByteString(query) };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...base, opaque: fromByteString(rest) };
    if (cut(rest, '/')[0].includes(':')) throw new UrlProblem('first path segment in URL cannot contain colon');
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'));
  const slash = hasAuthority ? rest.indexOf('/', 2) : 0;
  const path = slash === -1 ? '' : rest.slice(slash);
  const authority = hasAuthority ? parseAuthority(base.scheme, rest.slice(2, rest.length - path.length)) : {};
  return { ...base, ...authority, ...pathOfBytes(path) };
}

/** URL.setPath: the fields for a path that is escaped. Throws where it is escaped wrongly. */
export const pathOf = (escaped: string): Pick<GoUrl, 'path' | 'rawPath'> => pathOfBytes(toByteString(escaped));

function pathOfBytes(bytes: string): Pick<GoUrl, 'path' | 'rawPath'> {
  const path = unescape(bytes, 'path');
  return { path: fromByteString(path), ...(escape(path, 'path') !== bytes && { rawPath: fromByteString(bytes) }) };
}

/** URL.EscapedPath: the path as it was written, if it can be, or escaped anew. */
export function escapedPath({ path, rawPath }: Pick<GoUrl, 'path' | 'rawPath'>): string {
  if (rawPath !== undefined && isWellEscaped(rawPath) && pathOf(rawPath).path === path) return rawPath;
  return path === '*' ? '*' : escape(toByteString(path), 'path');
}

/** Go's validEncoded: what may appear in a path that is escaped. */
const isWellEscaped = (text: string): boolean => /^(?:[-A-Za-z0-9_.~$&+,/:;=@!'()*[\]]|%[0-9a-fA-F]{2})*$/.test(text);

function parseAuthority(scheme: string, authority: string): Pick<GoUrl, 'userinfo' | 'host'> {
  const at = authority.lastIndexOf('@');
  const host = fromByteString(parseHost(scheme, authority.slice(at + 1)));
  return { host, userinfo: at === -1 ? undefined : parseUserinfo(authority.slice(0, at)) };
}

function parseUserinfo(userinfo: string): string {
  if (!/^[-A-Za-z0-9._:~!$&'()*+,;=%@]*$/.test(userinfo)) throw new UrlProblem('net/url: invalid userinfo');
  const [name, password] = cut(userinfo, ':');
  const again = (part: string): string => escape(unescape(part, 'user'), 'user');
  return userinfo.includes(':') ? `${again(name)}:${again(password)}` : again(name);
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new UrlProblem('invalid IP-literal');
  if (open === 0) return parseIpLiteral(host);
  // Only http and https forbid further colons before the one of the port.
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon !== -1) checkPort(host.slice(colon));
  return unescape(host, 'host');
}

function parseIpLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close === -1) throw new UrlProblem("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const name = host.slice(1, close);
  const zone = name.indexOf('%25');
  const address =
    zone === -1 ? unescape(name, 'host') : unescape(name.slice(0, zone), 'host') + unescape(name.slice(zone), 'zone');
  if (/^[0-9.]+$/.test(address)) throw new UrlProblem('invalid IP-literal');
  if (!isIPv6(address)) throw new UrlProblem(`invalid host: ParseAddr(${quote(address)}): unable to parse IP`);
  return `[${address}]${port}`;
}

function checkPort(colonPort: string): void {
  if (!/^(?::[0-9]*)?$/.test(colonPort)) {
    throw new UrlProblem(`invalid port ${quote(fromByteString(colonPort))} after host`);
  }
}

/** url.PathUnescape. Throws an Error: `invalid URL escape "%zz"`. */
export const unescapePath = (text: string): string => fromByteString(unescape(toByteString(text), 'path'));

/** URL.ResolveReference: RFC 3986, 5.2. */
export function resolveUrl(base: GoUrl, reference: GoUrl): GoUrl {
  const { scheme, userinfo, host, path, query, fragment } = reference;
  const isComplete = scheme !== '' || host !== '' || userinfo !== undefined;
  const url = { ...reference, scheme: scheme === '' ? base.scheme : scheme };
  if (isComplete) return { ...url, ...pathOf(resolvedPath('', escapedPath(reference))) };
  const inherited =
    path === '' && query === '' ? { query: base.query, fragment: fragment === '' ? base.fragment : fragment } : {};
  if (path === '' && base.opaque !== '') return { ...url, ...inherited, opaque: base.opaque };
  const resolved = pathOf(resolvedPath(escapedPath(base), escapedPath(reference)));
  return { ...url, ...inherited, userinfo: base.userinfo, host: base.host, ...resolved };
}

/** Removes `.` and `..`; an escaped slash separates nothing. */
function resolvedPath(base: string, reference: string): string {
  const isRelative = !reference.startsWith('/');
  const full = reference === '' ? base : isRelative ? base.slice(0, base.lastIndexOf('/') + 1) + reference : reference;
  if (full === '') return '';
  const kept: string[] = [];
  const segments = full.split('/');
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  const isFolder = /(?:^|\/)\.\.?$/.test(full);
  return `/${kept.join('/')}${isFolder ? '/' : ''}`.replace(/^\/\//, '/');
}

/** URL.Hostname: without port and brackets. */
export function hostnameOf(host: string): string {
  const name = host.replace(/:[0-9]*$/, '');
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

/** URL.String(). The query is taken as it is; `userinfo` is escaped already. */
export function urlText(url: GoUrl): string {
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`;
  const query = url.query === '' ? '' : `?${url.query}`;
  const fragment = url.fragment === '' ? '' : `#${escape(toByteString(url.fragment), 'fragment')}`;
  return scheme + (url.opaque === '' ? authorityAndPath(url) : url.opaque) + query + fragment;
}

function authorityAndPath(url: GoUrl): string {
  const { scheme, userinfo, host, path } = url;
  const hasAuthority = host !== '' || userinfo !== undefined || (scheme !== '' && path !== '');
  const user = userinfo === undefined ? '' : `${userinfo}@`;
  const authority = hasAuthority ? `//${user}${escape(toByteString(host), 'host')}` : '';
  const escaped = escapedPath(url);
  if (host !== '' && escaped !== '' && !escaped.startsWith('/')) return `${authority}/${escaped}`;
  const looksLikeScheme = scheme === '' && authority === '' && cut(escaped, '/')[0].includes(':');
  return authority + (looksLikeScheme ? './' : '') + escaped;
}

/** strings.Cut: what comes before and after the separator. */
function cut(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + separator.length)];
}

function escape(bytes: string, mode: Mode): string {
  const plain = unescaped[mode];
  return bytes.replace(/[^]/g, (byte) => (plain.test(byte) ? byte : `%${hex(byte)}`));
}

const hex = (byte: string): string => byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');

function unescape(bytes: string, mode: Mode): string {
  const isHost = mode === 'host' || mode === 'zone';
  return bytes.replace(/%[^]{0,2}|[^%]/g, (part) => {
    if (!part.startsWith('%')) {
      if (isHost && part < '\x80' && !hostCharacters.test(part)) {
        throw new UrlProblem(`invalid character ${quote(part)} in host name`);
      }
      return part;
    }
    const byte = /^%[0-9a-fA-F]{2}$/.test(part) ? String.fromCharCode(Number.parseInt(part.slice(1), 16)) : undefined;
    if (byte === undefined || !isAllowedEscape(part, byte, mode)) {
      throw new UrlProblem(`invalid URL escape ${quote(fromByteString(part))}`);
    }
    return byte;
  });
}

/** Hosts may escape what is not ASCII; zones also what a host may hold, and a space. */
function isAllowedEscape(part: string, byte: string, mode: Mode): boolean {
  if (part === '%25') return true;
  if (mode === 'host') return byte >= '\x80';
  return mode !== 'zone' || byte === ' ' || hostCharacters.test(byte);
}

/** `::1` of `[::1]`: an IPv6 address as sockets take it. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
