import { type ClientHttp2Session, connect, constants } from 'node:http2';
import type { Socket } from 'node:net';
import { connectionClosedError, malformed, notProcessed } from '../network-error.ts';
import type { AnswerHeaders, AnswerListener, Connection, Outgoing, WrittenRequest } from './connection.ts';
import { idleMs, longestHead } from './limits.ts';

// As many as every server takes (RFC 9113 §6.5.2); an API server takes 100.
const mostStreams = 100;
/**
 * As many bytes may be on their way, of one answer and of all: a smaller window slows down lists of distant servers. Bun
 * never opens the window of a stream again where that of the connection is more than twice as large.
 */
const windowBytes = 8 * 1024 * 1024;
/** In MB. Node's own limit, 10, is for servers, whose clients are strangers. */
const maxSessionMemory = 1024;

/** One connection that carries many requests at once (RFC 9113), by node:http2. */
export class Http2 implements Connection {
  readonly isUp = true;
  readonly #host: string;
  readonly #session: ClientHttp2Session;
  #running = 0;
  #isRetired = false;
  #idle: NodeJS.Timeout | undefined;

  /** `socket` is connected; `onGone` is called when the server or the network has ended it. */
  constructor(host: string, socket: Socket, onGone: () => void) {
    this.#host = host;
    this.#session = connect(`https://${host}`, {
      createConnection: () => socket,
      maxSessionMemory,
      settings: { enablePush: false, initialWindowSize: windowBytes, maxHeaderListSize: longestHead },
    });
    this.#session
      // Node emits it on the next tick, also for a session that was destroyed in this one.
      .once('connect', (session) => {
        if (!session.destroyed) session.setLocalWindowSize(windowBytes);
      })
      .once('close', onGone)
      // Its requests fail with the same error.
      .on('error', () => {});
  }

  get hasRoom(): boolean {
    const { closed, destroyed, remoteSettings } = this.#session;
    const most = Math.min(mostStreams, remoteSettings?.maxConcurrentStreams ?? mostStreams);
    return !this.#isRetired && !closed && !destroyed && this.#running < Math.max(1, most);
  }

  request({ method, target, headers, body }: WrittenRequest, listener: AnswerListener): Outgoing {
    const session = this.#session;
    const fields = { ...headers, ':method': method, ':path': target, ':authority': this.#host };
    const stream = session.request(fields, { endStream: body === undefined });
    this.#begin();
    let hasBegun = false;
    stream
      .once('response', ({ ':status': status = 0, ...answerHeaders }) => {
        hasBegun = true;
        const length = answerHeaders['content-length'];
        // Node tells nobody whether END_STREAM came: a stream that is cut off may end as if nothing had happened.
        const isWhole = (bytes: number): boolean =>
          stream.rstCode === constants.NGHTTP2_NO_ERROR &&
          !session.destroyed &&
          (length === undefined || Number(length) === bytes);
        listener.onAnswer({ status, headers: answerHeaders as AnswerHeaders, body: stream, isWhole });
      })
      .on('error', (error) => listener.onBroken(reasonOf(error, stream.rstCode, hasBegun)))
      .once('close', () => {
        this.#end();
        if (!listener.isOver) listener.onBroken(reasonOf(undefined, stream.rstCode, hasBegun));
      });
    if (body !== undefined) stream.end(body);
    return stream;
  }

  retire(): void {
    this.#isRetired = true;
    if (this.#running === 0) this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
  }

  #begin(): void {
    this.#running += 1;
    if (this.#running > 1) return;
    clearTimeout(this.#idle);
    this.#session.ref();
  }

  /** An idle connection keeps no process alive, and is let go before the server does so. */
  #end(): void {
    this.#running -= 1;
    if (this.#running > 0 || this.#session.destroyed) return;
    if (this.#isRetired) return this.retire();
    this.#session.unref();
    this.#idle = setTimeout(() => this.retire(), idleMs).unref();
  }
}

/** Why a stream ended before its answer did. */
function reasonOf(error: NodeJS.ErrnoException | undefined, rstCode: number | undefined, hasBegun: boolean): Error {
  const { code = '', message = '' } = error ?? {};
  // RFC 9113 §8.7: what is refused, or beyond the last stream of a GOAWAY, was not processed.
  if (rstCode === constants.NGHTTP2_REFUSED_STREAM || notSentCodes.includes(code)) return notProcessed();
  // What node:http2 itself objects to.
  if (code === 'ERR_HTTP2_ERROR' || rstCode === constants.NGHTTP2_PROTOCOL_ERROR) return malformed(`http2: ${message}`);
  return error === undefined || code.startsWith('ERR_HTTP2_') ? connectionClosedError(hasBegun) : error;
}

const notSentCodes = ['ERR_HTTP2_GOAWAY_SESSION', 'ERR_HTTP2_INVALID_SESSION'];
