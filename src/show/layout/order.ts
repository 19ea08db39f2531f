/** A line between neighbouring columns, by the items' keys. */
export interface Segment {
  readonly from: string;
  readonly to: string;
}

/**
 * The items of columns in an order in which few lines cross: each item moves to the mean place of those it is joined to,
 * to and fro; the best order counts, the given one where none is better. `segments[i]` joins column i to column i + 1.
 */
export function orderColumns(
  columns: readonly (readonly string[])[],
  segments: readonly (readonly Segment[])[],
): readonly (readonly string[])[] {
  let best = columns;
  let fewest = crossings(columns, segments);
  let current = columns;
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    current = sweep % 2 === 0 ? sweptForward(current, segments) : sweptBackward(current, segments);
    const count = crossings(current, segments);
    if (count < fewest) [best, fewest] = [current, count];
  }
  return best;
}

const sweeps = 12;

function sweptForward(columns: readonly (readonly string[])[], segments: readonly (readonly Segment[])[]) {
  const swept = [...columns];
  for (let index = 1; index < swept.length; index++) {
    const places = placesOf(swept[index - 1]);
    swept[index] = byMean(
      swept[index] ?? [],
      (segments[index - 1] ?? []).map(({ from, to }) => [to, places.get(from)]),
    );
  }
  return swept;
}

function sweptBackward(columns: readonly (readonly string[])[], segments: readonly (readonly Segment[])[]) {
  const swept = [...columns];
  for (let index = swept.length - 2; index >= 0; index--) {
    const places = placesOf(swept[index + 1]);
    swept[index] = byMean(
      swept[index] ?? [],
      (segments[index] ?? []).map(({ from, to }) => [from, places.get(to)]),
    );
  }
  return swept;
}

const placesOf = (column: readonly string[] = []): ReadonlyMap<string, number> =>
  new Map(column.map((item, place) => [item, place]));

/** Sorted by the mean place of the joined items; what is joined to nothing keeps its own place. */
function byMean(column: readonly string[], joined: readonly (readonly [string, number | undefined])[]): string[] {
  const sums = new Map<string, [sum: number, count: number]>();
  for (const [item, place] of joined) {
    const [sum, count] = sums.get(item) ?? [0, 0];
    if (place !== undefined) sums.set(item, [sum + place, count + 1]);
  }
  const own = placesOf(column);
  const meanOf = (item: string): number => {
    const [sum, count] = sums.get(item) ?? [own.get(item) ?? 0, 1];
    return sum / count;
  };
  return [...column].sort((a, b) => meanOf(a) - meanOf(b));
}

/** How many pairs of lines cross, over all columns. */
export const crossings = (columns: readonly (readonly string[])[], segments: readonly (readonly Segment[])[]): number =>
  segments.reduce((sum, lines, index) => sum + crossingsBetween(lines, columns[index], columns[index + 1]), 0);

/** Pairs whose ends are in opposite orders: the inversions of the right ends, counted with a Fenwick tree. */
function crossingsBetween(
  lines: readonly Segment[],
  left: readonly string[] = [],
  right: readonly string[] = [],
): number {
  const [leftPlaces, rightPlaces] = [placesOf(left), placesOf(right)];
  const ends = lines
    .map(({ from, to }) => [leftPlaces.get(from) ?? 0, rightPlaces.get(to) ?? 0] as const)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const tree = Array.from({ length: right.length + 1 }, () => 0);
  let count = 0;
  for (const [seen, [, place]] of ends.entries()) {
    let notAbove = 0;
    for (let at = place + 1; at > 0; at -= at & -at) notAbove += tree[at] as number;
    count += seen - notAbove;
    for (let at = place + 1; at < tree.length; at += at & -at) tree[at] = (tree[at] as number) + 1;
  }
  return count;
}
