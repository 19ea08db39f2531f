import { appendFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectories } from '../support/directories.ts';
import { TshelmError } from '../support/errors.ts';
import { goPathError } from '../support/go-path-error.ts';
import { encodeText } from '../support/text.ts';

/** A rendered document, and the file below the output directory that it belongs to. */
export interface OutputDocument {
  readonly path: string;
  /** With its `# Source:` line. */
  readonly text: string;
}

/**
 * Writes documents to files below a directory. The first of a path replaces what is there and the others are added;
 * with `append` all are. Gives Helm's messages, `wrote DIRECTORY/PATH` for each document.
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
    makeOutputDirectory(dirname(file));
    await (append || written.has(path) ? appendFile : writeFile)(file, encodeText(text));
    written.add(path);
    messages += `wrote ${file}\n`;
  }
  return messages;
}

function makeOutputDirectory(path: string): void {
  try {
    makeDirectories(path);
  } catch (cause) {
    throw new TshelmError('output-unwritable', {
      message: goPathError('mkdir', path, cause).message,
      details: { path },
      cause,
    });
  }
}
