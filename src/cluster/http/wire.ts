/** What carries requests to one address: HTTP/1.1 over kept-alive connections, each with one request at a time. */
export interface Wire {
  /** Sends a request. `listener` may be called before this returns. */
  send(request: WireRequest, listener: AnswerListener): WireCall;
  /** Breaks off every request and connection, and keeps none from now on. */
  close(): void;
}

/** A request as it is put on a connection. */
export interface WireRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values in turn; the same list for requests with the same headers. */
  readonly headers: readonly string[];
  readonly body: string | undefined;
  /** Fails with `stalled` when for that long nothing comes or goes: before the answer begins, and after. */
  readonly silenceMs: number;
  readonly bodySilenceMs: number;
}

/** A request that has been given to a wire. */
export interface WireCall {
  /** Whether the server may have got it. */
  readonly isUnderWay: boolean;
  /** The reader of the answer has enough; until {@link resume} nothing more is read. */
  pause(): void;
  resume(): void;
  /** Breaks it off, with its connection; the listener is told why. */
  stop(error?: Error): void;
}

/** Who waits for an answer: after `onEnd` or `onError` nothing more comes. */
export interface AnswerListener {
  onHead(head: AnswerHead): void;
  /** A piece of the body, never an empty one. */
  onBody(piece: Buffer): void;
  onEnd(): void;
  onError(error: Error): void;
}

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
}

/** By lower-cased name. Several fields of a name are one list, but of those that can stand once the first one counts. */
export type AnswerHeaders = Readonly<Record<string, string | undefined>>;

/** RFC 9110 §5.3. */
export function headersByName(rawHeaders: readonly string[]): AnswerHeaders {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    const value = rawHeaders[index + 1] as string;
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (!standsOnce.has(name)) headers[name] = `${before}, ${value}`;
  }
  return headers;
}

const standsOnce = new Set('age content-type date etag expires last-modified location retry-after server'.split(' '));

/** How long a TCP connection, or a proxy's tunnel, may take to come up, and then TLS: client-go's limits. */
export const connectMs = 30_000;
export const handshakeMs = 10_000;

// API servers and balancers close idle connections after 60 seconds and more; we let go first, so that no request is
// sent into a connection that is just being closed. Who lets go sooner says so (`Keep-Alive: timeout=5`).
export const idleMs = 30_000;
export const idleMarginMs = 1_000;

/** What is no HTTP/1 answer, in the words of Go's net/http. */
export const malformed = (message: string): Error =>
  Object.assign(new Error(`net/http: HTTP/1.x transport connection broken: ${message}`), {
    code: 'TSHELM_MALFORMED_ANSWER',
  });
