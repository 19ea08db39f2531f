import { expect, test } from 'vitest';
import { historyLength, Store } from '../../src/sandbox/store/store.ts';

test('a sandbox that runs for long keeps the changes of the last moments alone', () => {
  const store = new Store();
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };
  for (let change = 0; change < 10 * historyLength; change++) store.put('/configmaps', object);
  expect(store.changesSince(store.oldestRevision)?.length).toBeLessThanOrEqual(2 * historyLength);
  expect(historyLength).toBeLessThanOrEqual(1_000);
  expect(store.changesSince(store.oldestRevision - 1)).toBeUndefined();
});
