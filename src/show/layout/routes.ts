import type { BlockItem } from './columns.ts';
import { type Gate, type Point, type Rectangle, space } from './types.ts';

/** How lines come to something from the left side of its column, and how they go from it to the right side. */
export interface Doors {
  readonly into: readonly Point[];
  readonly outOf: readonly Point[];
}

/** Of an item that is at `at`; lines pass the boxes of a grid in the gaps between its rows. */
export function itemDoors({ item, gap }: BlockItem, at: Point, band: Rectangle): Doors {
  const [left, right] = [band.x, band.x + band.width];
  const middle = at.y + item.height / 2;
  const width = item.box?.width ?? 0;
  if (item.box === undefined) {
    const through = [
      { x: left, y: middle },
      { x: right, y: middle },
    ];
    return { into: through, outOf: through };
  }
  const [begin, end] = [
    { x: at.x, y: middle },
    { x: at.x + width, y: middle },
  ];
  const isFirst = at.x - space.aroundColumn <= left;
  const isLast = at.x + width + 2 * space.aroundColumn >= right;
  const level = gap === undefined ? middle : at.y + gap;
  return {
    into:
      gap === undefined || isFirst
        ? [{ x: left, y: middle }, begin]
        : [{ x: left, y: level }, { x: at.x - space.between, y: level }, begin],
    outOf:
      gap === undefined || isLast
        ? [end, { x: right, y: middle }]
        : [end, { x: end.x + space.between, y: level }, { x: right, y: level }],
  };
}

/** Of a gate: the middle of its column's side. */
export function gateDoors({ side }: Gate, { x, y, width, height }: Rectangle): Doors {
  const point = { x: side === 'in' ? x : x + width, y: y + height / 2 };
  return { into: [point], outOf: [point] };
}
