import type { Point, Rectangle } from '../../layout/types.ts';

/** What of a drawing is seen: the point in the window's top left corner, and pixels of the window for each of the drawing. */
export interface Camera extends Point {
  readonly scale: number;
}

/** Width and height in pixels. */
export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** Letters of 13 pixels are never larger than 39, and a drawing is never smaller than half of what shows all of it. */
const largest = 3;
const smallestOfFit = 0.5;
/** Letters are read from here on. */
const legible = 0.7;
const margin = 16;
/** Below, the legend and the overview of a small window cover so many of its pixels. */
const overview = 90;

/** The scale at which all of a drawing is seen; a small one is not enlarged. */
export const fitScale = (whole: Extent, window: Extent): number =>
  Math.min(
    1,
    window.width / (Math.max(whole.width, 1) + 2 * margin),
    window.height / (Math.max(whole.height, 1) + 2 * margin),
  );

export const clampScale = (scale: number, whole: Extent, window: Extent): number =>
  Math.min(largest, Math.max(fitScale(whole, window) * smallestOfFit, scale));

/** The camera where the middle of the window is always on the drawing, so that it cannot be lost. */
export function clamped({ x, y, scale }: Camera, whole: Extent, window: Extent): Camera {
  const size = clampScale(scale, whole, window);
  const inside = (at: number, seen: number, length: number): number =>
    Math.min(length - seen / 2, Math.max(-seen / 2, at));
  return {
    x: inside(x, window.width / size, whole.width),
    y: inside(y, window.height / size, whole.height),
    scale: size,
  };
}

/** Nearer or farther, so that a point of the drawing stays where it is in the window. */
export function zoomed(
  { x, y, scale }: Camera,
  factor: number,
  at: Point,
  bounds: { whole: Extent; window: Extent },
): Camera {
  const size = clampScale(scale * factor, bounds.whole, bounds.window);
  const ratio = scale / size;
  return { x: at.x - (at.x - x) * ratio, y: at.y - (at.y - y) * ratio, scale: size };
}

/** All of the drawing, in the middle. */
export function fitted(whole: Extent, window: Extent): Camera {
  const scale = fitScale(whole, window);
  const middle = (length: number, seen: number): number => (length - seen / scale) / 2;
  return { x: middle(whole.width, window.width), y: middle(whole.height, window.height), scale };
}

/** All of the drawing if its letters can be read so; else its beginning, or a box where much comes before that. */
export function atFirst(whole: Extent, window: Extent, box: Rectangle): Camera {
  if (fitScale(whole, window) >= legible) return fitted(whole, window);
  const scale = Math.min(1, Math.max(legible, window.height / (whole.height + 2 * margin)));
  const [wide, high] = [window.width / scale, window.height / scale];
  const x = box.x + box.width > wide - 2 * margin ? box.x - wide / 4 : -margin;
  // A drawing that is not higher than the window stays in the middle.
  const y =
    whole.height <= high
      ? (whole.height - high) / 2
      : Math.max(-margin, Math.min(box.y + box.height / 2 - high / 2, whole.height + margin - high));
  return clamped({ x, y, scale }, whole, window);
}

/** The camera that sees a box, and moves no more than it must; a scale at which letters can be read. */
export function showing(camera: Camera, box: Rectangle, whole: Extent, window: Extent): Camera {
  const scale = Math.max(camera.scale, legible);
  const [wide, high] = [window.width / scale, window.height / scale];
  const centre = { x: camera.x + window.width / camera.scale / 2, y: camera.y + window.height / camera.scale / 2 };
  const along = (start: number, seen: number, from: number, to: number): number => {
    // Of what is larger than the window the beginning is seen.
    if (to - from > seen || from < start) return from;
    return to > start + seen ? to - seen : start;
  };
  const around = (seen: number, length: number, most: number): number =>
    Math.min(most, Math.max(0, (seen - length) / 2));
  const [left, above] = [around(wide, box.width, 24), around(high, box.height, overview / scale)];
  const x = along(centre.x - wide / 2, wide, box.x - left, box.x + box.width + left);
  const y = along(centre.y - high / 2, high, box.y - above, box.y + box.height + above);
  return clamped({ x, y, scale }, whole, window);
}
