import { closeSync, openSync, readSync } from 'node:fs';

const pieceBytes = 1 << 20;

/** The bytes of a file, at most `limit` of them: a link in a chart may lead to a device, which never ends. */
export function readStart(path: string, limit: number): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let rest = limit; rest > 0; ) {
      const piece = Buffer.allocUnsafe(Math.min(rest, pieceBytes));
      const read = readSync(file, piece);
      if (read === 0) break;
      pieces.push(piece.subarray(0, read));
      rest -= read;
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(file);
  }
}
