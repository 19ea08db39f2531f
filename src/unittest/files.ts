import { readdirSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { pathMatch } from '../go/path-match.ts';
import { compareText } from '../support/order.ts';

const wildcard = /[*?[\\]/;

/**
 * The files that patterns name, in the order of the patterns: `*` and `?` stand within a name, `**` for folders too. `root`
 * makes a path absolute. Throws GoError for a pattern that is none. Follows helm-unittest's GetFiles.
 */
export function filesMatching(folder: string, patterns: readonly string[], root: (path: string) => string): string[] {
  const base = `${folder}/`;
  return patterns
    .filter((pattern, index) => pattern !== patterns[index - 1])
    .flatMap((pattern) => {
      if (posix.isAbsolute(pattern)) return [pattern];
      return glob(pattern.includes(base) ? pattern : posix.join(base, pattern), root);
    });
}

function glob(pattern: string, root: (path: string) => string): string[] {
  if (!pattern.includes('**')) return simpleGlob(pattern, root);
  let found = [''];
  for (const part of pattern.split('**')) {
    const starts = found.flatMap((start) => simpleGlob(start + part, root));
    found = [...new Set(starts.flatMap((start) => withAllBelow(start, root)))];
  }
  return found;
}

/** filepath.Glob: the names in each folder in their order. */
function simpleGlob(pattern: string, root: (path: string) => string): string[] {
  if (!wildcard.test(pattern)) return exists(root(pattern)) ? [pattern] : [];
  const name = posix.basename(pattern);
  const folder = posix.dirname(pattern);
  const folders = wildcard.test(folder) ? simpleGlob(folder, root) : [folder];
  return folders.flatMap((one) =>
    namesIn(root(one))
      .filter((entry) => pathMatch(name, entry))
      .map((entry) => posix.join(one, entry)),
  );
}

function withAllBelow(path: string, root: (path: string) => string): string[] {
  return [path, ...namesIn(root(path)).flatMap((name) => withAllBelow(posix.join(path, name), root))];
}

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function namesIn(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder).sort(compareText);
}
