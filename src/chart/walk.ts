import { lstatSync, readdirSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errnoOf, goPathError } from '../go/path-error.ts';
import { GoError } from '../go/value.ts';
import { compareText } from '../support/order.ts';
import { info, type Notify } from './notice.ts';

/** A file or folder below the root; what a symbolic link points to is in the link's place. */
export interface WalkedEntry {
  /** Absolute, through the links. */
  readonly path: string;
  readonly stats: Stats;
}

// Links can make a small folder look endless.
const mostEntries = 200_000;

/**
 * Calls `visit` for everything below a folder (an absolute path), in the order of names, links followed; a folder is
 * entered only where `visit` says true. Each link is noted. Go: internal/sympath.Walk. Throws GoError with Go's words,
 * and with ours for a link that leads into a folder around itself.
 */
export function walk(root: string, visit: (entry: WalkedEntry) => boolean, notify: Notify): void {
  let entries = 0;
  const walkFolder = (folder: string, around: readonly string[]): void => {
    for (const name of namesIn(folder)) {
      const path = folder === '/' ? `/${name}` : `${folder}/${name}`;
      if (++entries > mostEntries) throw new GoError(`chart has more than ${mostEntries} files and folders`);
      const { stats, realPath } = follow(path, notify);
      if (!visit({ path, stats }) || !stats.isDirectory()) continue;
      if (realPath !== undefined && around.includes(realPath))
        throw new GoError(`symbolic link ${path} points to one of its parent folders: ${realPath}`);
      walkFolder(path, [...around, realPath ?? resolve(around.at(-1) as string, name)]);
    }
  };
  walkFolder(root, [realpathSync.native(root)]);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort(compareText);
  } catch (cause) {
    throw goPathError('open', folder, cause);
  }
}

/** `realPath` is set for a link. */
function follow(path: string, notify: Notify): { stats: Stats; realPath?: string } {
  const stats = lstatOf(path);
  if (!stats.isSymbolicLink()) return { stats };
  const realPath = resolveLink(path);
  notify(info('found symbolic link in path. Contents of linked file included and used', { path, resolved: realPath }));
  return { stats: lstatOf(realPath), realPath };
}

function lstatOf(path: string): Stats {
  try {
    return lstatSync(path);
  } catch (cause) {
    throw goPathError('lstat', path, cause);
  }
}

function resolveLink(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (cause) {
    if (errnoOf(cause) === 'ELOOP') {
      throw new GoError(`error evaluating symlink ${path}: EvalSymlinks: too many links`, { cause });
    }
    const target = resolve(dirname(path), readlinkSync(path));
    throw new GoError(`error evaluating symlink ${path}: ${goPathError('lstat', target, cause).message}`, { cause });
  }
}
