import { Agent, type ClientRequest, type IncomingMessage, request as nodeRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { hungUp, stalled } from '../network-error.ts';
import { type Dial, dialConnected } from './dial.ts';
import {
  type AnswerListener,
  headersByName,
  idleMs,
  malformed,
  type Wire,
  type WireCall,
  type WireRequest,
} from './wire.ts';

/** HTTP/1.1 by node:http. Its agent does not count connections that are still coming up, so the limit is kept here. */
export function nodeWire(dial: Dial, limit = Number.POSITIVE_INFINITY): Wire {
  const agent = new DialingAgent(dial);
  const running = new Set<NodeCall>();
  const waiting = new Set<NodeCall>();
  const next = (): void => {
    for (const call of waiting) {
      if (running.size >= limit) return;
      waiting.delete(call);
      running.add(call);
      call.begin(agent);
    }
  };
  return {
    send(request, listener) {
      const call = new NodeCall(request, listener, () => {
        waiting.delete(call);
        if (running.delete(call)) next();
      });
      waiting.add(call);
      next();
      return call;
    },
    close() {
      for (const call of [...waiting, ...running]) call.stop();
      agent.destroy();
    },
  };
}

/** As net/http's, which Helm uses. */
const longestHead = 1_048_576;

class DialingAgent extends Agent {
  readonly #dial: Dial;

  constructor(dial: Dial) {
    super({ keepAlive: true, scheduling: 'lifo', timeout: idleMs });
    this.#dial = dial;
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
    dialConnected(this.#dial, (opened) => {
      // Node's types ask for a socket beside an error.
      if (opened instanceof Error) done?.(opened, undefined as unknown as Duplex);
      else done?.(null, opened);
    });
  }
}

/** What comes on an idle connection belongs to nobody, least of all to the next request. */
function refuse(this: Duplex): void {
  this.destroy();
}

/** One request; its outcome is told once. */
class NodeCall implements WireCall {
  readonly #request: WireRequest;
  readonly #listener: AnswerListener;
  readonly #onGone: () => void;
  #sent: ClientRequest | undefined;
  #answer: IncomingMessage | undefined;
  #hasSocket = false;
  #isOver = false;

  /** `onGone` is told when its place is free. */
  constructor(request: WireRequest, listener: AnswerListener, onGone: () => void) {
    this.#request = request;
    this.#listener = listener;
    this.#onGone = onGone;
  }

  begin(agent: Agent): void {
    const { method, target, headers, body, silenceMs } = this.#request;
    const options = { agent, method, path: target, setHost: false, maxHeaderSize: longestHead };
    this.#sent = nodeRequest({ ...options, headers: [...headers, ...lengthOf(method, body)] })
      .on('socket', () => (this.#hasSocket = true))
      .on('response', (answer) => this.#onResponse(answer))
      .on('upgrade', () => this.stop(malformed('unexpected 101 response')))
      .on('timeout', () => this.#onTimeout())
      .on('error', (error) => this.#fail(inOurWords(error)))
      .on('close', () => {
        this.#fail(hungUp(this.#answer !== undefined));
        // The agent has its connection back after this event.
        queueMicrotask(this.#onGone);
      })
      .setTimeout(silenceMs);
    this.#sent.end(body);
  }

  get isUnderWay(): boolean {
    return this.#hasSocket && !this.#isOver;
  }

  pause(): void {
    this.#answer?.pause();
  }

  resume(): void {
    this.#answer?.resume();
  }

  stop(error?: Error): void {
    this.#fail(error ?? hungUp(this.#answer !== undefined));
    if (this.#sent === undefined) this.#onGone();
    else this.#sent.destroy();
  }

  #onResponse(answer: IncomingMessage): void {
    this.#answer = answer;
    const { statusCode: status = 0, rawHeaders } = answer;
    this.#sent?.setTimeout(this.#request.bodySilenceMs);
    answer
      .on('data', (piece: Buffer) => !this.#isOver && this.#listener.onBody(piece))
      .on('end', () => this.#end())
      .on('error', (error) => this.#fail(inOurWords(error)));
    this.#listener.onHead({ status, rawHeaders, headers: headersByName(rawHeaders) });
  }

  #onTimeout(): void {
    const { silenceMs, bodySilenceMs } = this.#request;
    if (this.#answer?.isPaused() !== true) this.stop(stalled(this.#answer === undefined ? silenceMs : bodySilenceMs));
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.onEnd();
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.onError(error);
  }
}

/** The parser's own errors (llhttp's HPE_…). */
function inOurWords(error: NodeJS.ErrnoException): Error {
  if (error.code?.startsWith('HPE_') !== true) return error;
  return malformed(`malformed HTTP response: ${error.message.replace('Parse Error: ', '')}`);
}

const mayHaveBody = new Set(['POST', 'PUT', 'PATCH']);

const lengthOf = (method: string, body: string | undefined): readonly string[] =>
  body === undefined && !mayHaveBody.has(method) ? [] : ['content-length', String(Buffer.byteLength(body ?? ''))];
