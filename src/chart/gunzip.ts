// Gzip by node:zlib. For a browser scripts/browser-files.mjs puts gunzip.browser.ts in the place of this module.
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { errnoOf } from '../go/path-error.ts';
import { crc32 } from '../support/crc32.ts';

/** The text would be longer than it may be. */
export class TooLongError extends Error {}

/** The text of all gzip members, of at most so many bytes. Throws TooLongError, or what zlib says is wrong. */
export function gunzip(packed: Uint8Array, mostBytes: number): Uint8Array {
  try {
    return gunzipSync(packed, { maxOutputLength: mostBytes, chunkSize: roomFor(packed, mostBytes) });
  } catch (cause) {
    if (errnoOf(cause) === 'ERR_BUFFER_TOO_LARGE') throw new TooLongError('the text is too long', { cause });
    const tar = firstTarMember(packed, mostBytes);
    if (tar !== undefined) return tar;
    throw cause;
  }
}

/** Deflate makes no more than this of a byte. */
const mostPerByte = 1032;

/** Room for all of it, so that Node neither joins pieces nor asks for more: gzip ends with the length of its text. */
function roomFor(packed: Uint8Array, mostBytes: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = packed.subarray(-4);
  const written = a + b * 2 ** 8 + c * 2 ** 16 + d * 2 ** 24;
  return Math.max(Math.min(written, packed.length * mostPerByte, mostBytes), 2 ** 14) + 1;
}

const headerFlags = { checksum: 2, extra: 4, name: 8, comment: 16 };
// A tar file ends with two blocks of zeros.
const tarEndBytes = 1024;

/** The first gzip member, where it is whole and a whole tar file: as Go, nobody reads on to the junk that follows. */
function firstTarMember(packed: Uint8Array, mostBytes: number): Uint8Array | undefined {
  try {
    const start = headerEnd(packed);
    const options = { maxOutputLength: mostBytes, info: true };
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
