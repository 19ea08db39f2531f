import { stat } from 'node:fs/promises';
import { readBytes } from '../../go/files.ts';
import { errnoOf, goPathError } from '../../go/path-error.ts';
import { decodeText } from '../../go/text.ts';

/** Why a path is no folder, in Go's words; `absent` where nothing is there. */
export async function folderProblem(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : 'not a directory';
  } catch (cause) {
    return errnoOf(cause) === 'ENOENT' ? 'absent' : goPathError('stat', path, cause).message;
  }
}

/** A file's text. Fails in Go's words. */
export const readText = (file: string): string => decodeText(readBytes(file));
