import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createFront, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { StatusError } from '../status.ts';
import { failureAnswer, send } from './answer.ts';
import { readRequest } from './request.ts';
import { route } from './route.ts';
import type { Serving } from './target.ts';

export interface HttpServer {
  readonly port: number;
  /** Serves a connection that was opened inside the process. */
  accept(connection: Duplex): void;
  /** How many connections are open. */
  connections(): number;
  close(): Promise<void>;
}

/**
 * Serves the API on loopback to who knows the token; port 0 picks a free one. Fails with the system's error when the
 * port is taken.
 */
export async function listen(serving: Serving, port: number, token: string): Promise<HttpServer> {
  const isKnown = knownBy(token);
  const server = createServer((request, response) => void answer(serving, isKnown, request, response));
  server.keepAliveTimeout = 60_000;
  // A silent connection is how another process says that it still uses this sandbox.
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  const open = new Set<Socket>();
  // The connections are counted here: Bun's http server knows none that are silent, and ends them after ten seconds.
  const front = createFront((socket) => {
    open.add(socket);
    socket.on('error', () => {}).once('close', () => open.delete(socket));
    server.emit('connection', socket);
  });
  await new Promise<void>((resolve, reject) => {
    front.once('error', reject);
    front.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (front.address() as AddressInfo).port,
    accept: (connection) => void server.emit('connection', connection),
    connections: () => open.size,
    close: () =>
      new Promise((resolve) => {
        front.close(() => resolve());
        server.closeAllConnections();
        for (const socket of open) socket.destroy();
      }),
  };
}

async function answer(
  serving: Serving,
  isKnown: (authorization: string) => boolean,
  raw: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const warnings: string[] = [];
  try {
    refuseForeignHost(raw.headers.host);
    if (!isKnown(raw.headers.authorization ?? '')) throw unauthorized();
    const request = await readRequest(raw);
    send(response, await route(serving, request, (text) => warnings.push(text)), warnings);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else send(response, failureAnswer(error), warnings);
  }
}

/** A page in a browser whose name was pointed at this machine asks for that name (DNS rebinding). */
function refuseForeignHost(host = ''): void {
  if (/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host)) return;
  throw new StatusError(
    403,
    'Forbidden',
    `the sandbox only serves 127.0.0.1 and localhost, not ${JSON.stringify(host)}`,
  );
}

/**
 * Whether a request brings the token: as a bearer token, or as the password of the URL. Go's clients (kubectl, helm)
 * send no bearer token over plain HTTP, but what the server's URL says.
 */
function knownBy(token: string): (authorization: string) => boolean {
  const basic = Buffer.from(`${sandboxUser}:${token}`).toString('base64');
  const known = [`Bearer ${token}`, `Basic ${basic}`].map((text) => Buffer.from(text));
  return (authorization) => {
    const given = Buffer.from(authorization);
    return known.some((each) => each.length === given.length && timingSafeEqual(each, given));
  };
}

/** The user of the URL in the kubeconfig. */
export const sandboxUser = 'sandbox';

const unauthorized = (): StatusError => new StatusError(401, 'Unauthorized', 'Unauthorized');
