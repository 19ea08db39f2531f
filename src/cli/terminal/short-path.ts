import { isAbsolute, relative, sep } from 'node:path';

/** An absolute path as people read it: from the working folder, where it is below that. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short === '..' || short.startsWith(`..${sep}`) || isAbsolute(short) ? path : short;
}
