import { type Fields, isObject } from '../support/json.ts';
import { linesOf } from './lines.ts';

/** Of a request: who asked, so that the answer finds it. */
export type RequestId = string | number;

/** JSON-RPC's codes of errors. */
export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

/** A request is answered with an error instead of a result. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** What the work for a request is given. */
export interface RpcCall {
  /** Aborts where the other side cancels the request, and where the server ends. */
  readonly signal: AbortSignal;
  /** Tells how far it is, where the other side has asked for that. */
  readonly progress: (message: string) => void;
}

export interface RpcHandlers {
  /** The results of methods. Errors: {@link RpcError}; any other failure is answered as an internal error without its text. */
  readonly methods: Readonly<Record<string, (params: Fields, call: RpcCall) => unknown>>;
  readonly write: (line: string) => void;
}

/** Values of some megabytes are still answered; more is no request of a model. */
const maxLineBytes = 8 * 1024 * 1024;
const maxRunning = 32;

/**
 * Answers the requests of a stream, one JSON text in each line, side by side, until the stream or the signal ends; then
 * what runs ends too, and is waited for. No input ends it: what is no request is answered with an error (JSON-RPC 2.0, as
 * the stdio transport of the Model Context Protocol has it; batches went in its version 2025-06-18).
 */
export class RpcServer {
  readonly #handlers: RpcHandlers;
  readonly #running = new Map<RequestId, AbortController>();

  constructor(handlers: RpcHandlers) {
    this.#handlers = handlers;
  }

  async serve(input: AsyncIterable<Uint8Array>): Promise<void> {
    const works = new Set<Promise<void>>();
    for await (const line of linesOf(input, maxLineBytes)) {
      const work = 'text' in line ? this.#take(line.text) : this.#refuse(null, tooLong);
      if (work === undefined) continue;
      works.add(work);
      void work.then(() => works.delete(work));
    }
    await Promise.all(works);
  }

  /** Cancels what runs. */
  end(reason: unknown): void {
    for (const abort of this.#running.values()) abort.abort(reason);
  }

  /** The work for a message; undefined where there is none. */
  #take(text: string): Promise<void> | undefined {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return this.#refuse(null, new RpcError(rpcCodes.parse, 'the line is not JSON'));
    }
    if (isDeep(message)) return this.#refuse(null, notRequest(`at most ${maxDepth} levels`));
    if (!isObject(message))
      return this.#refuse(null, notRequest('to be one JSON object in a line of its own, and no batch'));
    const { id, method, params = {}, jsonrpc } = message;
    const isAnswer = method === undefined && ('result' in message || 'error' in message);
    // Nothing is asked of the other side, so no answer is waited for.
    if (isAnswer) return undefined;
    if (!isRequestId(id) && id !== undefined)
      return this.#refuse(null, notRequest('an id that is a string or a number'));
    if (jsonrpc !== '2.0' || typeof method !== 'string')
      return this.#refuse(id ?? null, notRequest('the member jsonrpc "2.0" and a method'));
    if (id === undefined) return this.#notice(method, params);
    if (!isObject(params)) return this.#refuse(id, new RpcError(rpcCodes.invalidParams, 'params must be an object'));
    return this.#answer(id, method, params);
  }

  #notice(method: string, params: unknown): undefined {
    if (method !== 'notifications/cancelled' || !isObject(params)) return;
    const { requestId } = params;
    if (isRequestId(requestId)) this.#running.get(requestId)?.abort(new DOMException('cancelled', 'AbortError'));
  }

  async #answer(id: RequestId, method: string, params: Fields): Promise<void> {
    const work = Object.hasOwn(this.#handlers.methods, method) ? this.#handlers.methods[method] : undefined;
    if (work === undefined) return this.#refuse(id, new RpcError(rpcCodes.methodNotFound, 'there is no such method'));
    if (this.#running.has(id)) return this.#refuse(id, notRequest('an id that no running request has'));
    if (this.#running.size >= maxRunning)
      return this.#refuse(id, new RpcError(rpcCodes.internal, `${maxRunning} requests run already`));
    const abort = new AbortController();
    this.#running.set(id, abort);
    try {
      const result = await work(params, { signal: abort.signal, progress: this.#progressOf(params) });
      // Who has cancelled a request wants no answer.
      if (!abort.signal.aborted) this.#write({ id, result });
    } catch (error) {
      if (!abort.signal.aborted) await this.#refuse(id, error);
    } finally {
      this.#running.delete(id);
    }
  }

  #progressOf({ _meta }: Fields): RpcCall['progress'] {
    const token = isObject(_meta) ? _meta['progressToken'] : undefined;
    let progress = 0;
    return (message) => {
      if (!isRequestId(token)) return;
      progress += 1;
      this.#write({ method: 'notifications/progress', params: { progressToken: token, progress, message } });
    };
  }

  async #refuse(id: RequestId | null, error: unknown): Promise<void> {
    const { code, message } =
      error instanceof RpcError ? error : new RpcError(rpcCodes.internal, 'the request failed within tshelm');
    this.#write({ id, error: { code, message } });
  }

  #write(message: object): void {
    this.#handlers.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

/** No values are deeper; what reads them goes down level by level, and would run out of stack. */
const maxDepth = 200;

function isDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth < maxDepth; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

const isRequestId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isFinite(id);

const notRequest = (wanted: string): RpcError => new RpcError(rpcCodes.invalidRequest, `a request needs ${wanted}`);

const tooLong = new RpcError(rpcCodes.invalidRequest, `a line may have ${maxLineBytes} bytes`);
