import { type Problem, problemOf } from '../problem/problem.ts';
import { Quote } from '../problem/quote.ts';
import type { Remedy } from '../problem/remedy.ts';
import { TshelmError } from '../support/errors.ts';
import { compareText } from '../support/order.ts';

/** A mistake in a chart's declarations, and where it stands. */
export interface OrderMistake {
  readonly message: string;
  /** Chart.yaml or the template, with the charts before it. */
  readonly file: string;
  /** Counts from 1; absent where it cannot be told. */
  readonly line?: number | undefined;
  /** `Deployment/web` where a resource is at fault. */
  readonly resource?: string | undefined;
  /** Names that wait for each other in a circle. */
  readonly cycle?: readonly string[] | undefined;
  /** Where it is declared that each of them waits. */
  readonly edges?: readonly LinePlace[] | undefined;
  readonly remedies?: readonly Remedy[] | undefined;
}

/** A line of a file. */
export type LinePlace = Pick<OrderMistake, 'file' | 'line'>;

/** `shop/Chart.yaml:12`, without a line where none is known. */
export const placeText = ({ file, line }: LinePlace): string => (line === undefined ? file : `${file}:${line}`);

/** `FILE:LINE: MESSAGE`. */
export const problemText = (problem: OrderMistake): string => `${placeText(problem)}: ${problem.message}`;

/**
 * All mistakes of a chart in one error: `dependency-cycle` when something waits for itself, else `invalid-ordering`.
 * `details.mistakes` holds them, `details.cycle` the first cycle.
 */
export function orderingError(problems: readonly OrderMistake[]): TshelmError {
  const sorted = [...problems].sort(byPlace);
  const cycle = sorted.find((problem) => problem.cycle !== undefined)?.cycle;
  const lines = sorted.map((problem) => (problem.cycle === undefined ? problemText(problem) : problem.message));
  return new TshelmError(cycle === undefined ? 'invalid-ordering' : 'dependency-cycle', {
    message:
      lines.length === 1
        ? (lines[0] as string)
        : `the chart's order has ${lines.length} mistakes:\n  ${lines.map((line) => line.replaceAll('\n', '\n  ')).join('\n  ')}`,
    details: {
      mistakes: sorted,
      problems: sorted.map(asProblem),
      ...(cycle !== undefined && { cycle }),
    },
  });
}

const asProblem = ({ file, line, message, cycle, edges, remedies = [] }: OrderMistake): Problem =>
  problemOf({
    subject: { kind: 'file', file },
    cause: cycle === undefined ? { code: 'order-invalid', words: new Quote(message) } : { code: 'order-cycle', cycle },
    places: (edges ?? [{ file, line }]).map((place) => ({ kind: 'file', ...place })),
    remedies,
  });

const byPlace = (a: OrderMistake, b: OrderMistake): number =>
  compareText(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0) || compareText(a.message, b.message);
