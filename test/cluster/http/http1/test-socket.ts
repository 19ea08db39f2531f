import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Dial } from '../../../../src/cluster/http/dial.ts';
import { Pool } from '../../../../src/cluster/http/http1/pool.ts';

/** A socket whose other end is the test. */
export class TestSocket extends Duplex {
  connecting = false;
  /** What was set last; 0 is none. */
  limitMs = 0;
  isReferenced = true;
  written = '';
  /** Whether what is written is taken at once. */
  takes = true;

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.written += bytes.toString('latin1');
    if (this.takes) done();
  }
  override _read(): void {}

  /** Comes from the server, and has been read when this resolves. */
  async receive(text: string): Promise<void> {
    this.push(Buffer.from(text, 'latin1'));
    await turn();
  }

  setTimeout(limitMs: number): this {
    this.limitMs = limitMs;
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    this.isReferenced = true;
    return this;
  }
  unref(): this {
    this.isReferenced = false;
    return this;
  }
}

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Such sockets, which are prepared by `prepare`. */
export function testDial(prepare: (socket: TestSocket) => void = () => {}) {
  const sockets: TestSocket[] = [];
  const dial: Dial = (done) => {
    const socket = new TestSocket();
    prepare(socket);
    sockets.push(socket);
    done(socket as unknown as Socket);
  };
  return { dial, sockets };
}

/** A pool of them. */
export function testPool(limit?: number, prepare?: (socket: TestSocket) => void) {
  const { dial, sockets } = testDial(prepare);
  return { pool: new Pool(dial, limit), sockets };
}
