import type { TlsOptions } from './request.ts';

/** Who asks, and how servers are to be trusted. */
export interface GetterAccess {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly passCredentialsAll?: boolean | undefined;
  readonly tls?: TlsOptions | undefined;
}

/** Fetches what is behind URLs of other schemes than http, https and oci: Helm's getter plugins. */
export interface OtherGetters {
  knows(scheme: string): boolean;
  fetch(url: string, scheme: string, access: GetterAccess): Promise<Uint8Array>;
}

/** No plugins. */
export const noGetters: OtherGetters = {
  knows: () => false,
  fetch: (url) => Promise.reject(new Error(`internal: nothing fetches ${url}`)),
};

/** `s3` of `s3://bucket/path`, in small letters; '' where there is none. Go: url.Parse. */
export const schemeOf = (url: string): string => /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? '';
