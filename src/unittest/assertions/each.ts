import type { Value } from '../../go/value.ts';
import { messageOf } from '../../support/errors.ts';
import { type Document, valuesAt } from '../documents/documents.ts';
import type { AssertionContext, Fault, Judgement } from './assertion.ts';
import { errorLines, type FoundAt } from './lines.ts';

export const passed: Judgement = { isPassed: true, lines: [] };
export const failed = (lines: readonly string[]): Judgement => ({ isPassed: false, lines });

/**
 * Judges each selected document: all must pass. Without any, only the opposite of an assertion holds; else `none` says what
 * was missed. `path` is what is looked at in a document.
 */
export function eachDocument(
  { selected, isNegative, failFast }: AssertionContext,
  none: () => readonly string[],
  judge: (document: Document, index: number) => Judgement,
  path = '',
): Judgement {
  if (selected.length === 0) return isNegative ? passed : failed(none());
  const faults: Fault[] = [];
  const judgement = inTurn(selected, failFast, (document, index) => {
    const one = judge(document, index);
    if (!one.isPassed) faults.push({ document, path });
    return one;
  });
  return { ...judgement, faults };
}

/** Judges one after the other, and with `failFast` none behind the first failure. */
export function inTurn<T>(
  items: readonly T[],
  failFast: boolean,
  judge: (item: T, index: number) => Judgement,
): Judgement {
  const lines: string[] = [];
  let isPassed = true;
  for (const [index, item] of items.entries()) {
    const judgement = judge(item, index);
    lines.push(...judgement.lines);
    isPassed &&= judgement.isPassed;
    if (!isPassed && failFast) break;
  }
  return { isPassed, lines };
}

/**
 * Judges what is at a path of each document. Where nothing is there, only the opposite of an assertion holds.
 * `known` says otherwise: a path that leads nowhere is then no error.
 */
export function eachValue(
  context: AssertionContext,
  { path, none }: { readonly path: string; readonly none: () => readonly string[] },
  judge: (value: Value, at: FoundAt & { readonly value: number }) => Judgement,
): Judgement {
  const judgeOne = (document: Document, index: number) => valuesJudged(context, { document, index, path }, judge);
  return eachDocument(context, none, judgeOne, path);
}

function valuesJudged(
  { isNegative, failFast }: AssertionContext,
  { document, index, path }: { readonly document: Document; readonly index: number; readonly path: string },
  judge: (value: Value, at: FoundAt & { readonly value: number }) => Judgement,
): Judgement {
  const at = { document: index };
  const values = foundAt(document, path);
  if ('error' in values) return failed(errorLines(values.error, at));
  if (values.found.length === 0) return isNegative ? passed : failed(errorLines(`unknown path ${path}`, at));
  return inTurn(values.found, failFast, (value, order) => judge(value, { ...at, value: order }));
}

/** What is at a path, or why the path cannot be followed. */
export function foundAt(
  document: Document,
  path: string,
): { readonly found: readonly Value[] } | { readonly error: string } {
  try {
    return { found: valuesAt(document, path) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}
