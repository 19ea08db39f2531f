import { formatValue } from '../../go/fmt/format.ts';
import { GoInt, goTypeOf, type Value } from '../../go/value.ts';
import { compareText } from '../../support/order.ts';
import type { Document } from '../documents/documents.ts';
import type { AssertionContext, Judge, Judgement } from './assertion.ts';
import { eachDocument, failed, foundAt, inTurn, passed } from './each.ts';
import { errorLines, expectationLines, type FoundAt } from './lines.ts';
import type { Parameters } from './parameters.ts';

type Direction = 'greater' | 'less';

/** `greaterOrEqual` and `lessOrEqual`: numbers and texts. */
export const ordered =
  (direction: Direction) =>
  (parameters: Parameters): Judge => {
    const path = parameters.text('path');
    const expected = parameters.any('value');
    return (context) => {
      const compared = { path, expected, direction };
      const none = (): string[] => failure('no manifests found', { path, direction, ...context }, {});
      const judgeOne = (document: Document, index: number): Judgement => {
        const values = foundAt(document, path);
        if ('error' in values) return failed(errorLines(values.error, { document: index }));
        return judged(values.found, compared, { context, document: index });
      };
      return eachDocument(context, none, judgeOne, path);
    };
  };

interface Compared {
  readonly path: string;
  readonly expected: Value;
  readonly direction: Direction;
}

function judged(
  found: readonly Value[],
  compared: Compared,
  { context, document }: { readonly context: AssertionContext; readonly document: number },
): Judgement {
  const { path } = compared;
  if (found.length === 0) {
    return context.isNegative ? passed : failed(errorLines(`unknown path '${path}'`, { document }));
  }
  const judgements = found.map((value, order) => compare(value, compared, { context, at: { document, value: order } }));
  // A value of another type is told of; whether the assertion holds, the others decide, the first one most of all.
  const isPassed = judgements.every(({ isMismatch, isPassed: holds }, order) => (isMismatch ? order > 0 : holds));
  return { ...inTurn(judgements, context.failFast, (one) => one), isPassed };
}

function compare(
  value: Value,
  { path, expected, direction }: Compared,
  { context, at }: { readonly context: AssertionContext; readonly at: FoundAt },
): Judgement & { readonly isMismatch: boolean } {
  const [actualType, expectedType] = [typeText(value), typeText(expected)];
  if (actualType !== expectedType) {
    const message = `actual '${actualType}' and expected '${expectedType}' types do not match`;
    return { ...failed(errorLines(message, at)), isMismatch: true };
  }
  const order = orderOf(value, expected);
  const tell = (message: string) => ({
    ...failed(failure(message, { path, direction, isNegative: context.isNegative }, at)),
    isMismatch: false,
  });
  if (order === undefined) return tell(`unsupported type '${expectedType}'`);
  // helm-unittest takes "not greater or equal" for "greater or equal" where the value is that.
  const holds = direction === 'greater' ? order >= 0 || context.isNegative : order <= 0 === !context.isNegative;
  if (holds) return { ...passed, isMismatch: false };
  const [actual, wanted] = [formatValue(value), formatValue(expected)];
  return tell(`the actual '${actual}' is not ${direction} or equal to the expected '${wanted}'`);
}

const typeText = (value: Value): string => (value === null || value === undefined ? '%!s(<nil>)' : goTypeOf(value));

function orderOf(actual: Value, expected: Value): number | undefined {
  if (typeof actual === 'string' && typeof expected === 'string') return compareText(actual, expected);
  if (typeof actual === 'number' && typeof expected === 'number') return Math.sign(actual - expected);
  if (!(actual instanceof GoInt && expected instanceof GoInt) || actual.type !== 'int') return undefined;
  return actual.value < expected.value ? -1 : actual.value > expected.value ? 1 : 0;
}

const failure = (
  message: string,
  {
    path,
    direction,
    isNegative,
  }: { readonly path: string; readonly direction: Direction; readonly isNegative: boolean },
  at: FoundAt,
): string[] =>
  expectationLines({ words: ` to be ${direction} then or equal to, got`, isNegative, path, expected: message }, at);
