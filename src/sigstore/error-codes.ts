export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A chart, plugin or image has no sigstore signature. Sign it with `cosign sign`, or check that the signature was copied with it. */
    'signature-missing': { readonly artifact: string };
    /** A sigstore signature does not match what was fetched, or cannot be read. Do not use the artifact; fetch it again from its publisher. */
    'signature-invalid': { readonly artifact: string; readonly reason: string };
    /** A sigstore signature is valid, but another signer made it. Check --certificate-identity and --certificate-oidc-issuer, or do not use the artifact. */
    'signer-untrusted': { readonly artifact: string; readonly identity?: string; readonly issuer?: string };
    /** No trusted signer of sigstore signatures is named. Use --key, or --certificate-identity with --certificate-oidc-issuer. */
    'signer-unnamed': NoDetails;
    /** A sigstore key cannot be read. Use the file `cosign.pub` to verify and `cosign.key` to sign, and set COSIGN_PASSWORD. */
    'bad-sigstore-key': { readonly path: string };
    /** The sigstore trusted root cannot be read. Check the file of --trusted-root. */
    'bad-trusted-root': { readonly path: string };
  }
}
