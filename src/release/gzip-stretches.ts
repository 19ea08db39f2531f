import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

const deflateAsync = promisify(deflateRaw);

/** A part of a gzip stream, compressed by itself, so that it can be used again beside other parts. */
export interface Stretch {
  readonly plain: Buffer;
  readonly deflated: Buffer;
}

/** `level` as zlib's: 1 (quick) to 9 (small). */
export async function deflateStretch(text: string, level: number): Promise<Stretch> {
  const plain = Buffer.from(text);
  return { plain, deflated: await deflateAsync(plain, { level, finishFlush: constants.Z_SYNC_FLUSH }) };
}

/** The smaller of two ways: text that hardly repeats itself, such as digits, is smaller with short matches left out. */
export async function smallestStretch(text: string): Promise<Stretch> {
  const usual = await deflateStretch(text, constants.Z_BEST_COMPRESSION);
  const { plain } = usual;
  const how = { level: constants.Z_BEST_COMPRESSION, strategy: constants.Z_FILTERED };
  const filtered = await deflateAsync(plain, { ...how, finishFlush: constants.Z_SYNC_FLUSH });
  return filtered.length < usual.deflated.length ? { plain, deflated: filtered } : usual;
}

/** One gzip member (RFC 1952) that holds the stretches one after another. */
export function gzipOf(stretches: readonly Stretch[]): Buffer {
  const trailer = Buffer.alloc(8);
  // Of no bytes, zlib's crc32 begins anew instead of going on.
  trailer.writeUInt32LE(stretches.reduce((sum, { plain }) => (plain.length === 0 ? sum : crc32(plain, sum)), 0));
  trailer.writeUInt32LE(stretches.reduce((size, { plain }) => size + plain.length, 0) % 2 ** 32, 4);
  return Buffer.concat([header, ...stretches.map(({ deflated }) => deflated), lastBlock, trailer]);
}

/** Deflated, no name, no time, no system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty block that is marked as the last one (RFC 1951, 3.2.6): each stretch ends at a byte, without one. */
const lastBlock = Buffer.from([3, 0]);
