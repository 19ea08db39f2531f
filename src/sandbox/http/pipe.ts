import { Duplex } from 'node:stream';

/**
 * Both ends of a connection inside the process, for an HTTP client and node:http's server: what is written to one is
 * read from the other, in a turn of the event loop of its own. `onBytes` is told whenever something passes.
 */
export function pipe(turns: Turns, onBytes: () => void = () => {}): readonly [Duplex, Duplex] {
  const near = new PipeEnd(turns, onBytes);
  const far = new PipeEnd(turns, onBytes);
  near.peer = far;
  far.peer = near;
  return [near, far];
}

/**
 * Runs one thing in each turn of the event loop. Client and server are in one process: without turns between them, a
 * conversation is one long chain of microtasks, and many at once keep every timer of the program waiting for seconds.
 */
export class Turns {
  readonly #waiting = new Set<() => void>();

  add(run: () => void): void {
    this.#waiting.add(run);
    if (this.#waiting.size === 1) setImmediate(() => this.#turn());
  }

  #turn(): void {
    const [run] = this.#waiting;
    if (run === undefined) return;
    this.#waiting.delete(run);
    if (this.#waiting.size > 0) setImmediate(() => this.#turn());
    run();
  }
}

/** A socket's methods that HTTP calls and that have no meaning where no network is. */
export class NetlessSocket extends Duplex {
  setTimeout(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

class PipeEnd extends NetlessSocket {
  peer: PipeEnd | undefined;
  readonly #turns: Turns;
  readonly #onBytes: () => void;
  #taken: (() => void) | undefined;

  constructor(turns: Turns, onBytes: () => void) {
    super({ allowHalfOpen: false });
    this.#turns = turns;
    this.#onBytes = onBytes;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#onBytes();
    this.#turns.add(() => this.#deliver(chunk, done));
  }

  #deliver(chunk: Buffer, done: () => void): void {
    this.#onBytes();
    const { peer } = this;
    if (peer === undefined || peer.destroyed) done();
    else if (peer.push(chunk)) done();
    else peer.#taken = done;
  }

  override _read(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    if (taken === undefined) return;
    this.#onBytes();
    taken();
  }

  override _final(done: () => void): void {
    this.#onBytes();
    this.peer?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#onBytes();
    const { peer } = this;
    if (peer !== undefined && !peer.destroyed) this.#turns.add(() => peer.destroy());
    done(error);
  }
}
