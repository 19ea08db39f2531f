import { Readable } from 'node:stream';
import { createGunzip, gunzip } from 'node:zlib';
import { whenAborted } from '../../support/abort.ts';
import { connectionClosedError, lockLapsedError, noAnswerError } from '../network-error.ts';
import type { AskedCluster, Fence } from '../types.ts';
import type {
  AnswerHead,
  AnswerHeaders,
  AnswerListener,
  BegunAnswer,
  Connection,
  Outgoing,
  RequestHeaders,
} from './connection.ts';
import type { Connections } from './connections.ts';

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
  /** An answer may take as long to begin: a log that is followed has none before its first line. */
  readonly mayBeSilent?: boolean | undefined;
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
  /** Who asked whom, where the server does not know the user (401). */
  readonly asked?: AskedCluster | undefined;
}

/** A request with what is written of it, and what becomes of it. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly target: string;
  readonly headers: RequestHeaders;
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

/** A slow line needs a second for each 16 KiB of a request. */
const sendingMs = (body: string | undefined): number => Math.floor((body?.length ?? 0) / 16_384) * 1000;

/** How long an interruption waits for a change that is under way. */
const interruptionGraceMs = 2_500;

/** Sends one request once. Fails with the system's error, or the signal's reason. */
export function exchange(connections: Connections, sent: Exchange): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sent.request.signal?.throwIfAborted();
    if (sent.request.fence?.lapse.aborted) throw lockLapsedError();
    const running = new RunningExchange(sent, resolve, reject);
    void (sent.isStream ? running.run(connections) : connections.turn(() => running.run(connections)));
  });
}

class RunningExchange implements AnswerListener {
  isOver = false;
  readonly #sent: Exchange;
  readonly #resolve: (answer: Answer | Promise<Answer>) => void;
  readonly #reject: (error: unknown) => void;
  readonly #limits: { readonly headMs: number; readonly bodyMs: number };
  readonly #ignoreAbort: (() => void) | undefined;
  readonly #ignoreLapse: (() => void) | undefined;
  #outgoing: Outgoing | undefined;
  /** Whether the server may have got it. */
  #isUnderWay = false;
  #answer: BegunAnswer | undefined;
  #bytes = 0;
  readonly #pieces: Buffer[] = [];
  /** Of a stream; what goes wrong after its answer has begun shows on it. */
  #body: Readable | undefined;
  #onBegun: (() => void) | undefined;
  #silence: NodeJS.Timeout | undefined;
  #stopTimer: NodeJS.Timeout | undefined;
  #onOver: (() => void) | undefined;

  constructor(sent: Exchange, resolve: (answer: Answer | Promise<Answer>) => void, reject: (error: unknown) => void) {
    this.#sent = sent;
    this.#resolve = resolve;
    this.#reject = reject;
    const { method, signal, fence, silenceMs: bodyMs = silenceMs(method), mayBeSilent } = sent.request;
    const headMs = mayBeSilent ? bodyMs : Math.min(bodyMs, silenceMs(method), sent.answerMs ?? bodyMs);
    this.#limits = { headMs: headMs + sendingMs(sent.body), bodyMs };
    if (signal !== undefined) this.#ignoreAbort = whenAborted(signal, () => this.#onAbort());
    if (fence !== undefined) this.#ignoreLapse = whenAborted(fence.lapse, () => this.#stop(lockLapsedError()));
  }

  /** Resolves when the request is over, whatever became of it. */
  async run(connections: Connections): Promise<void> {
    try {
      let connection = connections.free;
      while (connection === undefined && !this.isOver) {
        await connections.open();
        connection = connections.free;
      }
      // It may have been stopped meanwhile.
      if (connection === undefined || this.isOver) return;
      this.#begin(connection);
      await new Promise<void>((resolve) => (this.#onOver = resolve));
    } catch (error) {
      this.onBroken(error);
    }
  }

  #begin(connection: Connection): void {
    const { request, target, headers, body } = this.#sent;
    this.#outgoing = connection.request({ method: request.method, target, headers, body }, this);
    const onSent = (): void => {
      this.#isUnderWay = true;
      this.#limitSilence(connection, this.#limits.headMs);
    };
    this.#onBegun = () => this.#limitSilence(connection, this.#limits.bodyMs);
    if (connection.isUp) onSent();
    else this.#outgoing.once('socket', onSent);
  }

  onAnswer(answer: BegunAnswer): void {
    if (this.isOver) return;
    const { status, headers, body, isWhole } = answer;
    this.#answer = answer;
    this.#onBegun?.();
    this.#sent.onHead(answer);
    body
      .on('data', (piece: Buffer) => this.#onPiece(piece))
      .once('end', () => (isWhole(this.#bytes) ? this.#onEnd() : this.onBroken(connectionClosedError(true))));
    if (!this.#sent.isStream || status >= 400) return;
    const passed = this.#openBody(body);
    this.#body = passed;
    const plain = isZipped(answer) ? unzipped(passed) : passed;
    this.#resolve({ status, headers, text: '', open: { body: plain, stop: () => void plain.destroy() } });
  }

  #onPiece(piece: Buffer): void {
    if (this.isOver) return;
    this.#silence?.refresh();
    this.#bytes += piece.length;
    if (this.#body === undefined) this.#pieces.push(piece);
    else if (!this.#body.push(piece)) this.#answer?.body.pause();
  }

  #onEnd(): void {
    if (this.isOver) return;
    this.#leave();
    if (this.#body === undefined) this.#resolve(wholeAnswer(this.#answer as AnswerHead, this.#pieces));
    else this.#body.push(null);
  }

  onBroken(error: unknown): void {
    if (this.isOver) return;
    this.#leave();
    if (this.#body === undefined) this.#reject(error);
    else this.#body.destroy(error as Error);
  }

  #openBody(source: Readable): Readable {
    const body = new Readable({
      read: () => void source.resume(),
      destroy: (error, done) => {
        if (!this.isOver) this.#stop(error ?? connectionClosedError(true));
        done(error);
      },
    });
    return body.on('error', ignore);
  }

  #limitSilence(connection: Connection, milliseconds: number): void {
    clearTimeout(this.#silence);
    if (this.isOver) return;
    this.#silence = setTimeout(() => {
      // Who reads slowly is not taken for a server that is silent.
      if (this.#answer?.body.isPaused() === true) return void this.#silence?.refresh();
      connection.retire();
      this.#stop(noAnswerError(milliseconds));
    }, milliseconds);
  }

  #onAbort(): void {
    const stop = (): void => this.#stop(this.#sent.request.signal?.reason);
    // What the server may be carrying out already is let to its end, so that its outcome is known.
    if (this.#isUnderWay && this.#sent.request.method !== 'GET')
      this.#stopTimer = setTimeout(stop, interruptionGraceMs);
    else stop();
  }

  #stop(error: unknown): void {
    const outgoing = this.#outgoing;
    this.onBroken(error);
    outgoing?.destroy();
  }

  #leave(): void {
    this.isOver = true;
    clearTimeout(this.#silence);
    clearTimeout(this.#stopTimer);
    this.#ignoreAbort?.();
    this.#ignoreLapse?.();
    this.#onOver?.();
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
