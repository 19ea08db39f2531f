import { GoError } from '../../go/value.ts';

const headerBlob = 1;
const openPgpBlob = 2;
/** GnuPG passes over such a blob: it was being written when something broke off. */
const ephemeralFlag = 0x0002;
const leastBlob = 5;
const leastKeyBlob = 16;

/** Whether data is a keybox of GnuPG 2.1 and later: its first blob is a header with the letters "KBXf". */
export const isKeybox = (data: Buffer): boolean =>
  data.length >= 12 && data[4] === headerBlob && data.toString('latin1', 8, 12) === 'KBXf';

/**
 * The keys of a keybox as one stream of OpenPGP packets. A blob is its length (4 bytes), its type, its version, flags
 * (2 bytes), and, for a key, where in the blob its packets are and how long (4 bytes each). Go:
 * provenance.keyboxPublicKeys. Throws GoError.
 */
export function keyboxKeys(data: Buffer): Buffer {
  const keys: Buffer[] = [];
  for (let at = 0; at < data.length; ) {
    const blob = blobAt(data, at);
    if (blob[4] === openPgpBlob) keys.push(keyOf(blob, at));
    at += blob.length;
  }
  const all = Buffer.concat(keys);
  if (all.length === 0) throw new GoError('keybox contains no OpenPGP keys');
  return all;
}

function blobAt(data: Buffer, at: number): Buffer {
  const rest = data.length - at;
  if (rest < leastBlob) throw new GoError(`truncated blob header at offset ${at}`);
  const length = data.readUInt32BE(at);
  if (length < leastBlob) throw new GoError(`invalid blob length ${length} at offset ${at}`);
  if (length > rest)
    throw new GoError(`blob at offset ${at} has length ${length} exceeding the ${rest} remaining bytes`);
  return data.subarray(at, at + length);
}

function keyOf(blob: Buffer, at: number): Buffer {
  if (blob.length < leastKeyBlob) throw new GoError(`OpenPGP blob at offset ${at} is too short`);
  const flags = blob.readUInt16BE(6);
  const start = blob.readUInt32BE(8);
  const length = blob.readUInt32BE(12);
  if (start + length > blob.length) throw new GoError(`OpenPGP blob at offset ${at} has an out-of-range keyblock`);
  return (flags & ephemeralFlag) === 0 ? blob.subarray(start, start + length) : Buffer.alloc(0);
}
