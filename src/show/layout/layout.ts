import { alignedCentres } from './align.ts';
import { type Block, columnBlock, gridBlock } from './columns.ts';
import { withLanes } from './lanes.ts';
import { orderColumns } from './order.ts';
import { type Doors, gateDoors, itemDoors } from './routes.ts';
import {
  type Drawing,
  type DrawingBox,
  type Item,
  type Line,
  type Placed,
  type PlacedBox,
  type PlacedLine,
  type Rectangle,
  space,
} from './types.ts';

/**
 * Places a layered drawing (Sugiyama): the columns are given; lines that pass columns get a lane in them; the order in a
 * column is the one with few crossings; boxes are as near as can be to what they are joined to. A column that would be
 * very high becomes a grid.
 */
export function placeDrawing(drawing: Drawing): Placed {
  const { items, segments, lanes } = withLanes(
    drawing.columns.map((boxes) => boxes.map(itemOf)),
    drawing,
  );
  const order = orderColumns(
    items.map((column) => column.map(({ key }) => key)),
    segments,
  );
  const byKey = new Map(items.flat().map((item) => [item.key, item]));
  const columns = order.map((keys) => keys.map((key) => byKey.get(key) as Item));
  const grids = columns.map(gridBlock);
  const fixed = new Map(
    grids.flatMap((grid) => grid?.items ?? []).map(({ item, y }) => [item.key, y + item.height / 2]),
  );
  const centres = alignedCentres(columns, segments, fixed);
  const blocks = columns.map((column, index) => grids[index] ?? columnBlock(column, centres));
  return inPlace(blocks, drawing, lanes);
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

/** The coordinates of everything, columns from left to right. `lanes` are the keys of the lanes that a line goes through. */
function inPlace(
  blocks: readonly Block[],
  { lines, gates, captionHeight }: Drawing,
  lanes: ReadonlyMap<Line, readonly string[]>,
): Placed {
  const top = Math.min(0, ...blocks.map((block) => block.top));
  const below = captionHeight + space.aroundColumn - top;
  const height = Math.max(0, ...blocks.map((block) => block.bottom)) + below + space.aroundColumn;
  const boxes: PlacedBox[] = [];
  const bands: Rectangle[] = [];
  const doors = new Map<string, Doors>();
  let x = 0;
  for (const block of blocks) {
    const band = { x, y: 0, width: block.width + 2 * space.aroundColumn, height };
    bands.push(band);
    for (const placed of block.items) {
      const at = { x: x + space.aroundColumn + placed.x, y: placed.y + below };
      doors.set(placed.item.key, itemDoors(placed, at, band));
      if (placed.item.box !== undefined) boxes.push({ ...placed.item.box, ...at });
    }
    x += band.width + space.betweenColumns;
  }
  for (const gate of gates) doors.set(gate.id, gateDoors(gate, bands[gate.column] as Rectangle));
  const placedLines = lines.map((line): PlacedLine => {
    const passed = (lanes.get(line) ?? []).flatMap((key) => doors.get(key)?.into ?? []);
    return {
      ...line,
      points: [...(doors.get(line.from)?.outOf ?? []), ...passed, ...(doors.get(line.to)?.into ?? [])],
    };
  });
  return { width: Math.max(0, x - space.betweenColumns), height, boxes, bands, lines: placedLines };
}
