import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Dial, whenConnected } from '../../../src/cluster/http/dial.ts';

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
    dial: () => whenConnected(connect(port, '127.0.0.1')),
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
