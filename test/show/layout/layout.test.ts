import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeDrawing } from '../../../src/show/layout/layout.ts';
import { crossings, orderColumns } from '../../../src/show/layout/order.ts';
import { spacedOut } from '../../../src/show/layout/spacing.ts';
import type { Drawing, Placed, Rectangle } from '../../../src/show/layout/types.ts';

/** `a b | c` and `a>c`: columns and lines. */
function drawing(columns: string, lines = ''): Drawing {
  return {
    columns: columns.split('|').map((names) =>
      names
        .trim()
        .split(/\s+/)
        .filter(Boolean)
        .map((id) => ({ id, width: 100, height: 40 })),
    ),
    lines: lines
      .split(' ')
      .filter(Boolean)
      .map((line) => ({ from: line.slice(0, line.indexOf('>')), to: line.slice(line.indexOf('>') + 1) })),
    gates: [],
    captionHeight: 0,
  };
}

const orderIn = ({ boxes }: Placed, ids: readonly string[]): string[] =>
  boxes
    .filter(({ id }) => ids.includes(id))
    .sort((a, b) => a.y - b.y)
    .map(({ id }) => id);

const overlap = (a: Rectangle, b: Rectangle): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe('order in columns', () => {
  test('lines that need not cross do not', () => {
    const placed = placeDrawing(drawing('a b c | d e f', 'a>f b>e c>d'));
    const lefts = orderIn(placed, ['a', 'b', 'c']);
    const partner: Record<string, string> = { a: 'f', b: 'e', c: 'd' };
    expect(orderIn(placed, ['d', 'e', 'f'])).toEqual(lefts.map((id) => partner[id]));
  });

  test.each([
    [
      'none',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      [
        ['a', 'c'],
        ['b', 'd'],
      ],
      0,
    ],
    [
      'one',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      [
        ['a', 'd'],
        ['b', 'c'],
      ],
      1,
    ],
    [
      'lines with a common end do not cross',
      [['a', 'b'], ['c']],
      [
        ['a', 'c'],
        ['b', 'c'],
      ],
      0,
    ],
    [
      'three',
      [
        ['a', 'b', 'c'],
        ['d', 'e', 'f'],
      ],
      [
        ['a', 'f'],
        ['b', 'e'],
        ['c', 'd'],
      ],
      3,
    ],
  ] as const)('crossings: %s', (_name, columns, lines, count) => {
    expect(crossings(columns, [lines.map(([from, to]) => ({ from, to }))])).toBe(count);
  });
});

test('items stand apart, as near as can be to where they are wanted', () => {
  expect(
    spacedOut(
      [
        { height: 10, wanted: 0 },
        { height: 10, wanted: 100 },
      ],
      5,
    ),
  ).toEqual([0, 100]);
  expect(
    spacedOut(
      [
        { height: 10, wanted: 50 },
        { height: 10, wanted: 50 },
      ],
      5,
    ),
  ).toEqual([42.5, 57.5]);
});

describe('places', () => {
  test('a line that passes a column has a lane there, apart from the boxes', () => {
    const placed = placeDrawing(drawing('a | b | c', 'a>b b>c a>c'));
    const [band] = placed.bands.slice(1, 2);
    const passing = placed.lines.find(({ from, to }) => from === 'a' && to === 'c')?.points ?? [];
    const inColumn = passing.filter(({ x }) => x === band?.x || x === (band?.x ?? 0) + (band?.width ?? 0));
    const box = placed.boxes.find(({ id }) => id === 'b') as Rectangle;
    expect(inColumn).toHaveLength(2);
    for (const { y } of inColumn) expect(y < box.y || y > box.y + box.height).toBe(true);
  });

  test('a box takes the size of what is inside it', () => {
    const inside = drawing('x | y', 'x>y');
    const outer: Drawing = {
      columns: [[{ id: 'a', width: 10, height: 30, inside }]],
      lines: [],
      gates: [],
      captionHeight: 0,
    };
    const [box] = placeDrawing(outer).boxes;
    expect(box?.inside?.boxes.map(({ id }) => id)).toEqual(['x', 'y']);
    expect(box?.width).toBeGreaterThan(box?.inside?.width ?? 0);
    expect(box?.height).toBeGreaterThan(30 + (box?.inside?.height ?? 0));
  });

  test('a very long column goes on beside itself', () => {
    const names = Array.from({ length: 200 }, (_, index) => `n${index}`).join(' ');
    const { height, width } = placeDrawing(drawing(names));
    expect(height).toBeLessThan(2000);
    expect(width).toBeLessThan(2000);
  });

  test('nothing to draw takes no place', () => {
    expect(placeDrawing({ columns: [], lines: [], gates: [], captionHeight: 20 })).toMatchObject({
      width: 0,
      boxes: [],
      lines: [],
    });
  });

  const layered = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 6 }).chain((sizes) => {
    const ids = sizes.map((size, column) => Array.from({ length: size }, (_, index) => `${column}.${index}`));
    const pairs = ids.flatMap((from, column) =>
      ids.slice(column + 1).flatMap((to) => from.flatMap((a) => to.map((b) => `${a}>${b}`))),
    );
    return fc.record({
      columns: fc.constant(ids.map((names) => names.join(' ')).join('|')),
      lines: fc.subarray(pairs).map((some) => some.join(' ')),
    });
  });

  test('boxes never overlap, stand in their band and inside the drawing; lines go from left to right', () => {
    fc.assert(
      fc.property(layered, ({ columns, lines }) => {
        const placed = placeDrawing(drawing(columns, lines));
        for (const [index, box] of placed.boxes.entries()) {
          const band = placed.bands[Number(box.id.split('.')[0])] as Rectangle;
          expect(box.x).toBeGreaterThanOrEqual(band.x);
          expect(box.x + box.width).toBeLessThanOrEqual(band.x + band.width);
          expect(box.y).toBeGreaterThanOrEqual(0);
          expect(box.y + box.height).toBeLessThanOrEqual(placed.height);
          for (const other of placed.boxes.slice(index + 1)) expect(overlap(box, other)).toBe(false);
        }
        for (const { points } of placed.lines)
          for (const [at, { x }] of points.slice(1).entries()) expect(x).toBeGreaterThanOrEqual(points[at]?.x ?? 0);
        expect(placeDrawing(drawing(columns, lines))).toEqual(placed);
      }),
      { numRuns: 60 },
    );
  });

  test('an order is never worse than the given one, and has the same items', () => {
    fc.assert(
      fc.property(layered, ({ columns, lines }) => {
        const given = columns.split('|').map((names) => names.split(' '));
        const segments = given
          .slice(1)
          .map((_, column) =>
            drawing(columns, lines).lines.filter(
              ({ from, to }) => from.startsWith(`${column}.`) && to.startsWith(`${column + 1}.`),
            ),
          );
        const ordered = orderColumns(given, segments);
        expect(crossings(ordered, segments)).toBeLessThanOrEqual(crossings(given, segments));
        expect(ordered.map((column) => [...column].sort())).toEqual(given.map((column) => [...column].sort()));
      }),
      { numRuns: 60 },
    );
  });
});
