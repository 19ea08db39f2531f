import { expect, test } from 'vitest';
import type { ReleaseDrift } from '../../src/actions/drift.ts';
import { stackDriftText } from '../../src/show/changes/drift-text.ts';

const drift = (release: string, objects: ReleaseDrift['objects'] = []): ReleaseDrift => ({
  release,
  namespace: 'shop',
  revision: 1,
  compared: 2,
  isDrifted: objects.length > 0,
  objects,
});
const named = (count: number): ReleaseDrift[] => Array.from({ length: count }, (_, index) => drift(`app${index}`));

test('many releases without drift are a number', () => {
  expect(
    stackDriftText(named(10))
      .split('\n')
      .filter((line) => line.includes('no drift in 2 objects')),
  ).toHaveLength(10);
  expect(stackDriftText(named(29))).toBe('no drift in 29 releases\n');
});
