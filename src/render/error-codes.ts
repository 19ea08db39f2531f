declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** An object would be set to a value that is still encrypted with sops (`ENC[…]`). Decrypt the value, or pass the file that contains the value as a values file, which tshelm decrypts. */
    'encrypted-value': NoDetails;
    /** Templates look up other objects each time they run. Pass `lookup` the same names in each run. */
    'endless-lookup': NoDetails;
    /** The value of --kube-version is not a version. Write the version as `1.30` or `v1.30.2`. */
    'invalid-kube-version': { readonly kubeVersion: string };
    /** The values of a chart and of its subcharts contradict each other. Fix the value that the message names. */
    'invalid-values': { readonly chart?: string };
    /** The program of --post-renderer failed, or its output is not YAML. Run the program by hand on the output of `tshelm template`. */
    'post-renderer-failed': { readonly command?: string; readonly plugin?: string; readonly code?: number };
    /** A template cannot be read, or failed while it ran. Fix the template at the place shown; if the template calls `fail` or `required`, correct the values. */
    'template-error': {
      readonly file?: string;
      readonly line?: number;
      readonly column?: number | undefined;
      readonly context?: string | undefined;
      readonly template?: string;
      readonly rendering?: string;
      readonly meant?: string;
    };
  }

  interface AddedDetails {
    /** What was rendered before the failure. */
    readonly rendered: string;
    /** The warnings before the failure. */
    readonly warnings: readonly string[];
    /** The place in the rendered text, where `place` is the line of the template that made it. */
    readonly renderedPlace: SourcePlace;
  }
}
