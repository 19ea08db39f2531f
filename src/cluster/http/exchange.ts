import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Connections } from './connection.ts';
import { writeJson } from './json.ts';
import { stalled } from './network-error.ts';

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
  /** Fails when an answer that has begun stops for that long; see {@link silenceMs} for the default. */
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /**
   * How long ago the first attempt was made that may have been carried out although its answer was lost, in
   * milliseconds; undefined when there was none.
   */
  readonly inDoubtForMs?: number | undefined;
}

export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** An answer whose body is still to be read. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: Readable;
  /** Lets go of the answer; its connection is kept when the body was read to its end. */
  readonly stop: () => void;
}

// The API server gives up on a call after 60 seconds (admission webhooks may take 30 each) and says so itself. Watches
// begin their answer at once.
const silenceMs = (method: string): number => (method === 'GET' ? 30_000 : 65_000);

/** How long an interruption waits for a change that is under way. */
const lettingEndMs = 2_500;

/** Sends one request once, and resolves when the answer begins. Fails with the system's error, or the signal's reason. */
export function exchange(
  { request: open }: Connections,
  agent: Agent,
  target: RequestOptions,
  request: ApiRequest,
  headers: Headers,
): Promise<Answer> {
  const bodyLimit = request.silenceMs ?? silenceMs(request.method);
  const body = request.body === undefined ? undefined : Buffer.from(writeJson(request.body));
  const { signal } = request;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const sent: ClientRequest = open({
      ...target,
      method: request.method,
      agent,
      headers: { ...headers, ...(body && { 'content-length': String(body.length) }) } as Record<
        string,
        string | string[]
      >,
    });
    let answer: IncomingMessage | undefined;
    // The connection of an answer that is complete belongs to the next request.
    const stop = (): void => void (answer?.complete || sent.destroy(signal?.reason as Error));
    let stopTimer: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      // What the server may be carrying out already is let to its end, so that its outcome is known.
      const isUnderWay = request.method !== 'GET' && sent.socket !== null && !sent.socket.connecting;
      if (isUnderWay) stopTimer = setTimeout(stop, lettingEndMs);
      else stop();
    };
    const stopListening = (): void => {
      clearTimeout(stopTimer);
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    let limit = Math.min(bodyLimit, silenceMs(request.method));
    sent.setTimeout(limit, () => sent.destroy(stalled(limit)));
    sent.once('error', (error) => {
      stopListening();
      reject(error);
    });
    sent.once('response', (message) => {
      limit = bodyLimit;
      sent.setTimeout(limit);
      answer = message;
      resolve(answerOf(sent, message, stopListening));
    });
    sent.end(body);
  });
}

function answerOf(sent: ClientRequest, message: IncomingMessage, stopListening: () => void): Answer {
  const isZipped = message.headers['content-encoding'] === 'gzip';
  const body = isZipped ? message.pipe(createGunzip()) : message;
  if (isZipped) message.once('error', (error) => body.destroy(error));
  // After the answer has begun, a broken or stalled connection shows on the body.
  sent.on('error', (error) => body.destroy(error));
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    rawHeaders: message.rawHeaders,
    body,
    stop: () => {
      stopListening();
      if (!message.complete) sent.destroy();
    },
  };
}

/** By events: an iterator costs more than reading the short answers of a deploy, of which there are thousands. */
export function textOf(body: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    if (body.destroyed) reject(body.errored ?? brokenOff());
    body.on('data', (chunk: Buffer) => chunks.push(chunk));
    let isWhole = false;
    body.once('end', () => {
      isWhole = true;
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
    body.once('error', reject);
    // A body that ends before its time without an error of its own. An error costs its stack, so only here.
    body.once('close', () => isWhole || reject(brokenOff()));
  });
}

const brokenOff = (): Error => Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
