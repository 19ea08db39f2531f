import type { OrderFact } from '../problem/order-fact.ts';
import { type Problem, problemOf } from '../problem/problem.ts';
import type { Remedy } from '../problem/remedy.ts';
import { TshelmError } from '../support/errors.ts';
import { type FileLine, fileLineText } from '../support/file-line.ts';
import { compareText } from '../support/order.ts';
import { factText } from '../words/fact.ts';
import { cycleText } from '../words/order.ts';

/** A mistake in a chart's declarations: its subject is Chart.yaml or a template, with the charts before it. */
export type OrderProblem = Problem & {
  readonly subject: { readonly kind: 'file'; readonly file: string };
  readonly cause: OrderFact;
};

/** A cycle has a place for each of its declarations. */
export const orderProblem = (
  cause: OrderFact,
  { file, line }: FileLine,
  remedies: readonly Remedy[] = [],
): OrderProblem =>
  problemOf({
    subject: { kind: 'file' as const, file },
    cause,
    places: (cause.code === 'order-cycle' ? cause.waits : [{ file, line }]).flatMap(({ file, line }) =>
      file === undefined ? [] : [{ kind: 'file' as const, file, line }],
    ),
    remedies,
  });

/** Where a problem is: a cycle names its lines itself. */
export const placeOf = ({ subject: { file }, cause, places }: OrderProblem): FileLine => {
  const [first] = places;
  return { file, line: cause.code !== 'order-cycle' && first?.kind === 'file' ? first.line : undefined };
};

/** A problem without its place. */
export const mistakeText = ({ cause }: OrderProblem): string =>
  cause.code === 'order-cycle' ? cycleText(cause) : factText(cause);

/** `FILE:LINE: MESSAGE`. */
export const problemText = (problem: OrderProblem): string =>
  `${fileLineText(placeOf(problem))}: ${mistakeText(problem)}`;

/**
 * All mistakes of a chart in one error: `dependency-cycle` when something waits for itself, else `invalid-ordering`.
 * `details.cycle` is the first cycle.
 */
export function orderingError(problems: readonly OrderProblem[]): TshelmError {
  const sorted = [...problems].sort(byPlace);
  const cycle = sorted.flatMap(({ cause }) => (cause.code === 'order-cycle' ? [cause.cycle] : []))[0];
  const lines = sorted.map((problem) => (problem.code === 'order-cycle' ? mistakeText(problem) : problemText(problem)));
  const message =
    lines.length === 1
      ? (lines[0] as string)
      : `the chart's order has ${lines.length} mistakes:\n  ${lines.map((line) => line.replaceAll('\n', '\n  ')).join('\n  ')}`;
  return cycle === undefined
    ? new TshelmError('invalid-ordering', { message, details: { problems: sorted } })
    : new TshelmError('dependency-cycle', { message, details: { problems: sorted, cycle } });
}

export const byPlace = (a: OrderProblem, b: OrderProblem): number => {
  const [first, second] = [placeOf(a), placeOf(b)];
  return compareText(first.file, second.file) || (first.line ?? 0) - (second.line ?? 0) || compareText(a.code, b.code);
};
