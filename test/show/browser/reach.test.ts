import { expect, test } from 'vitest';
import { reach, reversed } from '../../../src/show/browser/graph/reach.ts';

const edges = new Map([
  ['a', ['b', 'c']],
  ['b', ['d']],
  ['c', ['d']],
]);

test('everything that edges lead to, and back', () => {
  expect([...reach('a', edges)].sort()).toEqual(['b', 'c', 'd']);
  expect([...reach('d', reversed(edges))].sort()).toEqual(['a', 'b', 'c']);
  expect([...reach('d', edges)]).toEqual([]);
});
