import type { Problem } from './problem.ts';
import type { Remedy } from './remedy.ts';

declare module '../support/errors.ts' {
  interface AddedDetails {
    /** What is wrong, where it is written, and the way out; the likely cause first. */
    readonly problems: readonly Problem[];
    /** Finds what is wrong in a template by running it once more. */
    readonly findProblems: () => readonly Problem[];
    /** What to do about a failure that has no problems. */
    readonly remedies: readonly Remedy[];
  }
}
