export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** There is no sigstore signature of a chart, plugin or image. Sign it with `cosign sign`, or check that the signature was copied along. */
    'signature-missing': { readonly artifact: string };
    /** A sigstore signature does not match what was fetched, or cannot be read. Do not use the artifact; fetch it again from where it was signed. */
    'signature-invalid': { readonly artifact: string; readonly reason: string };
    /** A sigstore signature is right, but by somebody else than expected. Check --certificate-identity and --certificate-oidc-issuer, or do not use the artifact. */
    'signer-untrusted': { readonly artifact: string; readonly identity?: string; readonly issuer?: string };
    /** It is not said whose sigstore signature is trusted. Use --key, or --certificate-identity with --certificate-oidc-issuer. */
    'signer-unnamed': NoDetails;
    /** A key of sigstore cannot be read. Use the file `cosign.pub` to verify and `cosign.key` to sign, and set COSIGN_PASSWORD. */
    'bad-sigstore-key': { readonly path: string };
    /** The trusted root of sigstore cannot be read. Check the file of --trusted-root. */
    'bad-trusted-root': { readonly path: string };
  }
}
