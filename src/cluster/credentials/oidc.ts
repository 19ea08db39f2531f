import { closeSync, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../support/errors.ts';
import { trimSuffix } from '../../support/text.ts';
import { readPlainYaml, writePlainYaml } from '../../yaml/index.ts';
import { fileProblem } from './credential-file.ts';

/** Sends one request; fails with a sentence when there is no answer. */
export type Ask = (
  url: URL,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body?: string },
  trust: { readonly file?: string | undefined; readonly data?: string | undefined },
  signal: AbortSignal | undefined,
) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}>;

export type OidcConfig = Readonly<Record<string, string | undefined>>;

/** Where the tokens stand, and are written back to. */
export interface OidcPlace {
  /** Undefined where no kubeconfig names the user. */
  readonly file: string | undefined;
  readonly userName: string;
}

/**
 * The token of the auth-provider `oidc` of a kubeconfig: the id-token while it is valid, else a new one for the
 * refresh-token, which is written into the kubeconfig before it is used (client-go's plugin/pkg/client/auth/oidc).
 * Each failure is a plain Error in client-go's words.
 */
export class OidcTokens {
  readonly #place: OidcPlace;
  readonly #ask: Ask;
  #config: OidcConfig;

  constructor(config: OidcConfig, place: OidcPlace, ask: Ask) {
    if (!config['idp-issuer-url']) throw new Error('Must provide idp-issuer-url');
    if (!config['client-id']) throw new Error('Must provide client-id');
    this.#config = config;
    this.#place = place;
    this.#ask = ask;
  }

  /** `validUntil` in milliseconds since the epoch. */
  async token(nowMs: number, signal?: AbortSignal): Promise<{ readonly token: string; readonly validUntil: number }> {
    const known = this.#config['id-token'];
    const validUntil = known ? validUntilOf(known) : 0;
    if (known && nowMs < validUntil) return { token: known, validUntil };
    const token = await this.#renew(signal);
    return { token, validUntil: validUntilOf(token) };
  }

  async #renew(signal: AbortSignal | undefined): Promise<string> {
    const old = this.#config['refresh-token'];
    if (!old) throw new Error('No valid id-token, and cannot refresh without refresh-token');
    const endpoint = await this.#tokenEndpoint(signal);
    const answer = await this.#exchange(endpoint, old, signal).catch((error: unknown) => {
      throw new Error(`failed to refresh token: ${messageOf(error)}`, { cause: error });
    });
    const token = answer['id_token'];
    if (typeof token !== 'string') throw new Error(noIdToken);
    const fresh = answer['refresh_token'];
    const config = {
      ...this.#config,
      'id-token': token,
      ...(typeof fresh === 'string' && fresh !== '' && { 'refresh-token': fresh }),
    };
    await this.#keep(config);
    this.#config = config;
    return token;
  }

  async #keep(config: OidcConfig): Promise<void> {
    const { file, userName } = this.#place;
    if (file === undefined) return;
    try {
      await updateAuthProvider(file, userName, config);
    } catch (error) {
      throw new Error(`could not persist new tokens: ${messageOf(error)}`, { cause: error });
    }
  }

  /** OpenID Connect Discovery 1.0 §4. */
  async #tokenEndpoint(signal: AbortSignal | undefined): Promise<URL> {
    const issuer = this.#config['idp-issuer-url'] as string;
    const url = urlOf(`${trimSuffix(issuer, '/')}/.well-known/openid-configuration`);
    const { status, text } = await this.#ask(url, { headers: {} }, this.#trust, signal);
    if (status !== 200) {
      const excerpt = text.length > 80 ? `${text.slice(0, 80)}...` : text;
      throw new Error(`oidc: failed to query metadata endpoint ${status}: ${JSON.stringify(excerpt)}`);
    }
    let endpoint: unknown;
    try {
      endpoint = (JSON.parse(text) as Record<string, unknown> | null)?.['token_endpoint'];
    } catch (error) {
      throw new Error(`oidc: failed to decode provider discovery object: ${messageOf(error)}`, { cause: error });
    }
    if (typeof endpoint !== 'string' || endpoint === '') {
      throw new Error("oidc: discovery object doesn't contain a token_endpoint");
    }
    return urlOf(endpoint);
  }

  /** RFC 6749 §6. Who the client is is in a header; where that is refused, in the body (oauth2's RetrieveToken). */
  async #exchange(endpoint: URL, refreshToken: string, signal: AbortSignal | undefined): Promise<TokenAnswer> {
    const id = this.#config['client-id'] as string;
    const secret = this.#config['client-secret'] ?? '';
    const grant = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const basic = Buffer.from(`${escaped(id)}:${escaped(secret)}`).toString('base64');
    try {
      return await this.#post(endpoint, { authorization: `Basic ${basic}` }, grant, signal);
    } catch {
      // Some providers want the client named in the form; how they refuse that is reported.
      signal?.throwIfAborted();
      const named = { ...grant, client_id: id, ...(secret !== '' && { client_secret: secret }) };
      return this.#post(endpoint, {}, named, signal);
    }
  }

  async #post(
    endpoint: URL,
    headers: Readonly<Record<string, string>>,
    fields: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<TokenAnswer> {
    const body = new URLSearchParams(fields).toString();
    const request = { headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' }, body };
    return tokensIn(await this.#ask(endpoint, request, this.#trust, signal));
  }

  get #trust(): { file: string | undefined; data: string | undefined } {
    return { file: this.#config['idp-certificate-authority'], data: this.#config['idp-certificate-authority-data'] };
  }
}

const noIdToken =
  'token response did not contain an id_token, either the scope "openid" wasn\'t requested upon login, ' +
  "or the provider doesn't support id_tokens as part of the refresh response";

type TokenAnswer = Readonly<Record<string, unknown>>;

function tokensIn({ status, headers, text }: Awaited<ReturnType<Ask>>): TokenAnswer {
  const hasFailed = status < 200 || status > 299;
  const answer = fieldsIn(headers['content-type'] ?? '', text);
  if (answer instanceof Error) {
    throw hasFailed ? new Error(`oauth2: cannot fetch token: ${status}\nResponse: ${text}`) : answer;
  }
  const { error, error_description: description, error_uri: uri } = answer;
  if (typeof error === 'string' && error !== '') {
    const said = [error, description, uri].filter((part) => typeof part === 'string' && part !== '');
    throw new Error(`oauth2: ${said.map((part) => JSON.stringify(part)).join(' ')}`);
  }
  if (hasFailed) throw new Error(`oauth2: cannot fetch token: ${status}\nResponse: ${text}`);
  if (!answer['access_token']) throw new Error('oauth2: server response missing access_token');
  return answer;
}

function fieldsIn(contentType: string, text: string): TokenAnswer | Error {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded' || type === 'text/plain') {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    return (JSON.parse(text) as TokenAnswer | null) ?? {};
  } catch (error) {
    return new Error(`oauth2: cannot parse json: ${messageOf(error)}`, { cause: error });
  }
}

