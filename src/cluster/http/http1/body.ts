import { malformed } from '../wire.ts';
import { type Framing, parseFields, quoted } from './head.ts';

/** What bytes of a body were: part of it, its end, or its end with bytes behind that nobody asked for. */
export type Progress = 'more' | 'complete' | 'excess';

/** Takes the body of one answer out of what comes over its connection. */
export interface BodyReader {
  /** Whether the end of the connection is the end of the body. */
  readonly endsWithConnection: boolean;
  /** Fails for a body that is not what its head says. */
  read(bytes: Buffer, onPiece: (piece: Buffer) => void): Progress;
}

export function bodyReader(framing: Framing): BodyReader {
  switch (framing.kind) {
    case 'length':
      return new CountedBody(framing.bytes);
    case 'chunked':
      return new ChunkedBody();
    default:
      return untilClose;
  }
}

const untilClose: BodyReader = {
  endsWithConnection: true,
  read(bytes, onPiece) {
    if (bytes.length > 0) onPiece(bytes);
    return 'more';
  },
};

class CountedBody implements BodyReader {
  readonly endsWithConnection = false;
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  read(bytes: Buffer, onPiece: (piece: Buffer) => void): Progress {
    const piece = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes;
    this.#left -= piece.length;
    if (piece.length > 0) onPiece(piece);
    if (piece.length < bytes.length) return 'excess';
    return this.#left === 0 ? 'complete' : 'more';
  }
}

// No chunk is announced with that many bytes, and no trailers have that many.
const longestLine = 4096;
const longestTrailers = 65_536;

/**
 * RFC 9112 §7.1: `chunk-size [ chunk-ext ] CRLF chunk-data CRLF`, and at the end `0 [ chunk-ext ] CRLF trailers CRLF`.
 * Extensions and trailers are checked and left out.
 */
class ChunkedBody implements BodyReader {
  readonly endsWithConnection = false;
  #state: 'size' | 'data' | 'data-end' | 'trailers' = 'size';
  /** Of the data of a chunk. */
  #left = 0;
  /** The beginning of a line whose end has not come yet; with `trailers` all of them. */
  #begun = '';

  read(bytes: Buffer, onPiece: (piece: Buffer) => void): Progress {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === 'data') {
        const piece = bytes.subarray(at, at + this.#left);
        at += piece.length;
        this.#left -= piece.length;
        if (this.#left === 0) this.#state = 'data-end';
        onPiece(piece);
        continue;
      }
      const newline = bytes.indexOf(10, at);
      const end = newline < 0 ? bytes.length : newline + 1;
      this.#begun += bytes.toString('latin1', at, end);
      at = end;
      this.#checkLength();
      if (newline >= 0 && this.#endLine()) return at < bytes.length ? 'excess' : 'complete';
    }
    return 'more';
  }

  #checkLength(): void {
    const limit = this.#state === 'trailers' ? longestTrailers : this.#state === 'size' ? longestLine : 2;
    if (this.#begun.length > limit) throw malformed(`malformed chunked encoding: ${quoted(this.#begun)}`);
  }

  /** Goes on from a line that is whole; whether it was the last one of the body. */
  #endLine(): boolean {
    const line = this.#begun;
    if (!line.endsWith('\r\n')) throw malformed(`malformed chunked encoding: ${quoted(line)}`);
    if (this.#state === 'trailers') {
      if (line !== '\r\n' && !line.endsWith('\r\n\r\n')) return false;
      parseFields(line.slice(0, -4), 0);
      return true;
    }
    this.#begun = '';
    if (this.#state === 'data-end') {
      if (line !== '\r\n') throw malformed(`malformed chunked encoding: ${quoted(line)}`);
      this.#state = 'size';
      return false;
    }
    this.#left = sizeIn(line);
    this.#state = this.#left === 0 ? 'trailers' : 'data';
    return false;
  }
}

/** Thirteen digits are as many as a number holds exactly. */
function sizeIn(line: string): number {
  const [, digits] = /^([0-9A-Fa-f]{1,13})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?\r\n$/.exec(line) ?? [];
  if (digits === undefined) throw malformed(`invalid chunk length ${quoted(line.trimEnd())}`);
  return Number.parseInt(digits, 16);
}
