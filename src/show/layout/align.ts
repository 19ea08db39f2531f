import { addTo } from '../../support/group-by.ts';
import type { Segment } from './order.ts';
import { offsetsOf, spacedOut } from './spacing.ts';
import { type Item, space } from './types.ts';

/**
 * The centre of each item, by key: packed at first, then drawn to what each is joined to, to and fro. Columns of which
 * the centres are `fixed` stay.
 */
export function alignedCentres(
  columns: readonly (readonly Item[])[],
  segments: readonly (readonly Segment[])[],
  fixed: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const centres = new Map(fixed);
  const movable = columns.filter((column) => column.every(({ key }) => !fixed.has(key)));
  for (const column of movable) {
    const offsets = offsetsOf(column, space.between);
    const middle = ((offsets.at(-1) ?? 0) + (offsets[0] ?? 0)) / 2;
    for (const [index, { key }] of column.entries()) centres.set(key, (offsets[index] as number) - middle);
  }
  const joined = neighbours(segments);
  const inTurns = [...movable, ...[...movable].reverse(), ...movable];
  for (const column of inTurns) {
    const wanted = column.map(({ key, height }) => ({
      height,
      wanted: meanCentre(joined.get(key), centres) ?? (centres.get(key) as number),
    }));
    const spaced = spacedOut(wanted, space.between);
    for (const [index, { key }] of column.entries()) centres.set(key, spaced[index] as number);
  }
  return centres;
}

function neighbours(segments: readonly (readonly Segment[])[]): ReadonlyMap<string, readonly string[]> {
  const joined = new Map<string, string[]>();
  for (const { from, to } of segments.flat()) {
    addTo(joined, from, to);
    addTo(joined, to, from);
  }
  return joined;
}

function meanCentre(keys: readonly string[] | undefined, centres: ReadonlyMap<string, number>): number | undefined {
  if (keys === undefined) return undefined;
  return keys.reduce((sum, key) => sum + (centres.get(key) as number), 0) / keys.length;
}
