import { TshelmError } from '../../support/errors.ts';
import { pause, systemTimers, type Timers, timeoutSignal } from '../../support/timers.ts';
import type { GitFiles } from '../git-files.ts';
import { Agents } from './agents.ts';
import { BrokenOff, defaultPatience, exchange, type Head, type Patience, TooSlow, type Transfer } from './exchange.ts';
import { connectionFailed, downloadFailed } from './failure.ts';
import { noGetters, type OtherGetters } from './getters.ts';
import { redirected } from './redirect.ts';
import type { DownloadProgress, HttpAnswer, HttpRequest } from './request.ts';
import { isRetryable, type Outcome, pauseMs } from './retry.ts';
import { shownUrl } from './shown-url.ts';
import { unpackedText } from './text.ts';

export interface HttpClientOptions {
  /** HTTPS_PROXY and its kin, SSL_CERT_FILE. */
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /** Refuses every request: `offline`, with the URL in its details. */
  readonly isOffline?: boolean | undefined;
  readonly timers?: Timers | undefined;
  readonly patience?: Patience | undefined;
  /** What fetches from URLs of other schemes; default nothing. */
  readonly getters?: OtherGetters | undefined;
  /** What reads git repositories. */
  readonly git?: GitFiles | undefined;
  readonly random?: (() => number) | undefined;
}

/** What Helm v4.3.1 calls itself; some repositories and registries tell clients apart by it. */
const userAgent = 'Helm/4.3.1';

const defaultTimeoutMs = 120_000;
const defaultMaxBytes = 256 << 20;
const defaultRetries = 3;
const longestPauseMs = 60_000;

/**
 * The one door to servers that charts come from: kept-alive connections, proxies, redirects, retries, limits. An answer
 * of any status is an answer; what gives none fails with `download-failed`, in Go's words, naming the URL.
 */
export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #timers: Timers;
  readonly #agents: Agents;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#agents = new Agents(options.env);
  }

  /** What fetches from URLs of other schemes. Errors: `offline`. */
  get getters(): OtherGetters {
    const { getters = noGetters, isOffline } = this.#options;
    if (!isOffline) return getters;
    return { ...getters, fetch: (url) => Promise.reject(offlineError(url)) };
  }

  get git(): GitFiles {
    if (this.#options.git === undefined) throw new Error('internal: nothing reads git repositories');
    return this.#options.git;
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    if (this.isOffline) throw isReadOnlyMethod(request) ? offlineError(request.url) : offlineSendError(request.url);
    const time = this.#time(request.timeoutMs ?? defaultTimeoutMs);
    try {
      return await this.#follow(withoutUserInfo(request), time.signal);
    } finally {
      time.cancel();
    }
  }

  /** Nothing may be fetched. */
  get isOffline(): boolean {
    return this.#options.isOffline === true;
  }

  /** Ends the connections. */
  close(): void {
    this.#agents.close();
  }

  #time(timeoutMs: number): { readonly signal: AbortSignal; readonly cancel: () => void } {
    const own = this.#options.signal ?? new AbortController().signal;
    if (timeoutMs === 0) return { signal: own, cancel: () => undefined };
    const time = timeoutSignal(this.#timers, timeoutMs);
    return { signal: AbortSignal.any([own, time.signal]), cancel: time.cancel };
  }

  async #follow(first: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const way: string[] = [];
    for (let request = first; ; ) {
      way.push(request.url);
      const answer = await this.#insist(request, signal);
      const next = redirected(request, { status: answer.status, location: answer.headers['location'] }, way);
      if (next === undefined) return answer;
      request = next;
    }
  }

  /** What comes to nothing ends its progress too. */
  async #insist(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    let isProgressFinished = false;
    try {
      const answer = await this.#repeat(request, signal);
      isProgressFinished = answer.status < 300;
      return answer;
    } finally {
      const ended = { url: shownUrl(request.url), receivedBytes: 0, totalBytes: undefined, isDone: true };
      if (!isProgressFinished) this.#options.onProgress?.(ended);
    }
  }

  /** Sends it until the answer is final; a body that broke off is taken up where it did. */
  async #repeat(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const { retries = defaultRetries } = request;
    const part: Part = { transfer: { pieces: [], receivedBytes: 0 }, validator: undefined };
    for (let attempt = 1; ; attempt++) {
      const { answer, outcome } = await this.#attempt(request, part, signal);
      if (outcome.error !== undefined) throwIfOver(request, outcome.error, signal);
      const chance = { now: this.#timers.now(), random: (this.#options.random ?? Math.random)() };
      const waitMs = pauseMs(attempt, outcome, chance);
      if (attempt > retries || !isRetryable(outcome) || waitMs > longestPauseMs) {
        if (answer !== undefined) return answer;
        throw outcome.error instanceof BrokenOff || outcome.error instanceof TooSlow
          ? downloadFailed(request, outcome.error.message, outcome.error)
          : connectionFailed(request, outcome.error);
      }
      await pause(this.#timers, waitMs, signal).catch((error: unknown) => throwIfOver(request, error, signal));
    }
  }

  async #attempt(
    request: HttpRequest,
    part: Part,
    signal: AbortSignal,
  ): Promise<{ readonly answer?: HttpAnswer; readonly outcome: Outcome }> {
    try {
      const answer = await this.#once(request, part, signal);
      return { answer, outcome: { status: answer.status, retryAfter: answer.headers['retry-after'] } };
    } catch (error) {
      if (error instanceof TshelmError) throw error;
      return { outcome: { error } };
    }
  }

  async #once(request: HttpRequest, part: Part, signal: AbortSignal): Promise<HttpAnswer> {
    const { method = 'GET', url, body, tls = {}, maxBytes = defaultMaxBytes } = request;
    const open = await this.#agents.opener(new URL(url), tls);
    const head = await exchange(open(method, headersOf(request, part)), {
      body,
      signal,
      patience: this.#options.patience ?? defaultPatience,
      onHead: (begun) => {
        const transfer = transferFor(begun, part);
        refuseAbove(limitFor(begun, maxBytes), lengthOf(begun, transfer), request);
        return transfer;
      },
      onPiece: (begun) => {
        refuseAbove(limitFor(begun, maxBytes), part.transfer.receivedBytes, request);
        this.#tell(request, begun, part.transfer, false);
      },
    });
    this.#tell(request, head, part.transfer, true);
    const whole = Buffer.concat(part.transfer.pieces);
    part.transfer = { pieces: [], receivedBytes: 0 };
    return {
      status: head.status === 206 && part.validator !== undefined ? 200 : head.status,
      statusLine: `${head.status} ${head.statusText}`,
      headers: head.headers,
      body: request.isText ? unpackedText(request, whole, head.headers['content-encoding'], maxBytes) : whole,
      url,
    };
  }

  #tell({ url, method }: HttpRequest, head: Head, { receivedBytes }: Transfer, isDone: boolean): void {
    if ((method !== undefined && method !== 'GET') || head.status >= 300) return;
    const length = Number(head.headers['content-length']);
    const totalBytes = head.status === 200 && length > 0 ? length : undefined;
    this.#options.onProgress?.({ url: shownUrl(url), receivedBytes, totalBytes, isDone });
  }
}

