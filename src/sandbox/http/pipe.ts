import { Duplex } from 'node:stream';

/**
 * Both ends of a connection inside the process, for an HTTP client and node:http's server: what is written to one is
 * read from the other. `onBytes` is told whenever something passes.
 */
export function pipe(onBytes: () => void = () => {}): readonly [Duplex, Duplex] {
  const near = new PipeEnd(onBytes);
  const far = new PipeEnd(onBytes);
  near.peer = far;
  far.peer = near;
  return [near, far];
}

class PipeEnd extends Duplex {
  peer: PipeEnd | undefined;
  readonly #onBytes: () => void;
  #taken: (() => void) | undefined;

  constructor(onBytes: () => void) {
    super({ allowHalfOpen: false });
    this.#onBytes = onBytes;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
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
    if (peer !== undefined && !peer.destroyed) process.nextTick(() => peer.destroy());
    done(error);
  }

  // What HTTP asks of a socket and has no meaning here.
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
