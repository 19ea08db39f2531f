import { cleanPath } from '../go/path.ts';
import { quote } from '../go/strconv/strconv.ts';
import { GoError } from '../go/value.ts';
import { messageOf } from '../support/errors.ts';
import { type BufferedFile, largestChartBytes, withoutBom } from './files.ts';
import { gunzip, TooLongError } from './gunzip.ts';
import { type TarEntry, untar } from './untar.ts';

/** Says that the bytes are not gzip at all; Helm words this case on its own. */
export class NotGzipError extends GoError {}

// The tar format's own headers and padding, for a chart of many small files.
const largestArchiveBytes = 2 * largestChartBytes;

const isGzip = (data: Uint8Array): boolean => data[0] === 0x1f && data[1] === 0x8b && data[2] === 8;

/**
 * The files of a packed chart in the archive's order, named without the first element of their path. Links, devices
 * and the like count as empty files, as in Helm. Go: archive.LoadArchiveFiles.
 * Throws GoError for what is broken, too large, or reaches outside the chart's folder.
 */
export function readArchive(packed: Uint8Array): BufferedFile[] {
  const files: BufferedFile[] = [];
  let remainingBytes = largestChartBytes;
  for (const { name: path, type, modifiedAt, data } of unpack(packed)) {
    if (type === 'directory') continue;
    const name = nameInChart(path);
    remainingBytes -= data.length;
    if (remainingBytes <= 0) throw tooLarge();
    files.push({ name, modifiedAt, data: withoutBom(data) });
  }
  if (files.length === 0) throw new GoError('no files in chart archive');
  return files;
}

export function unpack(packed: Uint8Array): TarEntry[] {
  const tar = decompress(packed);
  try {
    return untar(tar);
  } catch (cause) {
    throw new GoError(`archive/tar: invalid tar header (${messageOf(cause)})`, { cause });
  }
}

function decompress(packed: Uint8Array): Uint8Array {
  if (packed.length === 0) throw new GoError('EOF');
  if (!isGzip(packed)) throw new NotGzipError('gzip: invalid header');
  try {
    return gunzip(packed, largestArchiveBytes);
  } catch (cause) {
    if (cause instanceof TooLongError) throw tooLarge();
    throw new GoError(`gzip: ${messageOf(cause)}`, { cause });
  }
}

/** The path below the chart's folder. Archives from Windows may have `\` in place of `/`. */
function nameInChart(path: string): string {
  const delimiter = path.includes('\\') ? '\\' : '/';
  const [folder, ...rest] = path.split(delimiter);
  const inner = rest.join('/');
  if (inner.startsWith('/')) throw new GoError('chart illegally contains absolute paths');
  const name = cleanPath(inner);
  if (name === '.') throw new GoError(`chart illegally contains content outside the base directory: ${quote(path)}`);
  if (name.startsWith('..')) throw new GoError('chart illegally references parent directory');
  if (/^[a-zA-Z]:\//.test(name)) throw new GoError('chart contains illegally named files');
  if (folder === 'Chart.yaml') throw new GoError('chart yaml not in base directory');
  return name;
}

const tooLarge = (): GoError => new GoError(`decompressed chart is larger than the maximum size ${largestChartBytes}`);
