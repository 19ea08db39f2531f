import { describe, expect, test } from 'vitest';
import {
  atFirst,
  clamped,
  clampScale,
  fitScale,
  fitted,
  showing,
  zoomed,
} from '../../../src/show/browser/graph/camera.ts';

const window = { width: 800, height: 600 };
const small = { width: 200, height: 100 };
const large = { width: 8000, height: 2000 };

describe('zoom', () => {
  test('a small drawing is not enlarged to fit, a large one is made smaller', () => {
    expect(fitScale(small, window)).toBe(1);
    expect(fitScale(large, window)).toBeCloseTo(800 / 8032);
  });

  test('ends at three times the size, and at half of what shows all', () => {
    expect(clampScale(99, large, window)).toBe(3);
    expect(clampScale(0, large, window)).toBeCloseTo(fitScale(large, window) / 2);
  });

  test('the point that is zoomed at stays where it is', () => {
    const before = { x: 100, y: 50, scale: 1 };
    const at = { x: 300, y: 200 };
    const after = zoomed(before, 2, at, { whole: large, window });
    expect(after.scale).toBe(2);
    expect((at.x - after.x) * after.scale).toBeCloseTo((at.x - before.x) * before.scale);
    expect((at.y - after.y) * after.scale).toBeCloseTo((at.y - before.y) * before.scale);
  });
});

test('a drawing cannot be moved out of the window', () => {
  const far = clamped({ x: 1e6, y: -1e6, scale: 1 }, large, window);
  expect(far.x).toBe(large.width - window.width / 2);
  expect(far.y).toBe(-window.height / 2);
});

test('a drawing that has room is in the middle at first, and stays where it is moved to', () => {
  const moved = { x: -350, y: -280, scale: 1 };
  expect(clamped(moved, small, window)).toEqual(moved);
  expect(fitted(small, window)).toEqual({ x: -300, y: -250, scale: 1 });
});

describe('at first', () => {
  const box = { x: 400, y: 900, width: 120, height: 30 };

  test('all of it, if its letters can be read so', () => {
    expect(atFirst(small, window, box)).toEqual(fitted(small, window));
  });

  test('else from the left, at the height of the first box, readable', () => {
    const camera = atFirst(large, window, box);
    expect(camera.scale).toBe(0.7);
    expect(camera.x).toBe(-16);
    expect(camera.y + window.height / camera.scale / 2).toBe(box.y + box.height / 2);
  });

  test('nothing of the window stays empty above it', () => {
    expect(atFirst(large, window, { ...box, y: 10 }).y).toBe(-16);
    const { y, scale } = atFirst(large, window, { ...box, y: 1990 });
    expect(y + window.height / scale).toBe(large.height + 16);
  });

  test('a narrow window begins at the box', () => {
    const narrow = { width: 300, height: 600 };
    const camera = atFirst(large, narrow, box);
    expect(camera.x).toBeGreaterThan(0);
    expect(camera.x).toBeLessThan(box.x);
    expect(camera.x + narrow.width / camera.scale).toBeGreaterThan(box.x + box.width);
  });
});

test('a box that is out of sight is brought in, one that is in sight moves nothing', () => {
  const camera = { x: 0, y: 0, scale: 1 };
  expect(showing(camera, { x: 100, y: 100, width: 50, height: 50 }, large, window)).toEqual(camera);
  const brought = showing(camera, { x: 3000, y: 1500, width: 100, height: 50 }, large, window);
  expect(brought).toEqual({ x: 3000 + 100 + 24 - 800, y: 1500 + 50 + 90 - 600, scale: 1 });
});

test('of a box larger than the window the beginning is seen', () => {
  const { x, y } = showing({ x: 0, y: 0, scale: 1 }, { x: 2000, y: 500, width: 5000, height: 1000 }, large, window);
  expect([x, y]).toEqual([2000, 500]);
});
