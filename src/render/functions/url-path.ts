import { type GoUrl, hostnameOf, parseUrl, urlText } from '../../go/net/url.ts';
import { baseName, cleanPath, directoryName, extension } from '../../go/path.ts';
import { GoError, type GoMap, goKindOf } from '../../go/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';

const base = goFunction('func(string) string', baseName);
const dir = goFunction('func(string) string', directoryName);
const clean = goFunction('func(string) string', cleanPath);
const ext = goFunction('func(string) string', extension);
const isAbs = goFunction('func(string) bool', (path: string) => path.startsWith('/'));

/** sprig's URL and path functions; those of the operating system are the ones of Linux everywhere. */
export const urlAndPathFunctions: FunctionTable = {
  base,
  dir,
  clean,
  ext,
  isAbs,
  osBase: base,
  osDir: dir,
  osClean: clean,
  osExt: ext,
  osIsAbs: isAbs,
  urlParse: goFunction('func(string) map[string]any', urlParse),
  urlJoin: goFunction('func(map[string]any) string', urlJoin),
};

function urlParse(text: string): GoMap {
  const url = failingWith('unable to parse url', () => parseUrl(text));
  const { scheme, host, path, query, opaque, fragment, userinfo = '' } = url;
  return new Map(Object.entries({ scheme, host, hostname: hostnameOf(host), path, query, opaque, fragment, userinfo }));
}

function urlJoin(parts: GoMap): string {
  const url = {
    scheme: textPart(parts, 'scheme'),
    host: textPart(parts, 'host'),
    path: textPart(parts, 'path'),
    query: textPart(parts, 'query'),
    opaque: textPart(parts, 'opaque'),
    fragment: textPart(parts, 'fragment'),
  } satisfies Omit<GoUrl, 'userinfo'>;
  const userinfo = textPart(parts, 'userinfo');
  if (userinfo === '') return urlText({ ...url, userinfo: undefined });
  const parsed = failingWith('unable to parse userinfo in dict', () => parseUrl(`proto://${userinfo}@host`));
  return urlText({ ...url, userinfo: parsed.userinfo });
}

function textPart(parts: GoMap, key: string): string {
  if (!parts.has(key)) return '';
  const value = parts.get(key);
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) {
    throw new GoError('runtime error: invalid memory address or nil pointer dereference');
  }
  throw new GoError(`unable to parse ${key} key, must be of type string, but ${goKindOf(value)} found`);
}

function failingWith<T>(words: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof GoError) throw new GoError(`${words}: ${cause.message}`, { cause });
    throw cause;
  }
}
