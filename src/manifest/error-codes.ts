export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A rendered text is not a Kubernetes object. Look at it with `tshelm template --debug`, and fix its template. */
    'invalid-manifest': { readonly source?: string; readonly text?: string };
  }
}
