import type { Duplex } from 'node:stream';
import { isThisMachine } from '../../go/net/proxy.ts';
import { withoutTrailingSlashes } from '../../go/path.ts';
import { writeJson } from '../../support/exact-json.ts';
import { unescaped } from '../../support/text.ts';
import { type Sleep, sleepBy, systemTimers, type Timers } from '../../support/timers.ts';
import { userAgent } from '../../support/version.ts';
import { askedUser } from '../credentials/asked-user.ts';
import { Credentials, type Identity } from '../credentials/credentials.ts';
import type { ClusterAccess } from '../kubeconfig.ts';
import { askedOf, networkError, neverReachedServer, noAnswerInTimeError, redirected } from '../network-error.ts';
import type { AskedCluster } from '../types.ts';
import { askWith } from './ask.ts';
import type { AnswerHead, RequestHeaders } from './connection.ts';
import type { Connections } from './connections.ts';
import { type ApiRequest, type ApiResponse, type Exchange, exchange, type OpenBody, questionMs } from './exchange.ts';
import { checkedHeaders, checkedTarget } from './headers.ts';
import { openConnections, serverUrl } from './open-connections.ts';
import { firstAnswerMs, type OutageEvent, OutageReporter } from './outage-reporter.ts';
import { pauseBeforeNext } from './retry.ts';
import { type RequestRate, Throttle } from './throttle.ts';

/** An answer; `open` where its body is still coming, and `text` then empty. */
export interface ApiStream extends ApiResponse {
  readonly open?: OpenBody | undefined;
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
  /** That a server which has answered before does not any more, and that it does again. */
  readonly onAbsence?: ((news: OutageEvent) => void) | undefined;
  readonly random?: (() => number) | undefined;
  readonly sleep?: Sleep | undefined;
  readonly timers?: Timers | undefined;
  readonly dial?: (() => Duplex) | undefined;
  /** Default: no limit, the server's own (429) is honoured. */
  readonly rate?: RequestRate | undefined;
  /** How many redirects may follow one another; default 10, as in net/http. */
  readonly redirects?: number | undefined;
}

/** Requests to one API server over kept-alive connections; failures that pass are waited out. */
export class Transport {
  readonly url: URL;
  readonly #access: ClusterAccess;
  readonly #options: TransportOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #credentials: Credentials;
  readonly #warned = new Set<string>();
  readonly #basePath: string;
  readonly #throttle: Throttle | undefined;
  /** Told of apart: what comes before a server may answer for all changes, and let questions pass. */
  readonly #absences: { readonly reads: OutageReporter; readonly writes: OutageReporter };
  #connections: { certificate: string | undefined; opened: Promise<Connections> } | undefined;
  #hasAnswered = false;
  #dated: { readonly header: string; readonly atMs: number } | undefined;
  /** Where redirects lead to, by address. */
  readonly #elsewhere = new Map<string, Transport>();
  readonly #limits = new Set<AbsenceLimit>();
  #headers: { readonly identity: Identity; readonly byTypes: Map<string, RequestHeaders> } | undefined;

  constructor(access: ClusterAccess, options: TransportOptions = {}) {
    this.#access = access;
    this.#options = options;
    this.#env = options.env ?? process.env;
    this.#credentials = new Credentials(access, { env: this.#env, ask: askWith(this.#env) });
    this.url = serverUrl(access);
    const { rate, timers = systemTimers, sleep = sleepBy(timers) } = options;
    this.#throttle = rate === undefined ? undefined : new Throttle(rate, timers, sleep);
    const absence = (): OutageReporter => new OutageReporter(this.url, timers, (news) => options.onAbsence?.(news));
    this.#absences = { reads: absence(), writes: absence() };
    this.#basePath = withoutTrailingSlashes(this.url.pathname);
  }

  /** Sends a request and reads the whole answer, whatever its status. Fails with `cluster-unreachable`. */
  async send(request: ApiRequest): Promise<ApiResponse> {
    return this.#untilAnswered(request, 'calls');
  }

  /** Sends a request whose answer goes on and on. A refusal is read; errors of an open body are plain system errors. */
  async stream(request: ApiRequest): Promise<ApiStream> {
    return this.#untilAnswered(request, 'streams');
  }

