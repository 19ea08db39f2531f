import { formatValue } from '../../go/fmt/format.ts';
import { compileRegexp, quoteMeta } from '../../go/regexp.ts';
import type { Value } from '../../go/value.ts';
import { matching } from '../documents/text.ts';
import type { AssertionContext, Judge, Judgement } from './assertion.ts';
import { failed, inTurn, passed } from './each.ts';
import { errorLines, expectationLines, type FoundAt } from './lines.ts';
import type { Parameters } from './parameters.ts';

interface Expected {
  readonly message: string;
  readonly pattern: string;
}

/** `failedTemplate`: the chart does not render, and what it fails with is this. */
export function failedTemplate(parameters: Parameters): Judge {
  const expected = { message: parameters.text('errorMessage'), pattern: parameters.text('errorPattern') };
  const { message, pattern } = expected;
  if (message !== '' && pattern !== '') {
    const problem = "single attribute 'errorMessage' or 'errorPattern' supported at the same time";
    return () => failed(errorLines(problem));
  }
  return (context) => {
    const { renderError, isNegative, selected, failFast } = context;
    if (renderError !== undefined) return judged(expected, renderError, context, {});
    if (selected.length === 0) {
      return isNegative ? passed : failed(failure(expected, 'No failed document', context, {}));
    }
    return inTurn(selected, failFast, (document, index) =>
      judged(expected, document.get('raw') ?? null, context, { document: index }),
    );
  };
}

function judged(expected: Expected, actual: Value, context: AssertionContext, at: FoundAt): Judgement {
  const { message, pattern } = expected;
  const { isNegative } = context;
  if (pattern !== '') {
    if (actual === null || patternMatches(pattern, formatValue(actual), isNegative)) return passed;
    return failed(failure(expected, actual, context, at));
  }
  if (message === '' || (actual === message) !== isNegative) return passed;
  return failed(failure(expected, actual, context, at));
}

/** Whether the expression says what is wanted; where it does not, its text is looked for as it is. */
function patternMatches(pattern: string, text: string, isNegative: boolean): boolean {
  const found = matching(pattern, text);
  const asText = (): boolean => compileRegexp(quoteMeta(pattern)).matches(text) !== isNegative;
  if (typeof found === 'object') return asText();
  return found !== isNegative || (quoteMeta(pattern) !== pattern && asText());
}

function failure(expected: Expected, actual: Value, { isNegative }: AssertionContext, at: FoundAt): string[] {
  const shown = {
    words: expected.pattern === '' ? ' to equal' : ' to match',
    isNegative,
    expected: expected.message || expected.pattern,
  };
  return expectationLines(isNegative ? shown : { ...shown, actual: formatValue(actual) }, at);
}
