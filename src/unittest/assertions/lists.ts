import type { GoMap, Value } from '../../go/value.ts';
import { deepEqual } from '../../render/functions/deep-equal.ts';
import { compareText } from '../../support/order.ts';
import type { Document } from '../documents/documents.ts';
import { asYaml } from '../documents/text.ts';
import type { AssertionContext, Judge, Judgement } from './assertion.ts';
import { eachDocument, eachValue, failed, foundAt, inTurn, passed } from './each.ts';
import { errorLines, expectationLines, type FoundAt } from './lines.ts';
import type { Parameters } from './parameters.ts';

const isSubset = (content: GoMap, actual: GoMap): boolean =>
  [...content].every(([key, value]) => deepEqual(actual.get(key) ?? null, value));

/** `contains`: the list at the path has the content, with `any` an item that has all of its members. */
export function contains(parameters: Parameters): Judge {
  const path = parameters.text('path');
  const content = parameters.any('content');
  const count = parameters.count('count');
  const isLoose = parameters.flag('any');
  const isItem = (item: Value): boolean =>
    isLoose && item instanceof Map && content instanceof Map ? isSubset(content, item) : deepEqual(item, content);
  return (context) => {
    const { isNegative } = context;
    const missed = (actual: Value, at: FoundAt): string[] =>
      expectationLines(
        { words: ' to contain', isNegative, path, expected: asYaml([content]), actual: asYaml(actual) },
        at,
      );
    return eachValue(context, { path, none: () => missed('no manifest found', { document: 0 }) }, (value, at) => {
      if (!Array.isArray(value)) {
        return failed(errorLines(`expect '${path}' to be an array, got:\n${asYaml(value)}`, at));
      }
      const found = value.filter(isItem).length;
      const holds = found > 0 && (count === undefined || found === count);
      if (holds !== isNegative) return passed;
      if (count === undefined || found === 0) return failed(missed(value, at));
      const message = `expect count ${count} in '${path}' to be in array, got ${found}:\n${asYaml(value)}`;
      return failed(errorLines(message, at));
    });
  };
}

/** `isSubset`: the object at the path has these members. */
export function subset(parameters: Parameters): Judge {
  const path = parameters.text('path');
  const content = parameters.any('content');
  return (context) => {
    const missed = (actual: Value, at: FoundAt): string[] =>
      expectationLines(
        {
          words: ' to contain',
          isNegative: context.isNegative,
          path,
          expected: asYaml(content),
          actual: asYaml(actual),
        },
        at,
      );
    return eachValue(context, { path, none: () => missed('no manifest found', {}) }, (value, at) => {
      if (!(value instanceof Map && content instanceof Map)) {
        return failed(errorLines(`expect '${path}' to be an object, got:\n${asYaml(value)}`, at));
      }
      return isSubset(content, value) === context.isNegative ? failed(missed(value, at)) : passed;
    });
  };
}

interface Lengths {
  readonly count: number | undefined;
  readonly context: AssertionContext;
}

/** `lengthEqual`: the list at a path has so many items, or the lists at several paths have as many as each other. */
export function lengthEqual(parameters: Parameters): Judge {
  const path = parameters.text('path');
  const paths = parameters.texts('paths');
  const count = parameters.count('count');
  if (path !== '' && (count === undefined || count < 0)) {
    return () => failed(errorLines("'count' field must be set if 'path' is used"));
  }
  if (path !== '' && paths.length > 0) return () => failed(errorLines("'paths' couldn't be used with 'path'"));
  return (context) => {
    const about = { count, context };
    const none = (): string[] => lengthLines({ path: '', expected: '', actual: 'no manifest found' }, context, {});
    const judgeOne = (document: Document, index: number): Judgement =>
      path === '' ? lengthsAt(paths, document, index, about) : lengthAt(path, document, index, about);
    return eachDocument(context, none, judgeOne, path);
  };
}

function lengthAt(
  path: string,
  document: Document,
  index: number,
  { count, context }: Lengths,
): Judgement & { readonly length: number } {
  const values = foundAt(document, path);
  if ('error' in values) return { ...failed(errorLines(values.error, { document: index })), length: 0 };
  const { isNegative } = context;
  const lines: string[] = [];
  let length = 0;
  let isPassed = values.found.length === 0 && isNegative;
  for (const [order, value] of values.found.entries()) {
    if (!Array.isArray(value) && count === undefined) {
      lines.push(...errorLines(`${path} is not array`, { document: index, value: order }));
      continue;
    }
    length = Array.isArray(value) ? value.length : 0;
    const holds = count === undefined || (length === count) !== isNegative;
    const shown = { path, expected: String(count), actual: String(length) };
    if (!holds) lines.push(...lengthLines(shown, context, { document: index }));
    isPassed = order === 0 ? holds : isPassed && holds;
    if (!isPassed && context.failFast) break;
  }
  return { isPassed, lines, length };
}

function lengthsAt(paths: readonly string[], document: Document, index: number, about: Lengths): Judgement {
  const { context } = about;
  const lengths = new Map<string, number>();
  const each = inTurn(paths, false, (path) => {
    const judgement = lengthAt(path, document, index, about);
    lengths.set(path, judgement.length);
    return judgement.isPassed ? passed : judgement;
  });
  if (!each.isPassed) return each;
  const [first, ...others] = [...lengths].sort(([a], [b]) => compareText(a, b));
  const wrong = others.find(([, length]) => (length === first?.[1]) === context.isNegative);
  if (wrong === undefined) return first === undefined ? failed([]) : passed;
  const shown = { path: wrong[0], expected: '-1', actual: String(wrong[1]) };
  return failed(lengthLines(shown, context, { document: index }));
}

const lengthLines = (
  { path, expected, actual }: { readonly path: string; readonly expected: string; readonly actual: string },
  { isNegative }: AssertionContext,
  at: FoundAt,
): string[] => expectationLines({ words: ' to match count', isNegative, path, expected, actual }, at);
