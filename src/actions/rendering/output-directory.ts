import { appendFile, readlink, realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { errnoOf, goPathError } from '../../go/path-error.ts';
import { encodeText } from '../../go/text.ts';
import { makeDirectories } from '../../support/directories.ts';
import { TshelmError } from '../../support/errors.ts';

/** A rendered document, and the file below the output directory that it belongs to. */
export interface OutputDocument {
  readonly path: string;
  /** With its `# Source:` line. */
  readonly text: string;
}

/**
 * Writes documents to files below a directory. The first of a path replaces what is there and the others are added;
 * with `append` all are. Gives Helm's messages, `wrote DIRECTORY/PATH` for each document. Errors: `output-outside` for a
 * path that a chart or a link leads out of the directory.
 */
export async function writeDocuments(
  directory: string,
  documents: readonly OutputDocument[],
  { append = false } = {},
): Promise<string> {
  const written = new Set<string>();
  let messages = '';
  for (const { path, text } of documents) {
    const file = `${directory}/${path}`;
    await refuseOutside(directory, file);
    makeOutputDirectory(dirname(file));
    await (append || written.has(path) ? appendFile : writeFile)(file, encodeText(text));
    written.add(path);
    messages += `wrote ${file}\n`;
  }
  return messages;
}

async function refuseOutside(directory: string, file: string): Promise<void> {
  const [base, target] = await Promise.all([realPath(directory), realPath(file)]);
  const path = relative(base, target);
  if (path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)) return;
  throw new TshelmError('output-outside', {
    message: `refused to write ${file}: it leads outside ${directory}, to ${target}`,
    details: { file, directory, target },
  });
}

/** Where a path leads, links followed as far as it is there. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw unwritable('stat', path, error);
    // What is not there at all is no link either.
    const link = await readlink(path).catch(() => undefined);
    if (link !== undefined) return realPath(resolve(dirname(path), link));
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}

function makeOutputDirectory(path: string): void {
  try {
    makeDirectories(path);
  } catch (cause) {
    throw unwritable('mkdir', path, cause);
  }
}

const unwritable = (operation: string, path: string, cause: unknown): TshelmError =>
  new TshelmError('output-unwritable', {
    message: goPathError(operation, path, cause).message,
    details: { path },
    cause,
  });
