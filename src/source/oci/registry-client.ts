import type { HttpClient } from '../http/client.ts';
import type { TlsOptions } from '../http/request.ts';
import { Authorizer } from './authorizer.ts';
import { type Credential, noCredential, serverAddress } from './credential.ts';
import { findCredential } from './credentials.ts';
import type { OciReference } from './reference.ts';
import { OciRepository } from './repository.ts';

export interface RegistryOptions {
  readonly http: HttpClient;
  readonly env: NodeJS.ProcessEnv;
  /** Helm's registry/config.json. */
  readonly registryConfig: string;
  readonly tls?: TlsOptions | undefined;
  readonly plainHttp?: boolean | undefined;
  /** With both, they serve for every registry in place of what is kept. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly learnSecret?: ((secret: string) => void) | undefined;
}

/** How registries are spoken to in one run: who signs in, and how. Go: registry.Client. */
export class RegistryClient {
  readonly #options: RegistryOptions;
  readonly #authorizer: Authorizer;
  readonly #plainHttp: boolean;

  constructor(options: RegistryOptions) {
    this.#options = options;
    const { http, tls = {}, plainHttp, learnSecret } = options;
    const hasTls = Boolean((tls.certFile && tls.keyFile) || tls.caFile || tls.insecureSkipTlsVerify);
    // Helm's client with TLS settings knows no plain HTTP.
    this.#plainHttp = plainHttp === true && !hasTls;
    this.#authorizer = new Authorizer({ http, tls, learnSecret, credential: credentialSource(options) });
  }

  /** For a registry that somebody else names, such as an index: the user's own name and password are not for it. */
  forOthers(): RegistryClient {
    return new RegistryClient({ ...this.#options, username: undefined, password: undefined });
  }

  repository(reference: OciReference, actions?: readonly string[]): OciRepository {
    return new OciRepository(reference, { authorizer: this.#authorizer, plainHttp: this.#plainHttp }, actions);
  }
}

/** Asked once for each host. */
function credentialSource(options: RegistryOptions): (host: string) => Promise<Credential> {
  const { username = '', password = '' } = options;
  if (username !== '' && password !== '') {
    const own = Promise.resolve({ ...noCredential, username, password });
    return () => own;
  }
  const found = new Map<string, Promise<Credential>>();
  return (host) => {
    const known = found.get(host) ?? findCredential(serverAddress(host), options);
    found.set(host, known);
    return known;
  };
}
