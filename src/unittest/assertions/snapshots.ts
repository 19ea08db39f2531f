import type { Compared } from '../documents/snapshot.ts';
import type { AssertionContext, Judge, Judgement } from './assertion.ts';
import { failed, foundAt, inTurn, passed } from './each.ts';
import { rawText } from './equality.ts';
import { errorLines, expectationLines, type FoundAt, unifiedDiff } from './lines.ts';
import type { Parameters } from './parameters.ts';

/** `matchSnapshot`: what is at the path is what stood there last time, or expressions match it. */
export function matchSnapshot(parameters: Parameters): Judge {
  const path = parameters.text('path');
  const matches = parameters.inside('matchRegex').text('pattern');
  const matchesNot = parameters.inside('notMatchRegex').text('pattern');
  return (context) =>
    eachSelected(context, (document, index) => {
      const at = { document: index };
      const values = foundAt(document, path);
      if ('error' in values) return failed(errorLines(values.error, at));
      if (values.found.length === 0) {
        return context.isNegative ? passed : failed(errorLines(`unknown path ${path}`, at));
      }
      return inTurn(values.found, context.failFast, (value, order) => {
        const here = { ...at, value: order };
        const compared = context.snapshots(value, { matches, matchesNot });
        if (compared.isBrokenPattern) return failed(errorLines('<nil>', here));
        return compared.isPassed === context.isNegative ? failed(missed(compared, path, context, here)) : passed;
      });
    });
}

/** `matchSnapshotRaw`: the same of the text of a file that is no YAML. */
export const matchSnapshotRaw = (): Judge => (context) =>
  eachSelected(context, (document) => {
    const compared = context.snapshots(rawText(document));
    return compared.isPassed === context.isNegative ? failed(missed(compared, undefined, context, {})) : passed;
  });

/** Without documents a snapshot matches; its opposite does not hold. */
function eachSelected(
  { selected, isNegative, failFast }: AssertionContext,
  judge: (document: AssertionContext['selected'][number], index: number) => Judgement,
): Judgement {
  return selected.length === 0 ? { isPassed: !isNegative, lines: [] } : inTurn(selected, failFast, judge);
}

function missed(compared: Compared, path: string | undefined, { isNegative }: AssertionContext, at: FoundAt): string[] {
  const { mismatch, cached, current, number } = compared;
  if (mismatch !== undefined) return expectationLines({ words: mismatch, isNegative, expected: cached }, at);
  const expected = isNegative ? cached : unifiedDiff(cached, current);
  return expectationLines({ words: ` to match snapshot ${number}`, isNegative, path, expected }, at);
}
