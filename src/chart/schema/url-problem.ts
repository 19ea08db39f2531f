import { quote } from '../../go/strconv/strconv.ts';

const escape = /%(?![0-9a-fA-F]{2})[^]{0,2}/;

/** What net/url.Parse says of a text that is no URL; undefined for one that is. */
export function urlProblem(text: string): string | undefined {
  const hash = text.indexOf('#');
  const url = hash < 0 ? text : text.slice(0, hash);
  const problem = problemBeforeFragment(url);
  if (problem !== undefined) return `parse ${quote(url)}: ${problem}`;
  const broken = hash < 0 ? null : escape.exec(text.slice(hash + 1));
  return broken === null ? undefined : `parse ${quote(text)}: invalid URL escape ${quote(broken[0])}`;
}

/** The scheme, of any case; '' where the text has none. */
export const urlScheme = (text: string): string => /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? '';

function problemBeforeFragment(url: string): string | undefined {
  if (/[\0-\x1f\x7f]/.test(url)) return 'net/url: invalid control character in URL';
  if (url.startsWith(':')) return 'missing protocol scheme';
  const scheme = urlScheme(url);
  const [rest = ''] = (scheme === '' ? url : url.slice(scheme.length + 1)).split('?', 1);
  if (!rest.startsWith('/')) {
    if (scheme !== '') return undefined;
    if (rest.split('/', 1)[0]?.includes(':')) return 'first path segment in URL cannot contain colon';
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'));
  const [, authority = '', path = ''] = hasAuthority ? (/^\/\/([^/]*)(.*)$/s.exec(rest) ?? []) : ['', '', rest];
  const broken = escape.exec(path);
  return (
    authorityProblem(scheme.toLowerCase(), authority) ??
    (broken === null ? undefined : `invalid URL escape ${quote(broken[0])}`)
  );
}

function authorityProblem(scheme: string, authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const problem = hostProblem(scheme, authority.slice(at + 1));
  if (problem !== undefined || at < 0) return problem;
  const user = authority.slice(0, at);
  if (!/^[a-zA-Z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return 'net/url: invalid userinfo';
  const broken = escape.exec(user);
  return broken === null ? undefined : `invalid URL escape ${quote(broken[0])}`;
}

function hostProblem(scheme: string, host: string): string | undefined {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return 'invalid IP-literal';
  if (bracket === 0) {
    const end = host.lastIndexOf(']');
    return end < 0 ? "missing ']' in host" : portProblem(host.slice(end + 1));
  }
  const isStrict = scheme === 'http' || scheme === 'https';
  const colon = isStrict ? host.indexOf(':') : host.lastIndexOf(':');
  const problem = colon < 0 ? undefined : portProblem(host.slice(colon));
  if (problem !== undefined) return problem;
  const broken = escape.exec(host) ?? /%[0-7][0-9a-fA-F]/.exec(host);
  if (broken !== null) return `invalid URL escape ${quote(broken[0])}`;
  const character = /[\0-\x7f](?<![a-zA-Z0-9\-_.~!$&'()*+,;=:[\]<>"%])/.exec(host);
  return character === null ? undefined : `invalid character ${quote(character[0])} in host name`;
}

const portProblem = (port: string): string | undefined =>
  /^(?::[0-9]*)?$/.test(port) ? undefined : `invalid port ${quote(port)} after host`;
