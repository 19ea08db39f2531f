/** One line of a comparison: in both texts, in the old one only, or in the new one only. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Changed lines (removed and added together) up to which the shortest way is looked for: time and memory grow with its square. */
const maxEdits = 1500;

/**
 * What leads from one list of lines to the other in the fewest removals and additions (Myers, "An O(ND) Difference
 * Algorithm", 1986). Where more than {@link maxEdits} would be needed, everything between the common beginning and the
 * common end is removed and added.
 */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const start = commonLength(before, after, (lines, index) => lines[index]);
  const rest = Math.min(before.length, after.length) - start;
  const end = Math.min(
    rest,
    commonLength(before, after, (lines, index) => lines[lines.length - 1 - index]),
  );
  return [
    ...marked('same', before.slice(0, start)),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...marked('same', before.slice(before.length - end)),
  ];
}

type LineAt = (lines: readonly string[], index: number) => string | undefined;

function commonLength(before: readonly string[], after: readonly string[], at: LineAt): number {
  const most = Math.min(before.length, after.length);
  let length = 0;
  while (length < most && at(before, length) === at(after, length)) length++;
  return length;
}

const marked = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind, text }));

const replaced = (before: readonly string[], after: readonly string[]): DiffLine[] => [
  ...marked('removed', before),
  ...marked('added', after),
];

function diffMiddle(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  if (before.length === 0 || after.length === 0) return replaced(before, after);
  const frontiers = findFrontiers(before, after);
  return frontiers === undefined ? replaced(before, after) : walkBack(before, after, frontiers);
}

/** For each number of edits, how far one comes in `before` on each diagonal (`x - y`, shifted by the number of edits). */
function findFrontiers(before: readonly string[], after: readonly string[]): readonly Int32Array[] | undefined {
  const frontiers: Int32Array[] = [];
  for (let edits = 0; edits <= Math.min(maxEdits, before.length + after.length); edits++) {
    const last = frontiers[edits - 1];
    const reached = new Int32Array(2 * edits + 1);
    frontiers.push(reached);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = last === undefined ? 0 : furthest(last, diagonal, edits);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      reached[diagonal + edits] = x;
      if (x >= before.length && x - diagonal >= after.length) return frontiers;
    }
  }
  return undefined;
}

/** Where the next edit leads on a diagonal: down (an addition) from the one above, or right (a removal) from the one below. */
const furthest = (last: Int32Array, diagonal: number, edits: number): number =>
  comesByAddition(last, diagonal, edits) ? at(last, diagonal + 1, edits) : at(last, diagonal - 1, edits) + 1;

const comesByAddition = (last: Int32Array, diagonal: number, edits: number): boolean =>
  diagonal === -edits || (diagonal !== edits && at(last, diagonal - 1, edits) < at(last, diagonal + 1, edits));

const at = (last: Int32Array, diagonal: number, edits: number): number => last[diagonal + edits - 1] as number;

function walkBack(
  before: readonly string[],
  after: readonly string[],
  frontiers: readonly Int32Array[],
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = frontiers.length - 1; edits > 0; edits--) {
    const last = frontiers[edits - 1] as Int32Array;
    const isAddition = comesByAddition(last, x - y, edits);
    const fromX = at(last, x - y + (isAddition ? 1 : -1), edits);
    const fromY = fromX - (x - y + (isAddition ? 1 : -1));
    const startX = isAddition ? fromX : fromX + 1;
    while (x > startX) lines.push({ kind: 'same', text: before[--x] as string });
    lines.push(
      isAddition ? { kind: 'added', text: after[fromY] as string } : { kind: 'removed', text: before[fromX] as string },
    );
    [x, y] = [fromX, fromY];
  }
  while (x > 0) lines.push({ kind: 'same', text: before[--x] as string });
  return lines.reverse();
}
