import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Fails as mkdir does. Node's own `recursive` never ends where a parent is there
 * and still says ENOENT, as /proc does.
 */
export function makeDirectories(path: string, mode = 0o755): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path || existsSync(parent)) throw error;
    makeDirectories(parent, mode);
    // Another process may have made it meanwhile.
    makeDirectories(path, mode);
  }
}
