import { chmodSync, closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../go/files.ts';
import { goPathError } from '../go/path-error.ts';

let count = 0;

/**
 * Writes a file that others may read meanwhile: it is there whole, the old one or the new one, never a part. The folder
 * is made where it is not there. Go: fileutil.AtomicWriteFile. Throws GoError: `open PATH: permission denied`.
 */
export function writeFileAtomically(path: string, data: string | Uint8Array, mode = 0o644): void {
  const folder = dirname(path);
  makeFolder(folder);
  const fresh = join(folder, `.${basename(path)}.${process.pid}.${count++}.tmp`);
  try {
    const descriptor = openSync(fresh, 'wx', mode);
    try {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    } finally {
      closeSync(descriptor);
    }
    // The mode that was asked for, whatever the umask: Helm sets it so too.
    chmodSync(fresh, mode);
    renameSync(fresh, path);
  } catch (cause) {
    rmSync(fresh, { force: true });
    throw goPathError('open', path, cause);
  }
}
