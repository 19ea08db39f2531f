import type { Segment } from './order.ts';
import { type Drawing, type Item, type Line, space } from './types.ts';

/**
 * The items of each column, boxes and lanes, and the lines cut into pieces from column to column. Lines to the same box
 * share their lanes.
 */
export function withLanes(boxes: readonly (readonly Item[])[], { lines, gates }: Drawing) {
  const items = boxes.map((column) => [...column]);
  const gateIds = new Set(gates.map(({ id }) => id));
  const columnOf = new Map([
    ...boxes.flatMap((inColumn, column) => inColumn.map(({ key }) => [key, column] as const)),
    ...gates.map(({ id, column }) => [id, column] as const),
  ]);
  const pieces = boxes.map(() => new Map<string, Segment>());
  const known = new Set<string>();
  const lanes = new Map<Line, readonly string[]>();
  for (const line of lines) {
    const [first = 0, last = 0] = [columnOf.get(line.from), columnOf.get(line.to)];
    const keys: string[] = [];
    for (let column = first + 1; column < last; column++) {
      const key = `lane ${column} ${line.to}`;
      if (!known.has(key)) items[column]?.push({ key, height: space.lane });
      known.add(key);
      keys.push(key);
    }
    lanes.set(line, keys);
    const stops = [line.from, ...keys, line.to];
    for (const [at, to] of stops.slice(1).entries()) {
      const from = stops[at] as string;
      // What leads to a whole column says nothing about the order of its boxes.
      if (!gateIds.has(from) && !gateIds.has(to)) pieces[first + at]?.set(`${from} ${to}`, { from, to });
    }
  }
  return { items, segments: pieces.map((map) => [...map.values()]), lanes };
}
