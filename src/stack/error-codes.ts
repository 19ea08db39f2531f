export {};

declare module '../support/errors.ts' {
  interface AddedDetails {
    /** The absolute path of the chart's folder, if the failure is about one release. */
    readonly chartFolder: string;
  }
  interface ErrorDetails {
    /** helmfile.yaml, or a file that it names, cannot be read or is not valid. Correct the line that the message names. */
    'stack-invalid': { readonly file?: string };
    /** The file uses a feature of helmfile that tshelm does not have. Remove the feature that the message names; docs/stack.md says what to use instead. */
    'stack-unsupported': { readonly file?: string };
    /**
     * No release matches the selectors, or the environment is not defined. Check -l and -e, or use
     * --allow-no-matching-release. The exit code is 3, as in helmfile.
     */
    'stack-empty': NoDetails;
    /** Some releases of the stack failed, or were skipped because a release that they need failed. Fix the cause that the message gives for each release, and run the command again. */
    'stack-failed': {
      readonly failed: readonly string[];
      readonly skipped: readonly string[];
      readonly errors: Readonly<Record<string, unknown>>;
    };
    /** A plan of a stack cannot be saved while something under `moved:` has not been moved. Run `tshelm stack apply`, or `tshelm move` and `tshelm rename`, first. */
    'stack-moves-pending': { readonly releases: readonly string[] };
    /** A hook of helmfile.yaml failed. Fix the error that the message quotes. */
    'stack-hook-failed': { readonly hook: string };
    /** The state files of a stack start a program, which the library does only if you allow it. Pass `programs: true` to `tshelm.stack()`, or leave hooks and `exec` out. */
    'stack-programs': { readonly program: string };
    /** A file of the stack runs a program, or names a file outside of the working directory, and `--untrusted` refuses both. If you trust the author of the file, leave out --untrusted, or use --untrusted=false. */
    'stack-untrusted': NoDetails;
    /** A signer is named for the chart of a release (--key, --certificate-identity, signedBy), but nothing requires a sigstore signature. Add --verify=sigstore, or `verify: sigstore` to the release, its repository or `helmDefaults`; `verify: false` uses the chart unverified. */
    'signature-unasked': { readonly release: string };
    /** A patch of a release does not apply, or no rendered object matches it. Correct the patch that the message names. */
    'stack-patch-failed': { readonly release: string };
    /** The program kustomize is missing, or cannot build the folder that a release uses as its chart. Install kustomize, or fix the error that the message quotes. */
    'stack-kustomize-failed': { readonly release: string };
  }
}