/** Go's url.QueryEscape. */
const escaped = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2);

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new Error(`Get ${JSON.stringify(text)}: unsupported protocol scheme`);
}

/** Clocks differ: a token counts as expired that much earlier. */
const expiryDeltaMs = 10_000;

/** Until when a JSON Web Token counts as valid, in milliseconds since the epoch. */
function validUntilOf(jwt: string): number {
  const parts = jwt.split('.');
  if (parts.length !== 3) throw new Error('ID Token is not a valid JWT');
  try {
    const claims = JSON.parse(Buffer.from(parts[1] as string, 'base64url').toString()) as { exp?: unknown } | null;
    return Math.trunc(Number(claims?.exp ?? 0)) * 1000 - expiryDeltaMs;
  } catch (error) {
    throw new Error(`parsing claims: ${messageOf(error)}`, { cause: error });
  }
}

interface UserEntry {
  readonly name?: string;
  readonly user?: { 'auth-provider'?: { config?: unknown } } | null;
}

/**
 * Writes what an auth-provider has learnt into the kubeconfig that names the user, as client-go's persister does: the
 * file is read again and locked by FILE.lock, which kubectl respects. It is there whole at any time.
 */
async function updateAuthProvider(file: string, userName: string, config: object): Promise<void> {
  const unlock = await locked(`${file}.lock`);
  try {
    const path = realpathSync(file);
    const content = (readPlainYaml(readFileSync(path, 'utf8')) ?? {}) as { users?: readonly UserEntry[] };
    const provider = content.users?.find(({ name }) => name === userName)?.user?.['auth-provider'];
    if (provider === undefined) return;
    provider.config = config;
    const fresh = `${path}.${process.pid}.tmp`;
    writeFileSync(fresh, writePlainYaml(content), { mode: statSync(path).mode & 0o777, flag: 'wx' });
    renameSync(fresh, path);
  } finally {
    unlock();
  }
}

const lockTries = 20;
const lockPauseMs = 100;

/** client-go gives up at once; who refreshes at the same time is done soon. */
async function locked(lock: string): Promise<() => void> {
  for (let left = lockTries; ; left--) {
    try {
      closeSync(openSync(lock, 'wx', 0o600));
      return () => rmSync(lock, { force: true });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw new Error(fileProblem(lock, cause), { cause });
      if (left === 0) throw new Error(`open ${lock}: file exists`, { cause });
    }
    await pause(lockPauseMs);
  }
}
