import { hungUp } from '../../network-error.ts';
import type { Dial } from '../dial.ts';
import type { AnswerHead, AnswerListener, Wire, WireCall, WireRequest } from '../wire.ts';
import type { Connection } from './connection.ts';
import { Pool, type Taker } from './pool.ts';
import { headerLines, requestBytes } from './request.ts';

/** HTTP/1.1 by this folder's own writer of requests and reader of answers. */
export const ownWire = (dial: Dial, limit?: number): Wire => wireOf(new Pool(dial, limit));

/** One for calls and one for streams; a stream begins on a connection that no call uses, if there is one. */
export function ownWires(dial: Dial, limit: number): { readonly calls: Wire; readonly streams: Wire } {
  const calls = new Pool(dial, limit);
  return { calls: wireOf(calls), streams: wireOf(new Pool(dial, undefined, calls)) };
}

function wireOf(pool: Pool): Wire {
  return {
    send(request, listener) {
      const call = new Call(pool, request, listener);
      pool.take(call);
      return call;
    },
    close: () => pool.close(),
  };
}

/** A request that waits for its connection, and then for its answer. */
class Call implements WireCall, Taker, AnswerListener {
  readonly #pool: Pool;
  readonly #request: WireRequest;
  readonly #listener: AnswerListener;
  #connection: Connection | undefined;

  constructor(pool: Pool, request: WireRequest, listener: AnswerListener) {
    this.#pool = pool;
    this.#request = request;
    this.#listener = listener;
  }

  get isUnderWay(): boolean {
    return this.#connection !== undefined && !this.#connection.isConnecting;
  }

  pause(): void {
    this.#connection?.pause();
  }

  resume(): void {
    this.#connection?.resume();
  }

  stop(error?: Error): void {
    if (this.#connection !== undefined) return this.#connection.destroy(error);
    this.#pool.withdraw(this);
    this.#listener.onError(error ?? hungUp(false));
  }

  onConnection(connection: Connection): void {
    const { method, target, headers, body, silenceMs } = this.#request;
    this.#connection = connection;
    connection.send(requestBytes(method, target, linesOf(headers), body), silenceMs, this);
  }

  onHead(head: AnswerHead): void {
    const { silenceMs, bodySilenceMs } = this.#request;
    if (bodySilenceMs !== silenceMs) this.#connection?.setSilence(bodySilenceMs);
    this.#listener.onHead(head);
  }

  onBody(piece: Buffer): void {
    this.#listener.onBody(piece);
  }

  onEnd(): void {
    this.#connection = undefined;
    this.#listener.onEnd();
  }

  onError(error: Error): void {
    this.#connection = undefined;
    this.#listener.onError(error);
  }
}

/** Most requests have the same headers. */
const written = new WeakMap<readonly string[], string>();

function linesOf(headers: readonly string[]): string {
  const known = written.get(headers);
  if (known !== undefined) return known;
  const lines = headerLines(headers);
  written.set(headers, lines);
  return lines;
}
