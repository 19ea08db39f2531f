import type { Notify } from '../chart/notice.ts';
import { namedSigner, type SigstoreDemand } from '../sigstore/demand.ts';
import type { HttpClient } from './http/client.ts';
import type { GetOptions } from './http/get-options.ts';
import type { RegistryClient } from './oci/registry-client.ts';
import type { HelmPaths } from './paths.ts';

/** What an archive must prove before it is used. */
export interface TrustOptions extends SigstoreDemand {
  /** Checks the signature: by PGP, or with `sigstore` as cosign does. Default false. */
  readonly verify?: boolean | 'sigstore' | undefined;
  /** The path of the public keys that PGP signatures are checked with. */
  readonly keyring?: string | undefined;
  /** The path of a file that says who may sign what (docs/trust.md). */
  readonly trustPolicy?: string | undefined;
}

/**
 * The option that names a signer of sigstore where none is asked for. Who names one takes what is fetched for verified, so
 * that must be asked for too, or declined.
 */
export const unaskedSigner = (options: TrustOptions): ReturnType<typeof namedSigner> =>
  options.verify === undefined || options.verify === true ? namedSigner(options) : undefined;

/** What a user says of where a chart is and how to reach it. Go: action.ChartPathOptions. */
export interface ChartAccess extends TrustOptions {
  /** A version or a constraint. Default: the newest. */
  readonly version?: string | undefined;
  /** Takes prereleases too, where no version is named. Default false. */
  readonly devel?: boolean | undefined;
  /** The URL of a repository; the chart is then named as it is there. */
  readonly repoUrl?: string | undefined;
  /** For basic authentication. */
  readonly username?: string | undefined;
  /** For basic authentication. */
  readonly password?: string | undefined;
  /** Sends the credentials to every host that a repository names. Default false. */
  readonly passCredentialsAll?: boolean | undefined;
  /** The path of the certificates that the server is trusted by. */
  readonly caFile?: string | undefined;
  /** The path of a client certificate. */
  readonly certFile?: string | undefined;
  /** The path of its key. */
  readonly keyFile?: string | undefined;
  /** Does not check the server's certificate. Default false. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** Asks a registry by HTTP instead of HTTPS. Default false. */
  readonly plainHttp?: boolean | undefined;
}

/** What charts are fetched with. */
export interface ChartSources {
  readonly paths: HelmPaths;
  readonly http: HttpClient;
  readonly registry: RegistryClient;
  /** Caches alone are used. */
  readonly isOffline: boolean;
  /** Prints `Pulled:` and the like. */
  readonly tell: (text: string) => void;
  readonly onNotice?: Notify | undefined;
  /** The path of the trust policy that holds for all that is fetched. */
  readonly trustPolicy?: string | undefined;
}

export const versionOf = ({ version = '', devel }: ChartAccess): string =>
  version.trim() === '' && devel ? '>0.0.0-0' : version.trim();

/** How a server of charts is asked, by what the user says. */
export const getOptionsOf = (access: ChartAccess): GetOptions => {
  const { username, password, passCredentialsAll, caFile, certFile, keyFile, insecureSkipTlsVerify } = access;
  const tls = { caFile, certFile, keyFile, insecureSkipTlsVerify };
  return { username, password, passCredentialsAll, tls };
};

/** Checks an archive against its provenance file. Go: downloader.VerifyChart. */
export type VerifyArchive = (files: SignedFiles) => Promise<Verification>;

/** An archive and its provenance file, both on this machine. */
export interface SignedFiles {
  readonly archive: string;
  readonly provenance: string;
  /** The name that the archive was signed under. */
  readonly name: string;
  readonly keyring: string;
}

/** Who has signed an archive, and what. */
export interface Verification {
  /** `Jo Doe <jo@example.com>` of a PGP key, `https://github.com/…` of a certificate of sigstore. */
  readonly identities: readonly string[];
  /** Of a PGP key in hexadecimal capitals; of a key of cosign SHA-256 in hexadecimal; '' for a certificate. */
  readonly fingerprint: string;
  /** `sha256:…` */
  readonly fileHash: string;
  /** Default: PGP. */
  readonly kind?: 'sigstore' | undefined;
  /** Of a certificate: the OpenID Connect issuer that knows the identity. */
  readonly issuer?: string | undefined;
  /** Where the transparency log has the signature. */
  readonly logIndex?: string | undefined;
  /** Of the manifest in a registry: `sha256:…` */
  readonly manifestDigest?: string | undefined;
}
