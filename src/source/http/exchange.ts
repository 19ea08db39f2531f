import type { ClientRequest, IncomingMessage } from 'node:http';

/** How long a server may take; see {@link defaultPatience}. */
export interface Patience {
  readonly connectMs: number;
  /** From the request's end to the answer's first line. */
  readonly headMs: number;
  /** In each such period at least {@link leastBytes} must come. */
  readonly slowMs: number;
}

export const defaultPatience: Patience = { connectMs: 30_000, headMs: 90_000, slowMs: 30_000 };

const leastBytes = 1024;

/** What has come of a body, so that it can be taken up where it broke off. */
export interface Transfer {
  pieces: Uint8Array[];
  receivedBytes: number;
}

export interface ExchangeOptions {
  readonly body: Uint8Array | undefined;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  /** Whether the answer's body is wanted, when its head is here; another body is passed over. */
  readonly onHead: (head: Head) => Transfer | undefined;
  /** Each piece, after it has been added. Throws to end it. */
  readonly onPiece: (head: Head) => void;
}

export interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A server that keeps one waiting; the message says how. */
export class TooSlow extends Error {}

/** The body ended before its announced length. */
export class BrokenOff extends Error {}

/** Sends one request once. Fails with the system's error, {@link TooSlow}, {@link BrokenOff}, or the signal's reason. */
export function exchange(request: ClientRequest, options: ExchangeOptions): Promise<Head> {
  const { signal, patience, body } = options;
  const limit = new Limit();
  return new Promise<Head>((resolve, reject) => {
    signal.throwIfAborted();
    const fail = (error: unknown): void => {
      request.destroy();
      reject(error as Error);
    };
    const onAbort = (): void => fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    limit.set(patience.connectMs, () => fail(new TooSlow('i/o timeout: no connection')));
    request.once('error', fail);
    request.once('finish', () =>
      limit.set(patience.headMs, () => fail(new TooSlow('timeout awaiting response headers'))),
    );
    request.once('response', (response) => {
      const flow = { receivedBytes: 0 };
      limitSlowness(limit, patience.slowMs, { flow, fail });
      readBody(response, options, flow)
        .then(resolve, fail)
        .finally(() => signal.removeEventListener('abort', onAbort));
    });
    request.end(body);
  }).finally(() => limit.end());
}

/** The one time limit that holds at the moment. */
class Limit {
  #timer: NodeJS.Timeout | undefined;

  set(milliseconds: number, run: () => void): void {
    this.end();
    this.#timer = setTimeout(run, milliseconds);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function limitSlowness(
  limit: Limit,
  periodMs: number,
  { flow, fail }: { readonly flow: { readonly receivedBytes: number }; readonly fail: (error: Error) => void },
): void {
  const before = flow.receivedBytes;
  limit.set(periodMs, () => {
    const came = flow.receivedBytes - before;
    if (came >= leastBytes) limitSlowness(limit, periodMs, { flow, fail });
    else fail(new TooSlow(`the server is too slow: only ${came} bytes in ${periodMs / 1000} s`));
  });
}

async function readBody(
  response: IncomingMessage,
  options: ExchangeOptions,
  flow: { receivedBytes: number },
): Promise<Head> {
  const { statusCode = 0, statusMessage = '' } = response;
  const head: Head = { status: statusCode, statusText: statusMessage, headers: headersOf(response) };
  const transfer = options.onHead(head);
  try {
    for await (const piece of response as AsyncIterable<Uint8Array>) {
      flow.receivedBytes += piece.length;
      if (transfer === undefined && flow.receivedBytes > passedOverBytes) break;
      if (transfer === undefined) continue;
      transfer.pieces.push(piece);
      transfer.receivedBytes += piece.length;
      options.onPiece(head);
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ECONNRESET') throw cause;
    throw new BrokenOff('unexpected EOF', { cause });
  }
  return head;
}

/** So much of a body that nobody wants is read, so that the connection can be used again. */
const passedOverBytes = 64 * 1024;

function headersOf({ headers }: IncomingMessage): Head['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
