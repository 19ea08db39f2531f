import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Connections, openConnections, serverUrl } from './connection.ts';
import { Credentials, type Identity } from './credentials.ts';
import { writeJson } from './json.ts';
import type { ClusterAccess } from './kubeconfig.ts';
import { isTransient, networkError, neverArrived, stalled } from './network-error.ts';
import { backoffMs, retryAfterMs, type Sleep, sleep } from './retry.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the server's own address: `/api/v1/namespaces/x/pods`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  /**
   * When to send it again: `always` where doing it twice changes nothing, `unprocessed` where that is known only if
   * the server did not take it (connection refused, 429), `never`.
   */
  readonly repeat: 'always' | 'unprocessed' | 'never';
  /** Fails when no byte comes for that long; see {@link silenceMs} for the default. */
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** One attempt of a request, for debugging; it holds no secrets. `status` is 0 when there was no answer. */
export interface RequestReport {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly elapsedMs: number;
  readonly attempt: number;
}

export interface TransportOptions {
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Connections for calls that run at the same time; watches have their own. Default 32. */
  readonly maxConnections?: number | undefined;
  readonly onRequest?: ((report: RequestReport) => void) | undefined;
  /** A Warning header of the API server, each text once. */
  readonly onWarning?: ((text: string) => void) | undefined;
  readonly random?: (() => number) | undefined;
  readonly sleep?: Sleep | undefined;
}

const maxAttempts = 6;
// A server that has answered before is waited for about half a minute: it may be restarting.
const maxConnectionAttempts = 10;

/** Requests to one API server over kept-alive connections; failures that pass are waited out. */
export class Transport {
  readonly url: URL;
  readonly #access: ClusterAccess;
  readonly #options: TransportOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #credentials: Credentials;
  readonly #warned = new Set<string>();
  readonly #basePath: string;
  #connections: { certificate: string | undefined; opened: Promise<Connections> } | undefined;
  #hasAnswered = false;

  constructor(access: ClusterAccess, options: TransportOptions = {}) {
    this.#access = access;
    this.#options = options;
    this.#env = options.env ?? process.env;
    this.#credentials = new Credentials(access, this.#env);
    this.url = serverUrl(access);
    this.#basePath = this.url.pathname.replace(/\/$/, '');
  }

  /** Sends a request and reads the whole answer, whatever its status. Fails with `cluster-unreachable`. */
  async send(request: ApiRequest): Promise<ApiResponse> {
    const { response, stop } = await this.#attempt(request, 'calls');
    try {
      return { status: response.status, headers: response.headers, text: await textOf(response.body) };
    } catch (cause) {
      request.signal?.throwIfAborted();
      throw networkError(request.method, this.#urlOf(request), cause, false);
    } finally {
      stop();
    }
  }

  /** Sends a request and gives the answer's body while it comes. Errors of the body are plain system errors. */
  async stream(
    request: ApiRequest,
  ): Promise<{ status: number; headers: IncomingMessage['headers']; body: Readable; stop: () => void }> {
    const { response, stop } = await this.#attempt(request, 'streams');
    return { ...response, stop };
  }

  close(): void {
    void this.#connections?.opened.then(({ calls, streams }) => {
      calls.destroy();
      streams.destroy();
    });
    this.#connections = undefined;
  }

  async #attempt(request: ApiRequest, kind: 'calls' | 'streams'): Promise<{ response: Answer; stop: () => void }> {
    let isIdentityRenewed = false;
    for (let attempt = 1; ; attempt++) {
      const { answer, identity, error } = await this.#once(request, kind, attempt);
      if (answer !== undefined) {
        this.#hasAnswered = true;
        if (answer.response.status === 401 && !isIdentityRenewed) {
          isIdentityRenewed = true;
          if (await this.#credentials.forget(identity)) {
            answer.discard();
            continue;
          }
        }
        if (!this.#mayRepeat(request, attempt, answer.response.status)) return answer;
        if (answer.response.status === 500) {
          const text = await textOf(answer.response.body);
          if (!passingProblem.test(text))
            return { ...answer, response: { ...answer.response, body: Readable.from([Buffer.from(text)]) } };
        }
        answer.discard();
        const asked = retryAfterMs(answer.response.headers['retry-after'], Date.now());
        await this.#pause(asked ?? backoffMs(attempt, this.#options.random ?? Math.random), request.signal);
      } else if (this.#mayResend(request, attempt, error)) {
        await this.#pause(backoffMs(attempt, this.#options.random ?? Math.random), request.signal);
      } else {
        throw networkError(request.method, this.#urlOf(request), error, this.#access.isGuess);
      }
    }
  }

  #mayRepeat({ repeat }: ApiRequest, attempt: number, status: number): boolean {
    if (attempt >= maxAttempts || repeat === 'never') return false;
    return status === 429 || (repeat === 'always' && passingStatuses.has(status));
  }

  /** A server that has never answered is not waited for: the address is more likely wrong. */
  #mayResend({ repeat }: ApiRequest, attempt: number, error: unknown): boolean {
    if (attempt >= maxConnectionAttempts || repeat === 'never' || !this.#hasAnswered) return false;
    return neverArrived(error) || (repeat === 'always' && isTransient(error));
  }

  async #pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    await (this.#options.sleep ?? sleep)(milliseconds, signal);
  }

  async #once(request: ApiRequest, kind: 'calls' | 'streams', attempt: number): Promise<Outcome> {
    request.signal?.throwIfAborted();
    const identity = await this.#credentials.current(request.signal);
    const connections = await this.#connectionsOf(identity);
    const started = performance.now();
    const report = (status: number): void =>
      this.#options.onRequest?.({
        method: request.method,
        path: request.path,
        status,
        elapsedMs: performance.now() - started,
        attempt,
      });
    try {
      request.signal?.throwIfAborted();
      const answer = await exchange(
        connections,
        connections[kind],
        this.#urlOf(request),
        request,
        this.#headersOf(request, identity),
      );
      report(answer.response.status);
      this.#warn(answer.response.rawHeaders);
      return { answer, identity };
    } catch (error) {
      request.signal?.throwIfAborted();
      report(0);
      return { identity, error };
    }
  }

  async #connectionsOf(identity: Identity): Promise<Connections> {
    const { certificate } = identity;
    if (this.#connections === undefined || this.#connections.certificate !== certificate) {
      const opened = openConnections(this.url, this.#access.cluster, identity, {
        env: this.#env,
        maxConnections: this.#options.maxConnections ?? 32,
      });
      opened.catch(() => (this.#connections = undefined));
      this.#connections = { certificate, opened };
    }
    return this.#connections.opened;
  }

  #urlOf({ path, query }: ApiRequest): URL {
    const url = new URL(this.url);
    url.pathname = `${this.#basePath}${path}`;
    for (const [key, value] of Object.entries(query ?? {})) if (value !== undefined) url.searchParams.set(key, value);
    return url;
  }

  #headersOf(request: ApiRequest, identity: Identity): Record<string, string | readonly string[]> {
    return {
      accept: request.accept ?? 'application/json',
      'user-agent': 'tshelm',
      ...(this.#access.cluster['disable-compression'] ? {} : { 'accept-encoding': 'gzip' }),
      ...(request.body !== undefined && { 'content-type': request.contentType ?? 'application/json' }),
      ...identity.headers,
    };
  }

  #warn(rawHeaders: readonly string[]): void {
    const { onWarning } = this.#options;
    if (onWarning === undefined) return;
    for (const text of warningsIn(rawHeaders)) {
      if (this.#warned.has(text)) continue;
      this.#warned.add(text);
      onWarning(text);
    }
  }
}

