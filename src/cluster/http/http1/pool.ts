import { hungUp } from '../../network-error.ts';
import type { Dial } from '../dial.ts';
import { Connection, type ConnectionOwner } from './connection.ts';

/** Who needs a connection; it is given one, or told why there is none. */
export interface Taker {
  onConnection(connection: Connection): void;
  onError(error: Error): void;
}

/**
 * Kept-alive connections to one address, at most `limit`. The one that was used last is used next, so that the others
 * may end; who came first is served first. Before one is opened, `neighbour` is asked for one that it does not use.
 */
export class Pool {
  readonly #dial: Dial;
  readonly #limit: number;
  readonly #neighbour: Pool | undefined;
  readonly #open = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #waiting: Taker[] = [];
  /** Whom a socket is being opened for; some have gone since. */
  readonly #expecting = new Set<Taker>();
  #dials = 0;
  #isClosed = false;
  readonly #owner: ConnectionOwner = {
    onFree: (connection) => this.#onFree(connection),
    onGone: (connection) => this.#onGone(connection),
  };

  constructor(dial: Dial, limit = Number.POSITIVE_INFINITY, neighbour?: Pool) {
    this.#dial = dial;
    this.#limit = limit;
    this.#neighbour = neighbour;
  }

  take(taker: Taker): void {
    const connection = this.#idle.pop() ?? this.#fromNeighbour();
    if (connection !== undefined) taker.onConnection(connection);
    else if (this.#hasRoom) this.#openFor(taker);
    else this.#waiting.push(taker);
  }

  /** Takes back a {@link take} that has not been answered yet. */
  withdraw(taker: Taker): void {
    const index = this.#waiting.indexOf(taker);
    if (index >= 0) this.#waiting.splice(index, 1);
    this.#expecting.delete(taker);
  }

  /** Breaks off every request and connection, and keeps none from now on. */
  close(): void {
    this.#isClosed = true;
    for (const taker of this.#waiting.splice(0)) taker.onError(hungUp(false));
    for (const connection of this.#open) connection.destroy();
  }

  #fromNeighbour(): Connection | undefined {
    const connection = this.#hasRoom ? this.#neighbour?.giveAway() : undefined;
    if (connection === undefined) return undefined;
    connection.handTo(this.#owner);
    this.#open.add(connection);
    return connection;
  }

  /** An idle connection, which is no more this pool's; undefined where there is none. */
  giveAway(): Connection | undefined {
    const connection = this.#idle.pop();
    if (connection !== undefined) this.#open.delete(connection);
    return connection;
  }

  get #hasRoom(): boolean {
    return this.#open.size + this.#dials < this.#limit;
  }

  #openFor(taker: Taker): void {
    this.#dials += 1;
    this.#expecting.add(taker);
    this.#dial((opened) => {
      this.#dials -= 1;
      const isExpected = this.#expecting.delete(taker);
      if (opened instanceof Error) {
        if (isExpected) taker.onError(opened);
        this.#serveNext();
        return;
      }
      const connection = new Connection(opened, this.#owner);
      this.#open.add(connection);
      if (isExpected) taker.onConnection(connection);
      else connection.destroy();
    });
  }

  #onFree(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next !== undefined) next.onConnection(connection);
    else if (this.#isClosed) connection.destroy();
    else this.#idle.push(connection);
  }

  #onGone(connection: Connection): void {
    this.#open.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#serveNext();
  }

  #serveNext(): void {
    if (!this.#hasRoom) return;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#openFor(next);
  }
}
