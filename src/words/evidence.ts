import type { Evidence, Problem } from '../problem/problem.ts';
import type { Quote } from '../problem/quote.ts';
import { quoted } from './quote.ts';

/** The lines of what a problem rests on, of one kind. */
export const evidenceLines = ({ evidence }: Problem, kind: Evidence['kind']): readonly string[] =>
  evidence.flatMap((one) => (one.kind === kind ? one.lines.map((line) => lineText(line, one)) : []));

/** `FailedScheduling: 0/3 nodes are available (x4)` */
function lineText(line: Quote, { reason, count = 1 }: Evidence): string {
  const times = count > 1 ? ` (x${count})` : '';
  return `${reason === undefined ? '' : `${reason}: `}${quoted(line)}${times}`;
}
