export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A rendered text is not a Kubernetes object. Look at it with `tshelm template --debug`, and fix its template. */
    'invalid-manifest': { readonly source?: string; readonly text?: string };
    /** A rule for fields cannot be read. Write it as KIND/NAME:PATH=ACTION, for example `Deployment/web:spec.replicas=leave`. */
    'field-rule-invalid': { readonly rule?: string };
  }
}
