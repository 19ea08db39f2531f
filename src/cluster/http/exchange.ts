import { Readable } from 'node:stream';
import { createGunzip, gunzip } from 'node:zlib';
import { whenAborted } from '../../support/abort.ts';
import { lapsed } from '../network-error.ts';
import type { Fence } from '../types.ts';
import type { AnswerHead, AnswerHeaders, AnswerListener, Wire, WireCall } from './wire.ts';

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
  /** Asked before each attempt; its lapse ends the attempt that is under way. */
  readonly fence?: Fence | undefined;
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

/** A request with what is written of it, and what becomes of it. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: string | undefined;
  /** Whether the body of an answer that is no refusal is left to be read. */
  readonly isStream: boolean;
  /** Fails when no answer has begun after that long, in milliseconds; the default is also the most. */
  readonly answerMs?: number | undefined;
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

/** How long the answer to a question may take to begin. */
export const questionMs = 30_000;

// The API server gives up on a call after 60 seconds (admission webhooks may take 30 each) and says so itself. Watches
// begin their answer at once.
const silenceMs = (method: string): number => (method === 'GET' ? questionMs : 65_000);

/** How long an interruption waits for a change that is under way. */
const lettingEndMs = 2_500;

/** Sends one request once. Fails with the system's error, or the signal's reason. */
export function exchange(wire: Wire, sent: Exchange): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sent.request.signal?.throwIfAborted();
    if (sent.request.fence?.lapse.aborted) throw lapsed();
    const running = new RunningExchange(sent, resolve, reject);
    running.begin(wire);
  });
}

class RunningExchange implements AnswerListener {
  readonly #sent: Exchange;
  readonly #resolve: (answer: Answer | Promise<Answer>) => void;
  readonly #reject: (error: unknown) => void;
  #call: WireCall | undefined;
  #isOver = false;
  #head: AnswerHead | undefined;
  #pieces: Buffer[] = [];
  /** Of a stream; what goes wrong after its answer has begun shows on it. */
  #body: Readable | undefined;
  #stopTimer: NodeJS.Timeout | undefined;
  #ignoreAbort: (() => void) | undefined;
  #ignoreLapse: (() => void) | undefined;

  constructor(sent: Exchange, resolve: (answer: Answer | Promise<Answer>) => void, reject: (error: unknown) => void) {
    this.#sent = sent;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  begin(wire: Wire): void {
    const { request, target, headers, body } = this.#sent;
    const { method, signal, fence } = request;
    if (signal !== undefined) this.#ignoreAbort = whenAborted(signal, () => this.#onAbort());
    if (fence !== undefined) this.#ignoreLapse = whenAborted(fence.lapse, () => this.#call?.stop(lapsed()));
    const limitMs = silenceMs(method);
    const bodySilenceMs = request.silenceMs ?? limitMs;
    const headSilenceMs = Math.min(bodySilenceMs, limitMs, this.#sent.answerMs ?? limitMs);
    const written = { method, target, headers, body, silenceMs: headSilenceMs, bodySilenceMs };
    const call = wire.send(written, this);
    if (!this.#isOver) this.#call = call;
  }

  onHead(head: AnswerHead): void {
    const { isStream, onHead } = this.#sent;
    this.#head = head;
    onHead(head);
    if (!isStream || head.status >= 400) return;
    this.#body = this.#openBody();
    const { status, headers } = head;
    const body = isZipped(head) ? unzipped(this.#body) : this.#body;
    this.#resolve({ status, headers, text: '', open: { body, stop: () => void body.destroy() } });
  }

  onBody(piece: Buffer): void {
    if (this.#body === undefined) this.#pieces.push(piece);
    else if (!this.#body.push(piece)) this.#call?.pause();
  }

  onEnd(): void {
    this.#leave();
    if (this.#body === undefined) this.#resolve(wholeAnswer(this.#head as AnswerHead, this.#pieces));
    else this.#body.push(null);
  }

  onError(error: unknown): void {
    this.#leave();
    if (this.#body === undefined) this.#reject(error);
    else this.#body.destroy(error as Error);
  }

  #openBody(): Readable {
    const body = new Readable({
      read: () => this.#call?.resume(),
      destroy: (error, done) => {
        this.#letGo();
        done(error);
      },
    });
    return body.on('error', ignore);
  }

  #letGo(): void {
    const call = this.#call;
    this.#leave();
    call?.stop();
  }

  #onAbort(): void {
    // What the server may be carrying out already is let to its end, so that its outcome is known.
    const isUnderWay = this.#call?.isUnderWay === true;
    if (isUnderWay && this.#sent.request.method !== 'GET')
      this.#stopTimer = setTimeout(() => this.#stop(), lettingEndMs);
    else this.#stop();
  }

  #stop(): void {
    this.#call?.stop(this.#sent.request.signal?.reason as Error);
  }

  #leave(): void {
    this.#isOver = true;
    this.#call = undefined;
    clearTimeout(this.#stopTimer);
    this.#ignoreAbort?.();
    this.#ignoreLapse?.();
  }
}

const isZipped = ({ headers }: AnswerHead): boolean => headers['content-encoding']?.toLowerCase() === 'gzip';

/** A list of megabytes comes in larger pieces than zlib's own 16 KiB, each of which is a round of the event loop. */
const unzippedBytes = 64 * 1024;

function unzipped(body: Readable): Readable {
  const plain = createGunzip({ chunkSize: unzippedBytes }).on('error', ignore);
  body.once('error', (error) => plain.destroy(error));
  plain.once('close', () => body.destroy());
  let pieces: Buffer[] = [];
  // What comes at once is unpacked at once: each piece costs a round through another thread.
  const unpack = (): void => {
    if (pieces.length === 0 || plain.destroyed) return;
    const isFull = !plain.write(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
    pieces = [];
    if (!isFull) return;
    body.pause();
    plain.once('drain', () => body.resume());
  };
  body.on('data', (piece: Buffer) => {
    if (pieces.push(piece) === 1) setImmediate(unpack);
  });
  body.once('end', () => {
    unpack();
    plain.end();
  });
  return plain;
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
