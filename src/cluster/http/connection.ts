import type { Readable, Writable } from 'node:stream';

export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A request as it is put on a connection. */
export interface WrittenRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly body: string | undefined;
}

/** By lower-cased name. Several fields of a name are one list, as node:http joins them. */
export type AnswerHeaders = Readonly<Record<string, string | undefined>>;

export interface AnswerHead {
  readonly status: number;
  readonly headers: AnswerHeaders;
}

/** An answer that has begun. */
export interface BegunAnswer extends AnswerHead {
  readonly body: Readable;
  /** Asked when `body` has ended, after so many bytes: whether the answer did, too, or its connection alone. */
  readonly isWhole: (bytes: number) => boolean;
}

/** Who waits for an answer. */
export interface AnswerListener {
  /** Whether it has the whole answer, or has given up. */
  readonly isOver: boolean;
  onAnswer(answer: BegunAnswer): void;
  onBroken(error: Error): void;
}

/** A request on its way, of node:http or node:http2. To destroy it breaks it off. */
export type Outgoing = Writable;

/** What requests are put on. */
export interface Connection {
  /** Whether it is up. Otherwise a request emits `socket` when it is sent. */
  readonly isUp: boolean;
  /** Whether it takes one more request. */
  readonly hasRoom: boolean;
  request(request: WrittenRequest, listener: AnswerListener): Outgoing;
  /** Takes no more requests, since one of them got no answer; those under way go on. */
  retire(): void;
  /** Breaks off every request. */
  destroy(): void;
}
