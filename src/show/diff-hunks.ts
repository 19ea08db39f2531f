import type { ComparedLine } from '../support/compare-lines.ts';

/** Lines that changed, with those around them. Line numbers count from 1, as in `@@ -1,2 +1,3 @@`. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly lines: readonly ComparedLine[];
}

/** The changed lines with up to `context` lines around them; changes that touch each other's surroundings are one hunk. */
export function hunksOf(lines: readonly ComparedLine[], context: number): readonly Hunk[] {
  const changed = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  const ranges: { from: number; to: number }[] = [];
  for (const index of changed) {
    const from = Math.max(0, index - context);
    const to = Math.min(lines.length, index + context + 1);
    const previous = ranges.at(-1);
    if (previous !== undefined && from <= previous.to) previous.to = to;
    else ranges.push({ from, to });
  }
  const counts = countedLines(lines);
  return ranges.map(({ from, to }) => hunkOf(lines.slice(from, to), counts[from] as LineCount));
}

interface LineCount {
  readonly old: number;
  readonly new: number;
}

/** How many lines of each text come before each line. */
function countedLines(lines: readonly ComparedLine[]): readonly LineCount[] {
  const counts: LineCount[] = [];
  let count = { old: 0, new: 0 };
  for (const { sign } of lines) {
    counts.push(count);
    count = { old: count.old + (sign === '+' ? 0 : 1), new: count.new + (sign === '-' ? 0 : 1) };
  }
  return counts;
}

function hunkOf(lines: readonly ComparedLine[], before: LineCount): Hunk {
  const oldCount = lines.filter(({ sign }) => sign !== '+').length;
  const newCount = lines.filter(({ sign }) => sign !== '-').length;
  // A side without lines names the line before, as diff -u does.
  return {
    oldStart: before.old + (oldCount === 0 ? 0 : 1),
    oldCount,
    newStart: before.new + (newCount === 0 ? 0 : 1),
    newCount,
    lines,
  };
}
