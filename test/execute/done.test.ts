import { expect, test } from 'vitest';
import { hookKey } from '../../src/execute/done.ts';
import { hookOf } from '../plan/manifests.ts';

test('an object that is a hook of one event twice is finished twice', () => {
  const [first, second] = [hookOf('seed', { weight: 1 }), hookOf('seed', { weight: 2 })];
  expect(hookKey('pre-install', first)).toBe(hookKey('pre-install', { ...first }));
  expect(hookKey('pre-install', first)).not.toBe(hookKey('pre-install', second));
  expect(hookKey('pre-install', first)).not.toBe(hookKey('post-install', first));
});
