import { platform } from '../support/host.ts';

/** filepath.ToSlash: on Windows a backslash ends a segment too. */
export const slashes = (path: string, on: NodeJS.Platform = platform): string =>
  on === 'win32' ? path.replaceAll('\\', '/') : path;

/** path.Base. */
export function baseName(path: string): string {
  if (path === '') return '.';
  const end = withoutTrailingSlashes(path);
  return end === '' ? '/' : end.slice(end.lastIndexOf('/') + 1);
}

export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** path.Dir. */
export function directoryName(path: string): string {
  return cleanPath(path.slice(0, path.lastIndexOf('/') + 1));
}

/** path.Clean. */
export function cleanPath(path: string): string {
  const isRooted = path.startsWith('/');
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!isRooted) kept.push('..');
  }
  const joined = kept.join('/');
  return isRooted ? `/${joined}` : joined || '.';
}

/** path.Ext: from the last dot of the last segment. */
export function extension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot);
}
