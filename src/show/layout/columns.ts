import { type Item, type Point, space } from './types.ts';

/** A column as it is. */
export interface Block {
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
  readonly items: readonly BlockItem[];
}

/** Left from the block's left side; y is the item's top. */
export interface BlockItem extends Point {
  readonly item: Item;
  /** Of a grid: the height, from the item's top, of the gap in which lines pass the boxes beside it. */
  readonly gap?: number | undefined;
}

/** A column that is higher than this, and has so many boxes, becomes a grid, somewhat wider than high. */
const highestColumn = 900;
const fewestBoxes = 6;
const widthToHeight = 1.5;

/** One column's items, each in the middle, at their centres. */
export function columnBlock(column: readonly Item[], centres: ReadonlyMap<string, number>): Block {
  const width = widest(column);
  const items = column.map((item) => ({
    item,
    x: (width - (item.box?.width ?? width)) / 2,
    y: (centres.get(item.key) as number) - item.height / 2,
  }));
  return extent(items, width);
}

/**
 * The boxes of a column that would be too high, in rows and several columns side by side; its lanes above them. Undefined
 * for one that is not.
 */
export function gridBlock(column: readonly Item[]): Block | undefined {
  const boxes = column.filter(({ box }) => box !== undefined);
  const packed = boxes.reduce((sum, { height }) => sum + height + space.between, 0);
  if (packed <= highestColumn || boxes.length < fewestBoxes) return undefined;
  const squarish = Math.sqrt((packed * (widest(boxes) + 2 * space.between)) / widthToHeight);
  const across = Math.ceil(packed / Math.max(highestColumn * 0.8, squarish));
  const tops = topsOfRows(boxes, across);
  const lefts = leftsOfParts(boxes, across);
  const middle = (tops.at(-1) as number) / 2;
  // Row by row: neighbours in the order stay near each other, and so do the lines to them.
  const items = boxes.map(
    (item, index): BlockItem => ({
      item,
      x: lefts[index % across] as number,
      y: (tops[Math.floor(index / across)] as number) - middle,
      gap: -space.between / 2,
    }),
  );
  const lanes = column.filter(({ box }) => box === undefined);
  const lane = space.lane + space.between;
  const above = lanes.map((item, index) => ({ item, x: 0, y: -middle - (lanes.length - index) * lane }));
  return extent([...above, ...items], (lefts.at(-1) as number) - 2 * space.between);
}

/** Where each row begins, and behind the last one where the next would. */
function topsOfRows(boxes: readonly Item[], across: number): readonly number[] {
  const tops = [0];
  for (let first = 0; first < boxes.length; first += across) {
    const heights = boxes.slice(first, first + across).map(({ height }) => height);
    tops.push((tops.at(-1) as number) + Math.max(...heights) + space.between);
  }
  return tops;
}

/** Where the boxes of each column of the grid begin, likewise. */
function leftsOfParts(boxes: readonly Item[], across: number): readonly number[] {
  const lefts = [0];
  for (let part = 0; part < across; part++)
    lefts.push(
      (lefts[part] as number) + widest(boxes.filter((_, index) => index % across === part)) + 2 * space.between,
    );
  return lefts;
}

const widest = (items: readonly Item[]): number => items.reduce((most, { box }) => Math.max(most, box?.width ?? 0), 0);

const extent = (items: readonly BlockItem[], width: number): Block => ({
  width,
  items,
  top: Math.min(...items.map(({ y }) => y), Number.POSITIVE_INFINITY),
  bottom: Math.max(...items.map(({ item, y }) => y + item.height), Number.NEGATIVE_INFINITY),
});
