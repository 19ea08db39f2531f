import { expect, test } from 'vitest';
import { criticalNodes } from '../../src/stack/critical-path.ts';

const node = (id: string, startMs: number, endMs: number, ...needs: string[]) => ({ id, needs, startMs, endMs });
const path = (...nodes: ReturnType<typeof node>[]) =>
  criticalNodes(nodes).map(({ node: { id }, waitedMs }) => `${id}${waitedMs === 0 ? '' : ` +${waitedMs}`}`);

test('goes back from what ended last over the need that ended last', () => {
  const nodes = [node('a', 0, 5), node('b', 0, 7), node('c', 7, 9, 'a', 'b'), node('d', 5, 8, 'a')];
  expect(path(...nodes)).toEqual(['b', 'c']);
});

test('counts what a node waited for a place, and takes the first by name of equals', () => {
  expect(path(node('b', 0, 4), node('a', 0, 4))).toEqual(['a']);
  expect(path(node('x', 0, 1), node('a', 1, 4), node('y', 1, 6), node('b', 6, 8, 'a'))).toEqual(['a +1', 'b +2']);
});

test('what begins late while nothing else ends has waited for no place', () => {
  expect(path(node('a', 3, 4), node('b', 6, 8, 'a'), node('c', 0, 7))).toEqual(['a', 'b']);
});

test('a need that was not worked on, and no nodes at all', () => {
  expect(path(node('a', 0, 4, 'elsewhere'))).toEqual(['a']);
  expect(path()).toEqual([]);
});