/** What an attempt has got of a body, for the next one. */
interface Part {
  transfer: Transfer;
  /** What says that the rest is of the same body: its ETag or date. */
  validator: string | undefined;
}

/**
 * Where the body goes: to what is here already when it is the rest of that (206), else from the start. A server that
 * gives another part than the one it was asked for is asked again, for the whole.
 */
function transferFor(head: Head, part: Part): Transfer {
  const [, start = '', end = '', total = ''] =
    /^bytes (\d+)-(\d+)\/(\d+|\*)/.exec(head.headers['content-range'] ?? '') ?? [];
  const wasAskedForRest = part.transfer.receivedBytes > 0 && part.validator !== undefined;
  if (wasAskedForRest && head.status === 206 && start === String(part.transfer.receivedBytes)) return part.transfer;
  part.transfer = { pieces: [], receivedBytes: 0 };
  if (wasAskedForRest && (head.status === 206 || head.status === 416)) {
    if (head.status === 206 && start === '0' && Number(end) + 1 === Number(total)) return part.transfer;
    part.validator = undefined;
    throw new BrokenOff(`the server sent a different range from the one requested: ${head.status} ${head.statusText}`);
  }
  const etag = head.headers['etag'];
  part.validator = head.status !== 200 ? undefined : etag?.startsWith('"') ? etag : head.headers['last-modified'];
  return part.transfer;
}

const lengthOf = (head: Head, { receivedBytes }: Transfer): number =>
  receivedBytes + (Number(head.headers['content-length']) || 0);

function headersOf(request: HttpRequest, { transfer, validator }: Part): Record<string, string> {
  const { body, isText, headers } = request;
  const rest = transfer.receivedBytes > 0 && validator !== undefined;
  return {
    'user-agent': userAgent,
    ...(isText && { 'accept-encoding': 'gzip' }),
    ...(body && { 'content-length': String(body.length) }),
    ...(rest && { range: `bytes=${transfer.receivedBytes}-`, 'if-range': validator }),
    ...headers,
  };
}

const leastErrorBytes = 64 * 1024;

/** What a server refuses something with may be longer than what was asked for. */
const limitFor = ({ status }: Head, maxBytes: number): number =>
  status < 300 ? maxBytes : Math.max(maxBytes, leastErrorBytes);

function refuseAbove(maxBytes: number, bytes: number, request: HttpRequest): void {
  if (bytes <= maxBytes || request.method === 'HEAD') return;
  throw downloadFailed(request, `the body is larger than the limit of ${maxBytes} bytes`);
}

/** An interruption is the signal's own reason; the time limit has Go's words. */
function throwIfOver(request: HttpRequest, error: unknown, signal: AbortSignal): void {
  if (!signal.aborted) return;
  if ((signal.reason as Error | undefined)?.name !== 'TimeoutError') throw signal.reason;
  throw downloadFailed(request, 'context deadline exceeded (Client.Timeout exceeded)', error);
}

/** A user and password in the URL, as net/http sends them. */
function withoutUserInfo(request: HttpRequest): HttpRequest {
  const { method, url: text, headers = {} } = request;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw downloadFailed({ method, url: text }, 'invalid URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const scheme = url.protocol.slice(0, -1);
    throw downloadFailed({ method, url: text }, `unsupported protocol scheme ${JSON.stringify(scheme)}`);
  }
  const { username, password } = url;
  if (username === '' && password === '') return request;
  url.username = '';
  url.password = '';
  const own = { authorization: basicAuthorization(decodeURIComponent(username), decodeURIComponent(password)) };
  return { ...request, url: url.href, headers: { ...own, ...headers } };
}

export const basicAuthorization = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

const isReadOnlyMethod = ({ method = 'GET' }: HttpRequest): boolean => method === 'GET' || method === 'HEAD';

const offlineSendError = (url: string): TshelmError =>
  new TshelmError('offline', {
    message: `nothing can be sent to ${shownUrl(url)} while offline`,
    details: { url: shownUrl(url) },
  });

export const offlineError = (url: string): TshelmError =>
  new TshelmError('offline', {
    message: `${shownUrl(url)} is not cached, and cannot be downloaded while offline`,
    details: { url: shownUrl(url) },
  });