  /** See {@link Cluster.serverTime}. */
  serverTime(): Date | undefined {
    if (this.#dated === undefined) return undefined;
    const time = new Date(Date.parse(this.#dated.header) + performance.now() - this.#dated.atMs);
    return Number.isNaN(time.getTime()) ? undefined : time;
  }

  /** See {@link Cluster.limitAbsence}. */
  limitAbsence(limitMs: number): () => void {
    const { timers = systemTimers } = this.#options;
    const limit = { limitMs, fromMs: timers.now() };
    this.#limits.add(limit);
    return () => void this.#limits.delete(limit);
  }

  close(): void {
    this.#connections?.opened.then(
      (connections) => connections.close(),
      () => {},
    );
    this.#connections = undefined;
    for (const transport of this.#elsewhere.values()) transport.close();
  }

  async #untilAnswered(request: ApiRequest, kind: 'calls' | 'streams'): Promise<ApiStream> {
    let hasRenewed = false;
    let pausedMs = 0;
    let inDoubtSince: number | undefined;
    for (let number = 1; ; number++) {
      request.signal?.throwIfAborted();
      this.#throwIfGivenUp(request);
      await this.#throttle?.admit(request.signal);
      const identity = await this.#credentials.current(request.signal);
      const { timers = systemTimers, random = Math.random, sleep = sleepBy(timers) } = this.#options;
      await request.fence?.enter(request.signal);
      const started = performance.now();
      const startedMs = timers.now();
      const outcome = await this.#once(request, kind, number, identity);
      if (
        outcome.response?.status === 401 &&
        !hasRenewed &&
        (await this.#credentials.forget(identity, request.signal))
      ) {
        hasRenewed = true;
        continue;
      }
      const leadsTo = this.#redirectOf(request, outcome.response);
      if (leadsTo !== undefined) {
        outcome.response?.open?.stop();
        return this.#elsewhereAt(leadsTo).#untilAnswered({ ...request, ...partsOf(leadsTo) }, kind);
      }
      const pauseMs = pauseBeforeNext(
        request.repeat,
        { ...outcome, number, pausedMs },
        { hasAnswered: this.#hasAnswered, now: timers.now(), random },
      );
      if (pauseMs === undefined) return this.#final(request, outcome, { inDoubtSince, identity });
      if (mayHaveBeenExecuted(outcome)) inDoubtSince ??= started;
      if (this.#hasAnswered) this.#absenceOf(request).missed({ ...outcome, startedMs });
      await sleep(Math.min(pauseMs, this.#patienceMs(request)), request.signal);
      pausedMs += pauseMs;
    }
  }

  /** Where an answer says that the same request is to be sent; other redirects lead to pages for people. */
  #redirectOf(request: ApiRequest, response: ApiStream | undefined): URL | undefined {
    const location = response?.headers['location'];
    if (location === undefined || (response?.status !== 307 && response?.status !== 308)) return undefined;
    if ((this.#options.redirects ?? mostRedirects) <= 0 || !URL.canParse(location, this.#urlOf(request).href))
      return undefined;
    const url = new URL(location, this.#urlOf(request));
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
  }

  /** Requests to where a redirect leads; who asks is told only to the server that the kubeconfig names. */
  #elsewhereAt({ origin }: URL): Transport {
    const known = this.#elsewhere.get(origin);
    if (known !== undefined) return known;
    const { cluster, user } = this.#access;
    const isSame = origin === this.url.origin;
    const { 'tls-server-name': name, ...others } = cluster;
    const access: ClusterAccess = {
      ...this.#access,
      cluster: { ...others, server: origin, ...(isSame && name !== undefined ? { 'tls-server-name': name } : {}) },
      user: isSame ? user : {},
    };
    const redirects = (this.#options.redirects ?? mostRedirects) - 1;
    const transport = new Transport(access, { ...this.#options, redirects });
    this.#elsewhere.set(origin, transport);
    return transport;
  }

  /** For how long the server may still be away. */
  #patienceMs(request: ApiRequest): number {
    const absence = this.#absenceOf(request);
    const left = [...this.#limits].map(({ limitMs, fromMs }) => limitMs - absence.lengthMs(fromMs));
    return Math.max(0, Math.min(Number.POSITIVE_INFINITY, ...left));
  }

  /**
   * How long an answer may take to begin. A change may be under way for a minute, behind webhooks; of a server that has
   * never answered it is not known that it is an API server at all.
   */
  #answerMs(request: ApiRequest): number | undefined {
    if (this.#hasAnswered && request.method !== 'GET') return undefined;
    return Math.max(1, Math.min(questionMs, this.#patienceMs(request)));
  }

  #throwIfGivenUp(request: ApiRequest): void {
    if (this.#limits.size === 0 || this.#patienceMs(request) > 0) return;
    throw noAnswerInTimeError(request.method, this.#urlOf(request), this.#absenceOf(request).lengthMs(0), this.#access);
  }

  #absenceOf({ method }: ApiRequest): OutageReporter {
    return method === 'GET' ? this.#absences.reads : this.#absences.writes;
  }

  #final(
    request: ApiRequest,
    { response, error }: Outcome,
    { inDoubtSince, identity }: { readonly inDoubtSince: number | undefined; readonly identity: Identity },
  ): ApiStream {
    if (response === undefined) throw networkError(request.method, this.#urlOf(request), error, this.#access);
    if (isRedirect(response.status)) {
      response.open?.stop();
      throw redirected(request.method, this.#urlOf(request), response);
    }
    const asked = response.status === 401 ? this.#askedAs(identity) : undefined;
    if (inDoubtSince === undefined && asked === undefined) return response;
    return {
      ...response,
      asked,
      ...(inDoubtSince !== undefined && { inDoubtForMs: performance.now() - inDoubtSince }),
    };
  }

  #askedAs(identity: Identity): AskedCluster {
    const nowMs = this.serverTime()?.getTime() ?? Date.now();
    return { ...askedOf(this.#access), user: askedUser(this.#access, identity, nowMs) };
  }

  async #once(request: ApiRequest, kind: 'calls' | 'streams', attempt: number, identity: Identity): Promise<Outcome> {
    const connections = await this.#connectionsOf(identity);
    const { timers = systemTimers } = this.#options;
    const started = performance.now();
    const impatient = this.#hasAnswered
      ? undefined
      : timers.setTimeout(() => this.#hasAnswered || this.#absences.reads.unanswered(), firstAnswerMs);
    let status = 0;
    try {
      const response = await exchange(connections, {
        request,
        ...this.#writtenOf(request, identity),
        isStream: kind === 'streams',
        answerMs: this.#answerMs(request),
        onHead: (head) => {
          status = head.status;
          this.#hasAnswered = true;
          if (head.headers['date'] !== undefined)
            this.#dated = { header: head.headers['date'], atMs: performance.now() };
          this.#absenceOf(request).answered(status);
          this.#warn(head);
        },
      });
      return { response };
    } catch (error) {
      request.signal?.throwIfAborted();
      return { error };
    } finally {
      if (impatient !== undefined) timers.clearTimeout(impatient);
      const { method, path } = request;
      this.#options.onRequest?.({ method, path, status, elapsedMs: performance.now() - started, attempt });
    }
  }

  async #connectionsOf(identity: Identity): Promise<Connections> {
    const { certificate } = identity;
    if (this.#connections === undefined || this.#connections.certificate !== certificate) {
      const opened = openConnections(this.url, this.#access.cluster, identity, {
        env: this.#env,
        maxConnections: this.#options.maxConnections ?? 32,
        dial: this.#options.dial,
      });
      // The caller fails with it; the next one tries anew.
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

  #writtenOf(request: ApiRequest, identity: Identity): Pick<Exchange, 'target' | 'headers' | 'body'> {
    const { path, query, body, accept = 'application/json' } = request;
    const contentType = body === undefined ? undefined : (request.contentType ?? 'application/json');
    return {
      target: checkedTarget(`${this.#basePath}${path}${queryText(query)}`),
      headers: this.#headersOf(identity, accept, contentType),
      body: body === undefined ? undefined : writeJson(body),
    };
  }

  /** They are the same for most requests. */
  #headersOf(identity: Identity, accept: string, contentType: string | undefined): RequestHeaders {
    if (this.#headers?.identity !== identity) this.#headers = { identity, byTypes: new Map() };
    const { byTypes } = this.#headers;
    const types = `${accept}\n${contentType}`;
    const known = byTypes.get(types);
    if (known !== undefined) return known;
    const headers = checkedHeaders({
      accept,
      'user-agent': userAgent,
      ...(this.#access.cluster['disable-compression'] ? {} : { 'accept-encoding': 'gzip' }),
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...basicAuthorization(this.url),
      ...(isPrivate(this.url) ? identity.headers : {}),
    });
    byTypes.set(types, headers);
    return headers;
  }

  #warn({ headers: { warning } }: AnswerHead): void {
    const { onWarning } = this.#options;
    if (onWarning === undefined || warning === undefined) return;
    for (const text of warningsIn(warning)) {
      if (this.#warned.has(text)) continue;
      this.#warned.add(text);
      onWarning(text);
    }
  }
}

/**
 * Whether nobody else reads what is sent there. As client-go, who asks is told over TLS only; what does not leave the
 * machine is as good.
 */
const isPrivate = (url: URL): boolean => url.protocol === 'https:' || isThisMachine(url);

/** What an address `https://user:password@host` asks for where the kubeconfig says nothing else, as in net/http. */
const basicAuthorization = ({ username, password }: URL): { authorization?: string } =>
  username || password
    ? { authorization: `Basic ${Buffer.from(decodeURIComponent(`${username}:${password}`)).toString('base64')}` }
    : {};

/** `?fieldManager=helm&force=true`. URLSearchParams would take a twentieth of the time of an install. */
function queryText(query: ApiRequest['query']): string {
  let text = '';
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined) text += `${text === '' ? '?' : '&'}${key}=${encodeURIComponent(value)}`;
  }
  return text;
}

const mostRedirects = 10;

/** Path and query of an address, as a request has them. */
const partsOf = ({ pathname, searchParams }: URL): Pick<ApiRequest, 'path' | 'query'> => ({
  path: pathname,
  query: Object.fromEntries(searchParams),
});

interface AbsenceLimit {
  readonly limitMs: number;
  readonly fromMs: number;
}

interface Outcome {
  readonly response?: ApiStream;
  readonly error?: unknown;
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** Whether the request may have been carried out, although nothing says so. */
const mayHaveBeenExecuted = ({ response, error }: Outcome): boolean =>
  response === undefined ? !neverReachedServer(error) : response.status >= 500;

/** The texts of `Warning: 299 - "…", 299 - "…"`. */
export const warningsIn = (header: string): string[] =>
  Array.from(header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g), ([, text = '']) => unescaped(text));
