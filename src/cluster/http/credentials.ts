import { readFile } from 'node:fs/promises';
import { unusable } from '../api-error.ts';
import { askPlugin, type PluginCredential } from './exec-credential.ts';
import type { ClusterAccess, KubeconfigUser } from './kubeconfig.ts';

/** Who a request comes from: its headers, and the client certificate of its connection. */
export interface Identity {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** PEM. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The identity of a kubeconfig user, kept as long as it is valid: plugins run and token files are read when needed. */
export class Credentials {
  readonly #access: ClusterAccess;
  readonly #env: NodeJS.ProcessEnv;
  readonly #clock: Clock;
  #identity: Promise<Identity> | undefined;
  #validUntil = Number.POSITIVE_INFINITY;

  constructor(access: ClusterAccess, env: NodeJS.ProcessEnv, clock: Clock = Date) {
    this.#access = access;
    this.#env = env;
    this.#clock = clock;
  }

  async current(signal?: AbortSignal): Promise<Identity> {
    if (this.#clock.now() >= this.#validUntil) this.#identity = undefined;
    this.#identity ??= this.#load(signal).catch((error: unknown) => {
      this.#identity = undefined;
      throw error;
    });
    return this.#identity;
  }

  /**
   * Forgets an identity that the API server has refused. Whether asking again can give another one; one that was
   * replaced meanwhile by another request already has been.
   */
  async forget(refused: Identity): Promise<boolean> {
    const { exec, tokenFile } = this.#access.user;
    if (exec === undefined && tokenFile === undefined) return false;
    if ((await this.#identity) === refused) this.#identity = undefined;
    return true;
  }

  async #load(signal: AbortSignal | undefined): Promise<Identity> {
    const { user } = this.#access;
    const impersonation = impersonationHeaders(user);
    const { userName } = this.#access;
    const certificate = await pem(user['client-certificate-data'], user['client-certificate'], userName, 'client-cert');
    const key = await pem(user['client-key-data'], user['client-key'], userName, 'client-key');
    if (user.exec !== undefined) {
      const answer = await askPlugin(user.exec, this.#access.cluster, { env: this.#env, signal });
      this.#validUntil = answer.expiresAt ?? Number.POSITIVE_INFINITY;
      return pluginIdentity(answer, { certificate, key, headers: impersonation });
    }
    this.#validUntil = user.tokenFile ? this.#clock.now() + tokenFilePeriodMs : Number.POSITIVE_INFINITY;
    const authorization = await authorizationOf(user, this.#clock);
    return { headers: { ...(authorization && { authorization }), ...impersonation }, certificate, key };
  }
}

// Kubernetes renews the tokens of service accounts in place; client-go reads the file again after a minute.
const tokenFilePeriodMs = 60_000;

const pluginIdentity = (answer: PluginCredential, own: Identity): Identity => ({
  headers: { ...(answer.token && { authorization: `Bearer ${answer.token}` }), ...own.headers },
  certificate: answer.certificate ?? own.certificate,
  key: answer.key ?? own.key,
});

async function pem(
  data: string | undefined,
  file: string | undefined,
  user: string,
  what: string,
): Promise<string | undefined> {
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  if (!file) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw unusable(
      `invalid configuration: unable to read ${what} ${file} for ${user} due to ${fileProblem(file, cause)}`,
      cause,
    );
  }
}

/** Go's words for a file that cannot be opened. */
export function fileProblem(file: string, cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `open ${file}: no such file or directory`;
  if (code === 'EACCES') return `open ${file}: permission denied`;
  return `open ${file}: ${(cause as Error).message}`;
}

async function authorizationOf(user: KubeconfigUser, clock: Clock): Promise<string | undefined> {
  if (user.tokenFile) {
    const token = await readFile(user.tokenFile, 'utf8').catch((cause: unknown) => {
      if (user.token) return user.token;
      throw unusable(
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
  return user['auth-provider'] === undefined ? undefined : legacyAuthorization(user['auth-provider'], clock);
}

/** Kubernetes has taken the auth-providers out; an OpenID Connect token that is still valid can be used as it stands. */
function legacyAuthorization(provider: NonNullable<KubeconfigUser['auth-provider']>, clock: Clock): string {
  const token = provider.config?.['id-token'];
  if (provider.name === 'oidc' && token && expiryOf(token) > clock.now()) return `Bearer ${token}`;
  const plugin = successors[provider.name] ?? 'a credential plugin (users[].user.exec)';
  const problem =
    provider.name === 'oidc'
      ? 'has no valid id-token and tshelm does not renew it'
      : 'has been removed from Kubernetes';
  throw unusable(`the auth-provider "${provider.name}" of the kubeconfig ${problem}; use ${plugin} instead`);
}

const successors: Readonly<Record<string, string>> = {
  gcp: 'the "gke-gcloud-auth-plugin" credential plugin',
  azure: 'the "kubelogin" credential plugin (https://github.com/Azure/kubelogin)',
  oidc: 'the "kubelogin" credential plugin (https://github.com/int128/kubelogin)',
};

function expiryOf(jwt: string): number {
  try {
    const claims = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as { exp?: number };
    return (claims.exp ?? 0) * 1000;
  } catch {
    return 0;
  }
}

function impersonationHeaders(user: KubeconfigUser): Record<string, string | readonly string[]> {
  if (!user.as) {
    if (user['as-uid'] || user['as-groups']?.length || user['as-user-extra']) {
      throw unusable('requesting uid, groups or user-extra without impersonating a user; add --kube-as-user');
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
