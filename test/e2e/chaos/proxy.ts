import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request as forwardRequest } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** What happens to one request. `lost` ones reach the API server; their answer does not come back. */
export type Fault =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly retryAfter?: number;
      readonly isLost?: boolean;
      readonly body?: string;
    }
  | { readonly kind: 'reset'; readonly isLost?: boolean }
  | { readonly kind: 'stall'; readonly milliseconds: number }
  /** An answer that breaks off: half of its body, or a watch after its first event. */
  | { readonly kind: 'break-off' }
  | { readonly kind: 'watch-gone' }
  /** An answer that begins, and of which nothing comes: as what stands between keeps back what a watch tells. */
  | { readonly kind: 'silence' }
  /** An answer without its Date header. */
  | { readonly kind: 'undated' }
  /** Does something, and then breaks the connection; `passes`: lets the request pass. */
  | {
      readonly kind: 'run';
      readonly task: () => void | Promise<void>;
      readonly isLost?: boolean;
      readonly passes?: boolean;
    };

export interface PassedRequest {
  /** From 1, in the order in which they came. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly isWatch: boolean;
}

/** Chooses what happens to a request; undefined lets it pass. */
export type Script = (request: PassedRequest) => Fault | undefined;

/** Stands before the API server of a kubeconfig, which must have a token; speaks plain HTTP to the program under test. */
export class FaultProxy {
  /** A kubeconfig that leads here, as text. */
  readonly kubeconfig: string;
  readonly #server: Server;
  #script: Script = () => undefined;
  #seen: PassedRequest[] = [];
  #hit: PassedRequest[] = [];
  #underWay = 0;

  private constructor(server: Server, token: string) {
    this.#server = server;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.kubeconfig = kubeconfigText(url, token);
  }

  static async open(kubeconfigFile: string): Promise<FaultProxy> {
    const target = targetOf(kubeconfigFile);
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    const server = createServer((request, response) => void proxy.#take(request, response, target.url, agent));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    server.on('close', () => agent.destroy());
    const proxy = new FaultProxy(server, target.token);
    return proxy;
  }

  /** Counts from 1 again, by a new script. */
  begin(script: Script): void {
    this.#script = script;
    this.#seen = [];
    this.#hit = [];
  }

  get seen(): readonly PassedRequest[] {
    return this.#seen;
  }

  /** The requests that met a fault since {@link begin}. */
  get hit(): readonly PassedRequest[] {
    return this.#hit;
  }

  /** Waits until no request of a client that has ended is still on its way to the API server. */
  async idle(): Promise<void> {
    while (this.#underWay > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse, target: URL, agent: Agent): Promise<void> {
    this.#underWay += 1;
    response.on('close', () => (this.#underWay -= 1));
    const passed = passedRequest(this.#seen.length + 1, request);
    this.#seen.push(passed);
    const fault = this.#script(passed);
    const body = await bodyOf(request);
    if (fault !== undefined) this.#hit.push(passed);
    const answer = (): Promise<IncomingMessage> => forward(request, body, target, agent);
    try {
      await happen(fault, passed, response, answer);
    } catch {
      response.socket?.destroy();
    }
  }
}

async function happen(
  fault: Fault | undefined,
  { isWatch }: PassedRequest,
  response: ServerResponse,
  answer: () => Promise<IncomingMessage>,
): Promise<void> {
  switch (fault?.kind) {
    case undefined:
      return passOn(await answer(), response);
    case 'answer':
      if (fault.isLost) await carriedOut(await answer(), isWatch);
      response.writeHead(
        fault.status,
        fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) },
      );
      response.end(fault.body ?? 'chaos');
      return;
    case 'reset':
      if (fault.isLost) await carriedOut(await answer(), isWatch);
      reset(response.socket);
      return;
    case 'stall':
      await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
      return passOn(await answer(), response);
    case 'break-off':
      return breakOff(await answer(), response);
    case 'watch-gone':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify({ type: 'ERROR', object: goneStatus })}\n`);
      return;
    case 'silence': {
      const begun = await answer();
      response.writeHead(begun.statusCode ?? 502, begun.headers).flushHeaders();
      response.on('close', () => begun.destroy());
      return;
    }
    case 'undated':
      response.sendDate = false;
      return passOn(await answer(), response);
    case 'run':
      if (fault.isLost) await carriedOut(await answer(), isWatch);
      await fault.task();
      if (fault.passes) return passOn(await answer(), response);
      reset(response.socket);
      return;
    default:
      throw new Error(`internal: unknown fault ${JSON.stringify(fault)}`);
  }
}

/** libuv cannot reset a socket that is shutting down, as after a client's death: Node then never ends the thread. */
function reset(socket: Socket | null): void {
  if (socket?.writableEnded) socket.destroy();
  else socket?.resetAndDestroy();
}

/** A watch is carried out once it has begun; its body would not end. */
async function carriedOut(answer: IncomingMessage, isWatch: boolean): Promise<void> {
  if (isWatch) answer.destroy();
  else await bodyOf(answer);
}

const goneStatus = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: 'too old resource version: 1 (2)',
  reason: 'Expired',
  code: 410,
};

function passOn(answer: IncomingMessage, response: ServerResponse): void {
  const { date, ...headers } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, { ...headers, ...(response.sendDate && { date }) });
  response.flushHeaders();
  answer.pipe(response);
  answer.on('error', () => response.socket?.destroy());
  response.on('close', () => answer.destroy());
}

/** The head and the first half of the first piece of the body, then a reset. */
function breakOff(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  response.flushHeaders();
  const resetNow = (): void => reset(response.socket);
  answer.once('data', (chunk: Buffer) => {
    response.write(chunk.subarray(0, chunk.length / 2), resetNow);
    answer.destroy();
  });
  answer.once('end', resetNow);
  answer.on('error', resetNow);
}

function passedRequest(number: number, { method = '', url = '' }: IncomingMessage): PassedRequest {
  const { pathname, searchParams } = new URL(url, 'http://proxy');
  return { number, method, path: pathname, isWatch: searchParams.get('watch') === 'true' };
}

function forward(request: IncomingMessage, body: Buffer, target: URL, agent: Agent): Promise<IncomingMessage> {
  const { host: _host, 'content-length': _length, ...headers } = request.headers;
  return new Promise((resolve, reject) => {
    const url = new URL(request.url ?? '', target);
    const length = body.length > 0 ? { 'content-length': body.length } : {};
    const sent = forwardRequest(url, { method: request.method, agent, headers: { ...headers, ...length } }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The server and the token of a kubeconfig that test/e2e/control-plane/up.sh wrote. */
function targetOf(kubeconfigFile: string): { url: URL; token: string } {
  const text = readFileSync(kubeconfigFile, 'utf8');
  const find = (pattern: RegExp): string => {
    const found = pattern.exec(text)?.[1];
    if (found === undefined) throw new Error(`${kubeconfigFile} is not one that up.sh writes: no ${pattern.source}`);
    return found;
  };
  return { url: new URL(find(/server: "([^"]+)"/)), token: find(/token: ([\w-]+)/) };
}

const kubeconfigText = (server: string, token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'chaos',
    clusters: [{ name: 'chaos', cluster: { server } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'chaos', context: { cluster: 'chaos', user: 'admin' } }],
  });
