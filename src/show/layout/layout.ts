import { orderColumns, type Segment } from './order.ts';
import { offsetsOf, spacedOut } from './spacing.ts';

/** What is laid out: boxes in columns, lines between them. All lengths in pixels. */
export interface Drawing {
  readonly columns: readonly (readonly DrawingBox[])[];
  readonly lines: readonly Line[];
  /** Left free at the top of each column. */
  readonly captionHeight: number;
}

/** A box has a size of its own, or takes that of the drawing inside it, below a head. */
export interface DrawingBox {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly inside?: Drawing | undefined;
}

/** From the right side of a box to the left side of one in a later column. */
export interface Line {
  readonly from: string;
  readonly to: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

/** A drawing in place; everything is measured from the same corner, the drawing's own top left. */
export interface Placed {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly PlacedBox[];
  /** Each column's band, from the drawing's top to its bottom. */
  readonly bands: readonly Rectangle[];
  readonly lines: readonly PlacedLine[];
}

export interface PlacedBox extends Rectangle {
  readonly id: string;
  /** Measured from the box's corner. */
  readonly inside?: (Placed & Point) | undefined;
}

export interface PlacedLine extends Line {
  readonly points: readonly Point[];
}

const space = { between: 14, aroundColumn: 12, betweenColumns: 56, inBox: 12, lane: 10 } as const;
/** A column that is higher than this goes on beside itself. */
const highestColumn = 1600;

interface Item {
  readonly key: string;
  /** Undefined for a line that passes the column. */
  readonly box?: PlacedBox | undefined;
  readonly height: number;
}

/**
 * Places a layered drawing (Sugiyama): the columns are given; lines that pass columns get a lane in them; the order in a
 * column is the one with few crossings; boxes stand as near as can be to what they are joined to.
 */
export function placeDrawing(drawing: Drawing): Placed {
  const { items, segments, lanes } = withLanes(drawing);
  const order = orderColumns(
    items.map((column) => column.map(({ key }) => key)),
    segments,
  );
  const byKey = new Map(items.flat().map((item) => [item.key, item]));
  const columns = order.map((keys) => keys.map((key) => byKey.get(key) as Item));
  const centres = alignedCentres(columns, segments);
  return inPlace(columns, centres, drawing, lanes);
}

/**
 * The items of each column, boxes and lanes, and the lines cut into pieces from column to column. Lines to the same box
 * share their lanes.
 */
function withLanes({ columns, lines }: Drawing) {
  const items = columns.map((boxes) => boxes.map(itemOf));
  const columnOf = new Map(columns.flatMap((boxes, column) => boxes.map(({ id }) => [id, column] as const)));
  const pieces = columns.map(() => new Map<string, Segment>());
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
      pieces[first + at]?.set(`${from} ${to}`, { from, to });
    }
  }
  return { items, segments: pieces.map((map) => [...map.values()]), lanes };
}

function itemOf({ id, width, height, inside }: DrawingBox): Item {
  if (inside === undefined) return { key: id, height, box: { id, x: 0, y: 0, width, height } };
  const placed = placeDrawing(inside);
  const box = {
    id,
    x: 0,
    y: 0,
    width: Math.max(width, placed.width + 2 * space.inBox),
    height: height + placed.height + space.inBox,
    inside: { ...placed, x: space.inBox, y: height },
  };
  return { key: id, height: box.height, box };
}

/** The centre of each item, by key: packed at first, then drawn to what each is joined to, to and fro. */
function alignedCentres(columns: readonly (readonly Item[])[], segments: readonly (readonly Segment[])[]) {
  const centres = new Map<string, number>();
  for (const column of columns) {
    const offsets = offsetsOf(column, space.between);
    const middle = ((offsets.at(-1) ?? 0) + (offsets[0] ?? 0)) / 2;
    for (const [index, { key }] of column.entries()) centres.set(key, (offsets[index] as number) - middle);
  }
  const joined = neighbours(segments);
  const inTurns = [...columns, ...[...columns].reverse(), ...columns];
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
  const join = (a: string, b: string): void => {
    const known = joined.get(a);
    if (known === undefined) joined.set(a, [b]);
    else known.push(b);
  };
  for (const { from, to } of segments.flat()) {
    join(from, to);
    join(to, from);
  }
  return joined;
}

