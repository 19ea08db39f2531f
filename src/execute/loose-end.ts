import type { Place } from '../problem/place.ts';
import type { Problem } from '../problem/problem.ts';
import { Quote } from '../problem/quote.ts';
import { evidenceLines } from '../words/evidence.ts';
import { factText } from '../words/fact.ts';
import { sentences } from './faults.ts';

/** A mistake that no message tells and that may lie behind a fault: a selector without pods, a value that nothing reads. */
export interface LooseEnd {
  /** All of it in one line, for what it explains nothing of. */
  readonly note: string;
  readonly problem: string;
  readonly fix: string;
  /** Where it is written. */
  readonly places: readonly Place[];
  readonly explains: (problem: Problem) => boolean;
}

/** Problems with the causes that loose ends tell, and notes of the loose ends that explain none. */
export function explainedProblems(problems: readonly Problem[], ends: readonly LooseEnd[]) {
  const told = problems.map((problem) => ({ problem, end: ends.find((end) => isFor(end, problem)) }));
  const rest = ends.filter((end) => told.every((one) => one.end !== end));
  return {
    problems: told.map(({ problem, end }) => (end === undefined ? problem : withCause(problem, end))),
    notes: rest.map(({ note }) => note),
  };
}

const isFor = ({ explains }: LooseEnd, problem: Problem): boolean =>
  problem.cause.code !== 'not-sent' && problem.symptom === undefined && explains(problem);

function withCause(seen: Problem, { problem, fix, places }: LooseEnd): Problem {
  const cause = { code: 'loose-end', words: new Quote(problem) } as const;
  return { ...seen, code: cause.code, cause, symptom: seen.cause, places, remedies: sentences([fix]) };
}

/** What a problem's program and the cluster say of it. */
export const wordsOf = (problem: Problem): string =>
  [factText(problem.cause), ...evidenceLines(problem, 'log')].join('\n');
