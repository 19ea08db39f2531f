/** The code of a problem, as docs/problems.md shows it. */
export interface DocumentedProblem {
  readonly area: string;
  readonly code: string;
  readonly meaning: string;
  readonly wayOut: string;
  /** The names of its facts. */
  readonly fields: readonly string[];
}
export function problemCodes(): DocumentedProblem[];
export function problemPage(): string;
export function problemMeanings(): string;
export function textsOfCodes(): ReadonlyMap<string, readonly string[]>;
