import { Agent, type ClientRequest, request as nodeRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connectionClosedError, malformed as malformedAnswer } from '../network-error.ts';
import type { AnswerHeaders, AnswerListener, Connection, Outgoing, WrittenRequest } from './connection.ts';
import type { Dial } from './dial.ts';
import { idleMs, longestHead } from './limits.ts';

/** HTTP/1.1 by node:http. Each request has a connection of its own, which the agent keeps for the next one. */
export class Http1 implements Connection {
  readonly isUp = false;
  readonly hasRoom = true;
  readonly #host: string;
  readonly #agent: DialingAgent;

  /** `first` is a connection that is there already. */
  constructor(host: string, dial: Dial, first?: Socket) {
    this.#host = host;
    this.#agent = new DialingAgent(dial, first);
  }

  request({ method, target, headers, body }: WrittenRequest, listener: AnswerListener): Outgoing {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const fields = { host: this.#host, ...headers, ...length };
    const options = { agent: this.#agent, method, path: target, headers: fields, maxHeaderSize: longestHead };
    let hasBegun = false;
    const request = nodeRequest(options)
      .on('response', (answer) => {
        hasBegun = true;
        const { statusCode: status = 0 } = answer;
        answer.on('error', (error) => listener.onBroken(withOwnMessage(error)));
        const isWhole = (): boolean => answer.complete;
        listener.onAnswer({ status, headers: answer.headers as AnswerHeaders, body: answer, isWhole });
      })
      .on('upgrade', () => {
        listener.onBroken(malformed('unexpected 101 response'));
        request.destroy();
      })
      .on('error', (error) => listener.onBroken(withOwnMessage(error)))
      .on('close', () => listener.isOver || listener.onBroken(connectionClosedError(hasBegun)));
    request.end(body);
    return request;
  }

  /** A request that gets no answer takes its connection with it. */
  retire(): void {}

  destroy(): void {
    this.#agent.destroy();
  }
}

class DialingAgent extends Agent {
  readonly #dial: Dial;
  #first: Socket | undefined;
  #isDestroyed = false;

  constructor(dial: Dial, first: Socket | undefined) {
    super({ keepAlive: true, scheduling: 'lifo', timeout: idleMs });
    this.#dial = dial;
    this.#first = first;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // The types of Node 20 say void.
    const isKept = super.keepSocketAlive(socket) as unknown as boolean;
    if (isKept) socket.on('data', refuse);
    return isKept;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    socket.off('data', refuse);
    super.reuseSocket(socket, request);
  }

  override createConnection(_options: object, done?: (error: Error | null, socket: Duplex) => void): undefined {
    // Node's types ask for a socket beside an error.
    const fail = (error: Error): void => done?.(error, undefined as unknown as Duplex);
    this.#socket().then((socket) => {
      if (!this.#isDestroyed) return done?.(null, socket);
      socket.destroy();
      fail(connectionClosedError(false));
    }, fail);
  }

  override destroy(): void {
    this.#isDestroyed = true;
    this.#first?.destroy();
    super.destroy();
  }

  async #socket(): Promise<Socket> {
    const first = this.#first;
    this.#first = undefined;
    return first ?? this.#dial(['http/1.1']);
  }
}

/** What comes on an idle connection belongs to nobody, least of all to the next request. */
function refuse(this: Duplex): void {
  this.destroy();
}

/** In the words of Go's net/http. */
const malformed = (message: string): Error =>
  malformedAnswer(`net/http: HTTP/1.x transport connection broken: ${message}`);

/** The parser's own errors (llhttp's HPE_…). */
function withOwnMessage(error: NodeJS.ErrnoException): Error {
  if (error.code?.startsWith('HPE_') !== true) return error;
  return malformed(`malformed HTTP response: ${error.message.replace('Parse Error: ', '')}`);
}
