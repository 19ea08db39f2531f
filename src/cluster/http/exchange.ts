import { Readable } from 'node:stream';
import { createGunzip, gunzip } from 'node:zlib';
import { whenAborted } from './http1/abort.ts';
import type { AnswerListener, Connection } from './http1/connection.ts';
import type { AnswerHead, AnswerHeaders } from './http1/head.ts';
import type { Pool, Taker } from './http1/pool.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the server's own address: `/api/v1/namespaces/x/pods`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  /**
   * When to send it again: `always` where doing it twice changes nothing, `unprocessed` where that is known only if
   * the server did not take it (connection refused, 429), `never`.
   */
  readonly repeat: 'always' | 'unprocessed' | 'never';
  /** Fails when an answer that has begun stops for that long; see {@link silenceMs} for the default. */
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
  /**
   * How long ago the first attempt was made that may have been carried out although its answer was lost, in
   * milliseconds; undefined when there was none.
   */
  readonly inDoubtForMs?: number | undefined;
}

/** A request as its connection takes it, and what becomes of it. */
export interface Exchange {
  readonly bytes: Buffer;
  readonly request: ApiRequest;
  /** Whether the body of an answer that is no refusal is left to be read. */
  readonly isStream: boolean;
  /** The answer begins. */
  readonly onHead: (head: AnswerHead) => void;
}

/** An answer: its body as text, or `open` to be read. */
export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
  readonly open?: OpenBody | undefined;
}

export interface OpenBody {
  readonly body: Readable;
  /** Lets go of the answer; its connection is kept when the body was read to its end. */
  readonly stop: () => void;
}

// The API server gives up on a call after 60 seconds (admission webhooks may take 30 each) and says so itself. Watches
// begin their answer at once.
const silenceMs = (method: string): number => (method === 'GET' ? 30_000 : 65_000);

/** How long an interruption waits for a change that is under way. */
const lettingEndMs = 2_500;

/** Sends one request once. Fails with the system's error, or the signal's reason. */
export function exchange(pool: Pool, sent: Exchange): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sent.request.signal?.throwIfAborted();
    const running = new RunningExchange(pool, sent, resolve, reject);
    running.begin();
  });
}

class RunningExchange implements Taker, AnswerListener {
  readonly #pool: Pool;
  readonly #sent: Exchange;
  readonly #resolve: (answer: Answer | Promise<Answer>) => void;
  readonly #reject: (error: unknown) => void;
  #connection: Connection | undefined;
  #head: AnswerHead | undefined;
  #pieces: Buffer[] = [];
  /** Of a stream; what goes wrong after its answer has begun shows on it. */
  #body: Readable | undefined;
  #stopTimer: NodeJS.Timeout | undefined;
  #ignoreAbort: (() => void) | undefined;

  constructor(
    pool: Pool,
    sent: Exchange,
    resolve: (answer: Answer | Promise<Answer>) => void,
    reject: (error: unknown) => void,
  ) {
    this.#pool = pool;
    this.#sent = sent;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  begin(): void {
    const { signal } = this.#sent.request;
    if (signal !== undefined) this.#ignoreAbort = whenAborted(signal, () => this.#onAbort());
    this.#pool.take(this);
  }

  onConnection(connection: Connection): void {
    const { request, bytes } = this.#sent;
    const limitMs = silenceMs(request.method);
    this.#connection = connection;
    connection.send(bytes, Math.min(request.silenceMs ?? limitMs, limitMs), this);
  }

  onHead(head: AnswerHead): void {
    const { request, isStream, onHead } = this.#sent;
    this.#head = head;
    const bodyLimitMs = request.silenceMs ?? silenceMs(request.method);
    if (bodyLimitMs > silenceMs(request.method)) this.#connection?.setSilence(bodyLimitMs);
    onHead(head);
    if (!isStream || head.status >= 400) return;
    this.#body = this.#openBody();
    const { status, headers } = head;
    const body = isZipped(head) ? unzipped(this.#body) : this.#body;
    this.#resolve({ status, headers, text: '', open: { body, stop: () => void body.destroy() } });
  }

  onBody(piece: Buffer): void {
    if (this.#body === undefined) this.#pieces.push(piece);
    else if (!this.#body.push(piece)) this.#connection?.pause();
  }

  onEnd(): void {
    this.#connection = undefined;
    this.#stopListening();
    if (this.#body === undefined) this.#resolve(wholeAnswer(this.#head as AnswerHead, this.#pieces));
    else this.#body.push(null);
  }

  onError(error: unknown): void {
    this.#connection = undefined;
    this.#stopListening();
    if (this.#body === undefined) this.#reject(error);
    else this.#body.destroy(error as Error);
  }

  #openBody(): Readable {
    const body = new Readable({
      read: () => this.#connection?.resume(),
      destroy: (error, done) => {
        this.#letGo();
        done(error);
      },
    });
    return body.on('error', ignore);
  }

  #letGo(): void {
    this.#stopListening();
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.destroy();
  }

  #onAbort(): void {
    // What the server may be carrying out already is let to its end, so that its outcome is known.
    const isUnderWay =
      this.#sent.request.method !== 'GET' && this.#connection !== undefined && !this.#connection.isConnecting;
    if (isUnderWay) this.#stopTimer = setTimeout(() => this.#stop(), lettingEndMs);
    else this.#stop();
  }

  #stop(): void {
    const reason = this.#sent.request.signal?.reason as Error;
    if (this.#connection !== undefined) return this.#connection.destroy(reason);
    this.#pool.withdraw(this);
    this.onError(reason);
  }

  #stopListening(): void {
    clearTimeout(this.#stopTimer);
    this.#ignoreAbort?.();
  }
}

const isZipped = ({ headers }: AnswerHead): boolean => headers['content-encoding']?.toLowerCase() === 'gzip';

function unzipped(body: Readable): Readable {
  const plain = createGunzip().on('error', ignore);
  body.once('error', (error) => plain.destroy(error));
  plain.once('close', () => body.destroy());
  return body.pipe(plain);
}

/** Who reads a body meets its error there; without a reader it is nobody's. */
const ignore = (): void => {};

function wholeAnswer(head: AnswerHead, pieces: readonly Buffer[]): Answer | Promise<Answer> {
  const { status, headers } = head;
  const body = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  if (!isZipped(head) || body.length === 0) return { status, headers, text: body.toString('utf8') };
  return new Promise((resolve, reject) => {
    gunzip(body, (error, plain) =>
      error ? reject(error) : resolve({ status, headers, text: plain.toString('utf8') }),
    );
  });
}
