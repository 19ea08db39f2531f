/** One line of a comparison: in both texts, in the old one only, or in the new one only. */
export interface ComparedLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * A longest common subsequence of two lists of lines, with the rest removed and added. Of several that are as long it is the
 * one that helm-diff finds (Hirschberg's algorithm, 1975: the old lines are halved, and of the best places to cut the new
 * ones the first is taken), so that people and programs see the hunks that they know. Where that would take longer than a
 * second, everything between the common beginning and the common end is removed and added.
 */
export function compareLines(before: readonly string[], after: readonly string[]): readonly ComparedLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [oldEnd, newEnd] = [before.length, after.length];
  // As in helm-diff, the first line behind the common beginning is never counted to the common end.
  while (oldEnd - 1 > start && newEnd - 1 > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  return [
    ...signed(' ', before.slice(0, start)),
    ...compareMiddle(before.slice(start, oldEnd), after.slice(start, newEnd)),
    ...signed(' ', before.slice(oldEnd)),
  ];
}

const signed = (sign: ComparedLine['sign'], lines: readonly string[]): ComparedLine[] =>
  lines.map((text) => ({ sign, text }));

/** Of the table that is computed; time grows with it. */
const mostCells = 64_000_000;

function compareMiddle(before: readonly string[], after: readonly string[]): ComparedLine[] {
  if (before.length * after.length > mostCells) return [...signed('-', before), ...signed('+', after)];
  if (before.length === 0) return signed('+', after);
  if (after.length === 0) return signed('-', before);
  if (before.length === 1) return compareOne(before[0] as string, after);
  const half = Math.floor(before.length / 2);
  const cut = bestCut(before.slice(0, half), before.slice(half), after);
  return [
    ...compareMiddle(before.slice(0, half), after.slice(0, cut)),
    ...compareMiddle(before.slice(half), after.slice(cut)),
  ];
}

/** The one old line goes where it comes last among the new ones. */
function compareOne(line: string, after: readonly string[]): ComparedLine[] {
  const at = after.lastIndexOf(line);
  if (at < 0) return [{ sign: '-', text: line }, ...signed('+', after)];
  return [...signed('+', after.slice(0, at)), { sign: ' ', text: line }, ...signed('+', after.slice(at + 1))];
}

/** Where the new lines are cut, so that both halves have most in common with those of the old ones. */
function bestCut(upper: readonly string[], lower: readonly string[], after: readonly string[]): number {
  const above = commonLengths(upper, after);
  const below = commonLengths(lower.toReversed(), after.toReversed());
  let cut = 0;
  let most = -1;
  for (let at = 0; at <= after.length; at++) {
    const common = (above[at] as number) + (below[after.length - at] as number);
    if (common > most) [most, cut] = [common, at];
  }
  return cut;
}

/** How many lines the list has in common with the first 0, 1, 2 … lines of the other. */
function commonLengths(lines: readonly string[], other: readonly string[]): Uint32Array {
  let row = new Uint32Array(other.length + 1);
  for (const line of lines) {
    const next = new Uint32Array(other.length + 1);
    for (let at = 0; at < other.length; at++) {
      const [here = 0, above = 0, left = 0] = [row[at], row[at + 1], next[at]];
      next[at + 1] = line === other[at] ? here + 1 : Math.max(above, left);
    }
    row = next;
  }
  return row;
}
