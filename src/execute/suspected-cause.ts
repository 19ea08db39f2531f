import type { Place } from '../problem/place.ts';
import type { Problem } from '../problem/problem.ts';
import type { Remedy } from '../problem/remedy.ts';
import type { WorkloadFact } from '../problem/workload-fact.ts';

/** A mistake that no message names and that may lie behind a problem: a selector without pods, a value that nothing reads. */
export interface SuspectedCause {
  readonly cause: WorkloadFact;
  /** All of it in one line, for what it explains nothing of. */
  readonly note: string;
  readonly remedies: readonly Remedy[];
  /** Where it is written. */
  readonly places: readonly Place[];
  readonly explains: (problem: Problem) => boolean;
}

/** Each problem with the suspected cause that explains it, and a note for each suspected cause that explains none. */
export function explainedProblems(problems: readonly Problem[], suspects: readonly SuspectedCause[]) {
  const explained = problems.map((problem) => ({
    problem,
    suspect: suspects.find((suspect) => isFor(suspect, problem)),
  }));
  const rest = suspects.filter((suspect) => explained.every((one) => one.suspect !== suspect));
  return {
    problems: explained.map(({ problem, suspect }) => (suspect === undefined ? problem : withCause(problem, suspect))),
    notes: rest.map(({ note }) => note),
  };
}

const isFor = ({ explains }: SuspectedCause, problem: Problem): boolean =>
  problem.cause.code !== 'not-sent' && problem.symptom === undefined && explains(problem);

const withCause = (seen: Problem, { cause, remedies, places }: SuspectedCause): Problem => ({
  ...seen,
  code: cause.code,
  cause,
  symptom: seen.cause,
  places,
  remedies,
});
