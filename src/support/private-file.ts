import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file that its owner alone may read. It is there whole or not at all; an old one is replaced. What is no plain
 * file (`/dev/stdout`, a pipe) is written to as it is. Synchronous, so that it also works while the process exits.
 */
export function writePrivateFile(path: string, text: string): void {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing !== undefined && !existing.isFile()) {
    writeFileSync(path, text);
    return;
  }
  const fresh = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    const descriptor = openSync(fresh, 'wx', 0o600);
    try {
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
