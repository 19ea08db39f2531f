import { readFileSync } from 'node:fs';
import { errnoOf, goPathError } from '../go/path-error.ts';
import { GoError } from '../go/value.ts';
import { readStart } from '../support/read-start.ts';
import { type BufferedFile, largestChartBytes, withoutBom } from './files.ts';
import { type IgnoreRules, parseIgnoreRules, readIgnoreRules } from './ignore.ts';
import type { Notify } from './notice.ts';
import { type WalkedEntry, walk } from './walk.ts';

// Files are read synchronously: one at a time and as small as these, each takes longer on its way through the thread pool.

/**
 * The files of an unpacked chart (an absolute path), in the order of their paths' elements, without what .helmignore
 * names. Go: loader.LoadDir. Throws GoError.
 */
export function readDirectory(directory: string, notify: Notify): BufferedFile[] {
  const isIgnored = ignoreRulesOf(directory);
  const files: BufferedFile[] = [];
  let remainingBytes = largestChartBytes;
  const visit = ({ path, stats }: WalkedEntry): boolean => {
    const name = path.slice(directory.length + (directory.endsWith('/') ? 0 : 1));
    if (isIgnored(name, stats.isDirectory())) return false;
    if (stats.isDirectory()) return true;
    if (!stats.isFile()) throw new GoError(`cannot load irregular file ${path} as it has file mode type bits set`);
    if (stats.size > remainingBytes) throw tooLarge(name);
    const data = readChartFile(path, name);
    remainingBytes -= data.length;
    if (remainingBytes < 0) throw tooLarge(name);
    files.push({ name, modifiedAt: stats.mtime, data: withoutBom(data) });
    return false;
  };
  walk(directory, visit, notify);
  return files;
}

function ignoreRulesOf(directory: string): IgnoreRules {
  const path = `${directory}/.helmignore`;
  try {
    return readIgnoreRules(readStart(path, largestChartBytes));
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return parseIgnoreRules('');
    throw cause instanceof GoError ? cause : goPathError('open', path, cause);
  }
}

function readChartFile(path: string, name: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new GoError(`error reading ${name}: ${goPathError('open', path, cause).message}`, { cause });
  }
}

const tooLarge = (name: string): GoError =>
  new GoError(`error reading ${name}: chart exceeds maximum decompressed size of ${largestChartBytes} bytes`);
