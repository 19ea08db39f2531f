import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { ClusterAccess, KubeconfigCluster, KubeconfigUser } from '../../src/cluster/kubeconfig.ts';
import { fixtureCertificate } from '../support/https-server.ts';

export interface SeenRequest {
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (response: ServerResponse, request: SeenRequest) => void;

/** A server that gives the answers of its script, one for each request; the last one for all that follow. */
export interface ScriptedServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  access(cluster?: Partial<KubeconfigCluster>, user?: KubeconfigUser): ClusterAccess;
  close(): Promise<void>;
}

export const scriptedServer = (...script: readonly Answer[]): Promise<ScriptedServer> =>
  serving(script, 'http', createServer);

/** The same over TLS, by HTTP/2. */
export const scriptedHttp2Server = (...script: readonly Answer[]): Promise<ScriptedServer> =>
  serving(script, 'https', (listener) => createSecureServer(fixtureCertificate(), listener as never));

/** Servers of both protocols; what holds with one holds with the other. */
export const protocols = [
  { protocol: 'HTTP/1.1', serve: scriptedServer },
  { protocol: 'HTTP/2', serve: scriptedHttp2Server },
] as const;

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

async function serving(
  script: readonly Answer[],
  scheme: string,
  create: (listener: Listener) => Server,
): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const server = create((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const entry = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      seen.push(entry);
      const answer = script[Math.min(seen.length, script.length) - 1] ?? json(404, {});
      answer(response, entry);
    });
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    seen,
    access: (cluster = {}, user = {}) => ({
      namespace: 'default',
      cluster: { server: url, ...(scheme === 'https' && { 'insecure-skip-tls-verify': true }), ...cluster },
      user,
      userName: 'test',
      isGuess: false,
    }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string | string[]> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A Status object, as an API server refuses. */
export const refuse = (code: number, reason: string, message: string): Answer =>
  json(code, { kind: 'Status', status: 'Failure', code, reason, message });

/** Breaks the connection without an answer. */
export const hangUp: Answer = (response) => void response.socket?.destroy();

/** Watch events, one on each line; the connection ends after them unless `isOpen`. */
export const events =
  (changes: readonly { type: string; object: unknown }[], isOpen = false): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(changes.map((change) => `${JSON.stringify(change)}\n`).join(''));
    if (!isOpen) response.end();
  };

/** For credentials that ask nobody. */
export const noAsk = (): never => {
  throw new Error('nobody is to be asked');
};
