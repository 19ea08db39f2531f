import type { Evidence, Problem } from '../problem/problem.ts';
import { quoted } from './quote.ts';

/** The lines of what a problem rests on, of one kind. */
export const evidenceLines = ({ evidence }: Problem, kind: Evidence['kind']): readonly string[] =>
  evidence.flatMap((one) => (one.kind === kind ? one.lines.map(quoted) : []));
