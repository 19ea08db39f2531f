import type { Socket } from 'node:net';
import { type Dial, whenConnected } from '../../../src/cluster/http/dial.ts';
import { NetlessSocket } from '../../../src/sandbox/http/pipe.ts';

/** A socket whose other end is the test. */
export class TestSocket extends NetlessSocket {
  connecting = false;
  written = '';

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.written += bytes.toString('latin1');
    done();
  }
  override _read(): void {}

  /** Comes from the server after a request, and has been read when this resolves. */
  async receive(text: string): Promise<void> {
    await turn();
    this.push(Buffer.from(text, 'latin1'));
    await turn();
  }
}

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Such sockets, which are prepared by `prepare`. */
export function testDial(prepare: (socket: TestSocket) => void = () => {}) {
  const sockets: TestSocket[] = [];
  const dial: Dial = () => {
    const socket = new TestSocket();
    prepare(socket);
    sockets.push(socket);
    return whenConnected(socket as unknown as Socket);
  };
  return { dial, sockets };
}
