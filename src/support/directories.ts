import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compareText } from './order.ts';

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

/** Whether a path, or what it links to, is a file that ends: no folder, device or pipe. */
export const isRegularFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** Works in a folder of its own, whose name begins with the prefix, and removes it, whatever comes of the work. */
export async function withTemporaryFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  const { path, remove } = temporaryFolder(prefix);
  try {
    return await work(path);
  } finally {
    remove();
  }
}

/** A new folder whose name begins with the prefix, and what removes it. */
export function temporaryFolder(prefix: string): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), prefix));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The names in a folder, in order; [] where it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort(compareText);
  } catch {
    // It is not there, no folder, or may not be read.
    return [];
  }
}
