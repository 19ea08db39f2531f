import type { Point, Rectangle } from './types.ts';

/** A coordinate as it is written: to a tenth of a pixel. */
export const round = (value: number): string => String(Math.round(value * 10) / 10);

/** `translate(x y)`: where a shape's own corner is. */
export const placeText = ({ x, y }: Point): string => `translate(${round(x)} ${round(y)})`;

/** A curve through points that leaves and arrives level, as the `d` of an SVG path. */
export function curveText([first, ...rest]: readonly Point[]): string {
  if (first === undefined) return '';
  let [path, last] = [`M${round(first.x)} ${round(first.y)}`, first];
  for (const point of rest) {
    const middle = round((last.x + point.x) / 2);
    const end = `${round(point.x)} ${round(point.y)}`;
    path += last.y === point.y ? `L${end}` : `C${middle} ${round(last.y)} ${middle} ${round(point.y)} ${end}`;
    last = point;
  }
  return path;
}

/** The line along the side of a column that a gate is, as the `d` of an SVG path. */
export const gateText = ({ x, y, width, height }: Rectangle, side: 'in' | 'out'): string =>
  `M${round(side === 'in' ? x : x + width)} ${round(y + 4)}v${round(height - 8)}`;
