// gunzip.ts for browsers, which unpack gzip as a stream alone, while a chart is read at once.
import { Gunzip } from 'fflate';
import { joinedBytes } from '../support/bytes.ts';

export class TooLongError extends Error {}

export function gunzip(packed: Uint8Array, mostBytes: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  let rest = mostBytes;
  const reader = new Gunzip((piece) => {
    rest -= piece.length;
    if (rest < 0) throw new TooLongError('the text is too long');
    pieces.push(piece);
  });
  reader.push(packed, true);
  return joinedBytes(pieces);
}
