declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A release record cannot be read. Roll back to a good revision of `tshelm history` with `tshelm rollback`, or delete the Secret of the broken record. */
    'corrupt-release': NoDetails;
    /** Subcharts or resource groups wait for each other in a cycle. Remove one of the dependencies that the message names. */
    'dependency-cycle': { readonly cycle: readonly string[] };
    /** The order declared in a chart has mistakes. Fix each place that the message lists; `tshelm lint` shows them too. */
    'invalid-ordering': NoDetails;
  }
}
