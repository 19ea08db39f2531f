import { readFile } from 'node:fs/promises';
import { messageOf } from '../../support/errors.ts';
import { SharedPromise } from '../../support/shared-promise.ts';
import { clusterUnreachable } from '../api-error.ts';
import type { ClusterAccess, KubeconfigUser } from '../kubeconfig.ts';
import { fileProblem } from './credential-file.ts';
import { askPlugin, type PluginCredential } from './exec-plugin.ts';
import type { Ask, OidcTokens } from './oidc.ts';

/** Who a request comes from: its headers, and the client certificate of its connection. */
export interface Identity {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** PEM. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

export interface CredentialOptions {
  readonly env: NodeJS.ProcessEnv;
  /** How issuers of tokens are asked. */
  readonly ask: Ask;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

/** The identity of a kubeconfig user, kept as long as it is valid: plugins run and token files are read when needed. */
export class Credentials {
  readonly #access: ClusterAccess;
  readonly #options: CredentialOptions;
  readonly #now: () => number;
  readonly #identity = new SharedPromise((signal) => this.#load(signal));
  #oidc: OidcTokens | undefined;
  #validUntil = Number.POSITIVE_INFINITY;

  constructor(access: ClusterAccess, options: CredentialOptions) {
    this.#access = access;
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  async current(signal?: AbortSignal): Promise<Identity> {
    if (this.#now() >= this.#validUntil) this.#identity.forget();
    return this.#identity.answer(signal);
  }

  /**
   * Forgets an identity that the API server has refused. Whether asking again can give another one; one that was
   * replaced meanwhile by another request already has been.
   */
  async forget(refused: Identity, signal?: AbortSignal): Promise<boolean> {
    const { exec, tokenFile } = this.#access.user;
    if (exec === undefined && tokenFile === undefined) return false;
    if ((await this.#identity.answerIfAsked(signal)) === refused) this.#identity.forget();
    return true;
  }

  async #load(signal: AbortSignal): Promise<Identity> {
    const { user } = this.#access;
    const impersonation = impersonationHeaders(user);
    const { userName } = this.#access;
    const certificate = await pem(user['client-certificate-data'], user['client-certificate'], userName, 'client-cert');
    const key = await pem(user['client-key-data'], user['client-key'], userName, 'client-key');
    if (user.exec) {
      const answer = await askPlugin(user.exec, this.#access.cluster, { env: this.#options.env, signal });
      this.#validUntil = answer.expiresAt ?? Number.POSITIVE_INFINITY;
      return pluginIdentity(answer, { certificate, key, headers: impersonation });
    }
    this.#validUntil = user.tokenFile ? this.#now() + tokenFilePeriodMs : Number.POSITIVE_INFINITY;
    const provider = user['auth-provider'];
    const authorization = (await authorizationOf(user)) ?? (provider && (await this.#provided(provider, signal)));
    return { headers: { ...(authorization && { authorization }), ...impersonation }, certificate, key };
  }

  /** Kubernetes has taken all auth-providers out but OpenID Connect. */
  async #provided({ name, config }: AuthProvider, signal: AbortSignal): Promise<string> {
    if (name !== 'oidc') {
      const plugin = successors[name ?? ''] ?? 'a credential plugin (users[].user.exec)';
      throw clusterUnreachable(
        `the auth-provider "${name}" of the kubeconfig has been removed from Kubernetes; use ${plugin} instead`,
      );
    }
    try {
      const { OidcTokens } = await import('./oidc.ts');
      const { userFile: file, userName } = this.#access;
      this.#oidc ??= new OidcTokens(config ?? {}, { file, userName }, this.#options.ask);
      const { token, validUntil } = await this.#oidc.token(this.#now(), signal);
      this.#validUntil = validUntil;
      return `Bearer ${token}`;
    } catch (cause) {
      signal.throwIfAborted();
      throw clusterUnreachable(
        `getting credentials: the auth-provider "oidc" of the kubeconfig: ${messageOf(cause)}`,
        cause,
      );
    }
  }
}

type AuthProvider = NonNullable<KubeconfigUser['auth-provider']>;

const successors: Readonly<Record<string, string>> = {
  gcp: 'the "gke-gcloud-auth-plugin" credential plugin',
  azure: 'the "kubelogin" credential plugin (https://github.com/Azure/kubelogin)',
};

// Kubernetes renews the tokens of service accounts in place; client-go reads the file again after a minute.
const tokenFilePeriodMs = 60_000;

const pluginIdentity = (answer: PluginCredential, own: Identity): Identity => ({
  headers: { ...(answer.token && { authorization: `Bearer ${answer.token}` }), ...own.headers },
  certificate: answer.certificate ?? own.certificate,
  key: answer.key ?? own.key,
});

async function pem(
  data: string | null | undefined,
  file: string | null | undefined,
  user: string,
  what: string,
): Promise<string | undefined> {
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  if (!file) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw clusterUnreachable(
      `invalid configuration: unable to read ${what} ${file} for ${user} due to ${fileProblem(file, cause)}`,
      cause,
    );
  }
}

async function authorizationOf(user: KubeconfigUser): Promise<string | undefined> {
  if (user.tokenFile) {
    const token = await readFile(user.tokenFile, 'utf8').catch((cause: unknown) => {
      if (user.token) return user.token;
      throw clusterUnreachable(
        `failed to read token file "${user.tokenFile}": ${fileProblem(user.tokenFile ?? '', cause)}`,
        cause,
      );
    });
    return `Bearer ${token.trim()}`;
  }
  if (user.token) return `Bearer ${user.token}`;
  if (user.username || user.password) {
    return `Basic ${Buffer.from(`${user.username ?? ''}:${user.password ?? ''}`).toString('base64')}`;
  }
  return undefined;
}

function impersonationHeaders(user: KubeconfigUser): Record<string, string | readonly string[]> {
  if (!user.as) {
    if (user['as-uid'] || user['as-groups']?.length || user['as-user-extra']) {
      throw clusterUnreachable('requesting uid, groups or user-extra without impersonating a user; name the user too');
    }
    return {};
  }
  const extra = Object.entries(user['as-user-extra'] ?? {});
  return {
    'Impersonate-User': user.as,
    ...(user['as-uid'] && { 'Impersonate-Uid': user['as-uid'] }),
    ...(user['as-groups']?.length && { 'Impersonate-Group': user['as-groups'] }),
    ...Object.fromEntries(
      extra.map(([key, values]) => [`Impersonate-Extra-${encodeURIComponent(key.toLowerCase())}`, values]),
    ),
  };
}
