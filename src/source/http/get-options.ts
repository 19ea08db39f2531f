import type { HttpRequest, TlsOptions } from './request.ts';

/** How a repository, or a URL that a user named, is asked. */
export interface GetOptions extends Pick<HttpRequest, 'timeoutMs' | 'maxBytes' | 'isText' | 'headers' | 'retries'> {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** The repository's own URL: credentials go to its scheme, host and port only. Default: the URL itself. */
  readonly repositoryUrl?: string | undefined;
  /** Sends the credentials to other hosts too (--pass-credentials). */
  readonly passCredentialsAll?: boolean | undefined;
  readonly tls?: TlsOptions | undefined;
}
