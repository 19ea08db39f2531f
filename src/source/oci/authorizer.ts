import { isIP } from 'node:net';
import { withoutBrackets } from '../../go/net/url.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { parseJson } from '../../support/exact-json.ts';
import { basicAuthorization, type HttpClient } from '../http/client.ts';
import type { HttpAnswer, HttpRequest, TlsOptions } from '../http/request.ts';
import { shownUrl } from '../http/shown-url.ts';
import { answerError, registryError } from './answer-error.ts';
import { type Challenge, cleanScopes, parseChallenge } from './challenge.ts';
import { type Credential, isEmptyCredential } from './credential.ts';

export interface AuthorizerOptions {
  readonly http: HttpClient;
  readonly tls: TlsOptions;
  /** What is known for a host (`host:port`). */
  readonly credential: (host: string) => Promise<Credential>;
  /** Gets every password and token, so that no message shows one. */
  readonly learnSecret?: ((secret: string) => void) | undefined;
  /** A password is exchanged by OAuth2 (registry login tries that first). */
  readonly prefersOAuth2?: boolean | undefined;
}

interface Known {
  readonly kind: 'basic' | 'bearer';
  readonly authorization: string;
}

const retries = 5;
const mostTokenBytes = 128 * 1024;

/**
 * Sends requests to registries, and signs in where one asks for it: basic, or bearer tokens by scope. What signing in
 * has given is used for the requests that follow. Go: oras auth.Client.
 */
export class Authorizer {
  readonly #options: AuthorizerOptions;
  /** By host, and for tokens by scopes too. */
  readonly #known = new Map<string, Promise<Known>>();
  readonly #kinds = new Map<string, Known['kind']>();

  constructor(options: AuthorizerOptions) {
    this.#options = options;
  }

  async send(request: HttpRequest, scopes: readonly string[] = []): Promise<HttpAnswer> {
    const host = new URL(request.url).host;
    const wanted = cleanScopes(scopes);
    // Who signed in and failed is told of it; this request tries by itself.
    const tried = await this.#known.get(keyFor(this.#kinds.get(host), host, wanted))?.catch(() => undefined);
    const answer = await this.#sendAs(request, tried);
    if (answer.status !== 401 || originOf(answer.url) !== originOf(request.url)) return answer;
    const challenge = parseChallenge(answer.headers['www-authenticate'] ?? '');
    if (challenge.kind === 'unknown') return answer;
    const asked = challenge.kind === 'bearer' ? cleanScopes([...wanted, ...challenge.scopes]) : [];
    const key = keyFor(challenge.kind, host, asked);
    this.#kinds.set(host, challenge.kind);
    // As above.
    const other = await this.#known.get(key)?.catch(() => undefined);
    if (other !== undefined && other !== tried) {
      const again = await this.#sendAs(request, other);
      if (again.status !== 401) return again;
    }
    const known = this.#signIn(request, { host, challenge, scopes: asked });
    this.#known.set(key, known);
    return this.#sendAs(request, await known);
  }

