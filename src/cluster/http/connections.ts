import type { Socket } from 'node:net';
import { createLimiter, type Limiter } from '../../support/concurrency.ts';
import { connectionClosedError } from '../network-error.ts';
import type { Connection } from './connection.ts';
import type { Dial } from './dial.ts';

export interface ConnectionsOptions {
  /** The host, and the port unless it is the scheme's. */
  readonly host: string;
  /** Whether the server may choose HTTP/2, as it can only with TLS. */
  readonly offersHttp2: boolean;
  /** As many calls run at the same time; streams do not count. */
  readonly maxCalls?: number | undefined;
}

/**
 * The connections to one address. HTTP/2, where the server speaks it, needs one for all requests; another one is opened
 * when it is full or the server wants to end it. With HTTP/1.1 each request has one, which the next request uses again.
 */
export class Connections {
  /** Runs a call when it is its turn. */
  readonly turn: Limiter;
  readonly #dial: Dial;
  readonly #host: string;
  readonly #offersHttp2: boolean;
  readonly #open = new Set<Connection>();
  #opening: Promise<void> | undefined;
  #isClosed = false;

  constructor(dial: Dial, { host, offersHttp2, maxCalls = Number.POSITIVE_INFINITY }: ConnectionsOptions) {
    this.#dial = dial;
    this.#host = host;
    this.#offersHttp2 = offersHttp2;
    this.turn = createLimiter(maxCalls);
  }

  /** One that takes a request, if one is open. */
  get free(): Connection | undefined {
    if (!this.#isClosed) for (const connection of this.#open) if (connection.hasRoom) return connection;
    return undefined;
  }

  /** Opens one more; who asks meanwhile waits for the same one. */
  async open(): Promise<void> {
    if (this.#isClosed) throw connectionClosedError(false);
    this.#opening ??= this.#openOne().finally(() => (this.#opening = undefined));
    await this.#opening;
  }

  /** Breaks off every request and connection, and opens none from now on. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#open) connection.destroy();
  }

  async #openOne(): Promise<void> {
    const connection = await this.#connection();
    if (this.#isClosed) connection.destroy();
    else this.#open.add(connection);
  }

  // Node's modules take milliseconds to load: the other one of them is left out.
  async #connection(): Promise<Connection> {
    const socket = this.#offersHttp2 ? await this.#dial(['h2', 'http/1.1']) : undefined;
    if ((socket as { alpnProtocol?: unknown } | undefined)?.alpnProtocol !== 'h2') {
      const { Http1 } = await import('./http1.ts');
      return new Http1(this.#host, this.#dial, socket);
    }
    const { Http2 } = await import('./http2.ts');
    const connection: Connection = new Http2(this.#host, socket as Socket, () => this.#open.delete(connection));
    return connection;
  }
}
