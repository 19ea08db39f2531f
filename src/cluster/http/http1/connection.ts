import type { Socket } from 'node:net';
import { hungUp, noConnection, stalled } from '../../network-error.ts';
import { type AnswerListener, connectMs, idleMarginMs, idleMs } from '../wire.ts';
import { AnswerParser } from './answer-parser.ts';

/** Who keeps the connections. */
export interface ConnectionOwner {
  /** Its answer is complete, and it can carry another request. */
  onFree(connection: Connection): void;
  onGone(connection: Connection): void;
}

/**
 * One socket and at most one request on it, by RFC 9112. This and its neighbours stand in for node:http, whose requests,
 * answers, agents, and their streams and events, took a third of the processor time of an install of 500 ConfigMaps
 * (550 ms with it, 365 without) and a fifth of the time that users wait.
 */
export class Connection {
  readonly #socket: Socket;
  #owner: ConnectionOwner;
  #parser: AnswerParser | undefined;
  #listener: AnswerListener | undefined;
  #silenceMs = 0;
  #limitMs = 0;
  #resting: NodeJS.Immediate | undefined;
  #isGone = false;

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#owner = owner;
    socket.on('data', (bytes: Buffer) => this.#onData(bytes));
    socket.on('end', () => this.#onEnd());
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    socket.on('timeout', () => this.#onTimeout());
    if (socket.connecting) socket.once('connect', () => this.setSilence(this.#silenceMs));
  }

  /** From now on another one keeps it. */
  handTo(owner: ConnectionOwner): void {
    this.#owner = owner;
  }

  /** Whether nothing can have been sent yet. */
  get isConnecting(): boolean {
    return this.#socket.connecting;
  }

  /** Sends a request; fails with `stalled` when for `silenceMs` nothing comes or goes. */
  send(request: Buffer, silenceMs: number, listener: AnswerListener): void {
    this.#listener = listener;
    this.#parser = new AnswerParser(listener);
    if (this.#resting === undefined) this.#socket.ref();
    clearImmediate(this.#resting);
    this.#resting = undefined;
    this.setSilence(silenceMs);
    this.#socket.write(request);
  }

  setSilence(milliseconds: number): void {
    this.#silenceMs = milliseconds;
    this.#limit(this.#socket.connecting ? Math.min(milliseconds, connectMs) : milliseconds);
  }

  /** The reader of the answer has enough; until {@link resume} nothing more is read. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Breaks it off; who waits for an answer is told why. */
  destroy(error?: Error): void {
    if (this.#isGone) return;
    this.#isGone = true;
    clearImmediate(this.#resting);
    const listener = this.#listener;
    this.#listener = undefined;
    this.#socket.destroy();
    this.#owner.onGone(this);
    listener?.onError(error ?? hungUp(this.#parser?.head !== undefined));
  }

  #onData(bytes: Buffer): void {
    const listener = this.#listener;
    const parser = this.#parser;
    // What comes without a request belongs to nobody.
    if (listener === undefined || parser === undefined) return this.destroy();
    try {
      const progress = parser.read(bytes);
      // The reader of a piece may have let go.
      if (progress !== 'more' && this.#listener === listener) this.#complete(listener, progress === 'complete');
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #complete(listener: AnswerListener, isClean: boolean): void {
    const head = this.#parser?.head;
    this.#listener = undefined;
    // An answer that came before the request was taken leaves the rest of it behind.
    if (isClean && head?.isKept === true && this.#socket.writableLength === 0) this.#rest(head.headers['keep-alive']);
    else this.destroy();
    listener.onEnd();
  }

  #rest(keepAlive = ''): void {
    const promisedMs = Number(/\btimeout=(\d+)/.exec(keepAlive)?.[1] ?? Number.POSITIVE_INFINITY) * 1000;
    const restMs = Math.min(idleMs, promisedMs - idleMarginMs);
    if (restMs <= 0) return this.destroy();
    if (this.#socket.isPaused()) this.#socket.resume();
    // Mostly it is taken again at once; a timer costs more than that.
    this.#resting = setImmediate(() => {
      this.#resting = undefined;
      this.#limit(restMs);
      this.#socket.unref();
    });
    this.#owner.onFree(this);
  }

  /** Every byte begins it anew. */
  #limit(milliseconds: number): void {
    if (this.#limitMs === milliseconds) return;
    this.#limitMs = milliseconds;
    this.#socket.setTimeout(milliseconds);
  }

  #onEnd(): void {
    // A socket that knows better why it ends says so next.
    if (this.#socket.destroyed) return;
    const listener = this.#listener;
    if (listener !== undefined && this.#parser?.endsWithConnection === true) this.#complete(listener, false);
    else this.destroy();
  }

  #onTimeout(): void {
    if (this.#listener !== undefined && this.#socket.isPaused()) return;
    this.destroy(this.isConnecting ? noConnection('tcp') : stalled(this.#limitMs));
  }
}
