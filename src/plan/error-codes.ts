import type { Problem } from './problems.ts';

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A release record cannot be read. `helm history` shows the others; `tshelm rollback` to a good one, or delete its Secret. */
    'corrupt-release': NoDetails;
    /** Subcharts or groups of resources wait for each other in a circle. Remove one of the dependencies that the message names. */
    'dependency-cycle': { readonly problems?: readonly Problem[]; readonly cycle: readonly string[] };
    /** The declarations of order in a chart have mistakes. Mend each place that the message lists; `tshelm lint` shows them too. */
    'invalid-ordering': { readonly problems: readonly Problem[] };
  }
}
