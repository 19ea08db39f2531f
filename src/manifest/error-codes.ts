export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** Rendered text is no Kubernetes object. Look at it with `tshelm template --debug`, and mend its template. */
    'invalid-manifest': { readonly source?: string; readonly text?: string };
  }
}
