import { readFileSync } from 'node:fs';
import { makeDirectories } from '../support/directories.ts';
import { goPathError, withPathErrors } from './path-error.ts';

/** os.ReadFile. Throws GoError. */
export const readBytes = (path: string): Buffer => withPathErrors('open', path, () => readFileSync(path));

/** os.MkdirAll. Throws GoError, which names the folder that cannot be made. */
export function makeFolder(folder: string): void {
  try {
    makeDirectories(folder);
  } catch (cause) {
    throw goPathError('mkdir', (cause as NodeJS.ErrnoException).path ?? folder, cause);
  }
}
