/** Whose sigstore signature is trusted, and how it is checked. The names are those of cosign's flags. */
export interface SigstoreDemand {
  /** The path of a public key, as in `cosign.pub`. */
  readonly key?: string | undefined;
  /** Whom the signing certificate must name: an email address or a URI. */
  readonly certificateIdentity?: string | undefined;
  /** The same as a regular expression of Go. */
  readonly certificateIdentityRegexp?: string | undefined;
  /** Who must have said so: the URL of an OpenID Connect issuer. */
  readonly certificateOidcIssuer?: string | undefined;
  /** The same as a regular expression of Go. */
  readonly certificateOidcIssuerRegexp?: string | undefined;
  /** The path of the certificates and log keys that are trusted. Default: those of the public sigstore, by TUF. */
  readonly trustedRoot?: string | undefined;
  /** Takes signatures that no transparency log has. Default false. */
  readonly insecureIgnoreTlog?: boolean | undefined;
}

const signerNames = [
  'key',
  'certificateIdentity',
  'certificateIdentityRegexp',
  'certificateOidcIssuer',
  'certificateOidcIssuerRegexp',
] as const;

/** The first option that says who must have signed. */
export const namedSigner = (demand: SigstoreDemand): (typeof signerNames)[number] | undefined =>
  signerNames.find((name) => demand[name] !== undefined && demand[name] !== '');

/** What was signed, as it came. */
export interface SignedContent {
  /** As messages name it. */
  readonly artifact: string;
  /** The file of its only signature; undefined in a registry. */
  readonly bundle?: string | undefined;
  /** A chart's or plugin's archive; of an artifact in a registry, its manifest. */
  readonly bytes: Uint8Array;
}

/** A signature as cosign kept it before its version 3: a layer below the tag `sha256-DIGEST.sig`. */
export interface LegacySignature {
  /** The "simple signing" document that was signed: JSON that names the digest. */
  readonly payload: Uint8Array;
  readonly annotations: Readonly<Record<string, string>>;
}

/** All signatures that were found of one thing. */
export interface FoundSignatures {
  /** Bundles of sigstore: JSON. */
  readonly bundles: readonly Uint8Array[];
  readonly legacy: readonly LegacySignature[];
}

/** Who signed. */
export interface SigstoreSigner {
  /** Of the certificate: an email address or a URI. Undefined for a key. */
  readonly identity?: string | undefined;
  /** Of the certificate: the URL of the OpenID Connect issuer. */
  readonly issuer?: string | undefined;
  /** SHA-256 of the public key, in hexadecimal. Undefined for a certificate. */
  readonly keyFingerprint?: string | undefined;
  /** Where the transparency log has the signature. */
  readonly logIndex?: string | undefined;
}
