import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Writes a page into a folder, or into that for temporary files where it cannot be written, under the first name that is
 * free: a terminal has no use for 100 kB of HTML. Gives the path.
 */
export function writePageFile(page: string, folder: string): string {
  try {
    return writeNew(page, folder);
  } catch {
    // Where this folder cannot be written either, its error is the one to tell.
    return writeNew(page, tmpdir());
  }
}

function writeNew(page: string, folder: string): string {
  for (let number = 1; ; number++) {
    const path = join(folder, number === 1 ? 'tshelm.html' : `tshelm-${number}.html`);
    try {
      writeFileSync(path, page, { flag: 'wx' });
      return path;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
  }
}
