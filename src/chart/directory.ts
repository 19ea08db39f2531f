import { readFile } from 'node:fs/promises';
import { errnoOf, goPathError } from '../support/go-path-error.ts';
import { decodeText } from '../support/text.ts';
import { GoError } from '../support/value.ts';
import { type BufferedFile, largestChartBytes, withoutBom } from './files.ts';
import { type IgnoreRules, parseIgnoreRules } from './ignore.ts';
import type { Notify } from './notice.ts';
import { type WalkedEntry, walk } from './walk.ts';

/**
 * The files of an unpacked chart (an absolute path), in the order of their paths' elements, without what .helmignore
 * names. Go: loader.LoadDir. Throws GoError.
 */
export async function readDirectory(directory: string, notify: Notify): Promise<BufferedFile[]> {
  const isIgnored = await ignoreRulesOf(directory);
  const files: BufferedFile[] = [];
  let remainingBytes = largestChartBytes;
  const visit = async ({ path, stats }: WalkedEntry): Promise<boolean> => {
    const name = path.slice(directory.length + (directory.endsWith('/') ? 0 : 1));
    if (isIgnored(name, stats.isDirectory())) return false;
    if (stats.isDirectory()) return true;
    if (!stats.isFile()) throw new GoError(`cannot load irregular file ${path} as it has file mode type bits set`);
    if (stats.size > remainingBytes) throw tooLarge(name);
    const data = await readChartFile(path, name);
    remainingBytes -= data.length;
    if (remainingBytes < 0) throw tooLarge(name);
    files.push({ name, modifiedAt: stats.mtime, data: withoutBom(data) });
    return false;
  };
  await walk(directory, visit, notify);
  return files;
}

async function ignoreRulesOf(directory: string): Promise<IgnoreRules> {
  const path = `${directory}/.helmignore`;
  try {
    return parseIgnoreRules(decodeText(await readFile(path)));
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return parseIgnoreRules('');
    throw cause instanceof GoError ? cause : goPathError('open', path, cause);
  }
}

async function readChartFile(path: string, name: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new GoError(`error reading ${name}: ${goPathError('open', path, cause).message}`, { cause });
  }
}

const tooLarge = (name: string): GoError =>
  new GoError(`error reading ${name}: chart exceeds maximum decompressed size of ${largestChartBytes} bytes`);
