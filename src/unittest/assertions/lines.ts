import { compareLines } from '../../support/compare-lines.ts';

/** Where in the documents something was found; undefined where that does not matter. */
export interface FoundAt {
  readonly document?: number | undefined;
  readonly value?: number | undefined;
}

/** What was expected, and what was found; parts that are undefined are not shown. */
interface Expectation {
  /** Of the words behind "Expected": ` to equal`. */
  readonly words: string;
  readonly isNegative: boolean;
  readonly path?: string | undefined;
  readonly expected: string;
  readonly actual?: string | undefined;
  readonly diff?: string | undefined;
}

/** The lines of a failure, laid out as helm-unittest does. */
export function expectationLines(expectation: Expectation, at: FoundAt = {}): string[] {
  const { words, isNegative, path, expected, actual, diff } = expectation;
  return [
    ...placeLines(at),
    ...(path === undefined ? [] : [`Path:${indented(path)}`]),
    `Expected${isNegative ? ' NOT' : ''}${words}:`,
    indented(expected),
    ...(actual === undefined ? [] : ['Actual:', indented(actual)]),
    ...(diff === undefined ? [] : ['Diff:', indented(diff)]),
  ].flatMap((line) => line.split('\n'));
}

export const errorLines = (message: string, at: FoundAt = {}): string[] => [
  ...placeLines(at),
  'Error:',
  ...indented(message).split('\n'),
];

/** `Path: x expected to exists` and its like. */
export const pathLines = (path: string, rest: string, at: FoundAt): string[] => [
  ...placeLines(at),
  ...`Path:${indented(path)} ${rest}`.split('\n'),
];

const placeLines = ({ document, value }: FoundAt): string[] => [
  ...(document === undefined ? [] : [`DocumentIndex:\t${document}`]),
  ...(value === undefined ? [] : [`ValuesIndex:\t${value}`]),
];

/** Trims what is around it, and puts a tab before each line. */
function indented(text: string): string {
  const lines = text.replaceAll('\n', '\n\t');
  let [start, end] = [0, lines.length];
  while (start < end && '\n\t '.includes(lines.charAt(start))) start += 1;
  while (end > start && '\n\t '.includes(lines.charAt(end - 1))) end -= 1;
  return `\t${lines.slice(start, end)}`;
}

/** A unified diff with one line around each change. */
export function unifiedDiff(expected: string, actual: string): string {
  const lines = compareLines(linesOf(expected), linesOf(actual));
  const header = '--- Expected\n+++ Actual\n';
  const hunks = changedRanges(lines.map(({ sign }) => sign !== ' ')).map(([start, end]) => {
    const before = lines.slice(0, start);
    const hunk = lines.slice(start, end);
    const old = rangeText(
      before.filter(({ sign }) => sign !== '+').length,
      hunk.filter(({ sign }) => sign !== '+').length,
    );
    const now = rangeText(
      before.filter(({ sign }) => sign !== '-').length,
      hunk.filter(({ sign }) => sign !== '-').length,
    );
    return [`@@ -${old} +${now} @@\n`, ...hunk.map(({ sign, text }) => `${sign}${text}`)].join('');
  });
  return hunks.length === 0 ? '' : `${header}${hunks.join('')}`;
}

/** With their line breaks; what follows the last one is a line too, although nothing does. */
const linesOf = (text: string): string[] => text.split('\n').map((line) => `${line}\n`);

/** The changes with a line before and behind; those that touch are one. */
function changedRanges(isChanged: readonly boolean[]): [number, number][] {
  const ranges: [number, number][] = [];
  isChanged.forEach((changed, at) => {
    if (!changed) return;
    const last = ranges.at(-1);
    if (last !== undefined && at - 1 <= last[1]) last[1] = Math.min(at + 2, isChanged.length);
    else ranges.push([Math.max(at - 1, 0), Math.min(at + 2, isChanged.length)]);
  });
  return ranges;
}

const rangeText = (before: number, count: number): string =>
  count === 1 ? String(before + 1) : `${count === 0 ? before : before + 1},${count}`;
