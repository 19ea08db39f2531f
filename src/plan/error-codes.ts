declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A release record cannot be read. `helm history` shows the others; roll back to a good one with `tshelm rollback`, or delete its Secret. */
    'corrupt-release': NoDetails;
    /** Subcharts or resource groups wait for each other in a cycle. Remove one of the dependencies that the message names. */
    'dependency-cycle': { readonly cycle: readonly string[] };
    /** The order declared in a chart has mistakes. Fix each place that the message lists; `tshelm lint` shows them too. */
    'invalid-ordering': NoDetails;
  }
}