function meanCentre(keys: readonly string[] | undefined, centres: ReadonlyMap<string, number>): number | undefined {
  if (keys === undefined) return undefined;
  return keys.reduce((sum, key) => sum + (centres.get(key) as number), 0) / keys.length;
}

/** The coordinates of everything, columns from left to right. */
function inPlace(
  columns: readonly (readonly Item[])[],
  centres: ReadonlyMap<string, number>,
  { lines, captionHeight }: Drawing,
  lanes: ReadonlyMap<Line, readonly string[]>,
): Placed {
  const blocks = columns.map((column) => blockOf(column, centres));
  const top = Math.min(0, ...blocks.map((block) => block.top));
  const below = captionHeight + space.aroundColumn - top;
  const height = Math.max(0, ...blocks.map((block) => block.bottom)) + below + space.aroundColumn;
  const boxes: PlacedBox[] = [];
  const bands: Rectangle[] = [];
  /** Where a line enters and leaves the column of an item, level with the item. */
  const doors = new Map<string, readonly [Point, Point]>();
  let x = 0;
  for (const block of blocks) {
    const width = block.width + 2 * space.aroundColumn;
    bands.push({ x, y: 0, width, height });
    for (const { item, x: left, y } of block.items) {
      const at = { x: x + space.aroundColumn + left, y: y + below };
      const level = at.y + item.height / 2;
      doors.set(item.key, [
        { x, y: level },
        { x: x + width, y: level },
      ]);
      if (item.box !== undefined) boxes.push({ ...item.box, ...at });
    }
    x += width + space.betweenColumns;
  }
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const placedLines = lines.map((line): PlacedLine => {
    const [from, to] = [byId.get(line.from) as PlacedBox, byId.get(line.to) as PlacedBox];
    const way = [line.from, ...(lanes.get(line) ?? []), line.to].flatMap((key) => doors.get(key) ?? []);
    const start = { x: from.x + from.width, y: from.y + from.height / 2 };
    // Out of the box's own column, through the lanes, and up to the column of the other box.
    return { ...line, points: [start, ...way.slice(1, -1), { x: to.x, y: to.y + to.height / 2 }] };
  });
  return { width: Math.max(0, x - space.betweenColumns), height, boxes, bands, lines: placedLines };
}

interface Block {
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
  /** Left from the block's left side; y is the item's top. */
  readonly items: readonly { readonly item: Item; readonly x: number; readonly y: number }[];
}

/** One column's items as they stand, each in the middle; a column that would be too high stands in several rows of boxes. */
function blockOf(column: readonly Item[], centres: ReadonlyMap<string, number>): Block {
  const packed = column.reduce((sum, { height }) => sum + height + space.between, 0);
  if (packed > highestColumn && column.every(({ box }) => box !== undefined)) return wrapped(column, packed);
  const width = Math.max(0, ...column.map(({ box }) => box?.width ?? 0));
  const items = column.map((item) => ({
    item,
    x: (width - (item.box?.width ?? width)) / 2,
    y: (centres.get(item.key) as number) - item.height / 2,
  }));
  return extent(items, width);
}

function wrapped(column: readonly Item[], packed: number): Block {
  const perPart = packed / Math.ceil(packed / highestColumn);
  const items: { item: Item; x: number; y: number }[] = [];
  let [x, y, width] = [0, 0, 0];
  for (const item of column) {
    if (y > 0 && y + item.height / 2 > perPart) [x, y, width] = [x + width + 2 * space.between, 0, 0];
    items.push({ item, x, y: y - perPart / 2 });
    y += item.height + space.between;
    width = Math.max(width, item.box?.width ?? 0);
  }
  return extent(items, x + width);
}

const extent = (items: Block['items'], width: number): Block => ({
  width,
  items,
  top: Math.min(...items.map(({ y }) => y), Number.POSITIVE_INFINITY),
  bottom: Math.max(...items.map(({ item, y }) => y + item.height), Number.NEGATIVE_INFINITY),
});
