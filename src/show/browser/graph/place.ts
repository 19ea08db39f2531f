import { placeDrawing } from '../../layout/layout.ts';
import { curveText, gateText, placeText, round } from '../../layout/path.ts';
import type { Drawing, Placed, Point } from '../../layout/types.ts';
import type { Box, Level, Size } from './model.ts';

/** Lays out what is open, and puts every element in its place. Gives the size of the whole. */
export function place(level: Level): Size {
  const placed = placeDrawing(drawingOf(level));
  putLevel(level, placed, { x: 0, y: 0 });
  return placed;
}

function drawingOf({ element, boxes, bands, gates, arrows }: Level): Drawing {
  return {
    columns: bands.map((_band, column) => boxes.filter((box) => box.column === column).map(drawingBox)),
    lines: arrows.map(({ dataset }) => ({ from: dataset.from ?? '', to: dataset.to ?? '' })),
    gates: gates.map(({ dataset }) => ({
      id: dataset.id ?? '',
      column: Number(dataset.column),
      side: dataset.side === 'in' ? 'in' : 'out',
    })),
    captionHeight: Number(element.dataset.caption),
  };
}

function drawingBox({ id, isOpen, inside, closed, whole }: Box): Drawing['columns'][number][number] {
  if (!isOpen) return { id, ...closed };
  return inside === undefined ? { id, ...whole } : { id, ...closed, inside: drawingOf(inside) };
}

/** `corner` is the level's own corner in the whole drawing. */
function putLevel({ boxes, bands, gates, arrows }: Level, placed: Placed, corner: Point): void {
  for (const [index, band] of bands.entries()) {
    const at = placed.bands[index];
    const [frame, caption] = band.children;
    if (at === undefined || frame === undefined) continue;
    band.setAttribute('transform', placeText(at));
    setSize(frame, at);
    caption?.setAttribute('x', round(at.width / 2));
  }
  for (const gate of gates) {
    const band = placed.bands[Number(gate.dataset.column)];
    if (band !== undefined) gate.setAttribute('d', gateText(band, gate.dataset.side === 'in' ? 'in' : 'out'));
  }
  for (const [index, arrow] of arrows.entries()) arrow.setAttribute('d', curveText(placed.lines[index]?.points ?? []));
  const byId = new Map(placed.boxes.map((box) => [box.id, box]));
  for (const box of boxes) {
    const at = byId.get(box.id);
    if (at !== undefined) putBox(box, at, corner);
  }
}

function putBox(box: Box, at: Placed['boxes'][number], corner: Point): void {
  const { element, inside } = box;
  box.at = { x: corner.x + at.x, y: corner.y + at.y, width: at.width, height: at.height };
  element.setAttribute('transform', placeText(at));
  const [frame] = element.children;
  if (frame !== undefined) setSize(frame, at);
  if (inside === undefined || at.inside === undefined) return;
  inside.element.parentElement?.setAttribute('transform', placeText(at.inside));
  putLevel(inside, at.inside, { x: box.at.x + at.inside.x, y: box.at.y + at.inside.y });
}

function setSize(element: Element, { width, height }: Size): void {
  element.setAttribute('width', round(width));
  element.setAttribute('height', round(height));
}
