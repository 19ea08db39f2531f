import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync } from 'node:zlib';
import { crc32 } from '../support/crc32.ts';
import { awaitOutsideWork } from '../support/outside-work.ts';

const deflateAsync = promisify(deflateRaw);

/** A part of a gzip stream, compressed by itself, so that it can be used again beside other parts. */
export interface Stretch {
  readonly plain: Buffer;
  readonly deflated: Buffer;
}

/** `level` as zlib's: 1 (quick) to 9 (small). */
export const deflateStretch = (text: string, level: number): Promise<Stretch> =>
  deflateBytes(Buffer.from(text), { level });

/** As {@link deflateStretch}. `strategy` as zlib's. */
export async function deflateBytes(
  plain: Buffer,
  how: { readonly level: number; readonly strategy?: number },
): Promise<Stretch> {
  const options = { ...how, finishFlush: constants.Z_SYNC_FLUSH };
  if (plain.length <= smallBytes) return { plain, deflated: deflateRawSync(plain, options) };
  return { plain, deflated: await awaitOutsideWork(deflateAsync(plain, options)) };
}

/** So little is packed and unpacked in less time than another thread is asked for it. */
export const smallBytes = 16 * 1024;

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
