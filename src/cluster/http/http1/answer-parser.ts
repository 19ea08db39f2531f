import { malformed } from '../wire.ts';
import { type BodyReader, bodyReader, type Progress } from './body.ts';
import { type ParsedHead, parseHead, quoted } from './head.ts';

export interface AnswerParts {
  onHead(head: ParsedHead): void;
  /** A piece of the body, never an empty one. */
  onBody(piece: Buffer): void;
}

/** Reads one answer from the bytes of a connection, however they are cut. Interim answers (1xx) are passed over. */
export class AnswerParser {
  readonly #parts: AnswerParts;
  readonly #onPiece: (piece: Buffer) => void;
  #begun: Buffer | undefined;
  #interimBytes = 0;
  #head: ParsedHead | undefined;
  #body: BodyReader | undefined;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
    this.#onPiece = (piece) => parts.onBody(piece);
  }

  /** Undefined before it is whole. */
  get head(): ParsedHead | undefined {
    return this.#head;
  }

  /** Whether the answer is complete when the connection ends now. */
  get endsWithConnection(): boolean {
    return this.#body?.endsWithConnection === true;
  }

  /** After anything but `more` there is nothing to read. Fails for what is no HTTP/1 answer. */
  read(bytes: Buffer): Progress {
    if (this.#body !== undefined) return this.#body.read(bytes, this.#onPiece);
    let rest = this.#begun === undefined ? bytes : Buffer.concat([this.#begun, bytes]);
    for (;;) {
      // The end may have come in two halves.
      const end = rest.indexOf(headEnd, Math.max(0, (this.#begun?.length ?? 0) - 3));
      this.#begun = undefined;
      this.#check(rest, end);
      if (end < 0) {
        this.#begun = rest;
        return 'more';
      }
      const head = parseHead(rest.toString('latin1', 0, end));
      rest = rest.subarray(end + headEnd.length);
      if (head.status >= 200) return this.#begin(head, rest);
      // No request of ours asks for another protocol.
      if (head.status === 101) throw malformed('unexpected 101 response');
      this.#interimBytes += end;
    }
  }

  #begin(head: ParsedHead, rest: Buffer): Progress {
    this.#head = head;
    this.#body = bodyReader(head.framing);
    this.#parts.onHead(head);
    return this.#body.read(rest, this.#onPiece);
  }

  #check(bytes: Buffer, end: number): void {
    const start = bytes.toString('latin1', 0, protocol.length);
    if (!protocol.startsWith(start))
      throw malformed(`malformed HTTP response ${quoted(bytes.toString('latin1', 0, 100))}`);
    // Its end would never be found.
    if (end < 0 && hasBareNewline(bytes))
      throw malformed(`malformed HTTP response: a line of its head ends without a carriage return`);
    if (this.#interimBytes + (end < 0 ? bytes.length : end) > longestHead) {
      throw malformed(`server response headers exceeded ${longestHead} bytes; aborted`);
    }
  }
}

function hasBareNewline(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) if (bytes[at - 1] !== 13) return true;
  return false;
}

const headEnd = Buffer.from('\r\n\r\n');
const protocol = 'HTTP/';
/** As net/http's, which Helm uses; of all interim answers and the final one. */
const longestHead = 1_048_576;
