import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Dial } from '../../../../src/cluster/http/dial.ts';
import type { Connection } from '../../../../src/cluster/http/http1/connection.ts';
import { Pool, type Taker } from '../../../../src/cluster/http/http1/pool.ts';
import type { AnswerHead, AnswerListener } from '../../../../src/cluster/http/wire.ts';

/** A server that answers with bytes, whatever they are. A request is what comes at once. */
export interface RawServer {
  readonly dial: Dial;
  /** In the order in which they were opened. */
  readonly sockets: readonly Socket[];
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export async function rawServer(onRequest: (socket: Socket, request: string) => void): Promise<RawServer> {
  const sockets: Socket[] = [];
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    socket.setEncoding('latin1').on('data', (text: string) => {
      requests.push(text);
      onRequest(socket, text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    dial: (done) => done(connect(port, '127.0.0.1')),
    sockets,
    requests,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const answer = (body: string, fields = ''): string =>
  `HTTP/1.1 200 OK\r\n${fields}content-length: ${body.length}\r\n\r\n${body}`;

/** A request that waits for its connection and its answer. */
export class Asking implements Taker, AnswerListener {
  readonly answered: Promise<string>;
  connection: Connection | undefined;
  readonly #pool: Pool;
  readonly #text: string;
  readonly #silenceMs: number;
  #body = '';
  #settle: { resolve: (body: string) => void; reject: (error: Error) => void } | undefined;

  constructor(pool: Pool, text = 'ask', silenceMs = 60_000) {
    this.#pool = pool;
    this.#text = text;
    this.#silenceMs = silenceMs;
    this.answered = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    this.answered.catch(() => {});
    pool.take(this);
  }

  withdraw(): void {
    this.#pool.withdraw(this);
  }

  onConnection(connection: Connection): void {
    this.connection = connection;
    connection.send(Buffer.from(this.#text), this.#silenceMs, this);
  }
  onHead(_head: AnswerHead): void {}
  onBody(piece: Buffer): void {
    this.#body += piece.toString('latin1');
  }
  onEnd(): void {
    this.#settle?.resolve(this.#body);
  }
  onError(error: Error): void {
    this.#settle?.reject(error);
  }
}

export const ask = (pool: Pool, text?: string): Promise<string> => new Asking(pool, text).answered;
export { Pool };