const passingStatuses = new Set([500, 502, 503, 504]);

// The API server answers 500 also for what stays wrong, such as a field that is not in the schema.
const passingProblem =
  /failed calling webhook|etcdserver|leader changed|rpc error|connection re(fused|set)|deadline exceeded|timed? ?out|EOF|no endpoints available/i;

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: Readable;
}

interface Exchange {
  readonly response: Answer;
  /** Ends the exchange; the connection is given back when the body was read to its end. */
  readonly stop: () => void;
  /** Reads the body away, so that the connection can be used again. */
  readonly discard: () => void;
}

interface Outcome {
  readonly answer?: Exchange;
  readonly identity: Identity;
  readonly error?: unknown;
}

// The API server gives up on a call after 60 seconds (admission webhooks may take 30 each) and says so itself.
const silenceMs = (method: string): number => (method === 'GET' ? 30_000 : 65_000);

function exchange(
  { request: open }: Connections,
  agent: Agent,
  url: URL,
  request: ApiRequest,
  headers: Record<string, string | readonly string[]>,
): Promise<Exchange> {
  const limit = request.silenceMs ?? silenceMs(request.method);
  const body = request.body === undefined ? undefined : Buffer.from(writeJson(request.body));
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = open(url, {
      method: request.method,
      agent,
      headers: { ...headers, ...(body && { 'content-length': String(body.length) }) } as Record<
        string,
        string | string[]
      >,
    });
    const onAbort = (): void => void sent.destroy(request.signal?.reason as Error);
    const stop = (): void => request.signal?.removeEventListener('abort', onAbort);
    request.signal?.addEventListener('abort', onAbort, { once: true });
    sent.setTimeout(limit, () => sent.destroy(stalled(limit)));
    sent.once('error', (error) => {
      stop();
      reject(error);
    });
    sent.once('response', (message) => resolve(exchangeOf(sent, message, stop)));
    sent.end(body);
  });
}

function exchangeOf(sent: ClientRequest, message: IncomingMessage, stop: () => void): Exchange {
  const isZipped = message.headers['content-encoding'] === 'gzip';
  const body = isZipped ? message.pipe(createGunzip()) : message;
  if (isZipped) message.once('error', (error) => body.destroy(error));
  // After the answer has begun, a broken or stalled connection shows on the body.
  sent.on('error', (error) => body.destroy(error));
  return {
    response: { status: message.statusCode ?? 0, headers: message.headers, rawHeaders: message.rawHeaders, body },
    stop: () => {
      stop();
      if (!message.complete) sent.destroy();
    },
    discard: () => {
      stop();
      body.on('error', () => {}).resume();
    },
  };
}

async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The texts of `Warning: 299 - "…"` headers. */
export function warningsIn(rawHeaders: readonly string[]): string[] {
  const texts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'warning') continue;
    for (const [, text = ''] of (rawHeaders[index + 1] ?? '').matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)) {
      texts.push(text.replace(/\\(.)/g, '$1'));
    }
  }
  return texts;
}
