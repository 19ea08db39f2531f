export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A template rendered something that is not a Kubernetes object. Look at the output of `tshelm template --debug`, and fix the template. */
    'invalid-manifest': { readonly source?: string; readonly text?: string };
    /** A rule for fields cannot be read. Write the rule as KIND/NAME:PATH=ACTION, for example `Deployment/web:spec.replicas=leave`. */
    'field-rule-invalid': { readonly rule?: string };
  }
}