  /** Without the registry's credentials where a redirect leads to another place: those are for it alone. */
  #sendAs(request: HttpRequest, known: Known | undefined): Promise<HttpAnswer> {
    const headers = { ...request.headers, ...(known && { authorization: known.authorization }) };
    const { tls } = this.#options;
    return this.#options.http.send({ timeoutMs: 0, retries, tls, ...request, headers, staysAtOrigin: true });
  }

  async #signIn(
    { method = 'GET', url }: HttpRequest,
    { host, challenge, scopes }: { host: string; challenge: Challenge; scopes: readonly string[] },
  ): Promise<Known> {
    try {
      if (challenge.kind !== 'bearer') return { kind: 'basic', authorization: await this.#basic(host) };
      checkRealm(challenge.realm, new URL(url));
      const token = await this.#token(host, { ...challenge, scopes });
      this.#options.learnSecret?.(token);
      return { kind: 'bearer', authorization: `Bearer ${token}` };
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause;
      const message = `${method} ${JSON.stringify(shownUrl(url))}: ${cause.message}`;
      throw new TshelmError('registry-refused', { message, details: { url: shownUrl(url) }, cause });
    }
  }

  async #basic(host: string): Promise<string> {
    const credential = await this.#options.credential(host).catch((cause: unknown) => {
      throw new Error(`failed to resolve credential: ${messageOf(cause)}`, { cause });
    });
    if (isEmptyCredential(credential)) throw new Error('basic credential not found');
    const { username, password } = credential;
    if (username === '' || password === '') throw new Error('missing username or password for basic auth');
    this.#options.learnSecret?.(password);
    return basicAuthorization(username, password);
  }

  async #token(host: string, challenge: BearerChallenge): Promise<string> {
    const credential = await this.#options.credential(host);
    for (const secret of [credential.password, credential.refreshToken, credential.accessToken])
      if (secret !== '') this.#options.learnSecret?.(secret);
    if (credential.accessToken !== '') return credential.accessToken;
    const byOAuth2 = credential.refreshToken !== '' || this.#options.prefersOAuth2;
    if (isEmptyCredential(credential) || !byOAuth2) return this.#distributionToken(challenge, credential);
    return this.#oauth2Token(challenge, credential);
  }

  /** https://distribution.github.io/distribution/spec/auth/token/ */
  async #distributionToken({ realm, service, scopes }: BearerChallenge, credential: Credential): Promise<string> {
    const url = new URL(realm);
    if (service !== '') url.searchParams.set('service', service);
    for (const scope of scopes) url.searchParams.append('scope', scope);
    url.searchParams.sort();
    const { username, password } = credential;
    const authorization = username !== '' || password !== '' ? basicAuthorization(username, password) : undefined;
    return this.#askToken({ url: url.href, headers: { ...(authorization && { authorization }) } });
  }

  /** https://distribution.github.io/distribution/spec/auth/oauth/ */
  async #oauth2Token({ realm, service, scopes }: BearerChallenge, credential: Credential): Promise<string> {
    const { username, password, refreshToken } = credential;
    if (refreshToken === '' && (username === '' || password === ''))
      throw new Error('missing username or password for bearer auth');
    const grant: Record<string, string> =
      refreshToken === ''
        ? { grant_type: 'password', username, password }
        : { grant_type: 'refresh_token', refresh_token: refreshToken };
    const scope = scopes.length > 0 ? { scope: scopes.join(' ') } : undefined;
    const form = new URLSearchParams({ ...grant, service, client_id: 'oras-go', ...scope });
    form.sort();
    return this.#askToken({
      method: 'POST',
      url: realm,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(form.toString()),
    });
  }

  async #askToken(request: HttpRequest): Promise<string> {
    const { http, tls } = this.#options;
    const answer = await http.send({
      timeoutMs: 0,
      retries,
      tls,
      maxBytes: mostTokenBytes,
      ...request,
      staysAtOrigin: true,
    });
    const { method = 'GET' } = request;
    if (answer.status !== 200) throw answerError(method, answer);
    const token = tokenIn(answer.body);
    if (token === undefined)
      throw registryError(method, answer.url, 'failed to decode response: it is not a JSON object');
    if (token === '') throw registryError(method, answer.url, 'empty token returned');
    return token;
  }
}

type BearerChallenge = Extract<Challenge, { kind: 'bearer' }>;

const keyFor = (kind: Known['kind'] | undefined, host: string, scopes: readonly string[]): string =>
  kind === 'bearer' ? `${host} ${scopes.join(' ')}` : host;

const originOf = (url: string): string => new URL(url).origin;

function tokenIn(body: Uint8Array): string | undefined {
  try {
    const json = parseJson(Buffer.from(body).toString('utf8')) as Readonly<Record<string, unknown>>;
    const found = json['access_token'] || json['token'];
    return typeof found === 'string' ? found : '';
  } catch {
    // The answer is no JSON: the caller says so.
    return undefined;
  }
}

/** Errors: where a registry would have its password sent that is no place for it. Go: oras auth.validateRealm. */
function checkRealm(realm: string, registry: URL): void {
  if (!URL.canParse(realm)) throw new Error(`failed to parse bearer realm ${JSON.stringify(realm)}`);
  const { protocol, hostname } = new URL(realm);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new Error(
      `bearer realm ${JSON.stringify(realm)} uses unsupported scheme ${JSON.stringify(protocol.slice(0, -1))}`,
    );
  if (protocol === 'http:' && registry.protocol === 'https:')
    throw new Error(`bearer realm ${JSON.stringify(realm)} uses http but registry was contacted over https`);
  if (isInnerAddress(hostname) && hostname !== registry.hostname)
    throw new Error(
      `bearer realm host ${JSON.stringify(hostname)} is a loopback, link-local, private, or unspecified address`,
    );
}

function isInnerAddress(hostname: string): boolean {
  const address = withoutBrackets(hostname);
  if (isIP(address) === 4)
    return /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|224\.0\.0\.|0\.0\.0\.0$)/.test(address);
  return isIP(address) === 6 && /^(?:::1?$|::ffff:|fe[89ab][0-9a-f]:|f[cd][0-9a-f]{2}:|ff.2:)/i.test(address);
}
