import { crc32, gunzipSync, inflateRawSync } from 'node:zlib';
import { cleanPath } from '../go/path.ts';
import { errnoOf } from '../go/path-error.ts';
import { quote } from '../go/strconv/strconv.ts';
import { GoError } from '../go/value.ts';
import { messageOf } from '../support/errors.ts';
import { type BufferedFile, largestChartBytes, withoutBom } from './files.ts';
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

/** Deflate makes no more than this of a byte. */
const mostPerByte = 1032;

/** Room for all of it, so that Node neither joins pieces nor asks for more: gzip ends with the length of its text. */
function roomFor(packed: Uint8Array): number {
  const [a = 0, b = 0, c = 0, d = 0] = packed.subarray(-4);
  const written = a + b * 2 ** 8 + c * 2 ** 16 + d * 2 ** 24;
  return Math.max(Math.min(written, packed.length * mostPerByte, largestArchiveBytes), 2 ** 14) + 1;
}

function decompress(packed: Uint8Array): Uint8Array {
  if (packed.length === 0) throw new GoError('EOF');
  if (!isGzip(packed)) throw new NotGzipError('gzip: invalid header');
  try {
    return gunzipSync(packed, { maxOutputLength: largestArchiveBytes, chunkSize: roomFor(packed) });
  } catch (cause) {
    if (errnoOf(cause) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    const tar = firstTarMember(packed);
    if (tar !== undefined) return tar;
    throw new GoError(`gzip: ${messageOf(cause)}`, { cause });
  }
}

const headerFlags = { checksum: 2, extra: 4, name: 8, comment: 16 };
// A tar file ends with two blocks of zeros.
const tarEndBytes = 1024;

/** The first gzip member, where it is whole and a whole tar file: as Go, nobody reads on to the junk that follows. */
function firstTarMember(packed: Uint8Array): Uint8Array | undefined {
  try {
    const start = headerEnd(packed);
    const options = { maxOutputLength: largestArchiveBytes, info: true };
    const { buffer, engine } = inflateRawSync(packed.subarray(start), options) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    const isWhole = Buffer.from(packed).readUInt32LE(start + engine.bytesWritten) === crc32(buffer);
    const isEnded = buffer.length >= tarEndBytes && buffer.subarray(-tarEndBytes).every((byte) => byte === 0);
    return isWhole && isEnded ? buffer : undefined;
  } catch {
    // The first member is not whole either: the error that the caller has counts.
    return undefined;
  }
}

/** RFC 1952: ten bytes, then what the flags announce. */
function headerEnd(packed: Uint8Array): number {
  const flags = packed[3] ?? 0;
  let at = 10;
  if (flags & headerFlags.extra) at += 2 + (packed[at] ?? 0) + 256 * (packed[at + 1] ?? 0);
  if (flags & headerFlags.name) at = packed.indexOf(0, at) + 1;
  if (flags & headerFlags.comment) at = packed.indexOf(0, at) + 1;
  return flags & headerFlags.checksum ? at + 2 : at;
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
