import { relative } from 'node:path';

/** An absolute path as people read it: from the working folder, unless that is longer. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short !== '' && short.length < path.length ? short : path;
}
