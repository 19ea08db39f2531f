import { expect, test } from 'vitest';
import { installOrder, sortByKind, uninstallOrder } from '../../src/manifest/kind-order.ts';

const sorted = (items: readonly string[], order?: readonly string[]) =>
  sortByKind(items, (item) => item.split('/')[0] ?? '', order);

test('both orders name the same kinds', () => {
  expect([...installOrder].sort()).toEqual([...uninstallOrder].sort());
});

test('items of one kind keep their order; unknown kinds come last, by name', () => {
  const items = ['Zed/1', 'Service/2', 'Alpha/3', 'Service/1', 'Zed/0', 'Namespace/1'];
  expect(sorted(items)).toEqual(['Namespace/1', 'Service/2', 'Service/1', 'Alpha/3', 'Zed/1', 'Zed/0']);
  expect(sorted(items, uninstallOrder)).toEqual(['Service/2', 'Service/1', 'Namespace/1', 'Alpha/3', 'Zed/1', 'Zed/0']);
});
